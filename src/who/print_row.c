/* SPDX-License-Identifier: BSD-3-Clause */
/* What rows are of, the same in every format. */
#include "who/print.h"

const char *const who_by_names[WHO_BYS + 1] = {"process", "cgroup", "container",
					       "vm",	  "user",   "resctrl"};

bool who_row(const struct who_sheet *sheet, const struct who_scan *scan, size_t nth,
	     struct who_row *row)
{
	if (nth >= (sheet->by == WHO_BY_PROCESS ? scan->count : scan->group_count))
		return false;
	if (sheet->by == WHO_BY_PROCESS) {
		const struct who_process *process = &scan->processes[nth];

		*row = (struct who_row){.process = process,
					.use = &process->use,
					.read_MBps = process->cpu_MBps,
					.memory = scan->memory + process->first_memory};
	} else {
		const struct who_group *group = &scan->groups[nth];

		*row = (struct who_row){.group = group,
					.use = &group->use,
					.read_MBps = group->read_MBps,
					.memory = group->memory};
	}
	return true;
}
