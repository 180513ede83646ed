/* SPDX-License-Identifier: BSD-3-Clause */
#include "sources/group_source.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "platform/clock.h"

/* There may be hundreds of groups, with thousands of files. */
#define PERIOD_NS (NS_PER_S / 100)

/* Inputs in the order of enum group_event. */
static const struct program stall_program = {
	.inputs = {{.kind = INPUT_KERNEL}, {.kind = INPUT_KERNEL}},
	.input_count = GROUP_EVENTS,
	.steps = {{.kind = OP_INPUT, .index = GROUP_STALLED_CYCLES},
		  {.kind = OP_INPUT, .index = GROUP_CYCLES},
		  {.kind = OP_DIVIDE},
		  {.kind = OP_NUMBER, .number = 100},
		  {.kind = OP_MULTIPLY}},
	.step_count = 5,
};
const struct formula group_stall = {.program = &stall_program};

static bool is_taken(const struct group_source *s, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (!strcmp(s->groups[i].name, name))
			return true;
	return false;
}

/* Sets the name in the form for strings of recordings. Names that would look alike are numbered. */
static void set_name(const struct group_source *s, const char *path, char name[GROUP_NAME_SIZE])
{
	char number[16] = "";
	size_t length = 0;

	for (; length < GROUP_NAME_SIZE - 1 && path[length]; length++)
		name[length] = path[length] >= ' ' && path[length] <= '~' ? path[length] : '?';
	name[length] = '\0';
	for (unsigned n = 2; is_taken(s, name); n++) {
		const size_t room =
			GROUP_NAME_SIZE - 1 - (size_t)snprintf(number, sizeof(number), "#%u", n);

		strcpy(name + (length < room ? length : room), number);
	}
}

static bool read_groups(struct source *source, uint64_t wall_ns, void *out)
{
	const struct group_source *s = (const struct group_source *)source;
	struct platform *p = source->platform;
	struct group_counts *counts = out;

	for (size_t i = 0; i < s->count; i++)
		p->ops->task_groups->read(p, i, wall_ns, &counts[i]);
	return false;
}

static void take_groups(struct source *source, const void *reading, uint64_t wall_ns,
			struct marks *marks)
{
	struct group_source *s = (struct group_source *)source;
	const struct group_counts *counts = reading;

	(void)wall_ns;
	(void)marks;
	for (size_t i = 0; i < s->count; i++) {
		if (!source->fresh)
			s->groups[i].before = s->groups[i].now;
		s->groups[i].now = counts[i];
	}
}

/* Sets the inputs; unknown if the group was removed, or a counter has gone backwards. */
static double group_inputs(const struct source *source, const struct source_cell *cell,
			   const struct metric *metric, struct inputs *out)
{
	const struct group_source *s = (const struct group_source *)source;
	double per_second[GROUP_EVENTS];

	(void)metric;
	out->formula = NULL;
	if (!source->fresh || cell->place->kind != ROW_GROUP)
		return NAN;
	const struct group_counts *before = &s->groups[cell->subject].before;
	const struct group_counts *now = &s->groups[cell->subject].now;
	const double seconds =
		now->at_ns > before->at_ns ? (double)(now->at_ns - before->at_ns) / NS_PER_S : NAN;
	for (unsigned e = 0; e < GROUP_EVENTS; e++) {
		per_second[e] = (now->counts[e] - before->counts[e]) / seconds;
		if (!(per_second[e] >= 0))
			return NAN;
	}
	for (unsigned e = 0; e < GROUP_EVENTS; e++)
		out->items[e] =
			(struct input_value){per_second[e], value_whole(seconds * NS_PER_S)};
	out->formula = &group_stall;
	out->scaled = false;
	out->reads = 0;
	return out->items[0].ns / NS_PER_S;
}

static void close_groups(struct source *source)
{
	free(((struct group_source *)source)->groups);
}

static const struct source_kind kind = {.name = "groups",
					.read = read_groups,
					.take = take_groups,
					.inputs = group_inputs,
					.close = close_groups};

int group_source_open(struct group_source *s, struct platform *p, struct error *err)
{
	struct task_groups groups;
	const int rc = p->ops->task_groups ? p->ops->task_groups->open(p, &groups, err)
					   : error_set(err, ERROR_NO_UNIT, -ENODEV,
						       "resctrl: this machine has none");

	if (rc)
		return rc;
	s->groups = calloc(groups.count + 1, sizeof(*s->groups));
	if (!s->groups ||
	    source_init(&s->base, &kind, p, groups.count * sizeof(struct group_counts))) {
		free(s->groups);
		s->groups = NULL;
		return error_no_memory(err);
	}
	s->base.period_ns = PERIOD_NS;
	for (; s->count < groups.count; s->count++)
		set_name(s, groups.names[s->count], s->groups[s->count].name);
	const uint64_t wall_ns = p->ops->clock->wall(p);
	read_groups(&s->base, wall_ns, s->base.reading);
	take_groups(&s->base, s->base.reading, wall_ns, NULL);
	return 0;
}
