/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table_mappings.c: mappings of the processes in a table, which users share. For files of this
 * folder.
 */
#ifndef CXLMON_PROCESS_TABLE_PRIVATE_H
#define CXLMON_PROCESS_TABLE_PRIVATE_H

#include "process/table.h"

/* Tells if a process has mappings, and if it has this one. */
bool process_mappings_wanted(const struct process_table *processes, unsigned pid);
bool process_mappings_kept(const struct process_table *processes, unsigned pid, bool executable);

/* Adds a mapping. If it has no room, it is counted in .left_out. */
void process_mappings_add(struct process_table *processes, struct process_entry *process,
			  const struct kept_mapping *mapping);

/* Puts mappings in order. Returns false if memory runs out. */
bool process_mappings_sort(struct process_table *processes, struct process_entry *process);

void process_mappings_copy(struct process_table *processes, const struct process_entry *from,
			   struct process_entry *to);
void process_mappings_drop(struct process_table *processes, struct process_entry *process);

/* Drops mappings that were read before records were lost: they may have changed since. */
void process_mappings_drop_outdated(struct process_table *processes, struct process_entry *process);

#endif
