/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/table_private.h"

/* room that a new mapping takes: mapping_table_most() */
#define MOST_OF_ONE 2

void process_mappings_drop(struct process_table *processes, struct process_entry *process)
{
	share_give(&processes->mappings, process->owner, mapping_table_most(&process->mappings));
	mapping_table_free(&process->mappings);
}

void process_mappings_drop_outdated(struct process_table *processes, struct process_entry *process)
{
	if (process->losses != processes->losses)
		process_mappings_drop(processes, process);
	process->losses = processes->losses;
}

bool process_mappings_sort(struct process_table *processes, struct process_entry *process)
{
	const size_t before = mapping_table_most(&process->mappings);

	if (mapping_table_sort(&process->mappings))
		return false;
	share_give(&processes->mappings, process->owner, before - process->mappings.count);
	return true;
}

const struct kept_mapping *process_table_mapping(struct process_table *processes,
						 struct process_entry *process, uint64_t address)
{
	process_mappings_drop_outdated(processes, process);
	return process_mappings_sort(processes, process)
		       ? mapping_table_find(&process->mappings, address)
		       : NULL;
}

static bool take_room(struct process_table *processes, const struct process_entry *process)
{
	return share_take(&processes->mappings, process->owner, MOST_OF_ONE);
}

/*
 * Makes room for a mapping. Sorting may reduce the number of mappings. If it gains little, all are
 * dropped: without the new one, an older mapping would name memory that belongs to another by now.
 */
static bool make_room(struct process_table *processes, struct process_entry *process)
{
	const size_t before = mapping_table_most(&process->mappings);

	if (take_room(processes, process))
		return true;
	if (process_mappings_sort(processes, process) && process->mappings.count <= before / 2 &&
	    take_room(processes, process))
		return true;
	processes->left_out += process->mappings.count;
	process_mappings_drop(processes, process);
	return take_room(processes, process);
}

void process_mappings_add(struct process_table *processes, struct process_entry *process,
			  const struct kept_mapping *mapping)
{
	if (mapping->end <= mapping->start || !make_room(processes, process)) {
		processes->left_out++;
	} else if (mapping_table_add(&process->mappings, mapping)) {
		share_give(&processes->mappings, process->owner, MOST_OF_ONE);
		processes->left_out++;
	}
}

bool process_mappings_wanted(const struct process_table *processes, unsigned pid)
{
	return processes->kept && (!processes->mapped || *processes->mapped == pid);
}

bool process_mappings_kept(const struct process_table *processes, unsigned pid, bool executable)
{
	return process_mappings_wanted(processes, pid) &&
	       (processes->kept == MAPPINGS_ALL || executable);
}

void process_mappings_copy(struct process_table *processes, const struct process_entry *from,
			   struct process_entry *to)
{
	const size_t most = mapping_table_most(&from->mappings);

	if (share_take(&processes->mappings, to->owner, most) &&
	    mapping_table_copy(&from->mappings, &to->mappings))
		share_give(&processes->mappings, to->owner, most);
	processes->left_out += from->mappings.count - to->mappings.count;
}
