/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells of a table, made from counts that a test chooses. */
#ifndef CXLMON_TEST_COUNTED_H
#define CXLMON_TEST_COUNTED_H

#include "formula/value.h"

/* A cell of a test, and room for its counts. */
struct counted {
	struct input_value items[2];
	struct inputs inputs;
};

static const struct event counted_events[] = {{.name = "SOME.OCCUPANCY"}, {.name = "SOME.INSERTS"}};

static const struct program counted_rate_program = {
	.operands = {{.event = &counted_events[1], .port = -1}},
	.operand_count = 1,
	.inputs = {{INPUT_EVENT, 0}},
	.input_count = 1,
	.steps = {{.kind = OP_INPUT}},
	.step_count = 1,
};
static const struct program counted_latency_program = {
	.operands = {{.event = &counted_events[0], .port = -1},
		     {.event = &counted_events[1], .port = -1}},
	.operand_count = 2,
	.inputs = {{INPUT_PART, 0}, {INPUT_EVENT, 1}},
	.input_count = 2,
	.steps = {{.kind = OP_INPUT}, {.kind = OP_INPUT, .index = 1}, {.kind = OP_DIVIDE}},
	.step_count = 3,
};

static const struct formula counted_rate = {.program = &counted_rate_program, .source = "rxc"};
static const struct formula counted_level = {.program = &counted_rate_program, .is_level = true};
/* Time that reads spend in queues, in ns per second, divided by reads per second. */
static const struct formula counted_latency = {
	.program = &counted_latency_program,
	.source = "acc",
	.mean_of_reads = true,
	.leak_ns = 4,
};

/* Makes a cell from inputs per second over a time. A formula with one input ignores second. */
static inline struct value count_inputs(struct counted *to, const struct formula *formula,
					double first, double second, double seconds)
{
	struct value value;

	*to = (struct counted){
		.items = {{first, value_whole(seconds * 1e9)},
			  {second, value_whole(seconds * 1e9)}},
		.inputs = {.formula = formula, .items = to->items, .reads = second * seconds},
	};
	value_compute(&to->inputs, formula == &counted_rate, &value);
	return value;
}

static inline struct value count_rate(struct counted *to, double per_second, double seconds)
{
	return count_inputs(to, &counted_rate, per_second, 0, seconds);
}

/* Makes a cell of a second with this number of reads, each of which took ns. */
static inline struct value count_reads(struct counted *to, double ns, double reads)
{
	return count_inputs(to, &counted_latency, ns * reads, reads, 1);
}

#endif
