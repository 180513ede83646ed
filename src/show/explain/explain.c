/* SPDX-License-Identifier: BSD-3-Clause */
/* List of rules, and the sums of samples that each rule keeps for its subjects. */
#include "show/explain/explain_private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "probe/sweep/sweep_point.h"
#include "sources/source.h"

#define BINS_PER_E   1000 /* bins per factor e: a bin is a thousandth of its traffic wide */
#define TRAFFIC_MOST 1e12 /* MB/s; higher traffic is in the last bin */

#define LIST(name) &rule_##name,
const struct rule *const explain_rules[] = {FOR_EACH_RULE(LIST) NULL};
_Static_assert(sizeof(explain_rules) / sizeof(explain_rules[0]) - 1 <= RULES_MOST,
	       "findings.not_checked has room for all");

/* clang-format off */
const struct rule explain_nothing = {
	.name = "nothing_found", .of = SYSTEM, .busy = true,
	.shows = {"cxl_mem_read_MBps", "cxl_mem_write_MBps", "cxl_read_latency_ns"},
	.sentence = "These checks found no limit of CXL",
};
/* clang-format on */

static void add_figures(const struct explain *e, struct explained_rule *kept,
			const char *const *names, size_t most)
{
	for (size_t i = 0; i < most && names[i]; i++) {
		const struct derived *derived = explain_find_derived(names[i]);
		const size_t f = kept->count++;

		kept->figures[f] = names[i];
		kept->derived[f] = derived;
		kept->columns[f] = derived ? SIZE_MAX : table_find(e->table, names[i]);
		kept->missing[f] =
			table_find(e->table, derived ? derived->of : names[i]) == SIZE_MAX;
	}
}

/* Makes room for all subjects: a recording names regions after its header. Returns 0 or -ENOMEM. */
static int make_room(const struct explain *e, const struct rule *rule, struct explained_rule *kept)
{
	const size_t count = explain_subject_count(e, rule);

	if (count <= kept->subject_count || !(explain_is_of_rows(rule) || rule->of == REGIONS))
		return 0;
	struct explained_subject *all = realloc(kept->subjects, count * sizeof(*all));
	if (!all)
		return -ENOMEM;
	kept->subjects = all;
	for (; kept->subject_count < count; kept->subject_count++) {
		const size_t i = kept->subject_count;
		struct explained_subject *subject = &all[i];

		*subject = (struct explained_subject){
			.has_samples = rule->of == REGIONS ||
				       explain_is_subject(&e->table->rows[i], rule->of)};
		for (size_t f = 0; f < FIGURES_MOST; f++)
			subject->least[f] = subject->last[f] = NAN;
		if (!rule->busy || !subject->has_samples)
			continue;
		subject->bins = calloc(BUSY_BINS, sizeof(*subject->bins));
		if (!subject->bins)
			return -ENOMEM;
	}
	return 0;
}

/* Returns a rule of the table, or explain_nothing after the last. */
static const struct rule *rule_of(size_t i)
{
	return explain_rules[i] ? explain_rules[i] : &explain_nothing;
}

static int init_rules(struct explain *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i <= e->rule_count; i++) {
		const struct rule *rule = rule_of(i);
		struct explained_rule *kept = &e->rules[i];

		add_figures(e, kept, rule->needs, NEEDS_MOST);
		kept->needed = kept->count;
		add_figures(e, kept, rule->any, ANY_MOST);
		kept->any = kept->count - kept->needed;
		add_figures(e, kept, rule->beside, BESIDE_MOST);
		add_figures(e, kept, rule->shows, SHOWS_MOST);
		rc = make_room(e, rule, kept);
	}
	return rc;
}

/* A sweep uses the option of a node for its load, not for a choice of ports. */
static bool selects_ports(const struct recording_info *info)
{
	return recorded_option(info, "port") || recorded_option(info, "device") ||
	       (recorded_option(info, "node") && recorded_option(info, "per"));
}

