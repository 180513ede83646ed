/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/intake.h"

#include "platform/process.h"

const char *const hot_by_names[HOT_BYS + 1] = {"process", "mapping", "function",
					       "cgroup",  "node",    "page"};

int hot_groups_init(struct hot_groups *groups, enum hot_by by, const struct heat_detail *detail)
{
	groups->by = by;
	groups->detail = detail;
	return hot_rows_init(&groups->rows);
}

/* Where its page, or range, begins. */
static uint64_t page_of(const struct hot_groups *groups, const struct load_sample *sample)
{
	const unsigned shift = heat_detail_has(groups->detail, sample->address) ? HEAT_PAGE_SHIFT
										: HEAT_RANGE_SHIFT;

	return sample->address >> shift << shift;
}

/* In the place of a page: none begins there. */
#define GUEST_PAGE 1

static struct hot_key key_of(const struct hot_groups *groups, const struct load_sample *sample,
			     const struct hot_place *place)
{
	const uint64_t serial = place->process ? place->process->serial : 0;
	const uint32_t mapping = place->mapping ? place->mapping->name : NAME_UNKNOWN;

	switch (groups->by) {
	case BY_MAPPING:
		return (struct hot_key){serial, mapping};
	case BY_FUNCTION:
		return (struct hot_key){serial, (uint64_t)mapping << 32 | place->function};
	case BY_CGROUP:
		return (struct hot_key){place->process ? place->process->cgroup : 0, 0};
	case BY_NODE:
		return (struct hot_key){(uint64_t)(place->node + 1), 0};
	case BY_PAGE:
		return (struct hot_key){serial,
					sample->guest ? GUEST_PAGE : page_of(groups, sample)};
	default:
		return (struct hot_key){serial, sample->guest};
	}
}

static void describe_row(const struct hot_groups *groups, struct hot_row *row,
			 const struct load_sample *sample, const struct hot_place *place)
{
	const enum hot_by by = groups->by;
	const struct hot_process *process = place->process;
	const bool of_process = by != BY_CGROUP && by != BY_NODE;

	row->pid = of_process && process ? process->pid : 0;
	row->command = of_process && process ? process->name : NAME_UNKNOWN;
	row->cgroup = of_process && process ? process->cgroup : NAME_UNKNOWN;
	row->owner = of_process && process ? process->owner : OWNER_UNKNOWN;
	row->node = by == BY_NODE || by == BY_PAGE ? place->node : -1;
	if (by == BY_CGROUP)
		row->name = process ? process->cgroup : NAME_UNKNOWN;
	else if (place->mapping && of_process)
		row->name = place->mapping->name;
	row->function = place->function;
	if (by == BY_PAGE && !sample->guest)
		row->address = page_of(groups, sample);
}

static void add_to_row(struct hot_row *row, const struct load_sample *sample,
		       const struct hot_place *place)
{
	for (size_t t = 0; t < HOT_TIMES; t++) {
		struct hot_count *count = &row->counts[t][place->memory];

		count->samples += place->counts;
		count->events += place->counts ? sample->period : 0;
		count->timed += place->timed;
		if (place->timed && place->memory != MEMORY_UNKNOWN)
			hot_row_add_latency(row, t, place->memory, sample->latency_ns,
					    sample->period);
	}
}

void hot_groups_add(struct hot_groups *groups, const struct load_sample *sample,
		    const struct hot_place *place)
{
	const struct hot_key key = key_of(groups, sample, place);
	struct hot_row *row = hot_rows_find(&groups->rows, &key);

	if (row != &groups->rows.others)
		describe_row(groups, row, sample, place);
	add_to_row(row, sample, place);
	add_to_row(&groups->rows.all, sample, place);
}
