/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/intake.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "linux/kernel/clock.h"
#include "platform/memory.h"
#include "platform/process.h"

#define WAIT_MS	    100
#define LOOK_NS	    UINT64_C(100000000)
#define ROOT	    0	/* user id */
#define SWEEP_SHARE 100 /* names are swept for at most one part in so many of the time */

int process_intake_init(struct process_intake *intake, struct symbol_process *symbols)
{
	int rc = process_names_init(&intake->names);

	if (!rc)
		rc = process_table_init(&intake->processes, &intake->names, intake->p);
	if (!rc)
		intake->guest.name = process_names_add(&intake->names, ROOT, "[guest]");
	if (!rc && symbols) {
		intake->with_functions = true;
		intake->kernel.name = process_names_add(&intake->names, ROOT, "[kernel]");
		intake->held = calloc(INTAKE_HELD_MOST, sizeof(*intake->held));
		rc = process_functions_init(&intake->functions, &intake->names, symbols);
		if (!intake->held || share_init(&intake->held_by, INTAKE_HELD_MOST))
			rc = -ENOMEM;
	}
	return rc;
}

int process_intake_add_set(struct process_intake *intake, const struct row_set *options)
{
	struct row_set *set = &intake->sets[intake->set_count++];
	const enum load_mappings mappings = row_by_mappings(options->by);

	*set = *options;
	if (mappings > intake->processes.kept)
		intake->processes.kept = mappings;
	return row_set_init(set);
}

static void release_held(struct process_intake *intake, size_t set)
{
	size_t kept = 0;

	for (size_t i = 0; i < intake->held_count; i++)
		if (intake->held[i].set == set)
			share_give(&intake->held_by, intake->held[i].process.owner, 1);
		else
			intake->held[kept++] = intake->held[i];
	intake->held_count = kept;
}

int process_intake_restart(struct process_intake *intake, size_t number, const unsigned *pids,
			   size_t count)
{
	struct row_set *set = &intake->sets[number];

	release_held(intake, number);
	row_set_free(set);
	set->pids = pids;
	set->pid_count = count;
	set->pids_chosen = true;
	return row_set_init(set);
}

void process_intake_free(struct process_intake *intake)
{
	for (size_t i = 0; i < intake->set_count; i++)
		row_set_free(&intake->sets[i]);
	process_functions_free(&intake->functions);
	free(intake->held);
	share_free(&intake->held_by);
	process_table_free(&intake->processes);
	process_names_free(&intake->names);
	memory_map_free(&intake->map);
}

/*
 * Returns the kind of memory read. Without a physical address only data_src tells: CXL memory on
 * AMD, the region on Intel from Diamond Rapids on.
 */
static enum read_memory memory_of(const struct process_intake *intake,
				  const struct load_sample *sample, int node)
{
	if (node >= 0)
		return cxl_nodes_contain(intake->nodes, node) ? MEMORY_CXL : MEMORY_DRAM;
	switch (cxl_nodes_region(intake->nodes, &intake->map, sample->region)) {
	case CXL_NODES_REGION_CONTAINED:
		return MEMORY_CXL;
	case CXL_NODES_REGION_OTHER:
		return MEMORY_DRAM;
	default:
		return sample->level == LOAD_CXL ? MEMORY_CXL : MEMORY_UNKNOWN;
	}
}

/* Finds the function of a sample. Returns false if the answer is pending. */
static bool find_function(struct process_intake *intake, const struct load_sample *sample,
			  struct sample_place *place)
{
	if (!place->process || !place->mapping)
		return true;
	return process_functions_find(&intake->functions, place->process,
				      sample->kernel ? NULL : place->mapping, sample->ip,
				      &place->function);
}

static bool hold_sample(struct process_intake *intake, size_t set, const struct load_sample *sample,
			const struct sample_place *place)
{
	if (!share_take(&intake->held_by, place->process->owner, 1)) {
		intake->not_held++;
		return false;
	}
	struct held_sample *held = &intake->held[intake->held_count++];
	*held = (struct held_sample){set, *sample, *place->process, .place = *place};
	held->process.mappings = (struct mapping_table){.count = 0};
	if (place->mapping)
		held->mapping = *place->mapping;
	return true;
}

