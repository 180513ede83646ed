/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/group_sources.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "formula/value.h"
#include "platform/clock.h"
#include "platform/platform.h"

/* In the order of enum group_event. */
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

static bool is_taken(const struct group_sources *g, const char *name)
{
	for (size_t i = 0; i < g->count; i++)
		if (!strcmp(g->groups[i].name, name))
			return true;
	return false;
}

/* As recordings have texts. Names that would be shown alike are numbered. */
static void set_name(const struct group_sources *g, const char *path, char name[GROUP_NAME_SIZE])
{
	char number[16] = "";
	size_t length = 0;

	for (; length < GROUP_NAME_SIZE - 1 && path[length]; length++)
		name[length] = path[length] >= ' ' && path[length] <= '~' ? path[length] : '?';
	name[length] = '\0';
	for (unsigned n = 2; is_taken(g, name); n++) {
		const size_t room =
			GROUP_NAME_SIZE - 1 - (size_t)snprintf(number, sizeof(number), "#%u", n);

		strcpy(name + (length < room ? length : room), number);
	}
}

static void read_groups(struct group_sources *g, uint64_t wall_ns)
{
	for (size_t i = 0; i < g->count; i++) {
		g->groups[i].before = g->groups[i].now;
		g->platform->ops->task_groups->read(g->platform, i, wall_ns, &g->groups[i].now);
	}
}

int group_sources_open(struct group_sources *g, struct platform *p, struct error *err)
{
	struct task_groups groups;
	const int rc = p->ops->task_groups ? p->ops->task_groups->open(p, &groups, err)
					   : error_set(err, ERROR_NO_UNIT, -ENODEV,
						       "resctrl: this machine has none");

	if (rc)
		return rc;
	g->groups = calloc(groups.count + 1, sizeof(*g->groups));
	if (!g->groups)
		return error_no_memory(err);
	g->platform = p;
	for (; g->count < groups.count; g->count++)
		set_name(g, groups.names[g->count], g->groups[g->count].name);
	read_groups(g, p->ops->clock->wall(p));
	return 0;
}

void group_sources_free(struct group_sources *g)
{
	free(g->groups);
	*g = (struct group_sources){.platform = NULL};
}

void group_sources_read(struct group_sources *g, uint64_t wall_ns, bool due)
{
	g->fresh = due;
	if (due)
		read_groups(g, wall_ns);
}

bool group_sources_inputs(const struct group_sources *g, size_t group, struct inputs *out)
{
	const struct group_counts *before = &g->groups[group].before, *now = &g->groups[group].now;
	const double seconds =
		now->at_ns > before->at_ns ? (double)(now->at_ns - before->at_ns) / NS_PER_S : NAN;
	double per_second[GROUP_EVENTS];

	for (unsigned e = 0; e < GROUP_EVENTS; e++) {
		per_second[e] = (now->counts[e] - before->counts[e]) / seconds;
		if (!g->fresh || !(per_second[e] >= 0))
			return false;
	}
	for (unsigned e = 0; e < GROUP_EVENTS; e++)
		out->items[e] =
			(struct input_value){per_second[e], value_whole(seconds * NS_PER_S)};
	out->formula = &group_stall;
	out->scaled = false;
	out->reads = 0;
	return true;
}
