/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "show/compare/compare_private.h"

/* Options of a recording that affect what is measured. */
static const struct {
	const char *name, *absent;
	/* least scope of rows that are sums over the selection; none: SCOPE_COUNT */
	enum scope sums;
	bool by_port; /* applies only to metrics that ports have */
} options[] = {
	{"socket", "all", SCOPE_SYSTEM, false},	    {"port", "all", SCOPE_SOCKET, true},
	{"device", "all", SCOPE_SOCKET, true},	    {"node", "all", SCOPE_SOCKET, true},
	{"metrics", "default", SCOPE_COUNT, false}, {"latency", "default", SCOPE_COUNT, false},
};

#define OPTIONS (sizeof(options) / sizeof(options[0]))

static bool is_different(const struct difference *d)
{
	return *d->of[SIDE_A] && *d->of[SIDE_B] && strcmp(d->of[SIDE_A], d->of[SIDE_B]) != 0;
}

static struct difference in_option(const struct comparison *c, size_t option)
{
	struct difference d = {.what = options[option].name};

	for (enum side side = SIDE_A; side < SIDES; side++) {
		d.of[side] = recorded_option(c->sides[side].report->info, d.what);
		if (!d.of[side])
			d.of[side] = options[option].absent;
	}
	return d;
}

static struct difference in_processor(const struct comparison *c)
{
	return (struct difference){"processor",
				   {c->sides[SIDE_A].report->info->processor,
				    c->sides[SIDE_B].report->info->processor}};
}

/* Finds a difference in the source of a metric. */
static struct difference in_source(const struct compared *pair)
{
	return (struct difference){plotted_name(pair->series[SIDE_A]),
				   {pair->series[SIDE_A]->source, pair->series[SIDE_B]->source}};
}

/*
 * Finds a difference in the formula of a user-defined metric, which is in its help unless it has a
 * description.
 */
static struct difference in_formula(const struct compared *pair)
{
	const struct metric *a = pair->series[SIDE_A]->metric, *b = pair->series[SIDE_B]->metric;

	if (!a || !b || !(a->program || b->program) || !a->help || !b->help)
		return (struct difference){"", {"", ""}};
	return (struct difference){a->name, {a->help, b->help}};
}

/* Returns whether the row is a sum over the selection of this option. */
static bool sums_selected(const struct compared *pair, size_t option)
{
	const struct plotted *s = pair->series[SIDE_A];

	if (row_scope(s->row) < options[option].sums || (s->row->event && !s->row->summed))
		return false;
	return !options[option].by_port || !s->metric || metric_scopes(s->metric) >> SCOPE_PORT & 1;
}

bool unlike_pair(const struct comparison *c, const struct compared *pair)
{
	const struct difference all[] = {in_processor(c), in_source(pair), in_formula(pair)};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (is_different(&all[i]))
			return true;
	for (size_t i = 0; i < OPTIONS; i++) {
		const struct difference option = in_option(c, i);

		if (is_different(&option) && sums_selected(pair, i))
			return true;
	}
	return false;
}

/* Adds a difference; a source that differs in several rows is added once. */
static void add_difference(struct comparison *c, struct difference d)
{
	bool found = !is_different(&d);

	for (size_t i = 0; !found && i < c->difference_count; i++) {
		const struct difference *earlier = &c->differences[i];

		found = !strcmp(earlier->what, d.what) &&
			!strcmp(earlier->of[SIDE_A], d.of[SIDE_A]) &&
			!strcmp(earlier->of[SIDE_B], d.of[SIDE_B]);
	}
	if (!found)
		c->differences[c->difference_count++] = d;
}

static bool same_values(const struct plotted *a, const struct plotted *b, size_t samples)
{
	if (!a->values || !b->values)
		return !a->values == !b->values;
	for (size_t i = 0; i < samples; i++)
		if (!(a->values[i] == b->values[i] || (isnan(a->values[i]) && isnan(b->values[i]))))
			return false;
	return true;
}

static bool same_options(const struct recording_info *a, const struct recording_info *b)
{
	if (a->option_count != b->option_count)
		return false;
	for (size_t i = 0; i < a->option_count; i++)
		if (strcmp(a->options[i].name, b->options[i].name) != 0 ||
		    strcmp(a->options[i].value, b->options[i].value) != 0)
			return false;
	return true;
}

/* Returns whether two reports are of the same recording, in one file or two. */
static bool reports_identical(const struct report *a, const struct report *b)
{
	if (a->info->started_ns != b->info->started_ns || a->started_ns != b->started_ns ||
	    a->ended_ns != b->ended_ns || a->samples != b->samples ||
	    a->series_count != b->series_count || strcmp(a->info->program, b->info->program) != 0 ||
	    !same_options(a->info, b->info))
		return false;
	for (size_t i = 0; i < a->series_count; i++)
		if (!same_values(&a->series[i], &b->series[i], a->samples))
			return false;
	return true;
}

int unlike_find(struct comparison *c)
{
	c->differences = calloc(1 + OPTIONS + 2 * c->compared_count, sizeof(*c->differences));
	if (!c->differences)
		return -ENOMEM;
	add_difference(c, in_processor(c));
	for (size_t i = 0; i < OPTIONS; i++)
		add_difference(c, in_option(c, i));
	for (size_t i = 0; i < c->compared_count; i++) {
		add_difference(c, in_source(&c->compared[i]));
		add_difference(c, in_formula(&c->compared[i]));
	}
	c->identical = c->compared_count && !c->difference_count &&
		       reports_identical(c->sides[SIDE_A].report, c->sides[SIDE_B].report);
	return 0;
}
