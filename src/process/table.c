/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/table_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "process/identity.h"

#define SLOTS (2 * PROCESSES_MOST) /* half of them stay free */

#define FIRST_PID 1 /* init */
/* slots checked at once; all are checked in 7 minutes if processes are few */
#define SLOTS_LOOKED_AT 64
#define PROCESSES_ASKED 8

int process_table_init(struct process_table *processes, struct process_names *names,
		       struct platform *p)
{
	*processes = (struct process_table){
		.names = names,
		.p = p,
		.slots = calloc(SLOTS, sizeof(*processes->slots)),
		.ended = calloc(PROCESSES_MOST, sizeof(*processes->ended)),
	};
	const bool shared = !share_init(&processes->entries, PROCESSES_MOST) &&
			    !share_init(&processes->mappings, PROCESS_MAPPINGS_MOST);
	return shared && processes->slots && processes->ended ? 0 : -ENOMEM;
}

void process_table_free(struct process_table *processes)
{
	for (size_t i = 0; processes->slots && i < SLOTS; i++)
		mapping_table_free(&processes->slots[i].mappings);
	free(processes->slots);
	free(processes->ended);
	share_free(&processes->entries);
	share_free(&processes->mappings);
}

/*
 * Returns a pid's first slot. Pids are often consecutive: slots stay free between them, at which
 * forget_process() stops.
 */
static size_t home_of(unsigned pid)
{
	return 2 * (size_t)pid % SLOTS;
}

static struct process_entry *slot_of(const struct process_table *processes, unsigned pid)
{
	size_t slot = home_of(pid);

	while (processes->slots[slot].serial && processes->slots[slot].pid != pid)
		slot = (slot + 1) % SLOTS;
	return &processes->slots[slot];
}

/* Frees an entry. Entries after it may have to move into its slot. */
static void forget_process(struct process_table *processes, struct process_entry *process)
{
	struct process_entry *slots = processes->slots;
	size_t slot = (size_t)(process - slots);

	process_mappings_drop(processes, process);
	share_give(&processes->entries, process->owner, 1);
	*process = (struct process_entry){.serial = 0};
	for (size_t next = (slot + 1) % SLOTS; slots[next].serial; next = (next + 1) % SLOTS) {
		const size_t home = home_of(slots[next].pid);

		if ((next - home) % SLOTS < (next - slot) % SLOTS)
			continue;
		slots[slot] = slots[next];
		slots[next] = (struct process_entry){.serial = 0};
		slot = next;
	}
}

static uid_t owner_of(const struct process_table *processes, unsigned pid)
{
	struct platform *p = processes->p;

	return p && p->ops->processes ? p->ops->processes->owner(p, pid) : OWNER_UNKNOWN;
}

static struct process_entry *begin_process(struct process_table *processes, unsigned pid,
					   uid_t owner, uint64_t since_ns)
{
	struct process_entry *process = slot_of(processes, pid);

	if (process->serial) {
		forget_process(processes, process);
		process = slot_of(processes, pid);
	}
	if (!share_take(&processes->entries, owner, 1)) {
		processes->left_out++;
		return NULL;
	}
	*process = (struct process_entry){.pid = pid,
					  .serial = ++processes->serials,
					  .owner = owner,
					  .uid = OWNER_UNKNOWN,
					  .since_ns = since_ns,
					  .losses = processes->losses};
	return process;
}

static void set_cgroup(const struct process_table *processes, struct process_entry *process,
		       const char *path)
{
	char name[CGROUP_NAME_SIZE] = "";

	process->cgroup = process_names_add(processes->names, process->owner, path);
	if (processes->group_name && cgroup_outermost_name(path, processes->group_name, name))
		process->group = process_names_add(processes->names, process->owner, name);
}

/* Finds a process's present cgroup; a process that has ended keeps its last one. */
static void find_cgroup(struct process_table *processes, struct process_entry *process)
{
	struct platform *p = processes->p;
	char path[ROOTFS_PATH_SIZE];

	if (!processes->cgroups || !p || !p->ops->processes)
		return;
	const char *cgroup = p->ops->processes->cgroup(p, process->pid, path);
	if (cgroup)
		set_cgroup(processes, process, cgroup);
}

/* Finds a process's effective user; for kernel threads, the owner. */
static void find_user(const struct process_table *processes, struct process_entry *process)
{
	struct platform *p = processes->p;
	char name[PROCESS_USER_SIZE];
	struct listed_process listed;

	if (!processes->users || !p || !p->ops->processes)
		return;
	const bool known = p->ops->processes->status(p, process->pid, &listed) > 0;
	const uid_t uid = known ? listed.uid : process->owner;
	if (uid == OWNER_UNKNOWN)
		return;
	process->uid = uid;
	process->user = process_names_add(processes->names, process->owner,
					  p->ops->processes->user(p, uid, name));
}

