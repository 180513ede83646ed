/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "output/fields.h"
#include "series/series.h"
#include "table/spell.h"
#include "uncore/units/unit.h"

#define FEW_PORTS 4 /* all statistics up to this many ports; for more, only totals */
#define FEW_NODES 8 /* all nodes up to this many; for more, only sums */

#define NAME_WIDTH	14
#define TOTAL_WIDTH	12
#define STATISTIC_WIDTH 9
#define COUNT_WIDTH	16
#define MARK		" *" /* marks a line with values unknown in some samples */
#define MARK_WIDTH	2
#define MOST_EXACT	1e6 /* totals of events from here on have an SI prefix */

/* The statistics of a line, in the order in which they are printed. */
static const enum statistic printed[] = {STATISTIC_MEAN, STATISTIC_P95, STATISTIC_MAX};
#define PRINTED (sizeof(printed) / sizeof(printed[0]))

/* Statistics that narrow lines leave out, in this order. */
static const enum statistic left_out_first[] = {STATISTIC_P95, STATISTIC_MAX};
#define LEFT_OUT (sizeof(left_out_first) / sizeof(left_out_first[0]))

/* A metric of a row, or an event of a row with a sum, or of all units that count it. */
struct entry {
	const struct metric *metric; /* NULL: an event */
	size_t column;
	size_t first_row, row_count;
};

struct summary {
	const struct table *table;
	struct entry *entries; /* by column and row, then events */
	size_t metric_entries, entry_count;
	struct series series;	     /* series of each entry */
	size_t ports, nodes, groups; /* numbers of those with rows */
	bool has_system;	     /* the system has a row */
	uint64_t missed;
};

/* The state of printing. */
struct printing {
	const struct summary *summary;
	FILE *out;
	int name_width, place_width; /* columns of the longest name and place */
	bool left_out[STATISTICS];   /* statistics that have no room */
	uint64_t least_known; /* fewest known samples of a marked line; 0: no line is marked */
};

static bool moves_bytes(const struct metric *metric)
{
	return metric->family.counter && metric->family.unit &&
	       !strcmp(metric->family.unit, "bytes");
}

/*
 * Tells if a metric of a row is shown. A single port is left out if the system has a row: they are
 * the same.
 */
static bool is_shown(const struct summary *s, const struct row *row, const struct metric *metric)
{
	if (metric->kind != METRIC_NUMBER || metric_is_state(metric) ||
	    row->place.kind == ROW_DOMAIN || !row_can_have(row, metric))
		return false;
	if (row->place.kind == ROW_NODE)
		return s->nodes <= FEW_NODES;
	if (row->place.kind == ROW_GROUP)
		return s->groups <= FEW_NODES;
	if (row_scope(row) == SCOPE_PORT)
		return (s->ports > 1 || !s->has_system) &&
		       (s->ports <= FEW_PORTS || moves_bytes(metric));
	return row->place.kind == ROW_SYSTEM;
}

#define TITLE_SIZE 128

/* "CXL read, MB/s"; returns text. */
static const char *title_text(const struct metric *metric, char text[TITLE_SIZE])
{
	const char *unit = field_unit(metric).text;

	snprintf(text, TITLE_SIZE, "%s%s%s", metric_title(metric), *unit ? ", " : "", unit);
	return text;
}

static void add_metric(struct summary *s, size_t column, size_t r)
{
	const struct metric *metric = s->table->columns[column].metric;

	s->entries[s->entry_count++] =
		(struct entry){.metric = metric, .column = column, .first_row = r, .row_count = 1};
}

/* Adds the events. Rows of an event are consecutive; the same event may occur again. */
static void add_events(struct summary *s)
{
	const struct row *rows = s->table->rows, *first = NULL;

	for (size_t r = table_metric_rows(s->table); r < s->table->row_count; r++) {
		if (!first || rows[r].event != first->event ||
		    (rows[r].unit == first->unit && row_scope(&rows[r]) == row_scope(first))) {
			first = &rows[r];
			s->entries[s->entry_count++] =
				(struct entry){.column = series_event(s->table), .first_row = r};
		}
		/* rows of sockets add up to the system's */
		if (row_scope(&rows[r]) == row_scope(first))
			s->entries[s->entry_count - 1].row_count++;
	}
}

/* Tells if all statistics of an entry are shown: if there are many ports, only their totals are. */
static bool has_statistics(const struct summary *s, const struct entry *e)
{
	return !e->metric || s->ports <= FEW_PORTS ||
	       !place_is_of_port(&s->table->rows[e->first_row].place);
}