int explain_init(struct explain *explain, const struct table *table,
		 const struct recording_info *info)
{
	const char *load = recorded_option(info, RECORDED_LOAD);

	*explain = (struct explain){
		.table = table,
		.info = info,
		.swept = load && !strcmp(load, RECORDED_SWEEP),
		.marks = calloc(MARK_KINDS, sizeof(*explain->marks)),
		.tallies = {.items = calloc(table->tallies.count + 1,
					    sizeof(*table->tallies.items))},
		.read = table_find(table, "cxl_mem_read_MBps"),
		.write = table_find(table, "cxl_mem_write_MBps"),
		.latency = table_find(table, "cxl_read_latency_ns"),
		.link_read = table_find(table, "link_read_pct"),
		.link_write = table_find(table, "link_write_pct"),
		.data_full = table_find(table, "rx_mem_data_full_pct"),
		.req_full = table_find(table, "rx_mem_req_full_pct"),
		.hot = {.hot_cxl_GiB = NAN, .colder_dram_GiB = NAN, .unseen_dram_GiB = NAN},
	};
	while (explain_rules[explain->rule_count])
		explain->rule_count++;
	explain->rules = calloc(explain->rule_count + 1, sizeof(*explain->rules));
	if (!explain->rules || !explain->marks || !explain->tallies.items)
		return -ENOMEM;
	for (size_t i = 0; i < table->tallies.count; i++)
		explain->tallies.items[explain->tallies.count++] = table->tallies.items[i];
	return init_rules(explain);
}

static void free_sums(struct sums *sums)
{
	for (size_t f = 0; f < sums->count; f++)
		value_sum_free(&sums->figures[f]);
	free(sums->figures);
}

void explain_free(struct explain *explain)
{
	for (size_t i = 0; explain->rules && i <= explain->rule_count; i++) {
		struct explained_rule *kept = &explain->rules[i];

		for (size_t s = 0; s < kept->subject_count; s++) {
			for (unsigned b = 0; kept->subjects[s].bins && b < BUSY_BINS; b++)
				free_sums(&kept->subjects[s].bins[b]);
			free_sums(&kept->subjects[s].sums);
			free(kept->subjects[s].bins);
		}
		free(kept->subjects);
	}
	free(explain->rules);
	free(explain->marks);
	free(explain->tallies.items);
	*explain = (struct explain){.rules = NULL};
}

static double traffic_in(const struct row *row, size_t column)
{
	const double number = column == SIZE_MAX ? NAN : row->values[column].number;

	return number > 0 ? fmin(number, TRAFFIC_MOST) : 0;
}

static unsigned bin_of(const struct explain *e, const struct row *row)
{
	const double traffic = traffic_in(row, e->read) + traffic_in(row, e->write);

	return (unsigned)(BINS_PER_E * log(fmax(traffic, 1)));
}

static void clear_sums(struct sums *sums)
{
	sums->samples = 0;
	for (size_t f = 0; f < sums->count; f++)
		value_sum_clear(&sums->figures[f]);
}

/* Returns the sums for a sample of this row; NULL: the sample is not busy. */
static struct sums *sums_of(const struct explain *e, struct explained_subject *subject,
			    const struct row *row)
{
	if (!subject->bins)
		return &subject->sums;
	const unsigned bin = bin_of(e, row);

	if (bin + BUSY_BINS <= subject->highest)
		return NULL;
	for (unsigned i = 0; subject->highest < bin && i < BUSY_BINS; i++)
		clear_sums(&subject->bins[++subject->highest % BUSY_BINS]);
	subject->highest = bin > subject->highest ? bin : subject->highest;
	return &subject->bins[bin % BUSY_BINS];
}

/* Adds a figure; a derived figure is summed up as a level is. */
static void add_figure(struct value_sum *sum, const struct figure *figure)
{
	struct input_value item = {figure->number, figure->ns};
	const struct inputs inputs = {.formula = &source_level, .items = &item};
	const struct value derived = {.number = figure->number, .text = "", .inputs = &inputs};

	value_sum_add(sum, figure->cell ? figure->cell : &derived);
}

/* Sums figures up; if memory is short, the sums become unknown. */
static void sum_figures(struct sums *to, const struct figure figures[FIGURES_MOST], size_t count)
{
	if (!to->figures) {
		to->figures = calloc(count + 1, sizeof(*to->figures));
		to->count = to->figures ? count : 0;
	}
	to->samples++;
	for (size_t f = 0; f < to->count; f++)
		if (!isnan(figures[f].number))
			add_figure(&to->figures[f], &figures[f]);
}

/* Returns whether the sample has all figures that the rule needs. */
static bool has_needed(const struct explained_rule *kept, const struct situation *s)
{
	const size_t needed = s->region ? s->region->device_count : kept->needed;
	bool any = !kept->any;

	for (size_t f = 0; f < needed; f++)
		if (isnan(s->figures[f]))
			return false;
	for (size_t f = needed; f < needed + kept->any; f++)
		any |= !isnan(s->figures[f]);
	return any;
}

/* Sets figures of a row, from number first to before end. */
static void set_figures(const struct explain *e, struct situation *s, size_t first, size_t end,
			struct figure figures[FIGURES_MOST])
{
	for (size_t f = first; f < end; f++) {
		if (s->row)
			figures[f] = explain_row_figure(e, s->kept, f, s->row);
		s->figures[f] = figures[f].number;
	}
}

