/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/hot/processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "platform/platform.h"
#include "platform/process.h"

#define SLOTS (2 * HOT_PROCESSES_MOST) /* half of them stay free */

int hot_processes_init(struct hot_processes *processes, struct hot_names *names,
		       enum load_mappings kept)
{
	*processes = (struct hot_processes){
		.names = names,
		.kept = kept,
		.slots = calloc(SLOTS, sizeof(*processes->slots)),
		.ended = calloc(HOT_PROCESSES_MOST, sizeof(*processes->ended)),
	};
	return processes->slots && processes->ended ? 0 : -ENOMEM;
}

void hot_processes_free(struct hot_processes *processes)
{
	for (size_t i = 0; processes->slots && i < SLOTS; i++)
		free(processes->slots[i].mappings);
	free(processes->slots);
	free(processes->ended);
}

/* Pids follow each other: they are spread well as they are. */
static struct hot_process *slot_of(const struct hot_processes *processes, unsigned pid)
{
	size_t slot = pid % SLOTS;

	while (processes->slots[slot].serial && processes->slots[slot].pid != pid)
		slot = (slot + 1) % SLOTS;
	return &processes->slots[slot];
}

static void drop_mappings(struct hot_processes *processes, struct hot_process *process)
{
	processes->mappings -= process->mapping_count;
	free(process->mappings);
	process->mappings = NULL;
	process->mapping_count = 0;
}

static struct hot_process *begin_process(struct hot_processes *processes, unsigned pid,
					 uint64_t since_ns)
{
	struct hot_process *process = slot_of(processes, pid);

	if (process->serial) {
		drop_mappings(processes, process);
	} else if (processes->count == HOT_PROCESSES_MOST) {
		processes->left_out++;
		return NULL;
	} else {
		processes->count++;
	}
	*process = (struct hot_process){
		.pid = pid, .serial = ++processes->serials, .since_ns = since_ns};
	return process;
}

static struct hot_process *find(struct hot_processes *processes, unsigned pid, uint64_t time_ns)
{
	struct hot_process *process = slot_of(processes, pid);

	return process->serial ? process : begin_process(processes, pid, time_ns);
}

const struct hot_process *hot_processes_find(struct hot_processes *processes, unsigned pid)
{
	return find(processes, pid, 0);
}

/* Mappings. */