static int keep_entries(struct summary *s)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < s->entry_count; i++) {
		const struct entry *e = &s->entries[i];

		rc = series_keep(&s->series, e->first_row, e->row_count, e->column,
				 has_statistics(s, e) ? SERIES_RANKS : 0);
	}
	return rc;
}

static void find_entries(struct summary *s)
{
	const struct table *table = s->table;

	for (size_t r = 0; r < table_metric_rows(table); r++) {
		s->ports += place_is_of_port(&table->rows[r].place);
		s->nodes += table->rows[r].place.kind == ROW_NODE;
		s->groups += table->rows[r].place.kind == ROW_GROUP;
		s->has_system |= table->rows[r].place.kind == ROW_SYSTEM;
	}
	for (size_t c = 0; c < table->column_count; c++)
		for (size_t r = 0; r < table_metric_rows(table); r++)
			if (is_shown(s, &table->rows[r], table->columns[c].metric))
				add_metric(s, c, r);
	s->metric_entries = s->entry_count;
	add_events(s);
}

int summary_new(const struct table *table, enum summary_extent extent, struct summary **out)
{
	struct summary *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->table = table;
	s->entries = calloc(table->row_count * (table->column_count + 1), sizeof(*s->entries));
	if (s->entries && extent == SUMMARY_WHOLE)
		find_entries(s);
	if (series_init(&s->series, table) || !s->entries || keep_entries(s)) {
		summary_free(s);
		return -ENOMEM;
	}
	*out = s;
	return 0;
}

void summary_free(struct summary *s)
{
	if (!s)
		return;
	series_free(&s->series);
	free(s->entries);
	free(s);
}

void summary_add(struct summary *s, const struct sample *sample)
{
	series_add(&s->series, 0, 0);
	s->missed += sample->missed;
}

static const struct series_cell *cell_of(const struct summary *s, const struct entry *e)
{
	return series_cell(&s->series, e->first_row, e->column);
}

/* Chooses the statistics that fit into a line of this width. others: width of its other parts. */
static void fit_statistics(struct printing *p, int others, int width)
{
	int room = width - others - (int)PRINTED * STATISTIC_WIDTH;

	for (size_t i = 0; i < LEFT_OUT; i++) {
		p->left_out[left_out_first[i]] = room < 0;
		room += room < 0 ? STATISTIC_WIDTH : 0;
	}
}

static void put_names(const struct printing *p, const char *suffix)
{
	char text[16];

	for (size_t i = 0; i < PRINTED; i++) {
		snprintf(text, sizeof(text), "%s%s", statistic_names[printed[i]], suffix);
		if (!p->left_out[printed[i]])
			fprintf(p->out, " %*s", STATISTIC_WIDTH - 1, text);
	}
}

static void put_mark(struct printing *p, const struct series_cell *cell)
{
	if (!cell->known || cell->known >= p->summary->series.samples)
		return;
	fputs(MARK, p->out);
	if (!p->least_known || cell->known < p->least_known)
		p->least_known = cell->known;
}

static void put_total(const struct printing *p, const struct metric *metric, double weighted)
{
	if (moves_bytes(metric))
		field_column(p->out, weighted * metric->family.factor / 1e9, TOTAL_WIDTH, "%.*f GB",
			     3);
	else if (!metric->family.counter)
		fprintf(p->out, "%*s", TOTAL_WIDTH, "");
	else if (weighted < MOST_EXACT)
		field_column(p->out, weighted, TOTAL_WIDTH, "%.*f", 0);
	else
		field_count(p->out, weighted, TOTAL_WIDTH, 1, false);
}

static int put_statistics(const struct printing *p, const struct series_cell *cell,
			  const struct metric *metric)
{
	const struct series *series = &p->summary->series;
	struct statistics found;

	if (series_statistics(series, cell, &found))
		return -ENOMEM;
	for (size_t i = 0; i < PRINTED; i++) {
		const double number = statistics_get(&found, printed[i]);

		if (p->left_out[printed[i]])
			continue;
		if (metric)
			field_value(p->out, metric, number, STATISTIC_WIDTH, false);
		else
			field_count(p->out, number, STATISTIC_WIDTH, decimals_of(NULL).brief,
				    false);
	}
	return 0;
}

static int put_metric(struct printing *p, const struct entry *e, bool first)
{
	const struct summary *s = p->summary;
	const struct series_cell *cell = cell_of(s, e);
	char text[LOCATION_SIZE], title[TITLE_SIZE];
	int rc = 0;

	fprintf(p->out, "  %-*s %-*s", p->name_width, first ? title_text(e->metric, title) : "",
		text_padding(location(&s->table->rows[e->first_row], text), p->place_width), text);
	if (!cell->known) {
		fprintf(p->out, " %*s\n", TOTAL_WIDTH - 1, "-");
		return 0;
	}
	put_total(p, e->metric, cell->weighted);
	if (has_statistics(s, e))
		rc = put_statistics(p, cell, e->metric);
	put_mark(p, cell);
	putc('\n', p->out);
	return rc;
}

