/* SPDX-License-Identifier: BSD-3-Clause */
#include "series/timeline.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define LONGEST_STEP (UINT64_C(1) << 60) /* ns; a recording may have any interval */

/* Step n of a line is at n modulo TIMELINE_STEPS. */
struct timeline_step {
	double weighted; /* sum of numbers x ns */
	double ns;
};

void timeline_init(struct timeline *t, uint64_t step_ns)
{
	*t = (struct timeline){.step_ns = step_ns < 1		   ? 1
					  : step_ns < LONGEST_STEP ? step_ns
								   : LONGEST_STEP};
}

void timeline_free(struct timeline *t)
{
	for (size_t i = 0; i < t->line_count; i++)
		free(t->lines[i]);
	free(t->lines);
	*t = (struct timeline){.step_ns = 1};
}

int timeline_add_line(struct timeline *t)
{
	if (array_room(&t->lines, t->line_count, 1, sizeof(struct timeline_step *)))
		return -ENOMEM;
	t->lines[t->line_count] = calloc(TIMELINE_STEPS, sizeof(struct timeline_step));
	if (!t->lines[t->line_count])
		return -ENOMEM;
	t->line_count++;
	return 0;
}

static void add_step(struct timeline_step *line, uint64_t step, double weighted, double ns)
{
	line[step % TIMELINE_STEPS].weighted += weighted;
	line[step % TIMELINE_STEPS].ns += ns;
}

/* Makes steps twice as long. */
static void double_steps(struct timeline *t)
{
	for (size_t i = 0; i < t->line_count; i++) {
		struct timeline_step wide[TIMELINE_STEPS] = {{0, 0}};

		for (uint64_t step = t->first; step < t->end; step++) {
			const struct timeline_step *from = &t->lines[i][step % TIMELINE_STEPS];

			add_step(wide, step / 2, from->weighted, from->ns);
		}
		memcpy(t->lines[i], wide, sizeof(wide));
	}
	t->first /= 2;
	t->end = (t->end + 1) / 2;
	t->step_ns *= 2;
}

/* Makes room for the steps of a time. */
static void reach_time(struct timeline *t, uint64_t from_ns, uint64_t to_ns)
{
	for (;; double_steps(t)) {
		const uint64_t from = from_ns / t->step_ns, to = (to_ns - 1) / t->step_ns + 1;
		const bool empty = t->first == t->end;
		const uint64_t first = empty || from < t->first ? from : t->first;
		const uint64_t end = empty || to > t->end ? to : t->end;

		if (end - first > TIMELINE_STEPS)
			continue;
		t->first = first;
		t->end = end;
		return;
	}
}

void timeline_add(struct timeline *t, size_t line, uint64_t from_ns, uint64_t to_ns, double number)
{
	if (isnan(number) || from_ns >= to_ns)
		return;
	reach_time(t, from_ns, to_ns);
	while (from_ns < to_ns) {
		const uint64_t step = from_ns / t->step_ns;
		const uint64_t left = t->step_ns - from_ns % t->step_ns;
		const uint64_t ns = left < to_ns - from_ns ? left : to_ns - from_ns;

		add_step(t->lines[line], step, number * (double)ns, (double)ns);
		from_ns += ns;
	}
}

size_t timeline_steps(const struct timeline *t)
{
	return (size_t)(t->end - t->first);
}

double timeline_mean(const struct timeline *t, size_t line, size_t step)
{
	const struct timeline_step *at = &t->lines[line][(t->first + step) % TIMELINE_STEPS];
	const double mean = at->weighted / at->ns;

	/* a recording may have any numbers */
	return at->ns > 0 && isfinite(mean) ? mean : NAN;
}
