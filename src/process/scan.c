/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/scan.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "platform/clock.h"
#include "platform/platform.h"

/* A process that has not been read yet. */
struct waiting {
	struct listed_process listed;
	uid_t owner; /* set with .rank, when time runs short */
	size_t rank; /* number of larger processes of the same owner */
};

enum memory_state memory_state_of(int rc)
{
	switch (rc) {
	case 0:
		return MEMORY_COUNTED;
	case -ETIME:
		return MEMORY_PARTIAL;
	case -EACCES:
	case -EPERM:
		return MEMORY_REFUSED;
	case -ENOENT:
	case -ESRCH:
		return MEMORY_NONE;
	default:
		return MEMORY_UNCLEAR;
	}
}

static int read_on(void *context)
{
	struct memory_reading *reading = context;
	struct platform *p = reading->platform;

	reading->stopped = reading->go_on(reading->context);
	if (reading->stopped)
		return reading->stopped;
	return p->ops->clock->now(p) >= reading->until_ns ? -ETIME : 0;
}

enum memory_state memory_reading_take(struct memory_reading *reading, unsigned pid,
				      uint64_t bytes[NUMA_NODES_MOST])
{
	struct platform *p = reading->platform;

	return memory_state_of(p->ops->processes->memory(p, pid, read_on, reading, bytes));
}

/* State of a whole scan. */

static int compare_sizes(const void *a, const void *b)
{
	const struct listed_process *x = &((const struct waiting *)a)->listed;
	const struct listed_process *y = &((const struct waiting *)b)->listed;

	if (x->resident != y->resident)
		return x->resident < y->resident ? 1 : -1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

static int compare_owners(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;

	if (x->owner != y->owner)
		return x->owner > y->owner ? 1 : -1;
	return compare_sizes(a, b);
}

static int compare_ranks(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank > y->rank ? 1 : -1;
	return compare_sizes(a, b);
}

static void share_turns(struct platform *p, struct waiting *all, size_t count)
{
	for (size_t i = 0; i < count; i++)
		all[i].owner = p->ops->processes->owner(p, all[i].listed.pid);
	qsort(all, count, sizeof(*all), compare_owners);
	for (size_t i = 0; i < count; i++)
		all[i].rank = i && all[i - 1].owner == all[i].owner ? all[i - 1].rank + 1 : 0;
	qsort(all, count, sizeof(*all), compare_ranks);
}

/* *out is freed by the caller. 0 or -ENOMEM. */
static int list_processes(struct whole_scan *scan, struct waiting **out)
{
	struct platform *p = scan->platform;
	unsigned *pids;
	size_t count;
	int rc = p->ops->processes->pids(p, &pids, &count);

	scan->seen = scan->refused = 0;
	if (rc)
		return rc;
	*out = calloc(count + 1, sizeof(**out));
	for (size_t i = 0; *out && i < count; i++) {
		if (!scan->wants(scan->context, pids[i]))
			continue;
		rc = p->ops->processes->status(p, pids[i], &(*out)[scan->seen].listed);
		scan->seen += rc > 0;
		scan->refused += rc < 0;
	}
	free(pids);
	if (!*out)
		return -ENOMEM;
	qsort(*out, scan->seen, sizeof(**out), compare_sizes);
	return 0;
}

static int read_process(struct whole_scan *scan, const struct listed_process *listed,
			uint64_t until_ns)
{
	struct memory_reading reading = {.platform = scan->platform,
					 .until_ns = until_ns,
					 .go_on = scan->go_on,
					 .context = scan->context};
	struct platform *p = scan->platform;
	struct process_stat stat = {.started = 0};
	uint64_t bytes[NUMA_NODES_MOST];

	p->ops->processes->stat(p, listed->pid, 0, &stat);
	const enum memory_state state = memory_reading_take(&reading, listed->pid, bytes);
	if (reading.stopped)
		return reading.stopped;
	return scan->visit(scan->context,
			   &(struct scanned_memory){listed, stat.started, state, bytes});
}

static int read_all(struct whole_scan *scan, struct waiting *all)
{
	const uint64_t half_ns = scan->until_ns - (scan->until_ns - scan->begun_ns) / 2;
	struct platform *p = scan->platform;
	bool shared = false;
	int rc = 0;

	for (size_t i = 0; !rc && i < scan->seen; i++) {
		const uint64_t now = p->ops->clock->now(p);

		if (now >= scan->until_ns) {
			rc = scan->visit(scan->context,
					 &(struct scanned_memory){.process = &all[i].listed,
								  .state = MEMORY_LATE});
			continue;
		}
		if (now >= half_ns && !shared) {
			share_turns(p, &all[i], scan->seen - i);
			shared = true;
		}
		rc = scan->go_on(scan->context);
		if (!rc)
			rc = read_process(scan, &all[i].listed,
					  scan->until_ns - (scan->until_ns - now) / 2);
	}
	return rc;
}

int whole_scan_take(struct whole_scan *scan)
{
	struct waiting *all;
	int rc = list_processes(scan, &all);

	if (rc)
		return rc;
	rc = read_all(scan, all);
	free(all);
	return rc;
}
