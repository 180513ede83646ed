/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/rolling_scan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "platform/platform.h"

static uint64_t scan_now(const struct rolling_scan *scan)
{
	return scan->platform->ops->clock->now(scan->platform);
}

void rolling_scan_free(struct rolling_scan *scan)
{
	free(scan->at);
	scan->at = NULL;
	scan->count = 0;
}

/* Identities of processes. */

/* Updates a process's identity. A process that has ended keeps its name. */
static void describe_process(const struct rolling_scan *scan, struct scanned_process *process)
{
	struct process_identity now;

	process_describe(scan->platform, process->is.pid, &now);
	if (now.ended) {
		process->is.ended = true;
		process->is.resident = 0;
	} else {
		process->is = now;
	}
}

/* Replaces an entry by the process that now has this pid. */
static void begin_process(const struct rolling_scan *scan, unsigned pid, uint64_t now_ns,
			  struct scanned_process *out)
{
	*out = (struct scanned_process){.is.pid = pid, .listed_ns = now_ns};
	describe_process(scan, out);
}

void rolling_scan_check(const struct rolling_scan *scan, struct scanned_process *process)
{
	struct process_stat stat;
	struct platform *p = scan->platform;

	if (p->ops->processes->stat(p, process->is.pid, 0, &stat) &&
	    stat.started != process->is.started)
		begin_process(scan, process->is.pid, scan_now(scan), process);
}

/*
 * Lists the present processes. Entries of processes that were listed before, and still run, are
 * kept.
 */
static int list_processes(struct rolling_scan *scan, uint64_t now_ns)
{
	struct platform *p = scan->platform;
	struct scanned_process *old = scan->at, *all;
	unsigned *pids;
	size_t count, next = 0;
	const int rc = p->ops->processes->pids(p, &pids, &count);

	if (rc)
		return rc;
	all = calloc(count + 1, sizeof(*all));
	for (size_t i = 0; all && i < count; i++) {
		while (next < scan->count && old[next].is.pid < pids[i])
			next++;
		if (next < scan->count && old[next].is.pid == pids[i] && !old[next].is.ended)
			all[i] = old[next];
		else
			begin_process(scan, pids[i], now_ns, &all[i]);
	}
	free(pids);
	if (!all)
		return -ENOMEM;
	free(old);
	scan->at = all;
	scan->count = count;
	scan->listed = true;
	return 0;
}

/* Memory of processes by node. */

/* Returns a node's place in .bytes; SCAN_NODES_MOST: it has none. */
static size_t place_of(struct rolling_scan *scan, unsigned node)
{
	for (size_t i = 0; i < scan->number_count; i++)
		if (scan->numbers[i] == node)
			return i;
	if (scan->number_count == SCAN_NODES_MOST)
		return SCAN_NODES_MOST;
	scan->numbers[scan->number_count] = node;
	return scan->number_count++;
}

static void set_memory(struct rolling_scan *scan, struct scanned_process *process,
		       const uint64_t bytes[NUMA_NODES_MOST])
{
	struct process_memory *memory = &process->memory;

	memory->partial = process->state == MEMORY_PARTIAL;
	for (unsigned node = 0; node < NUMA_NODES_MOST; node++) {
		if (!bytes[node])
			continue;
		const size_t place = place_of(scan, node);

		if (place < SCAN_NODES_MOST)
			memory->bytes[place] = bytes[node];
		if (cxl_nodes_contain(scan->nodes, (int)node))
			memory->cxl += (double)bytes[node];
		else
			memory->dram += (double)bytes[node];
	}
}

static int go_on(void *context)
{
	struct rolling_scan *scan = context;

	return scan->meanwhile ? scan->meanwhile(scan->context) : 0;
}

/*
 * Reads the memory of a process; the result counts only if the pid still belongs to that process.
 */
static void read_memory(struct rolling_scan *scan, struct scanned_process *process)
{
	struct platform *p = scan->platform;
	struct memory_reading reading = {.platform = p,
					 .until_ns = scan_now(scan) + SCAN_PROCESS_NS,
					 .go_on = go_on,
					 .context = scan};
	uint64_t bytes[NUMA_NODES_MOST];

	if (!process->is.resident)
		describe_process(scan, process);
	const uint64_t started = process->is.started;
	process->read_ns = scan_now(scan);
	process->state = MEMORY_NONE;
	process->runs_vm = false;
	process->memory = (struct process_memory){.cxl = 0};
	if (!process->is.resident)
		return;
	const enum memory_state state = memory_reading_take(&reading, process->is.pid, bytes);
	describe_process(scan, process);
	if (process->is.started != started) {
		begin_process(scan, process->is.pid, scan_now(scan), process);
		return;
	}
	process->read_ns = scan_now(scan);
	if (!process->is.resident)
		return;
	process->state = state;
	if (memory_is_known(state))
		set_memory(scan, process, bytes);
	process->runs_vm = p->ops->processes->runs_vm(p, process->is.pid);
}