static void add_held(struct process_intake *intake)
{
	size_t kept = 0;

	for (size_t i = 0; i < intake->held_count; i++) {
		struct held_sample *held = &intake->held[i];

		held->place.process = &held->process;
		held->place.mapping = held->place.mapping ? &held->mapping : NULL;
		if (find_function(intake, &held->sample, &held->place)) {
			share_give(&intake->held_by, held->process.owner, 1);
			row_set_add(&intake->sets[held->set], &held->sample, &held->place);
		} else {
			intake->held[kept++] = *held;
		}
	}
	intake->held_count = kept;
}

/*
 * Returns the mapping with the loading code if rows are by function; else the mapping of the
 * address.
 */
static const struct kept_mapping *mapping_of(struct process_intake *intake, enum row_by by,
					     const struct load_sample *sample,
					     struct process_entry *process)
{
	const bool code = by == BY_FUNCTION;

	if (sample->guest)
		return &intake->guest;
	if (code && sample->kernel)
		return &intake->kernel;
	return process && row_by_mappings(by)
		       ? process_table_mapping(&intake->processes, process,
					       code ? sample->ip : sample->address)
		       : NULL;
}

static void add_sample(struct process_intake *intake, size_t number,
		       const struct load_sample *sample, struct process_entry *process,
		       const struct sample_place *somewhere)
{
	const struct sampler *sampler = intake->sampler;
	struct row_set *set = &intake->sets[number];
	struct sample_place place = *somewhere;

	place.mapping = mapping_of(intake, set->by, sample, process);
	if (set->by == BY_FUNCTION && sampler->ops->function)
		place.function =
			process_names_add(&intake->names, process ? process->owner : OWNER_UNKNOWN,
					  sampler->ops->function(sampler, sample));
	if (set->by == BY_FUNCTION && intake->with_functions &&
	    !find_function(intake, sample, &place) && hold_sample(intake, number, sample, &place))
		return;
	row_set_add(set, sample, &place);
}

static bool is_wanted(const struct process_intake *intake, unsigned pid)
{
	for (size_t i = 0; i < intake->set_count; i++)
		if (row_set_wants(&intake->sets[i], pid))
			return true;
	return false;
}

static void take_sample(struct process_intake *intake, const struct load_sample *sample)
{
	const struct load_event *event = intake->sampler->sampling.events[sample->event];

	intake->samples[sample->event]++;
	if (!load_sample_reads_memory(event, sample) || !is_wanted(intake, sample->pid))
		return;
	struct process_entry *process = process_table_find(&intake->processes, sample->pid);
	struct sample_place place = {
		.process = process,
		.node = sample->physical && !sample->guest
				? memory_map_node(&intake->map, sample->physical)
				: -1,
		.counts = !sample->event,
		.timed = event->takes_time,
	};
	place.memory = memory_of(intake, sample, place.node);
	intake->unmapped += sample->physical && !sample->guest && place.node < 0;
	for (size_t i = 0; i < intake->set_count; i++)
		if (row_set_wants(&intake->sets[i], sample->pid))
			add_sample(intake, i, sample, process, &place);
}

static void take_record(void *context, const struct sample_record *record)
{
	struct process_intake *intake = context;

	if (record->kind == RECORD_SAMPLE)
		take_sample(intake, &record->sample);
	else
		process_table_take(&intake->processes, record);
}

void process_intake_read(struct process_intake *intake)
{
	const uint64_t now_ns = clock_monotonic();
	const bool due = now_ns - intake->looked_ns >= LOOK_NS;

	process_table_forget_ended(&intake->processes);
	if (due) {
		intake->looked_ns = now_ns;
		process_table_find_ended(&intake->processes);
	}
	intake->sampler->ops->read(intake->sampler, take_record, intake);
	if (intake->held_count && process_functions_take(&intake->functions, 0))
		add_held(intake);
}

