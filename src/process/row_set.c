/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/row_set.h"

#include "platform/process.h"

enum load_mappings row_by_mappings(enum row_by by)
{
	return by == BY_MAPPING || by == BY_PAGE ? MAPPINGS_ALL
	       : by == BY_FUNCTION		 ? MAPPINGS_CODE
						 : MAPPINGS_NONE;
}

cgroup_namer *row_by_namer(enum row_by by)
{
	return by == BY_CONTAINER ? cgroup_container_name : by == BY_VM ? cgroup_vm_name : NULL;
}

void row_by_facts(enum row_by by, struct process_table *processes)
{
	processes->cgroups |= row_by_cgroups(by);
	processes->users |= by == BY_USER;
	if (row_by_namer(by))
		processes->group_name = row_by_namer(by);
}

int row_set_init(struct row_set *set)
{
	heat_table_init(&set->heat, HEAT_RANGE_SHIFT, set->cool_samples);
	heat_table_init(&set->pages, HEAT_PAGE_SHIFT, UINT64_MAX);
	return sampled_rows_init(&set->rows);
}

void row_set_free(struct row_set *set)
{
	heat_table_free(&set->heat);
	heat_table_free(&set->pages);
	sampled_rows_free(&set->rows);
}

bool row_set_wants(const struct row_set *set, unsigned pid)
{
	for (size_t i = 0; i < set->pid_count; i++)
		if (set->pids[i] == pid)
			return true;
	return !set->pids_chosen;
}

void row_set_use_names(const struct row_set *set, struct process_names *names)
{
	sampled_rows_use_names(&set->rows, names);
	heat_table_use_names(&set->heat, names);
	heat_table_use_names(&set->pages, names);
}

/* Returns the address where the sample's page or range begins. */
static uint64_t page_of(const struct row_set *set, const struct load_sample *sample)
{
	const unsigned shift =
		heat_detail_has(&set->detail, sample->address) ? HEAT_PAGE_SHIFT : HEAT_RANGE_SHIFT;

	return sample->address >> shift << shift;
}

/* Key of a guest's row, which no page's address equals. */
#define GUEST_PAGE 1

static struct row_key key_of(const struct row_set *set, const struct load_sample *sample,
			     const struct sample_place *place)
{
	const uint64_t serial = place->process ? place->process->serial : 0;
	const uint32_t mapping = place->mapping ? place->mapping->name : NAME_UNKNOWN;

	switch (set->by) {
	case BY_MAPPING:
		return (struct row_key){serial, mapping};
	case BY_FUNCTION:
		return (struct row_key){serial, (uint64_t)mapping << 32 | place->function};
	case BY_CGROUP:
		return (struct row_key){place->process ? place->process->cgroup : 0, 0};
	case BY_CONTAINER:
	case BY_VM:
		return (struct row_key){place->process ? place->process->group : 0, 0};
	case BY_USER:
		return (struct row_key){place->process ? place->process->uid : OWNER_UNKNOWN, 0};
	case BY_NODE:
		return (struct row_key){(uint64_t)(place->node + 1), 0};
	case BY_CPU:
		return (struct row_key){(uint64_t)sample->cpu + 1, 0};
	case BY_PAGE:
		return (struct row_key){serial, sample->guest ? GUEST_PAGE : page_of(set, sample)};
	default:
		return (struct row_key){serial, sample->guest};
	}
}

static uint32_t group_name(enum row_by by, const struct process_entry *process)
{
	switch (by) {
	case BY_CGROUP:
		return process->cgroup;
	case BY_CONTAINER:
	case BY_VM:
		return process->group;
	case BY_USER:
		return process->user;
	default:
		return NAME_UNKNOWN;
	}
}

static void describe_row(const struct row_set *set, struct sampled_row *row,
			 const struct load_sample *sample, const struct sample_place *place)
{
	const enum row_by by = set->by;
	const struct process_entry *process = place->process;
	const bool of_process = by == BY_PROCESS || row_by_mappings(by);

	row->pid = of_process && process ? process->pid : 0;
	row->command = of_process && process ? process->name : NAME_UNKNOWN;
	row->cgroup = of_process && process ? process->cgroup : NAME_UNKNOWN;
	row->owner = of_process && process ? process->owner : OWNER_UNKNOWN;
	row->node = by == BY_NODE || by == BY_PAGE ? place->node : -1;
	row->cpu = by == BY_CPU ? (int)sample->cpu : -1;
	if (process && !of_process)
		row->name = group_name(by, process);
	else if (place->mapping && of_process)
		row->name = place->mapping->name;
	row->function = place->function;
	if (by == BY_PAGE && !sample->guest)
		row->address = page_of(set, sample);
}

static void add_to_row(struct sampled_row *row, const struct load_sample *sample,
		       const struct sample_place *place)
{
	for (size_t t = 0; t < ROW_TIMES; t++) {
		struct read_count *count = &row->counts[t][place->memory];

		count->samples += place->counts;
		count->events += place->counts ? sample->period : 0;
		count->timed += place->timed;
		if (place->timed && place->memory != MEMORY_UNKNOWN)
			sampled_row_add_latency(row, t, place->memory, sample->latency_ns,
						sample->period);
	}
}

static void heat_up(struct row_set *set, const struct load_sample *sample,
		    const struct sample_place *place)
{
	const struct process_entry *process = place->process;
	const struct heat_range range = {
		.serial = process ? process->serial : 0,
		.pid = sample->pid,
		.command = process ? process->name : NAME_UNKNOWN,
		.first = sample->address,
		.node = place->node,
	};

	const uint64_t coolings = set->heat.coolings;

	if (set->without_heat || !place->counts || !sample->address || place->node < 0)
		return;
	heat_table_add(&set->heat, &range, sample->period);
	if (set->heat.coolings != coolings)
		heat_table_cool(&set->pages);
	if (heat_detail_has(&set->detail, sample->address))
		heat_table_add(&set->pages, &range, sample->period);
}

void row_set_add(struct row_set *set, const struct load_sample *sample,
		 const struct sample_place *place)
{
	const struct row_key key = key_of(set, sample, place);
	struct sampled_row *row = sampled_rows_find(&set->rows, &key);

	if (row != &set->rows.others)
		describe_row(set, row, sample, place);
	add_to_row(row, sample, place);
	add_to_row(&set->rows.all, sample, place);
	heat_up(set, sample, place);
}