/* Returns the time since a process was read; processes without memory age more slowly. */
static uint64_t age_ns(const struct scanned_process *process, uint64_t now_ns)
{
	if (process->is.resident)
		return now_ns - process->read_ns;
	return (now_ns - (process->read_ns ? process->read_ns : process->listed_ns)) /
	       SCAN_EMPTY_TURNS;
}

/* Returns the time that a process has waited, weighted by its importance. */
static uint64_t waited_ns(const struct scanned_process *process, uint64_t now_ns)
{
	if (process->is.resident && !process->read_ns)
		return (now_ns - process->listed_ns) * SCAN_NEW_TURNS;
	return age_ns(process, now_ns) * (process->reads ? SCAN_READER_TURNS : 1);
}

static bool is_earlier(const struct scanned_process *a, const struct scanned_process *b,
		       uint64_t now_ns)
{
	const uint64_t first = waited_ns(a, now_ns), second = waited_ns(b, now_ns);

	return first > second || (first == second && a->is.resident > b->is.resident);
}

/* Returns the next process to read; NULL: all were read recently. */
static struct scanned_process *next_to_read(const struct rolling_scan *scan, uint64_t now_ns)
{
	struct scanned_process *found = NULL;

	for (size_t i = 0; i < scan->count; i++) {
		struct scanned_process *process = &scan->at[i];

		if ((process->read_ns || !process->is.resident) &&
		    age_ns(process, now_ns) < SCAN_FRESH_NS)
			continue;
		if (!found || is_earlier(process, found, now_ns))
			found = process;
	}
	return found;
}

/* Checks processes with CXL memory that were not read since then. */
static void check_shown(const struct rolling_scan *scan, uint64_t since_ns)
{
	for (size_t i = 0; i < scan->count; i++)
		if (scan->at[i].memory.cxl > 0 && scan->at[i].read_ns < since_ns)
			rolling_scan_check(scan, &scan->at[i]);
}

static void begin_round(struct rolling_scan *scan)
{
	scan->begun = true;
	for (size_t i = 0; i < scan->nodes->count; i++)
		place_of(scan, scan->nodes->numbers[i]);
	scan->updated_ns = scan_now(scan);
	scan->allowed_ns = SCAN_FIRST_NS;
}

int rolling_scan_update(struct rolling_scan *scan)
{
	struct scanned_process *process;
	int rc = 0;

	if (!scan->begun)
		begin_round(scan);
	const uint64_t begun = scan_now(scan);
	if (!scan->listed ||
	    begun - scan->listed_ns >= (scan->aside ? SCAN_ASIDE_NS : SCAN_LIST_NS)) {
		rc = list_processes(scan, begun);
		scan->listed_ns = begun;
	}
	if (rc)
		return rc;
	scan->allowed_ns += (scan->aside ? SCAN_ASIDE_SHARE : SCAN_MEMORY_SHARE) *
			    (double)(begun - scan->updated_ns);
	scan->updated_ns = begun;
	if (scan->allowed_ns > (double)SCAN_FIRST_NS)
		scan->allowed_ns = (double)SCAN_FIRST_NS;
	uint64_t last = begun;
	while (scan->allowed_ns > 0 && (process = next_to_read(scan, last))) {
		read_memory(scan, process);
		const uint64_t next = scan_now(scan);

		scan->allowed_ns -= (double)(next - last);
		last = next;
	}
	if (scan->listed_ns == begun)
		check_shown(scan, begun);
	return 0;
}

static int by_pid(const void *a, const void *b)
{
	const struct scanned_process *x = a, *y = b;

	return (x->is.pid > y->is.pid) - (x->is.pid < y->is.pid);
}

struct scanned_process *rolling_scan_find(const struct rolling_scan *scan, unsigned pid)
{
	return scan->count ? bsearch(&(struct scanned_process){.is.pid = pid}, scan->at,
				     scan->count, sizeof(*scan->at), by_pid)
			   : NULL;
}
