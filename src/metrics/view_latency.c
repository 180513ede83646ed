/* SPDX-License-Identifier: BSD-3-Clause */
/* How the tiers whose latency is measured share the CHAs. */

#include "metrics/view_private.h"

/* What the CHAs must count: a latency is a group of its own, a cross-check a single event. */
struct cha_events {
	const struct view *view;
	size_t latencies, cross_checks;
	bool beside; /* others, which are no latencies */
};

/* A user-defined metric adds no events of a latency that is shown itself. */
static void count_own_events(const struct selection *selection, const struct formula *formula,
			     struct cha_events *events)
{
	const struct custom_metric *custom = NULL;
	const struct event *event;
	bool chas = false;

	for (size_t i = 0; i < selection->options->custom->count; i++)
		if (&selection->options->custom->items[i]->at_once == formula)
			custom = selection->options->custom->items[i];
	for (unsigned i = 0; (event = formula_event(formula, i)); i++)
		chas |= event->type == PMU_CHA;
	if (!custom || !chas)
		return;
	if (!custom->shared || !formula->any_unit)
		events->beside = true;
	else
		events->latencies +=
			view_find_column(events->view, custom->shared->metric) == SIZE_MAX;
}

static void count_cha_events(struct selection *selection, const struct formula *formula,
			     void *context)
{
	struct cha_events *events = context;

	if (!formula->number) {
		count_own_events(selection, formula, events);
		return;
	}
	events->latencies += formula->any_unit && formula->same_group &&
			     formula_event(formula, 0)->type == PMU_CHA;
	for (unsigned i = 0; formula->cross_check && formula_event(formula, i); i++)
		events->cross_checks++;
}

/* A latency takes three of a CHA's four counters, which leaves one for a cross-check. */
static size_t groups_needed(const struct cha_events *events)
{
	const size_t rest = events->cross_checks > events->latencies
				    ? events->cross_checks - events->latencies
				    : 0;

	return events->latencies + (rest + 3) / 4;
}

static size_t fewest_chas(const struct machine *m)
{
	size_t fewest = SIZE_MAX;

	for (size_t s = 0; s < m->socket_count; s++) {
		size_t chas = 0;

		for (size_t i = 0; i < m->discovery.unit_count; i++)
			chas += m->discovery.units[i].open &&
				m->discovery.units[i].type == PMU_CHA &&
				m->discovery.units[i].socket == m->sockets[s];
		if (chas && chas < fewest)
			fewest = chas;
	}
	return fewest;
}

/* On units that are staggered, an event would be counted in some seconds only. */
static bool has_events_of_chas(const struct view_options *options)
{
	for (size_t i = 0; i < options->event_count; i++)
		if (options->events[i].event->type == PMU_CHA)
			return true;
	return false;
}

/*
 * Where each socket has a CHA for each group, all groups count all the time, each on its own CHAs.
 * Cross-checks are left out where the CHAs suffice for the latencies only.
 */
void view_choose_latency(const struct view *view, struct selection *selection)
{
	const struct view_options *options = selection->options;
	const struct log *log = &selection->machine->platform->log;
	const size_t chas = fewest_chas(selection->machine);
	struct cha_events events = {.view = view};

	view_each_formula(view, selection, count_cha_events, &events);
	const bool beside = has_events_of_chas(options) || events.beside;
	if (!events.latencies)
		return;
	selection->staggered =
		options->latency == LATENCY_SPATIAL && chas >= events.latencies && !beside;
	selection->cross_check = selection->staggered && chas >= groups_needed(&events);
	if (beside)
		log_write(log, LEVEL_NOTE,
			  "latencies are multiplexed with the events of CHAs beside them");
	else if (events.latencies > 1 && options->latency == LATENCY_SPATIAL &&
		 !selection->staggered)
		log_write(log, LEVEL_NOTE,
			  "%zu CHA%s per socket for latencies of %zu tiers: multiplexed", chas,
			  chas == 1 ? "" : "s", events.latencies);
}
