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

#define FEW_PORTS 4 /* of which all statistics are shown; of more, what they moved */
#define FEW_NODES 8 /* which are shown; else the sums alone */

#define NAME_WIDTH	14
#define TOTAL_WIDTH	13
#define STATISTIC_WIDTH 11
#define COUNT_WIDTH	16

/* A metric of a row, or an event: of a row that sums it up, or of all units that count it. */
struct entry {
	const struct metric *metric; /* NULL: of an event */
	size_t column;
	size_t first_row, row_count;
};

struct summary {
	const struct table *table;
	struct entry *entries; /* by column and row, then events */
	size_t metric_entries, entry_count;
	struct series series;	     /* of each entry */
	size_t ports, nodes, groups; /* with rows */
	bool has_system;	     /* likewise */
	uint64_t missed;
	int name_width, place_width; /* of the longest, and of names those of the metric table */
};

static bool moves_bytes(const struct metric *metric)
{
	return metric->family.counter && metric->family.unit &&
	       !strcmp(metric->family.unit, "bytes");
}

/* A single port is the system, if the system has a row. */
static bool is_shown(const struct summary *s, const struct row *row, const struct metric *metric)
{
	if (metric->kind != METRIC_NUMBER || metric_is_state(metric) || row->of_domain ||
	    !row_can_have(row, metric))
		return false;
	if (row->of_node)
		return s->nodes <= FEW_NODES;
	if (row->group)
		return s->groups <= FEW_NODES;
	if (row->scope == SCOPE_PORT)
		return (s->ports > 1 || !s->has_system) &&
		       (s->ports <= FEW_PORTS || moves_bytes(metric));
	return row->scope == SCOPE_SYSTEM;
}

static void add_metric(struct summary *s, size_t column, size_t r)
{
	const struct metric *metric = s->table->columns[column].metric;
	char text[LOCATION_SIZE];

	s->entries[s->entry_count++] =
		(struct entry){.metric = metric, .column = column, .first_row = r, .row_count = 1};
	s->name_width = field_width(s->name_width, metric->heading ? metric->heading : "");
	s->place_width = field_width(s->place_width, location(&s->table->rows[r], text));
}

/* The rows of an event, one after the other; the same event may follow once more. */
static void add_events(struct summary *s)
{
	const struct row *rows = s->table->rows, *first = NULL;

	for (size_t r = table_metric_rows(s->table); r < s->table->row_count; r++) {
		if (!first || rows[r].event != first->event ||
		    (rows[r].unit == first->unit && rows[r].scope == first->scope)) {
			first = &rows[r];
			s->entries[s->entry_count++] =
				(struct entry){.column = series_event(s->table), .first_row = r};
		}
		/* that of the system is the sum of those of the sockets */
		if (rows[r].scope == first->scope)
			s->entries[s->entry_count - 1].row_count++;
	}
}

