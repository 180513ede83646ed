/* SPDX-License-Identifier: BSD-3-Clause */
#include "sources/source.h"

#include <errno.h>
#include <stdlib.h>

#include "base/number.h"
#include "formula/formulas.h"
#include "formula/program.h"
#include "sources/sources_private.h"

const struct program source_program = {
	.inputs = {{.kind = INPUT_KERNEL}},
	.input_count = 1,
	.steps = {{.kind = OP_INPUT}},
	.step_count = 1,
};
const struct formula source_rate = {.program = &source_program};
const struct formula source_level = {.program = &source_program, .is_level = true};

int source_init(struct source *source, const struct source_kind *kind, struct platform *p,
		size_t size)
{
	*source = (struct source){.platform = p, .size = size, .reading = calloc(1, size + 1)};
	if (!source->reading)
		return -ENOMEM;
	source->kind = kind;
	return 0;
}

void source_input(struct inputs *out, const struct formula *formula, double number, double seconds)
{
	out->formula = formula;
	out->items[0] = (struct input_value){number, value_whole(seconds * NS_PER_S)};
	out->scaled = false;
	out->reads = 0;
}

void source_metric_input(struct inputs *out, const struct metric *metric, double number,
			 double seconds)
{
	if (metric->family.counter)
		source_input(out, &source_rate, number, seconds);
	else
		source_input(out, &source_level, number / metric->family.factor, seconds);
}

void source_add_tally(struct tallies *out, const struct tally *tally)
{
	if (out->count < out->room)
		out->items[out->count++] = *tally;
}

void sources_list(struct sources *s, struct source *list[SOURCES])
{
	struct source *const all[SOURCES] = {
		&s->nodes.base,	  &s->devices.base, &s->health.base, &s->resctrl.base,
		&s->regions.base, &s->groups.base,  &s->events.base,
	};

	for (unsigned i = 0; i < SOURCES; i++)
		list[i] = all[i];
}

static bool is_set_back(const struct source *source, uint64_t wall_ns)
{
	return wall_ns < source->due_ns && source->due_ns - wall_ns > source->period_ns;
}

uint64_t source_due_ns(const struct source *source, uint64_t wall_ns, double sample_s)
{
	const bool apart = sample_s * NS_PER_S >= 0.99 * (double)source->period_ns;

	return !source->period_ns || apart || is_set_back(source, wall_ns) ? 0 : source->due_ns;
}

bool source_is_due(struct source *source, uint64_t wall_ns, double sample_s)
{
	const uint64_t period_ns = source->period_ns;

	if (wall_ns < source_due_ns(source, wall_ns, sample_s))
		return false;
	if (!source->due_ns || is_set_back(source, wall_ns))
		source->due_ns = wall_ns + period_ns;
	else if (period_ns && wall_ns >= source->due_ns)
		source->due_ns += ((wall_ns - source->due_ns) / period_ns + 1) * period_ns;
	return true;
}
