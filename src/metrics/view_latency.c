/* SPDX-License-Identifier: BSD-3-Clause */
/* How the latencies of a view share the CHAs. */
#include "metrics/view_parts.h"

/* How many groups the CHAs need: what takes a whole CHA, and single events between. */
struct cha_load {
	size_t latencies, opinions;
};

static void count_load(struct choice *choice, const struct formula *formula, void *context)
{
	struct cha_load *load = context;

	load->latencies += formula->any_unit && formula->same_group &&
			   view_formula_event(choice, formula, 0)->box == BOX_CHA;
	for (unsigned i = 0; formula->cross_check && view_formula_event(choice, formula, i); i++)
		load->opinions++;
}

/* A latency leaves one of four counters free. */
static size_t groups_needed(const struct cha_load *load)
{
	const size_t rest = load->opinions > load->latencies ? load->opinions - load->latencies : 0;

	return load->latencies + (rest + 3) / 4;
}

static size_t fewest_chas(const struct machine *m)
{
	size_t fewest = SIZE_MAX;

	for (size_t s = 0; s < m->socket_count; s++) {
		size_t chas = 0;

		for (size_t i = 0; i < m->discovery.unit_count; i++)
			chas += m->discovery.units[i].open &&
				m->discovery.units[i].type == BOX_CHA &&
				m->discovery.units[i].socket == m->sockets[s];
		if (chas && chas < fewest)
			fewest = chas;
	}
	return fewest;
}

/*
 * With a CHA for each group all of them count all the time, each on its own CHAs. Second opinions
 * must not keep latencies from that.
 */
void view_choose_spread(const struct view *view, struct choice *choice)
{
	const size_t chas = fewest_chas(choice->machine);
	struct cha_load load = {0};

	view_each_formula(view, choice, count_load, &load);
	if (!load.latencies)
		return;
	choice->spread = choice->options->latency == LATENCY_SPATIAL && chas >= load.latencies;
	choice->verify = choice->spread && chas >= groups_needed(&load);
	if (load.latencies > 1 && choice->options->latency == LATENCY_SPATIAL && !choice->spread)
		log_write(&choice->machine->platform->log, LEVEL_NOTE,
			  "%zu CHA%s a socket for %zu kinds of latency: they take turns", chas,
			  chas == 1 ? "" : "s", load.latencies);
}