static struct process_entry *find_process(struct process_table *processes, unsigned pid,
					  uint64_t time_ns)
{
	struct process_entry *process = slot_of(processes, pid);

	if (process->serial)
		return process;
	process = begin_process(processes, pid, owner_of(processes, pid), time_ns);
	if (process) {
		find_cgroup(processes, process);
		find_user(processes, process);
	}
	return process;
}

bool process_table_runs(const struct process_table *processes, unsigned pid, uint64_t serial)
{
	const struct process_entry *process = slot_of(processes, pid);

	return process->serial == serial && !process->ended;
}

struct process_entry *process_table_find(struct process_table *processes, unsigned pid)
{
	return find_process(processes, pid, 0);
}

/* Records. */

/*
 * Takes a mapping. perf names memory without a file "//anon"; the kernel's names are in brackets.
 */
static void take_mapping(struct process_table *processes, struct process_entry *process,
			 const struct sample_record *record)
{
	if (!process_mappings_kept(processes, process->pid, record->executable))
		return;
	process_mappings_drop_outdated(processes, process);
	process_mappings_add(
		processes, process,
		&(struct kept_mapping){
			.start = record->start,
			.end = record->start + record->length,
			.offset = record->offset,
			.inode = record->inode,
			.since_ns = record->time_ns,
			.name = process_names_add(processes->names, process->owner, record->name)});
}

/*
 * Takes the start of a process, which begins as a copy of its parent. Newer facts about it may be
 * known already.
 */
static void take_fork(struct process_table *processes, const struct sample_record *record)
{
	if (record->pid != record->tid || record->pid == record->parent)
		return;
	struct process_entry *parent = slot_of(processes, record->parent);
	const uid_t owner = parent->serial ? parent->owner : owner_of(processes, record->pid);
	struct process_entry *process = slot_of(processes, record->pid);

	if (!process->serial || process->since_ns <= record->time_ns)
		process = begin_process(processes, record->pid, owner, record->time_ns);
	parent = slot_of(processes, record->parent);

	if (!process || !parent->serial)
		return;
	if (!process->cgroup) {
		process->cgroup = parent->cgroup;
		process->group = parent->group;
	}
	if (process->uid == OWNER_UNKNOWN) {
		process->uid = parent->uid;
		process->user = parent->user;
	}
	if (process->named_ns > record->time_ns)
		return;
	process->name = parent->name;
	process_mappings_drop_outdated(processes, parent);
	if (!process->mappings.count && process_mappings_wanted(processes, process->pid))
		process_mappings_copy(processes, parent, process);
}

/*
 * Finds the owner of a process that runs another program: su, or a daemon that starts sessions,
 * changes user before. The owner of a process that has ended by now is unknown, and kept. Returns
 * false if the new owner's share is used up.
 */
static bool find_owner(struct process_table *processes, struct process_entry *process)
{
	const uid_t owner = owner_of(processes, process->pid);

	if (owner == process->owner || owner == OWNER_UNKNOWN)
		return true;
	if (!share_take(&processes->entries, owner, 1)) {
		processes->left_out++;
		forget_process(processes, process);
		return false;
	}
	share_give(&processes->entries, process->owner, 1);
	process->owner = owner;
	return true;
}

/* Takes the name of a process, which is the name of its first thread. */
static void take_name(struct process_table *processes, struct process_entry *process,
		      const struct sample_record *record)
{
	if (record->pid != record->tid || process->named_ns > record->time_ns)
		return;
	if (record->exec) {
		process_mappings_drop(processes, process);
		process->losses = processes->losses;
		if (!find_owner(processes, process))
			return;
		find_cgroup(processes, process);
		find_user(processes, process);
	}
	process->named_ns = record->time_ns;
	process->name = process_names_add(processes->names, process->owner, record->name);
}

/* Marks a process as ended. Its samples may still come, in this reading and in the next one. */
static void end_process(struct process_table *processes, struct process_entry *process)
{
	if (process->ended || processes->ended_count >= PROCESSES_MOST)
		return;
	process->ended = true;
	processes->ended[processes->ended_count++] = process->pid;
}

static void take_exit(struct process_table *processes, struct process_entry *process,
		      const struct sample_record *record)
{
	if (record->pid == record->tid && record->time_ns >= process->since_ns)
		end_process(processes, process);
}

/*
 * Takes a loss of records, of one process or of all (pid 0). In the latter case each process drops
 * its mappings when they are next used.
 */
static void take_loss(struct process_table *processes, const struct sample_record *record)
{
	struct process_entry *process = slot_of(processes, record->pid);

	if (!record->pid)
		processes->losses++;
	else if (process->serial)
		process_mappings_drop(processes, process);
}

void process_table_take(struct process_table *processes, const struct sample_record *record)
{
	static void (*const takers[])(struct process_table *, struct process_entry *,
				      const struct sample_record *) = {
		[RECORD_NAME] = take_name,
		[RECORD_EXIT] = take_exit,
		[RECORD_MAPPING] = take_mapping,
	};

	if (record->kind == RECORD_FORK)
		take_fork(processes, record);
	if (record->kind == RECORD_PROCESS_LOST)
		take_loss(processes, record);
	if (record->kind >= sizeof(takers) / sizeof(takers[0]) || !takers[record->kind])
		return;
	struct process_entry *process = find_process(processes, record->pid, record->time_ns);

	if (process)
		takers[record->kind](processes, process, record);
}

