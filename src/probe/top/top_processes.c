/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/top/top_processes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "platform/platform.h"

static uint64_t processes_now(const struct top_processes *processes)
{
	return processes->platform->ops->clock->now(processes->platform);
}

void top_processes_free(struct top_processes *processes)
{
	free(processes->at);
	processes->at = NULL;
	processes->count = 0;
}

/* Who they are. */

/* All but its memory. It may run another program, of another user, than before. */
static void describe_process(const struct top_processes *processes, struct top_process *process)
{
	struct platform *p = processes->platform;
	const struct process_ops *ops = p->ops->processes;
	char path[ROOTFS_PATH_SIZE];
	struct listed_process listed;
	struct process_stat stat;

	process->resident = 0;
	process->ended = !ops->stat(p, process->pid, 0, &stat);
	if (process->ended || ops->status(p, process->pid, &listed) <= 0)
		return;
	process->started = stat.started;
	process->resident = listed.resident;
	process->uid = listed.uid;
	ops->user(p, listed.uid, process->user);
	ops->name(p, process->pid, process->name);
	const char *cgroup = ops->cgroup(p, process->pid, path);
	printable(cgroup ? cgroup : "", process->cgroup, sizeof(process->cgroup));
}

void top_processes_check(const struct top_processes *processes, struct top_process *process)
{
	struct platform *p = processes->platform;
	struct process_stat stat;

	if (!p->ops->processes->stat(p, process->pid, 0, &stat) || stat.started == process->started)
		return;
	*process = (struct top_process){.pid = process->pid, .listed_ns = processes_now(processes)};
	describe_process(processes, process);
}

/* Lists the processes of now. What is known of those that were listed before, and run, stays. */
static int list_processes(struct top_processes *processes, uint64_t now_ns)
{
	struct platform *p = processes->platform;
	struct top_process *old = processes->at, *all;
	unsigned *pids;
	size_t count, next = 0;
	const int rc = p->ops->processes->pids(p, &pids, &count);

	if (rc)
		return rc;
	all = calloc(count + 1, sizeof(*all));
	for (size_t i = 0; all && i < count; i++) {
		while (next < processes->count && old[next].pid < pids[i])
			next++;
		if (next < processes->count && old[next].pid == pids[i] && !old[next].ended) {
			all[i] = old[next];
			continue;
		}
		all[i].pid = pids[i];
		all[i].listed_ns = now_ns;
		describe_process(processes, &all[i]);
	}
	free(pids);
	if (!all)
		return -ENOMEM;
	free(old);
	processes->at = all;
	processes->count = count;
	processes->listed = true;
	return 0;
}

/* How much they have where. */

/* The place of a node in .bytes; TOP_NODES_MOST: it has none. */
static size_t place_of(struct top_processes *processes, unsigned node)
{
	for (size_t i = 0; i < processes->number_count; i++)
		if (processes->numbers[i] == node)
			return i;
	if (processes->number_count == TOP_NODES_MOST)
		return TOP_NODES_MOST;
	processes->numbers[processes->number_count] = node;
	return processes->number_count++;
}

static void set_memory(struct top_processes *processes, struct top_process *process,
		       const uint64_t bytes[NUMA_NODES_MOST])
{
	memset(process->bytes, 0, sizeof(process->bytes));
	process->cxl = process->dram = 0;
	for (unsigned node = 0; node < NUMA_NODES_MOST; node++) {
		if (!bytes[node])
			continue;
		const size_t place = place_of(processes, node);

		if (place < TOP_NODES_MOST)
			process->bytes[place] = bytes[node];
		if (cxl_nodes_contain(processes->nodes, (int)node))
			process->cxl += bytes[node];
		else
			process->dram += bytes[node];
	}
}

/* The reading of a process. */
struct reading {
	struct top_processes *processes;
	uint64_t until; /* by the platform's clock */
};

static int go_on(void *context)
{
	const struct reading *reading = context;
	struct top_processes *processes = reading->processes;

	if (processes->meanwhile)
		processes->meanwhile(processes->context);
	return processes_now(processes) < reading->until ? 0 : -ETIME;
}