/* Whether all statistics of an entry are shown: not of ports of many, of which totals are. */
static bool has_statistics(const struct summary *s, const struct entry *e)
{
	return !e->metric || s->ports <= FEW_PORTS ||
	       !row_is_of_port(&s->table->rows[e->first_row]);
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

int summary_new(const struct table *table, struct summary **out)
{
	struct summary *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->table = table;
	s->name_width = NAME_WIDTH;
	for (size_t r = 0; r < table_metric_rows(table); r++) {
		s->ports += row_is_of_port(&table->rows[r]);
		s->nodes += table->rows[r].of_node;
		s->groups += table->rows[r].group != NULL;
		s->has_system |= table->rows[r].scope == SCOPE_SYSTEM;
	}
	s->entries = calloc(table->row_count * (table->column_count + 1), sizeof(*s->entries));
	for (size_t c = 0; s->entries && c < table->column_count; c++)
		for (size_t r = 0; r < table_metric_rows(table); r++)
			if (is_shown(s, &table->rows[r], table->columns[c].metric))
				add_metric(s, c, r);
	s->metric_entries = s->entry_count;
	if (s->entries)
		add_events(s);
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
	series_add(&s->series);
	s->missed += sample->missed;
}

static const struct series_cell *cell_of(const struct summary *s, const struct entry *e)
{
	return series_cell(&s->series, e->first_row, e->column);
}

/* What is not known of some samples is missing in the total, too. On a line of its own, for width.
 */
static void put_known(const struct summary *s, const struct entry *e, FILE *out)
{
	const uint64_t known = cell_of(s, e)->known;

	if (known < s->series.samples)
		fprintf(out, "\n%*s(known in %" PRIu64 " of %" PRIu64 " samples)",
			s->name_width + 3, "", known, s->series.samples);
}

static int put_metric(const struct summary *s, const struct entry *e, bool first, FILE *out)
{
	const struct series_cell *cell = cell_of(s, e);
	const struct metric *metric = e->metric;
	const unsigned decimals = decimals_of(metric).brief;
	char text[LOCATION_SIZE], total[32] = ""; /* of what is no rate */
	struct statistics statistics;

	fprintf(out, "  %-*s %-*s", s->name_width, first ? metric_title(metric) : "",
		text_padding(location(&s->table->rows[e->first_row], text), s->place_width), text);
	if (!cell->known) {
		fprintf(out, " %*s\n", TOTAL_WIDTH - 1, "-");
		return 0;
	}
	if (moves_bytes(metric))
		snprintf(total, sizeof(total), "%.3f GB",
			 cell->weighted * metric->family.factor / 1e9);
	else if (metric->family.counter)
		snprintf(total, sizeof(total), "%.0f", cell->weighted);
	fprintf(out, " %*s", TOTAL_WIDTH - 1, total);
	if (has_statistics(s, e)) {
		if (series_statistics(&s->series, cell, &statistics))
			return -ENOMEM;
		field_column(out, statistics.mean, STATISTIC_WIDTH, "%.*f", decimals);
		field_column(out, statistics.p95, STATISTIC_WIDTH, "%.*f", decimals);
		field_column(out, statistics.max, STATISTIC_WIDTH, "%.*f", decimals);
		fprintf(out, "%s%s", *unit_text(metric) ? " " : "", unit_text(metric));
	}
	put_known(s, e, out);
	putc('\n', out);
	return 0;
}

/* The end of the entries of a column; *known: some of them has any known value. */
static size_t column_end(const struct summary *s, size_t first, bool *known)
{
	size_t i = first;

	for (*known = false;
	     i < s->metric_entries && s->entries[i].column == s->entries[first].column; i++)
		*known |= cell_of(s, &s->entries[i])->known > 0;
	return i;
}

static int put_metrics(const struct summary *s, FILE *out)
{
	bool known, headed = false;
	int rc = 0;

	for (size_t first = 0, end; !rc && first < s->metric_entries; first = end) {
		end = column_end(s, first, &known);
		if (known && !headed)
			fprintf(out, "  %-*s %-*s %*s %*s %*s %*s\n", s->name_width, "",
				s->place_width, "", TOTAL_WIDTH - 1, "total", STATISTIC_WIDTH - 1,
				"mean", STATISTIC_WIDTH - 1, "p95", STATISTIC_WIDTH - 1, "max");
		headed |= known;
		for (size_t i = first; known && !rc && i < end; i++)
			rc = put_metric(s, &s->entries[i], i == first, out);
	}
	return rc;
}

static int put_event(const struct summary *s, const struct entry *e, FILE *out)
{
	const struct row *row = &s->table->rows[e->first_row];
	const struct series_cell *cell = cell_of(s, e);
	const unsigned brief = decimals_of(NULL).brief;
	struct statistics statistics;

	if (series_statistics(&s->series, cell, &statistics))
		return -ENOMEM;
	field_column(out, cell->amount, COUNT_WIDTH, "%.*f", 0);
	field_column(out, statistics.mean, COUNT_WIDTH, "%.*f", brief);
	field_column(out, statistics.p95, COUNT_WIDTH, "%.*f", brief);
	field_column(out, statistics.max, COUNT_WIDTH, "%.*f", brief);
	fprintf(out, "  %s, %s", row->event->name, row->unit->pmu_type->name);
	put_known(s, e, out);
	putc('\n', out);
	return 0;
}

int summary_print(const struct summary *s, const char *processor, uint64_t elapsed_ns, FILE *out)
{
	if (!s->series.samples)
		return 0;
	fprintf(out, "cxlmon: %" PRIu64 " sample%s in %.3f s on %s", s->series.samples,
		s->series.samples == 1 ? "" : "s", (double)elapsed_ns / NS_PER_S, processor);
	if (s->missed)
		fprintf(out, ", %" PRIu64 " deadline%s missed", s->missed,
			s->missed == 1 ? "" : "s");
	putc('\n', out);
	int rc = put_metrics(s, out);
	if (s->metric_entries < s->entry_count)
		fprintf(out, "%*s%*s%*s%*s  event, units\n", COUNT_WIDTH, "count", COUNT_WIDTH,
			"mean/s", COUNT_WIDTH, "p95/s", COUNT_WIDTH, "max/s");
	for (size_t i = s->metric_entries; !rc && i < s->entry_count; i++)
		rc = put_event(s, &s->entries[i], out);
	return rc;
}
