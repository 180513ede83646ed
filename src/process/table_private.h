/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table_mappings.c: mappings of the processes in a table. Users share the room for them. Private to
 * this folder.
 */
#ifndef CXLMON_PROCESS_TABLE_PRIVATE_H
#define CXLMON_PROCESS_TABLE_PRIVATE_H

#include "process/table.h"

/* Tells if mappings of a process are kept, by .kept and .mapped. */
bool process_mappings_wanted(const struct process_table *processes, unsigned pid);
/* Tells if a mapping of a process is kept, which is executable or not. */
bool process_mappings_kept(const struct process_table *processes, unsigned pid, bool executable);

/*
 * Adds a mapping. If its user's share has no room, drops the process's mappings. Mappings that are
 * dropped, or not added, are counted in .left_out.
 */
void process_mappings_add(struct process_table *processes, struct process_entry *process,
			  const struct kept_mapping *mapping);

/* Puts a process's mappings in order. Returns false, and changes nothing, if memory is short. */
bool process_mappings_sort(struct process_table *processes, struct process_entry *process);

/* Copies all mappings to a process without any; if there is no room, counts them in .left_out. */
void process_mappings_copy(struct process_table *processes, const struct process_entry *from,
			   struct process_entry *to);
/* Forgets all mappings of a process. */
void process_mappings_drop(struct process_table *processes, struct process_entry *process);

/* Drops a process's mappings if records were lost since they were read: they may have changed. */
void process_mappings_drop_outdated(struct process_table *processes, struct process_entry *process);

#endif