static void read_memory(struct top_processes *processes, struct top_process *process)
{
	struct platform *p = processes->platform;
	const struct process_ops *ops = p->ops->processes;
	struct reading reading = {processes, processes_now(processes) + TOP_PROCESS_NS};
	uint64_t bytes[NUMA_NODES_MOST];

	describe_process(processes, process);
	process->read_ns = processes_now(processes);
	process->known = process->partial = process->runs_vm = false;
	process->cxl = process->dram = 0;
	if (!process->resident)
		return;
	const int rc = ops->memory(p, process->pid, go_on, &reading, bytes);

	process->read_ns = processes_now(processes);
	process->known = !rc || rc == -ETIME;
	process->partial = rc == -ETIME;
	if (process->known)
		set_memory(processes, process, bytes);
	process->runs_vm = ops->runs_vm(p, process->pid);
}

/* How long ago it was looked at. One without memory ages more slowly. */
static uint64_t age_ns(const struct top_process *process, uint64_t now_ns)
{
	if (process->resident)
		return now_ns - process->read_ns;
	return (now_ns - (process->read_ns ? process->read_ns : process->listed_ns)) /
	       TOP_EMPTY_TURNS;
}

/* How long it waits for its turn, the sooner the more it matters. */
static uint64_t waited_ns(const struct top_process *process, uint64_t now_ns)
{
	if (process->resident && !process->read_ns)
		return (now_ns - process->listed_ns) * TOP_NEW_TURNS;
	return age_ns(process, now_ns) * (process->reads ? TOP_READER_TURNS : 1);
}

static bool is_earlier(const struct top_process *a, const struct top_process *b, uint64_t now_ns)
{
	const uint64_t first = waited_ns(a, now_ns), second = waited_ns(b, now_ns);

	return first > second || (first == second && a->resident > b->resident);
}

/* NULL: all are known as well as need be. */
static struct top_process *next_to_read(const struct top_processes *processes, uint64_t now_ns)
{
	struct top_process *found = NULL;

	for (size_t i = 0; i < processes->count; i++) {
		struct top_process *process = &processes->at[i];

		if ((process->read_ns || !process->resident) &&
		    age_ns(process, now_ns) < TOP_FRESH_NS)
			continue;
		if (!found || is_earlier(process, found, now_ns))
			found = process;
	}
	return found;
}

/* Checks those with CXL memory whose turn has not come since then. */
static void check_shown(const struct top_processes *processes, uint64_t since_ns)
{
	for (size_t i = 0; i < processes->count; i++)
		if (processes->at[i].cxl && processes->at[i].read_ns < since_ns)
			top_processes_check(processes, &processes->at[i]);
}

static void begin_round(struct top_processes *processes)
{
	processes->begun = true;
	for (size_t i = 0; i < processes->nodes->count; i++)
		place_of(processes, processes->nodes->numbers[i]);
	processes->updated_ns = processes_now(processes);
	processes->allowed_ns = TOP_FIRST_NS;
}

int top_processes_update(struct top_processes *processes)
{
	struct top_process *process;
	int rc = 0;

	if (!processes->begun)
		begin_round(processes);
	const uint64_t begun = processes_now(processes);
	if (!processes->listed || begun - processes->listed_ns >= TOP_LIST_NS) {
		rc = list_processes(processes, begun);
		processes->listed_ns = begun;
	}
	if (rc)
		return rc;
	processes->allowed_ns += TOP_MEMORY_SHARE * (double)(begun - processes->updated_ns);
	processes->updated_ns = begun;
	if (processes->allowed_ns > (double)TOP_FIRST_NS)
		processes->allowed_ns = (double)TOP_FIRST_NS;
	uint64_t last = begun;
	while (processes->allowed_ns > 0 && (process = next_to_read(processes, last))) {
		read_memory(processes, process);
		const uint64_t next = processes_now(processes);

		processes->allowed_ns -= (double)(next - last);
		last = next;
	}
	if (processes->listed_ns == begun)
		check_shown(processes, begun);
	return 0;
}

static int by_pid(const void *a, const void *b)
{
	const struct top_process *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

struct top_process *top_processes_find(const struct top_processes *processes, unsigned pid)
{
	return processes->count ? bsearch(&(struct top_process){.pid = pid}, processes->at,
					  processes->count, sizeof(*processes->at), by_pid)
				: NULL;
}