/* The first one that ends behind the address. */
static size_t position(const struct hot_process *process, uint64_t address)
{
	size_t low = 0, high = process->mapping_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (process->mappings[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct hot_mapping *hot_process_mapping(const struct hot_process *process, uint64_t address)
{
	const size_t at = position(process, address);

	return at < process->mapping_count && process->mappings[at].start <= address
		       ? &process->mappings[at]
		       : NULL;
}

static void insert(struct hot_processes *processes, struct hot_process *process, size_t at,
		   struct hot_mapping mapping)
{
	struct hot_mapping *place = &process->mappings[at];

	memmove(place + 1, place, (process->mapping_count - at) * sizeof(*place));
	*place = mapping;
	process->mapping_count++;
	processes->mappings++;
}

/* What it covers of others was unmapped: the kernel has no record of that. */
static void add_mapping(struct hot_processes *processes, struct hot_process *process,
			struct hot_mapping mapping)
{
	size_t at = position(process, mapping.start), end;

	if (mapping.end <= mapping.start || processes->mappings + 2 > HOT_MAPPINGS_MOST ||
	    array_room(&process->mappings, process->mapping_count, 2, sizeof(mapping))) {
		processes->left_out++;
		return;
	}
	struct hot_mapping *first = &process->mappings[at];
	if (at < process->mapping_count && first->start < mapping.start) {
		const struct hot_mapping rest = {.start = mapping.end,
						 .end = first->end,
						 .offset =
							 first->offset + mapping.end - first->start,
						 .inode = first->inode,
						 .name = first->name};

		first->end = mapping.start;
		at++;
		if (rest.end > rest.start)
			insert(processes, process, at, rest);
	}
	for (end = at; end < process->mapping_count && process->mappings[end].end <= mapping.end;)
		end++;
	if (end < process->mapping_count && process->mappings[end].start < mapping.end) {
		struct hot_mapping *last = &process->mappings[end];

		last->offset += mapping.end - last->start;
		last->start = mapping.end;
	}
	memmove(&process->mappings[at], &process->mappings[end],
		(process->mapping_count - end) * sizeof(mapping));
	process->mapping_count -= end - at;
	processes->mappings -= end - at;
	insert(processes, process, at, mapping);
}

static bool is_kept(const struct hot_processes *processes, bool executable)
{
	return processes->kept == MAPPINGS_ALL || (processes->kept == MAPPINGS_CODE && executable);
}

/* As perf names what has no file: "//anon"; the kernel's names are in brackets. */
static void take_mapping(struct hot_processes *processes, struct hot_process *process,
			 const struct sample_record *record)
{
	if (!is_kept(processes, record->executable))
		return;
	add_mapping(processes, process,
		    (struct hot_mapping){.start = record->start,
					 .end = record->start + record->length,
					 .offset = record->offset,
					 .inode = record->inode,
					 .name = hot_names_add(processes->names, record->name)});
}

/* Records. */

static void copy_mappings(struct hot_processes *processes, const struct hot_process *from,
			  struct hot_process *to)
{
	const size_t count = from->mapping_count;

	if (!count || processes->mappings + count > HOT_MAPPINGS_MOST ||
	    array_room(&to->mappings, 0, count, sizeof(*to->mappings)))
		return;
	memcpy(to->mappings, from->mappings, count * sizeof(*to->mappings));
	to->mapping_count = count;
	processes->mappings += count;
}

/* A new process is at first as its parent. What it has become since may be known already. */
static void take_fork(struct hot_processes *processes, const struct sample_record *record)
{
	if (record->pid != record->tid || record->pid == record->parent)
		return;
	struct hot_process *process = slot_of(processes, record->pid);
	if (!process->serial || process->since_ns <= record->time_ns)
		process = begin_process(processes, record->pid, record->time_ns);
	const struct hot_process *parent = slot_of(processes, record->parent);

	if (!process || !parent->serial)
		return;
	process->cgroup = parent->cgroup;
	if (process->named_ns > record->time_ns)
		return;
	process->name = parent->name;
	if (!process->mapping_count)
		copy_mappings(processes, parent, process);
}

/* The name of a process is that of its first thread. */
static void take_name(struct hot_processes *processes, struct hot_process *process,
		      const struct sample_record *record)
{
	if (record->pid != record->tid || process->named_ns > record->time_ns)
		return;
	process->named_ns = record->time_ns;
	process->name = hot_names_add(processes->names, record->name);
	if (record->exec)
		drop_mappings(processes, process);
}

/* Samples of it may still come, from the rings of other CPUs. */
static void take_exit(struct hot_processes *processes, struct hot_process *process,
		      const struct sample_record *record)
{
	if (record->pid != record->tid || record->time_ns < process->since_ns || process->ended ||
	    processes->ended_count >= HOT_PROCESSES_MOST)
		return;
	process->ended = true;
	processes->ended[processes->ended_count++] = process->pid;
}

void hot_processes_take(struct hot_processes *processes, const struct sample_record *record)
{
	static void (*const takers[])(struct hot_processes *, struct hot_process *,
				      const struct sample_record *) = {
		[RECORD_NAME] = take_name,
		[RECORD_EXIT] = take_exit,
		[RECORD_MAPPING] = take_mapping,
	};

	if (record->kind == RECORD_FORK) {
		take_fork(processes, record);
		return;
	}
	if (record->kind >= sizeof(takers) / sizeof(takers[0]) || !takers[record->kind])
		return;
	struct hot_process *process = find(processes, record->pid, record->time_ns);

	if (process)
		takers[record->kind](processes, process, record);
}

/* Those behind a slot that becomes free may have to move into it. */
static void free_slot(struct hot_processes *processes, size_t slot)
{
	struct hot_process *slots = processes->slots;

	drop_mappings(processes, &slots[slot]);
	slots[slot] = (struct hot_process){.serial = 0};
	processes->count--;
	for (size_t next = (slot + 1) % SLOTS; slots[next].serial; next = (next + 1) % SLOTS) {
		const size_t home = slots[next].pid % SLOTS;

		if ((next - home) % SLOTS < (next - slot) % SLOTS)
			continue;
		slots[slot] = slots[next];
		slots[next] = (struct hot_process){.serial = 0};
		slot = next;
	}
}

void hot_processes_forget_ended(struct hot_processes *processes)
{
	for (size_t i = 0; i < processes->ended_count; i++) {
		const struct hot_process *process = slot_of(processes, processes->ended[i]);

		if (process->serial && process->ended)
			free_slot(processes, (size_t)(process - processes->slots));
	}
	processes->ended_count = 0;
}

/* Those that ran before. */

/* Whose mappings are read. */
struct scanned {
	struct hot_processes *processes;
	struct hot_process *process;
};

static void scan_mapping(void *context, const struct process_mapping *there)
{
	const struct scanned *scanned = context;
	struct hot_names *names = scanned->processes->names;

	if (!is_kept(scanned->processes, there->executable))
		return;
	add_mapping(scanned->processes, scanned->process,
		    (struct hot_mapping){
			    .start = there->start,
			    .end = there->end,
			    .offset = there->offset,
			    .inode = there->inode,
			    .name = hot_names_add(names, *there->name ? there->name : "//anon")});
}

static void scan_process(struct hot_processes *processes, struct hot_process *process,
			 struct platform *p)
{
	const struct process_ops *ops = p->ops->processes;
	struct scanned scanned = {processes, process};
	char name[PROCESS_NAME_SIZE];
	int rc = 0;

	process->name = hot_names_add(processes->names, ops->name(p, process->pid, name));
	if (processes->kept)
		rc = ops->mappings(p, process->pid, scan_mapping, &scanned);
	processes->refused += rc == -EACCES || rc == -EPERM;
}

void hot_processes_rescan(struct hot_processes *processes, struct platform *p, unsigned pid,
			  uint64_t now_ns)
{
	struct hot_process *process = find(processes, pid, now_ns);

	if (!process)
		return;
	drop_mappings(processes, process);
	scan_process(processes, process, p);
}

int hot_processes_scan(struct hot_processes *processes, struct platform *p, bool with_cgroups,
		       uint64_t now_ns)
{
	const struct process_ops *ops = p->ops->processes;
	unsigned *pids;
	size_t count;
	int rc = ops->pids(p, &pids, &count);

	for (size_t i = 0; !rc && i < count; i++) {
		struct hot_process *process = find(processes, pids[i], now_ns);
		char path[ROOTFS_PATH_SIZE];

		if (!process)
			break;
		scan_process(processes, process, p);
		const char *cgroup = with_cgroups ? ops->cgroup(p, pids[i], path) : NULL;
		if (cgroup)
			process->cgroup = hot_names_add(processes->names, cgroup);
	}
	free(pids);
	return rc;
}
