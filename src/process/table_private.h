/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table_mappings.c: mappings of the processes in a table. Each user has a share of the room for
 * mappings. Private to this folder.
 */
#ifndef CXLMON_PROCESS_TABLE_PRIVATE_H
#define CXLMON_PROCESS_TABLE_PRIVATE_H

#include "process/table.h"

/* Tells if the table keeps mappings of a process: see .kept and .mapped. */
bool process_mappings_wanted(const struct process_table *processes, unsigned pid);
/* Tells if a mapping of a process is kept. executable: the mapping has code. */
bool process_mappings_kept(const struct process_table *processes, unsigned pid, bool executable);

/*
 * Adds a mapping. If its user's share has no room, first drops the process's older mappings. Counts
 * mappings that are dropped, or not added, in .left_out.
 */
void process_mappings_add(struct process_table *processes, struct process_entry *process,
			  const struct kept_mapping *mapping);

/* Sorts a process's mappings. If memory is short, returns false and changes nothing. */
bool process_mappings_sort(struct process_table *processes, struct process_entry *process);

/* Copies all mappings to a process without any. If they have no room, counts them in .left_out. */
void process_mappings_copy(struct process_table *processes, const struct process_entry *from,
			   struct process_entry *to);
/* Forgets all mappings of a process. */
void process_mappings_drop(struct process_table *processes, struct process_entry *process);

/* Drops a process's mappings if process_entry.losses shows that they are outdated. */
void process_mappings_drop_outdated(struct process_table *processes, struct process_entry *process);

#endif
