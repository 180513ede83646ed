/* SPDX-License-Identifier: BSD-3-Clause */
#include "hot/intake.h"

#include <stdlib.h>

int hot_intake_init(struct hot_intake *intake, enum hot_by by, uint64_t cool_samples)
{
	const bool with_mappings = by == BY_MAPPING || by == BY_PAGE;
	int rc = hot_names_init(&intake->names);

	hot_heat_init(&intake->heat, HEAT_RANGE_SHIFT, cool_samples);
	hot_heat_init(&intake->pages, HEAT_PAGE_SHIFT, UINT64_MAX);
	if (!rc)
		rc = hot_processes_init(&intake->processes, &intake->names, with_mappings);
	return rc ? rc : hot_groups_init(&intake->groups, by, &intake->detail);
}

void hot_intake_free(struct hot_intake *intake)
{
	hot_heat_free(&intake->pages);
	hot_heat_free(&intake->heat);
	hot_rows_free(&intake->groups.rows);
	hot_processes_free(&intake->processes);
	hot_names_free(&intake->names);
	free(intake->map.ranges);
}

/* Without a physical address only data_src says it, of CXL memory on AMD. */
static enum hot_memory memory_of(const struct hot_intake *intake, const struct load_sample *sample,
				 int node)
{
	if (node >= 0)
		return who_nodes_contain(intake->nodes, node) ? MEMORY_CXL : MEMORY_DRAM;
	return sample->level == LOAD_CXL ? MEMORY_CXL : MEMORY_UNKNOWN;
}

static bool is_wanted(const struct hot_intake *intake, const struct load_event *event,
		      const struct load_sample *sample)
{
	const bool cached = sample->level == LOAD_CACHE || sample->level == LOAD_UNKNOWN;

	if (!sample->load || (event->of_caches && cached))
		return false;
	for (size_t i = 0; i < intake->pid_count; i++)
		if (intake->pids[i] == sample->pid)
			return true;
	return !intake->pids_chosen;
}

static void heat_up(struct hot_intake *intake, const struct load_sample *sample,
		    const struct hot_place *place)
{
	const struct hot_process *process = place->process;
	const struct heat_range range = {
		.serial = process ? process->serial : 0,
		.pid = sample->pid,
		.command = process ? process->name : HOT_NAME_UNKNOWN,
		.first = sample->address,
		.node = place->node,
	};

	const uint64_t coolings = intake->heat.coolings;

	if (!place->counts || !sample->address || place->node < 0)
		return;
	hot_heat_add(&intake->heat, &range, sample->period);
	if (intake->heat.coolings != coolings)
		hot_heat_cool(&intake->pages);
	if (heat_detail_has(&intake->detail, sample->address))
		hot_heat_add(&intake->pages, &range, sample->period);
}

static void take_sample(struct hot_intake *intake, const struct load_sample *sample)
{
	const struct load_event *event = intake->sampler->sampling.events[sample->event];

	intake->samples[sample->event]++;
	if (!is_wanted(intake, event, sample))
		return;
	struct hot_place place = {
		.process = hot_processes_find(&intake->processes, sample->pid),
		.node = sample->physical ? memory_map_node(&intake->map, sample->physical) : -1,
		.counts = !sample->event,
		.timed = event->takes_time,
	};
	place.memory = memory_of(intake, sample, place.node);
	if (place.process && intake->processes.with_mappings)
		place.mapping = hot_process_mapping(place.process, sample->address);
	hot_groups_add(&intake->groups, sample, &place);
	heat_up(intake, sample, &place);
}

static void take_record(void *context, const struct sample_record *record)
{
	struct hot_intake *intake = context;

	if (record->kind == RECORD_SAMPLE)
		take_sample(intake, &record->sample);
	else
		hot_processes_take(&intake->processes, record);
}

void hot_intake_read(struct hot_intake *intake)
{
	hot_processes_forget_ended(&intake->processes);
	intake->sampler->ops->read(intake->sampler, take_record, intake);
}
