/* SPDX-License-Identifier: BSD-3-Clause */
#include "who/scan.h"

#include <errno.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux/numa.h"
#include "linux/process.h"
#include "platform/rootfs.h"
#include "platform/text.h"
#include "who/cgroups.h"
#include "who/groups.h"

#define PASSWD_SIZE 4096

/* A scan that is being taken. */
struct scanning {
	struct who_watch *watch;
	struct error *err;
	uint64_t until;		/* ns */
	uint64_t process_until; /* likewise, for the process that is read */
	bool stopped;		/* by a signal */
	uint64_t bytes[NUMA_NODES_MOST];
	size_t no_file; /* processes without numa_maps */
};

static void scan_free(struct who_scan *scan)
{
	free(scan->processes);
	free(scan->memory);
	free(scan->threads);
	who_groups_free(scan);
	*scan = (struct who_scan){.count = 0};
}

void who_watch_free(struct who_watch *watch)
{
	scan_free(&watch->scan);
	scan_free(&watch->last);
}

static int by_pid(const void *a, const void *b)
{
	const struct who_process *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static int by_bytes(const void *a, const void *b)
{
	const struct who_process *x = a, *y = b;

	if (x->use.sum.bytes != y->use.sum.bytes)
		return x->use.sum.bytes < y->use.sum.bytes ? 1 : -1;
	return by_pid(a, b);
}

/* The same process in the last scan, which is sorted by pid; NULL: it was not there. */
static const struct who_process *find_last(const struct who_watch *watch,
					   const struct who_process *process)
{
	const struct who_scan *last = &watch->last;
	const struct who_process *found =
		last->count
			? bsearch(process, last->processes, last->count, sizeof(*process), by_pid)
			: NULL;

	return found && found->started == process->started ? found : NULL;
}

/* Whether growth is known: one that was not in a scan that saw all had no memory there. */
static bool can_compare(const struct who_scan *last, const struct who_process *before,
			const struct who_process *process)
{
	if (!last->taken || process->use.partial)
		return false;
	return before ? !before->use.partial : !(last->refused + last->unclear + last->late);
}

/* Whether the last scan has a process of that number. */
static bool scan_has(const struct who_scan *last, unsigned pid)
{
	const struct who_process key = {.pid = pid};

	return last->count &&
	       bsearch(&key, last->processes, last->count, sizeof(key), by_pid) != NULL;
}

static void find_user(struct who_process *process, const struct who_process *last)
{
	char text[PASSWD_SIZE], number[16];
	struct passwd passwd, *found = NULL;

	if (last && last->uid == process->uid) {
		memcpy(process->user, last->user, sizeof(process->user));
		return;
	}
	snprintf(number, sizeof(number), "%u", (unsigned)process->uid);
	getpwuid_r(process->uid, &passwd, text, sizeof(text), &found);
	printable(found && *found->pw_name ? found->pw_name : number, process->user,
		  sizeof(process->user));
}

/* Room for one more process, and its memory. */
static int make_room(struct who_scan *scan, size_t nodes)
{
	const size_t room = scan->room ? 2 * scan->room : 16;

	if (scan->count < scan->room)
		return 0;
	struct who_process *processes = reallocarray(scan->processes, room, sizeof(*processes));
	if (!processes)
		return -ENOMEM;
	scan->processes = processes;
	struct who_memory *memory = reallocarray(scan->memory, room * nodes, sizeof(*memory));
	if (!memory)
		return -ENOMEM;
	scan->memory = memory;
	scan->room = room;
	return 0;
}

static int add_thread(struct who_scan *scan, const struct who_thread *thread)
{
	if (scan->thread_count == scan->thread_room) {
		const size_t room = scan->thread_room ? 2 * scan->thread_room : 64;
		struct who_thread *threads = reallocarray(scan->threads, room, sizeof(*threads));

		if (!threads)
			return -ENOMEM;
		scan->threads = threads;
		scan->thread_room = room;
	}
	scan->threads[scan->thread_count++] = *thread;
	return 0;
}

static int by_tid(const void *a, const void *b)
{
	const struct who_thread *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static const struct who_thread *last_thread(const struct who_scan *scan,
					    const struct who_process *process,
					    const struct who_thread *thread)
{
	const struct who_thread *found =
		process->thread_count ? bsearch(thread, &scan->threads[process->first_thread],
						process->thread_count, sizeof(*thread), by_tid)
				      : NULL;

	return found && found->started == thread->started ? found : NULL;
}

/* A thread that was not there has run since. */
static void take_thread(const struct scanning *l, const struct who_process *last, unsigned pid,
			struct who_thread *thread)
{
	const struct who_thread *before;
	struct proc_stat stat;

	if (!proc_stat_read(&stat, l->watch->root, "proc/%u/task/%u/stat", pid, thread->tid))
		return;
	thread->cpu = (unsigned)proc_stat_number(&stat, STAT_CPU);
	thread->started = proc_stat_number(&stat, STAT_STARTED);
	thread->ticks = proc_stat_number(&stat, STAT_UTIME) + proc_stat_number(&stat, STAT_STIME);
	before = last ? last_thread(&l->watch->last, last, thread) : NULL;
	thread->ran = thread->ticks - (before ? before->ticks : 0);
	if (before && before->ticks > thread->ticks)
		thread->ran = 0;
}

static int take_threads(const struct scanning *l, const struct who_process *last,
			struct who_process *process)
{
	struct platform *p = l->watch->platform;
	struct who_scan *scan = &l->watch->scan;
	char path[32];
	unsigned *tids;
	size_t count, i = 0;

	process->first_thread = scan->thread_count;
	snprintf(path, sizeof(path), "proc/%u/task", process->pid);
	int rc = sysfs_indices(l->watch->root, path, "", &tids, &count);
	for (; !rc && i < count && p->ops->now(p) < l->until; i++) {
		struct who_thread thread = {.tid = tids[i]};

		take_thread(l, last, process->pid, &thread);
		rc = add_thread(scan, &thread);
	}
	free(tids);
	process->thread_count = scan->thread_count - process->first_thread;
	process->threads_known = last && count && i == count;
	return rc;
}

/* What it has on the watched nodes, and how much that has grown. */
static void take_memory(struct scanning *l, const struct who_process *last,
			struct who_process *process)
{
	struct who_watch *watch = l->watch;
	const size_t nodes = watch->nodes->count;
	const bool known = can_compare(&watch->last, last, process);

	for (size_t i = 0; i < NUMA_NODES_MOST; i++)
		process->use.total += l->bytes[i];
	process->use.sum.growth =
		known ? (double)process->use.sum.bytes - (last ? (double)last->use.sum.bytes : 0)
		      : NAN;
	process->first_memory = watch->scan.count * nodes;
	for (size_t i = 0; i < nodes; i++) {
		const uint64_t bytes = l->bytes[watch->nodes->numbers[i]];
		const uint64_t before = last ? who_memory(&watch->last, last, i)->bytes : 0;

		watch->scan.memory[process->first_memory + i] = (struct who_memory){
			.bytes = bytes, .growth = known ? (double)bytes - (double)before : NAN};
	}
}

/* A process with memory on a watched node, or that had some in the last scan. */
static int add(struct scanning *l, const struct listed_process *listed, uint64_t sum, bool partial)
{
	struct who_watch *watch = l->watch;
	struct who_scan *scan = &watch->scan;
	struct who_process process = {.pid = listed->pid,
				      .uid = listed->uid,
				      .cpu_MBps = NAN,
				      .use = {.sum.bytes = sum, .partial = partial}};
	struct proc_stat stat;
	int rc = make_room(scan, watch->nodes->count);

	/* it may have ended meanwhile */
	if (rc || !proc_stat_read(&stat, watch->root, "proc/%u/stat", listed->pid))
		return rc;
	process.started = proc_stat_number(&stat, STAT_STARTED);
	const struct who_process *last = find_last(watch, &process);
	/* without memory it is shown once, to say what it gave back */
	if (!sum && (!last || !last->use.sum.bytes || proc_stat_is_zombie(&stat)))
		return 0;
	process_list_name(watch->root, listed->pid, process.command);
	find_user(&process, last);
	take_memory(l, last, &process);
	if (watch->with_threads)
		rc = take_threads(l, last, &process);
	scan->processes[scan->count++] = process;
	return rc;
}

static int poll_signals(struct scanning *l)
{
	const int rc = l->watch->wake ? who_watch_wait(l->watch, 0, l->err) : 0;

	l->stopped = rc != 0;
	return rc;
}

static int go_on(void *context)
{
	struct scanning *l = context;
	struct platform *p = l->watch->platform;

	return p->ops->now(p) >= l->process_until ? -ETIME : poll_signals(l);
}

static void leave_out_late(struct who_scan *scan, const struct listed_process *listed)
{
	scan->late++;
	scan->late_resident += listed->resident;
}

static int add_read(struct scanning *l, const struct listed_process *listed, bool partial)
{
	const struct who_nodes *nodes = l->watch->nodes;
	struct who_scan *scan = &l->watch->scan;
	uint64_t sum = 0;

	for (size_t i = 0; i < nodes->count; i++)
		sum += l->bytes[nodes->numbers[i]];
	/* it may have some in what was not read */
	if (partial && !sum) {
		leave_out_late(scan, listed);
		return 0;
	}
	scan->read++;
	scan->partial += partial;
	if (!sum && !scan_has(&l->watch->last, listed->pid))
		return 0;
	return add(l, listed, sum, partial) ? error_no_memory(l->err) : 0;
}

static int take_process(struct scanning *l, const struct listed_process *listed)
{
	struct who_watch *watch = l->watch;
	struct who_scan *scan = &watch->scan;
	const int rc = numa_maps_read(watch->root, listed->pid, go_on, l, l->bytes);

	if (l->stopped)
		return rc;
	switch (rc) {
	case 0:
	case -ETIME:
		return add_read(l, listed, rc != 0);
	case -EACCES:
	case -EPERM:
		scan->refused++;
		return 0;
	case -ENOENT:
	case -ESRCH:
		l->no_file++;
		return 0;
	default:
		scan->unclear++;
		return 0;
	}
}

/*
 * Those with the most memory are first, so that a lack of time leaves out the smallest. None has
 * more than half of the time that is left, so that one alone does not leave out all others.
 */
static int take_all(struct scanning *l, const struct process_list *list)
{
	struct platform *p = l->watch->platform;
	int rc = 0;

	for (size_t i = 0; !rc && i < list->count; i++) {
		const uint64_t now = p->ops->now(p);

		if (now >= l->until) {
			leave_out_late(&l->watch->scan, &list->processes[i]);
			continue;
		}
		l->process_until = l->until - (l->until - now) / 2;
		rc = poll_signals(l);
		if (!rc)
			rc = take_process(l, &list->processes[i]);
	}
	return rc;
}

/* Processes end while they are scanned; that all of them have is not likely. */
static int check_support(const struct scanning *l)
{
	const struct who_scan *scan = &l->watch->scan;

	if (!l->no_file || scan->read + scan->refused + scan->unclear + scan->late)
		return 0;
	return error_set(l->err, EXIT_PERMISSION, -ENOTSUP,
			 "no process has a file numa_maps in procfs: this kernel has no NUMA "
			 "support (CONFIG_NUMA)");
}

static int scan_processes(struct who_watch *watch, uint64_t until, struct error *err)
{
	struct scanning l = {.watch = watch, .err = err, .until = until};
	struct who_scan *scan = &watch->scan;
	struct process_list list;
	int rc = process_list_read(watch->root, &list, err);

	if (rc)
		return rc;
	scan->seen = list.count;
	scan->refused = list.refused;
	rc = take_all(&l, &list);
	process_list_free(&list);
	if (!rc)
		rc = check_support(&l);
	if (scan->count)
		qsort(scan->processes, scan->count, sizeof(*scan->processes), by_bytes);
	return rc;
}

static int scan_all(struct who_watch *watch, uint64_t until, struct error *err)
{
	if (who_by_cgroups(watch->by))
		return who_cgroups_add(watch, until, err);
	const int rc = scan_processes(watch, until, err);
	if (!rc && watch->by == WHO_BY_RESCTRL)
		return who_mon_groups_add(watch, err);
	if (!rc && watch->by == WHO_BY_USER && who_groups_add_users(watch))
		return error_no_memory(err);
	return rc;
}

int who_watch_scan(struct who_watch *watch, struct error *err)
{
	struct platform *p = watch->platform;
	struct who_scan *scan = &watch->scan;

	scan_free(&watch->last);
	watch->last = *scan;
	if (watch->last.count)
		qsort(watch->last.processes, watch->last.count, sizeof(*watch->last.processes),
		      by_pid);
	*scan = (struct who_scan){
		.taken = true, .wall_ns = p->ops->wall(p), .time_ns = p->ops->now(p)};
	scan->interval_s =
		watch->last.taken ? (double)(scan->time_ns - watch->last.time_ns) / (double)NS_PER_S
				  : NAN;
	const int rc = scan_all(watch, scan->time_ns + WHO_SCAN_MOST_NS, err);
	who_groups_finish(watch);
	scan->took_ns = p->ops->now(p) - scan->time_ns;
	return rc;
}
