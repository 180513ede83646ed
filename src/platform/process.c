/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/process.h"

#include <errno.h>
#include <stdlib.h>

#include "platform/platform.h"

static int compare_processes(const void *a, const void *b)
{
	const struct listed_process *x = a, *y = b;

	if (x->resident != y->resident)
		return x->resident < y->resident ? 1 : -1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

int process_list_read(struct platform *p, struct process_list *out)
{
	unsigned *pids;
	size_t count;
	int rc = p->ops->processes->pids(p, &pids, &count);

	*out = (struct process_list){.count = 0};
	if (rc)
		return rc;
	out->processes = calloc(count + 1, sizeof(*out->processes));
	for (size_t i = 0; out->processes && i < count; i++) {
		rc = p->ops->processes->status(p, pids[i], &out->processes[out->count]);
		out->count += rc > 0;
		out->refused += rc < 0;
	}
	free(pids);
	if (!out->processes)
		return -ENOMEM;
	qsort(out->processes, out->count, sizeof(*out->processes), compare_processes);
	return 0;
}

void process_list_free(struct process_list *list)
{
	free(list->processes);
	*list = (struct process_list){.count = 0};
}