/* Keeps all names in use, and removes the others. */
static void sweep_names(struct process_intake *intake)
{
	struct process_names *names = &intake->names;

	process_names_use(names, intake->kernel.name);
	process_names_use(names, intake->guest.name);
	process_table_use_names(&intake->processes);
	for (size_t i = 0; i < intake->set_count; i++)
		row_set_use_names(&intake->sets[i], names);
	if (intake->with_functions)
		process_functions_use_names(&intake->functions);
	for (size_t i = 0; i < intake->held_count; i++) {
		const struct held_sample *held = &intake->held[i];

		process_names_use(names, held->process.name);
		process_names_use(names, held->process.cgroup);
		process_names_use(names, held->mapping.name);
		process_names_use(names, held->place.function);
	}
	process_names_sweep(names);
}

static void sweep_if_due(struct process_intake *intake)
{
	const uint64_t now_ns = clock_monotonic();

	if (!process_names_are_many(&intake->names) ||
	    now_ns - intake->swept_ns < SWEEP_SHARE * intake->sweep_took_ns)
		return;
	sweep_names(intake);
	intake->swept_ns = clock_monotonic();
	intake->sweep_took_ns = intake->swept_ns - now_ns;
}

void process_intake_next(struct process_intake *intake)
{
	sampled_rows_next(&intake->sets[0].rows);
	sweep_if_due(intake);
}

void process_intake_finish(struct process_intake *intake, uint64_t wait_ns)
{
	const uint64_t end = clock_monotonic() + wait_ns;

	while (intake->held_count) {
		process_functions_take(&intake->functions, WAIT_MS);
		if (clock_monotonic() > end)
			process_functions_give_up(&intake->functions);
		add_held(intake);
	}
}

static void say_left_out(const struct log *log, uint64_t count, const char *what)
{
	if (count)
		log_write(log, LEVEL_NOTE, "%s: %" PRIu64, what, count);
}

static void say_skipped(const struct process_intake *intake, const struct log *log)
{
	const struct process_functions *functions = &intake->functions;
	char files[512] = "";

	for (size_t i = 0; i < functions->skipped_count; i++)
		text_list(files, sizeof(files), "%s",
			  quoted(process_name(&intake->names, functions->skipped[i])).text);
	if (*files)
		log_write(log, LEVEL_NOTE,
			  "files without names of functions, because their symbols took too long "
			  "to read, or too much memory: %s%s",
			  files, functions->skipped_count == FUNCTIONS_SKIPPED_MOST ? ", ..." : "");
}

void process_intake_say_left_out(const struct process_intake *intake, const struct log *log)
{
	say_left_out(
		log, intake->processes.refused,
		"processes that ran already, and whose mappings have no names, because the kernel "
		"refuses access to their memory maps (run it as root, outside of a container)");
	say_left_out(log, intake->processes.left_out,
		     "processes and mappings that are unknown, because there was no room for more "
		     "of their user");
	say_left_out(log, intake->sampler ? intake->sampler->records_lost : 0,
		     "records of processes that were lost, because there were too many: names of "
		     "processes and mappings may be missing");
	say_left_out(log, intake->sets[0].pages.left_out,
		     "samples of further pages of --range, because there was no room for more");
	say_left_out(
		log, intake->functions.left_out + intake->not_held,
		"samples without the name of their function, because there was no room, or other "
		"files of that user took too long");
	say_skipped(intake, log);
	say_left_out(log, intake->functions.ended,
		     "the process that finds names of functions ended early, or was too slow");
	say_left_out(log, intake->names.left_out,
		     "names that are unknown, because there was no room for more of their user");
	say_left_out(
		log, intake->unmapped,
		"samples of memory that is in no node, or came online after the start: counted as "
		"of unknown memory");
	say_left_out(log, intake->sampler ? intake->sampler->malformed : 0,
		     "malformed records of the kernel, which were left out");
}