static void use_names(struct process_names *names, const struct process_entry *process)
{
	process_names_use(names, process->name);
	process_names_use(names, process->cgroup);
	process_names_use(names, process->group);
	process_names_use(names, process->user);
	for (size_t i = 0; i < process->mappings.count; i++)
		process_names_use(names, process->mappings.at[i].name);
}

void process_table_use_names(const struct process_table *processes)
{
	for (size_t i = 0; i < SLOTS; i++)
		if (processes->slots[i].serial)
			use_names(processes->names, &processes->slots[i]);
}

/* Checks that a process still has its pid; sets the start time if records did not tell it. */
static bool has_its_pid(const struct process_table *processes, struct process_entry *process)
{
	struct platform *p = processes->p;
	struct process_stat stat;

	if (!p->ops->processes->stat(p, process->pid, 0, &stat))
		return false;
	if (!process->started)
		process->started = stat.started;
	return process->started == stat.started;
}

void process_table_find_ended(struct process_table *processes)
{
	unsigned asked = 0;

	/* the first process is hidden only if all processes of other users are */
	if (owner_of(processes, FIRST_PID) == OWNER_UNKNOWN)
		return;
	for (size_t i = 0; i < SLOTS_LOOKED_AT && asked < PROCESSES_ASKED; i++) {
		struct process_entry *process = &processes->slots[processes->looked_at];

		processes->looked_at = (processes->looked_at + 1) % SLOTS;
		if (!process->serial || !process->pid || process->ended)
			continue;
		asked++;
		if (!has_its_pid(processes, process))
			end_process(processes, process);
	}
}

void process_table_forget_ended(struct process_table *processes)
{
	const size_t before = processes->ended_before;

	for (size_t i = 0; i < before; i++) {
		struct process_entry *process = slot_of(processes, processes->ended[i]);

		if (process->serial && process->ended)
			forget_process(processes, process);
	}
	processes->ended_count -= before;
	memmove(processes->ended, processes->ended + before,
		processes->ended_count * sizeof(*processes->ended));
	processes->ended_before = processes->ended_count;
}

/* Processes that ran at the start. */

/* A process whose mappings are read. */
struct scanned {
	struct process_table *processes;
	struct process_entry *process;
	uint64_t now_ns;
};

static void scan_mapping(void *context, const struct process_mapping *there)
{
	const struct scanned *scanned = context;
	struct process_names *names = scanned->processes->names;

	if (!process_mappings_kept(scanned->processes, scanned->process->pid, there->executable))
		return;
	process_mappings_add(
		scanned->processes, scanned->process,
		&(struct kept_mapping){
			.start = there->start,
			.end = there->end,
			.offset = there->offset,
			.inode = there->inode,
			.since_ns = scanned->now_ns,
			.name = process_names_add(names, scanned->process->owner,
						  *there->name ? there->name : "//anon")});
}

/* Returns the entry of a process; NULL: no room. */
static struct process_entry *find_described(struct process_table *processes,
					    const struct process_identity *is, uint64_t now_ns)
{
	struct process_entry *process = slot_of(processes, is->pid);

	if (process->serial && !process->ended &&
	    (!process->started || process->started == is->started))
		return process;
	return begin_process(processes, is->pid, owner_of(processes, is->pid), now_ns);
}

void process_table_rescan(struct process_table *processes, unsigned pid, uint64_t now_ns)
{
	struct platform *p = processes->p;
	struct process_identity is;
	int rc = 0;

	process_describe(p, pid, &is);
	struct process_entry *process = find_described(processes, &is, now_ns);
	struct scanned scanned = {processes, process, now_ns};
	if (!process)
		return;
	process_mappings_drop(processes, process);
	process->losses = processes->losses;
	process->started = is.started;
	process->name = process_names_add(processes->names, process->owner, is.name);
	if (processes->cgroups && *is.cgroup)
		set_cgroup(processes, process, is.cgroup);
	find_user(processes, process);
	if (process_mappings_wanted(processes, pid))
		rc = p->ops->processes->mappings(p, pid, scan_mapping, &scanned);
	process_mappings_sort(processes, process);
	processes->refused += rc == -EACCES || rc == -EPERM;
}

void process_table_drop_mappings(struct process_table *processes, unsigned pid)
{
	struct process_entry *process = slot_of(processes, pid);

	if (process->serial)
		process_mappings_drop(processes, process);
}

int process_table_scan(struct process_table *processes, uint64_t now_ns)
{
	struct platform *p = processes->p;
	unsigned *pids;
	size_t count;
	int rc = p->ops->processes->pids(p, &pids, &count);

	for (size_t i = 0; !rc && i < count; i++)
		process_table_rescan(processes, pids[i], now_ns);
	free(pids);
	return rc;
}