/* Returns the end of the entries of a column. *known: some entry has a known value. */
static size_t column_end(const struct summary *s, size_t first, bool *known)
{
	size_t i = first;

	for (*known = false;
	     i < s->metric_entries && s->entries[i].column == s->entries[first].column; i++)
		*known |= cell_of(s, &s->entries[i])->known > 0;
	return i;
}

static void find_widths(struct printing *p)
{
	const struct summary *s = p->summary;
	char text[LOCATION_SIZE], title[TITLE_SIZE];
	bool known;

	p->name_width = NAME_WIDTH;
	for (size_t first = 0, end; first < s->metric_entries; first = end) {
		end = column_end(s, first, &known);
		for (size_t i = first; known && i < end; i++) {
			const struct entry *e = &s->entries[i];

			p->name_width = field_width(p->name_width, title_text(e->metric, title));
			p->place_width = field_width(p->place_width,
						     location(&s->table->rows[e->first_row], text));
		}
	}
}

static int put_metrics(struct printing *p, int width)
{
	const struct summary *s = p->summary;
	bool known, headed = false;
	int rc = 0;

	find_widths(p);
	fit_statistics(p, 2 + p->name_width + 1 + p->place_width + TOTAL_WIDTH + MARK_WIDTH, width);
	for (size_t first = 0, end; !rc && first < s->metric_entries; first = end) {
		end = column_end(s, first, &known);
		if (known && !headed) {
			fprintf(p->out, "  %-*s %-*s %*s", p->name_width, "", p->place_width, "",
				TOTAL_WIDTH - 1, "total");
			put_names(p, "");
			putc('\n', p->out);
		}
		headed |= known;
		for (size_t i = first; known && !rc && i < end; i++)
			rc = put_metric(p, &s->entries[i], i == first);
	}
	return rc;
}

/* "UNC_CXLCM_CLOCKTICKS, cxlcm"; returns text. */
static const char *event_text(const struct row *row, char text[TITLE_SIZE])
{
	snprintf(text, TITLE_SIZE, "%s, %s", row->event->name, row->unit->pmu_type->name);
	return text;
}

/* Prints a count with all digits, as perf stat does. */
static int put_event(struct printing *p, const struct entry *e)
{
	const struct series_cell *cell = cell_of(p->summary, e);
	char text[TITLE_SIZE];

	field_column(p->out, cell->amount, COUNT_WIDTH, "%.*f", 0);
	const int rc = put_statistics(p, cell, NULL);
	fprintf(p->out, "  %s", event_text(&p->summary->table->rows[e->first_row], text));
	put_mark(p, cell);
	putc('\n', p->out);
	return rc;
}

static int put_events(struct printing *p, int width)
{
	const struct summary *s = p->summary;
	char text[TITLE_SIZE];
	int longest = 0, rc = 0;

	for (size_t i = s->metric_entries; i < s->entry_count; i++)
		longest = field_width(longest,
				      event_text(&s->table->rows[s->entries[i].first_row], text));
	if (!longest)
		return 0;
	fit_statistics(p, COUNT_WIDTH + 2 + longest + MARK_WIDTH, width);
	fprintf(p->out, "%*s", COUNT_WIDTH, "count");
	put_names(p, "/s");
	fputs("  event, units\n", p->out);
	for (size_t i = s->metric_entries; !rc && i < s->entry_count; i++)
		rc = put_event(p, &s->entries[i]);
	return rc;
}

int summary_print(const struct summary *s, const char *processor, uint64_t elapsed_ns, int width,
		  FILE *out)
{
	struct printing p = {.summary = s, .out = out};

	if (!s->series.samples)
		return 0;
	fprintf(out, "cxlmon: %" PRIu64 " sample%s in %.3f s on %s", s->series.samples,
		s->series.samples == 1 ? "" : "s", (double)elapsed_ns / NS_PER_S, processor);
	if (s->missed)
		fprintf(out, ", %" PRIu64 " deadline%s missed", s->missed,
			s->missed == 1 ? "" : "s");
	putc('\n', out);
	int rc = put_metrics(&p, width);
	if (!rc)
		rc = put_events(&p, width);
	if (p.least_known)
		fprintf(out,
			"  * of the samples in which it is known: at least %" PRIu64 " of %" PRIu64
			"\n",
			p.least_known, s->series.samples);
	return rc;
}
