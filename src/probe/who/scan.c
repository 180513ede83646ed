/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/who_private.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/clock.h"
#include "platform/process.h"
#include "process/cgroup_names.h"
#include "process/identity.h"
#include "process/scan.h"

/* State of a scan. */
struct scanning {
	struct who_watch *watch;
	struct error *err;
	const struct whole_scan *whole;
	uint64_t until; /* end of the scan, ns on the platform's clock */
	/* memory of the process that was read last, by node */
	const uint64_t *bytes;
	uint64_t *dax;	/* bytes that it has mapped of each device */
	size_t no_file; /* processes without numa_maps */
};

static const struct process_ops *processes_of(const struct who_watch *watch)
{
	return watch->platform->ops->processes;
}

static void scan_free(struct who_scan *scan)
{
	who_rows_free(&scan->processes);
	who_rows_free(&scan->groups);
}

void who_watch_free(struct who_watch *watch)
{
	scan_free(&watch->scan);
	scan_free(&watch->previous);
}

static int by_tid(const void *a, const void *b)
{
	const struct row_thread *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

/*
 * Fills a thread from procfs. A thread that is missing in the previous scan has run since then.
 * previous: its process in that scan; NULL: none.
 */
static void take_thread(const struct scanning *l, const struct process_row *previous, unsigned pid,
			struct row_thread *thread)
{
	const struct row_thread *before;
	struct process_stat stat;

	if (!processes_of(l->watch)->stat(l->watch->platform, pid, thread->tid, &stat))
		return;
	thread->cpu = stat.cpu;
	thread->started = stat.started;
	thread->ticks = stat.ticks;
	before = previous && previous->threads.count
			 ? bsearch(thread, previous->threads.at, previous->threads.count,
				   sizeof(*thread), by_tid)
			 : NULL;
	if (!before || before->started != thread->started)
		thread->ran = thread->ticks;
	else if (before->ticks <= thread->ticks)
		thread->ran = thread->ticks - before->ticks;
}

static int take_threads(const struct scanning *l, const struct process_row *previous,
			struct process_row *process)
{
	struct platform *p = l->watch->platform;
	unsigned *tids;
	size_t count, i = 0;

	int rc = p->ops->processes->threads(p, process->is.pid, &tids, &count);
	if (rc)
		return rc;
	process->threads.at = calloc(count + 1, sizeof(*process->threads.at));
	for (; process->threads.at && i < count && p->ops->clock->now(p) < l->until; i++) {
		process->threads.at[i].tid = tids[i];
		take_thread(l, previous, process->is.pid, &process->threads.at[i]);
	}
	free(tids);
	process->threads.count = i;
	process->threads.known = previous && count && i == count;
	return process->threads.at ? 0 : -ENOMEM;
}

/*
 * Adds a process with memory on a watched node, or one with this pid that had some in the
 * previous scan: it is shown once more, with the memory that it has returned. Keys are in the order
 * of pids.
 */
static int add_process(struct scanning *l, const struct scanned_memory *memory)
{
	struct who_watch *watch = l->watch;
	struct process_identity is;
	char key[48];

	process_describe(watch->platform, memory->process->pid, &is);
	/* the process ended meanwhile */
	if (is.started != memory->started || is.uid == OWNER_UNKNOWN)
		return 0;
	snprintf(key, sizeof(key), "%010u %" PRIu64, is.pid, is.started);
	struct process_row *process =
		who_rows_add(&watch->scan.processes, watch->nodes, key, is.name);
	const struct process_row *previous = who_rows_find(&watch->previous.processes, key);
	if (!process)
		return -ENOMEM;
	process->is = is;
	process->memory.partial = memory->state == MEMORY_PARTIAL;
	who_row_set_memory(process, watch->nodes, l->bytes);
	who_row_set_dax(process, watch->nodes, l->dax);
	return watch->with_threads ? take_threads(l, previous, process) : 0;
}

static int poll_signals(void *context)
{
	const struct scanning *l = context;

	return l->watch->wake ? who_watch_wait(l->watch, 0, l->err) : 0;
}

static int leave_out_late(struct who_scan *scan, const struct listed_process *listed)
{
	scan->late++;
	scan->late_resident += listed->resident;
	return 0;
}

static int add_read(struct scanning *l, const struct scanned_memory *memory)
{
	const bool partial = memory->state == MEMORY_PARTIAL;
	const struct who_nodes *nodes = l->watch->nodes;
	struct who_scan *scan = &l->watch->scan;
	uint64_t sum = 0;

	for (size_t i = 0; i < nodes->numa.count; i++)
		sum += l->bytes[nodes->numa.numbers[i]];
	for (size_t i = 0; i < nodes->dax_count; i++)
		sum |= l->dax[i];
	/* the memory that was not read may be on a watched node */
	if (partial && !sum)
		return leave_out_late(scan, memory->process);
	scan->read++;
	scan->partial += partial;
	if (!sum && !who_rows_find_process(&l->watch->previous.processes, memory->process->pid))
		return 0;
	return add_process(l, memory) ? error_no_memory(l->err) : 0;
}

/* Reads the bytes mapped of devices, also if time ran out for the process's memory. */
static enum memory_state read_dax(struct scanning *l, const struct scanned_memory *memory)
{
	const struct who_watch *watch = l->watch;
	const struct who_nodes *nodes = watch->nodes;
	const int rc = nodes->dax_count ? devdax_mapped(watch->root, memory->process->pid,
							nodes->dax, nodes->dax_count, l->dax)
					: 0;

	return rc ? memory_state_of(rc) : memory->state;
}

static int take_process(void *context, const struct scanned_memory *memory)
{
	struct scanning *l = context;
	struct who_scan *scan = &l->watch->scan;

	scan->seen = l->whole->seen;
	l->bytes = memory->bytes;
	switch (memory_is_known(memory->state) ? read_dax(l, memory) : memory->state) {
	case MEMORY_COUNTED:
	case MEMORY_PARTIAL:
		return add_read(l, memory);
	case MEMORY_LATE:
		return leave_out_late(scan, memory->process);
	case MEMORY_REFUSED:
		scan->refused++;
		return 0;
	case MEMORY_NONE:
		l->no_file++;
		return 0;
	default:
		scan->unclear++;
		return 0;
	}
}

/*
 * Checks that some process has numa_maps. Processes end during a scan, but it is unlikely that all
 * have ended.
 */
static int check_support(const struct scanning *l)
{
	const struct who_scan *scan = &l->watch->scan;

	if (!l->no_file || scan->read + scan->refused + scan->unclear + scan->late)
		return 0;
	return error_set(l->err, ERROR_PERMISSION, -ENOTSUP,
			 "no process has a file numa_maps in procfs: this kernel has no NUMA "
			 "support (CONFIG_NUMA)");
}

static int none_seen(const struct who_watch *watch, struct error *err)
{
	const char *root = watch->root;

	if (!root)
		return error_set(err, ERROR_USAGE, -ENOENT,
				 "--sim: a machine without processes: expected readers=1 or more");
	return error_set(err, ERROR_PERMISSION, -ENOENT, "no process is seen in %s%sproc", root,
			 *root && root[strlen(root) - 1] == '/' ? "" : "/");
}

static bool is_chosen(void *context, unsigned pid)
{
	const struct scanning *l = context;
	const struct who_watch *watch = l->watch;
	char path[ROOTFS_PATH_SIZE];

	if (!who_watch_has_pid(watch, pid))
		return false;
	if (!*watch->cgroup)
		return true;
	const char *cgroup = processes_of(watch)->cgroup(watch->platform, pid, path);
	return cgroup && cgroup_contains(watch->cgroup, cgroup);
}

static int scan_processes(struct who_watch *watch, uint64_t until, struct error *err)
{
	struct scanning l = {.watch = watch, .err = err, .until = until};
	struct who_scan *scan = &watch->scan;
	struct whole_scan whole = {
		.platform = watch->platform,
		.begun_ns = scan->time_ns,
		.until_ns = until,
		.go_on = poll_signals,
		.wants = is_chosen,
		.visit = take_process,
		.context = &l,
	};

	l.whole = &whole;
	l.dax = calloc(watch->nodes->dax_count + 1, sizeof(*l.dax));
	const int rc = l.dax ? whole_scan_take(&whole) : -ENOMEM;
	free(l.dax);
	if (rc)
		return rc == -ENOMEM ? error_no_memory(err) : rc;
	scan->seen = whole.seen;
	scan->refused += whole.refused;
	if (!whole.seen && !whole.refused && !watch->pids && !*watch->cgroup)
		return none_seen(watch, err);
	who_rows_compare(watch, &scan->processes, &watch->previous.processes);
	return check_support(&l);
}

static int scan_cgroups(struct who_watch *watch, uint64_t until, struct error *err)
{
	const int rc = who_cgroups_add(watch, until, err);

	if (!rc && !watch->scan.seen && !watch->root)
		return none_seen(watch, err);
	return rc || !watch->regions ? rc : who_group_regions_of_cgroups(watch, err);
}

static int scan_all(struct who_watch *watch, uint64_t until, struct error *err)
{
	if (row_by_cgroups(watch->by))
		return scan_cgroups(watch, until, err);
	const int rc = scan_processes(watch, until, err);
	if (!rc && watch->by == BY_RESCTRL)
		return who_mon_groups_add(watch, err);
	if (!rc && watch->by == BY_USER && who_rows_add_users(watch))
		return error_no_memory(err);
	return rc;
}

int who_watch_scan(struct who_watch *watch, struct error *err)
{
	struct platform *p = watch->platform;
	struct who_scan *scan = &watch->scan;

	scan_free(&watch->previous);
	watch->previous = *scan;
	who_rows_sort(&watch->previous.processes);
	who_rows_sort(&watch->previous.groups);
	*scan = (struct who_scan){
		.taken = true, .wall_ns = p->ops->clock->wall(p), .time_ns = p->ops->clock->now(p)};
	scan->interval_s =
		watch->previous.taken
			? (double)(scan->time_ns - watch->previous.time_ns) / (double)NS_PER_S
			: NAN;
	const int rc = scan_all(watch, scan->time_ns + WHO_SCAN_MOST_NS, err);
	who_rows_compare(watch, &scan->groups, &watch->previous.groups);
	if (watch->regions)
		who_group_regions_compare(watch);
	who_rows_sort_by_bytes(&scan->groups);
	who_rows_sort_by_bytes(&scan->processes);
	scan->took_ns = p->ops->clock->now(p) - scan->time_ns;
	return rc;
}