static void add_to_subject(struct explain *e, struct explained_rule *kept,
			   struct explained_subject *subject, struct situation *s)
{
	const size_t count = s->region ? s->region->device_count : kept->count;
	const size_t needed = s->region ? count : kept->needed + kept->any;
	struct figure figures[FIGURES_MOST];

	if (s->region)
		explain_region_figures(e, s->region, figures);
	set_figures(e, s, 0, needed, figures);
	for (size_t f = 0; f < needed; f++)
		kept->seen[f] |= !isnan(s->figures[f]);
	if (!has_needed(kept, s))
		return;
	set_figures(e, s, needed, count, figures);
	subject->known = true;
	for (size_t f = 0; f < count; f++) {
		subject->least[f] = fmin(subject->least[f], s->figures[f]);
		subject->last[f] = isnan(s->figures[f]) ? subject->last[f] : s->figures[f];
	}
	if (s->rule->takes && !s->rule->takes(s))
		return;
	struct sums *sums = sums_of(e, subject, s->row);
	if (sums)
		sum_figures(sums, figures, count);
}

/* Adds marks, except health that devices report, which another rule quotes. */
static void add_marks(struct explain *e, const struct marks *marks)
{
	for (size_t i = 0; i < marks->count; i++) {
		struct explained_mark *of = &e->marks[marks->items[i].kind];

		if (marks->items[i].kind != MARK_HEALTH && !of->count++)
			mark_line(&marks->items[i], of->first);
	}
}

/* Adds sampled loads, but not page faults, which are not reads. */
static void add_hot(struct explained_hot *of, const struct process_report *hot)
{
	if (!hot || hot->event->no_loads)
		return;
	for (size_t m = 0; m < 2; m++) {
		of->events[m] +=
			(double)sampled_row_events(hot->all, hot->time, (enum read_memory)m);
		of->counted_MB[m] += hot->counted_MB[m];
	}
	of->counts = hot->event->counts;
	if (isnan(hot->colder_dram_GiB))
		return;
	of->colder_dram_GiB = hot->colder_dram_GiB;
	of->unseen_dram_GiB = hot->unseen_dram_GiB;
	of->hot_cxl_GiB = hot->hot_cxl_GiB;
}

static bool is_any_raised(const struct explain *e)
{
	for (size_t r = 0; e->latency < SIZE_MAX && r < table_metric_rows(e->table); r++)
		if (e->table->rows[r].values[e->latency].raised)
			return true;
	return false;
}

/*
 * Returns whether further samples tell nothing about a rule: nothing was recorded for a figure that
 * it needs, or for any figure of .any, and its other needed figures were seen.
 */
static bool is_settled(const struct explained_rule *kept)
{
	bool missing = false, all_missing = kept->any > 0;

	for (size_t f = 0; f < kept->needed; f++) {
		if (!kept->missing[f] && !kept->seen[f])
			return false;
		missing |= kept->missing[f];
	}
	for (size_t f = kept->needed; f < kept->needed + kept->any; f++)
		all_missing &= kept->missing[f];
	return missing || all_missing;
}

void explain_add(struct explain *e, const struct sample *sample, const struct process_report *hot)
{
	/* is set for each subject; it is large, and its other members are for .holds */
	struct situation s = {.explain = e};

	if (!e->samples)
		e->lacks_ports = selects_ports(e->info);
	e->raised |= is_any_raised(e);
	for (size_t i = 0; i <= e->rule_count; i++) {
		struct explained_rule *kept = &e->rules[i];

		if (is_settled(kept))
			continue;
		s.rule = rule_of(i);
		s.kept = kept;
		/* without memory for a region, its values stay unknown */
		if (s.rule->of == REGIONS)
			make_room(e, s.rule, kept);
		for (size_t j = 0; j < kept->subject_count; j++) {
			if (!kept->subjects[j].has_samples)
				continue;
			s.region = s.rule->of == REGIONS ? &e->info->memory.regions[j] : NULL;
			s.row = s.region ? NULL : &e->table->rows[j];
			add_to_subject(e, kept, &kept->subjects[j], &s);
		}
	}
	add_marks(e, &e->table->marks);
	add_hot(&e->hot, hot);
	if (!e->samples++)
		e->first_ns = sample->wall_ns;
	e->last_ns = sample->wall_ns;
}

const struct explained_rule *explain_rule(const struct explain *e, const struct rule *rule)
{
	size_t i = 0;

	while (rule_of(i) != rule)
		i++;
	return &e->rules[i];
}
