/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_private.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "platform/cgroups.h"
#include "platform/clock.h"

#define GIB	(UINT64_C(1) << 30)
#define USER_HZ 100 /* clock ticks per second: time(7) */
#define STARTED 100 /* clock ticks since boot, when the first one began */
#define INITIAL 0   /* the time at which the machine starts, ns */

/* Kinds of processes, in turn. */
static const struct kind {
	const char *name, *program, *user;
	uid_t uid;
	const char *cgroup;
	double dram_GiB, cxl_GiB; /* memory per node that it does not read */
	bool moves;
} kinds[] = {
	{"postgres", "/usr/bin/postgres", "postgres", 999,
	 "/system.slice/docker-"
	 "4f1c9b7e2a60d3588e9b0c7715fa42d6c03e8b91f7a24d5c6e1b3a9087d2f645.scope",
	 12, 2, .moves = false},
	{"memcached", "/usr/bin/memcached", "memcache", 998, "/system.slice/memcached.service", 4,
	 8, .moves = false},
	{"batch", "/usr/bin/batch", "alice", 1000, "/user.slice/user-1000.slice/session-3.scope",
	 16, 1, .moves = true},
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* An emulator of QEMU, as libvirt starts it: each in its own cgroup. */
static const struct kind emulator = {"qemu-system-x86", "/usr/bin/qemu-system-x86_64",
				     "libvirt-qemu",	64055,
				     .dram_GiB = 8,	.cxl_GiB = 4};

/* Returns the number of a process, from 0; SIZE_MAX: there is none. */
static size_t index_of(const struct sim *sim, unsigned pid)
{
	return pid >= SIM_FIRST_PID && pid - SIM_FIRST_PID < sim_process_count(&sim->spec)
		       ? pid - SIM_FIRST_PID
		       : SIZE_MAX;
}

static const struct kind *kind_at(const struct sim *sim, size_t i)
{
	return sim_process_runs_vm(&sim->spec, i) ? &emulator : &kinds[i % KINDS];
}

static const struct kind *kind_of(struct platform *p, unsigned pid)
{
	const size_t i = index_of(sim_of(p), pid);

	return i == SIZE_MAX ? NULL : kind_at(sim_of(p), i);
}

unsigned sim_process_count(const struct sim_spec *spec)
{
	return spec->readers + spec->vms;
}

bool sim_process_runs_vm(const struct sim_spec *spec, size_t i)
{
	return i >= spec->readers;
}

/* Returns the part of all reads that a process does. */
static double share_of(const struct sim_spec *spec, size_t i)
{
	const double n = sim_process_count(spec);

	return (n - (double)i) / (n * (n + 1) / 2);
}

unsigned sim_process_at(const struct sim_spec *spec, double place)
{
	double before = 0;
	unsigned i = 0;

	while (i + 1 < sim_process_count(spec) && (before += share_of(spec, i)) <= place)
		i++;
	return i;
}

uint64_t sim_process_blocks(const struct sim_spec *spec)
{
	return (uint64_t)fmax(1, spec->read_set * (double)(GIB / SIM_BLOCK));
}

/* Memory. */

static uint64_t whole_pages(double bytes)
{
	return (uint64_t)fmax(0, bytes) / SIM_PAGE_BYTES * SIM_PAGE_BYTES;
}

/*
 * Returns the memory of a process on a node at the start that it does not read: at most its part
 * of the used memory.
 */
static uint64_t unread_bytes(const struct sim *sim, size_t i, int node)
{
	const struct kind *kind = kind_at(sim, i);
	const bool dram = sim_socket_of_node(sim, node) != SIZE_MAX;
	const double part =
		(double)sim_node_used(sim, node, INITIAL) / sim_process_count(&sim->spec) -
		(double)(sim_process_blocks(&sim->spec) * SIM_BLOCK);

	return whole_pages(fmin((dram ? kind->dram_GiB : kind->cxl_GiB) * (double)GIB, part));
}

/*
 * Returns the bytes that have come to the node of a device from the DRAM that it is attached to;
 * negative: they have left.
 */
static int64_t moved_bytes(const struct sim *sim, size_t i, const struct cxl_device *device,
			   uint64_t t)
{
	const uint64_t there = unread_bytes(sim, i, device->node);
	const uint64_t here = unread_bytes(sim, i, device->near_node) /
			      sim_nodes_attached(sim, device->near_node);
	const double bytes =
		SIM_PAGE_BYTES * sim_node_moved(sim, device->node, t) / (sim->spec.readers / KINDS);

	return bytes < 0 ? -(int64_t)whole_pages(fmin(-bytes, (double)there))
			 : (int64_t)whole_pages(fmin(bytes, (double)here));
}

/* Returns true if memory moves between the node of a device and DRAM. */
static bool is_tier(const struct sim *sim, size_t device)
{
	const struct cxl_device *d = &sim->devices[device];

	return sim_device_has_node(sim, device) && d->bytes && d->node < NUMA_NODES_MOST &&
	       d->near_node < NUMA_NODES_MOST && d->near_node >= 0 &&
	       sim_socket_of_node(sim, d->near_node) != SIZE_MAX;
}

/*
 * Lists the nodes whose memory is reported separately; a snapshot may have nodes with larger
 * numbers.
 */
static int list_nodes(struct platform *p, int **nodes, size_t *count)
{
	size_t kept = 0;

	if (sim_nodes(p, nodes, count, NULL))
		return -ENOMEM;
	while (kept < *count && (*nodes)[kept] < NUMA_NODES_MOST)
		kept++;
	*count = kept;
	return 0;
}

static int sum_up(struct platform *p, size_t i, uint64_t bytes[NUMA_NODES_MOST])
{
	const struct sim *sim = sim_of(p);
	const uint64_t t = sim_now(sim), read = sim_process_blocks(&sim->spec) * SIM_BLOCK;
	size_t count;
	int *nodes;

	memset(bytes, 0, NUMA_NODES_MOST * sizeof(*bytes));
	if (list_nodes(p, &nodes, &count))
		return -ENOMEM;
	for (size_t n = 0; n < count; n++)
		bytes[nodes[n]] = read + unread_bytes(sim, i, nodes[n]);
	free(nodes);
	for (size_t d = 0; kind_at(sim, i)->moves && d < sim->device_count; d++) {
		const struct cxl_device *device = &sim->devices[d];
		const int64_t come = is_tier(sim, d) ? moved_bytes(sim, i, device, t) : 0;

		if (!come)
			continue;
		bytes[device->node] += (uint64_t)come;
		bytes[device->near_node] -= (uint64_t)come;
	}
	return 0;
}

static int read_memory(struct platform *p, unsigned pid, int (*go_on)(void *context), void *context,
		       uint64_t bytes[NUMA_NODES_MOST])
{
	const size_t i = index_of(sim_of(p), pid);
	const int rc = i == SIZE_MAX ? -ENOENT : sum_up(p, i, bytes);

	return rc ? rc : go_on(context);
}

static int read_status(struct platform *p, unsigned pid, struct listed_process *out)
{
	const size_t i = index_of(sim_of(p), pid);
	uint64_t bytes[NUMA_NODES_MOST];
	const int rc = i == SIZE_MAX ? 0 : sum_up(p, i, bytes);

	if (rc || i == SIZE_MAX)
		return rc;
	*out = (struct listed_process){.pid = pid, .uid = kind_of(p, pid)->uid};
	for (size_t n = 0; n < NUMA_NODES_MOST; n++)
		out->resident += bytes[n];
	return 1;
}

static int read_mappings(struct platform *p, unsigned pid, process_mapping_visitor *visit,
			 void *context)
{
	const struct kind *kind = kind_of(p, pid);
	size_t count;
	int *nodes;

	if (!kind)
		return -ENOENT;
	if (list_nodes(p, &nodes, &count))
		return -ENOMEM;
	visit(context, &(struct process_mapping){.start = SIM_CODE,
						 .end = SIM_CODE + SIM_CODE_BYTES,
						 .executable = true,
						 .name = kind->program});
	for (size_t n = 0; n < count; n++)
		visit(context, &(struct process_mapping){.start = sim_data(nodes[n]),
							 .end = sim_data(nodes[n] + 1),
							 .name = ""});
	free(nodes);
	return 0;
}

/* Identities of processes. */

static int list_numbers(unsigned first, size_t size, unsigned **out, size_t *count)
{
	*out = calloc(size + 1, sizeof(**out));
	*count = *out ? size : 0;
	for (size_t i = 0; i < *count; i++)
		(*out)[i] = first + (unsigned)i;
	return *out ? 0 : -ENOMEM;
}

static int list_pids(struct platform *p, unsigned **pids, size_t *count)
{
	return list_numbers(SIM_FIRST_PID, sim_process_count(&sim_of(p)->spec), pids, count);
}

static const char *name_of(struct platform *p, unsigned pid, char name[PROCESS_NAME_SIZE])
{
	const struct kind *kind = kind_of(p, pid);

	snprintf(name, PROCESS_NAME_SIZE, "%s", kind ? kind->name : "");
	return name;
}

static uid_t owner_of(struct platform *p, unsigned pid)
{
	const struct kind *kind = kind_of(p, pid);

	return kind ? kind->uid : OWNER_UNKNOWN;
}

static const char *user_of(struct platform *p, uid_t uid, char name[PROCESS_USER_SIZE])
{
	(void)p;
	snprintf(name, PROCESS_USER_SIZE, "%u", (unsigned)uid);
	if (emulator.uid == uid)
		snprintf(name, PROCESS_USER_SIZE, "%s", emulator.user);
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].uid == uid)
			snprintf(name, PROCESS_USER_SIZE, "%s", kinds[i].user);
	return name;
}

static void name_cgroup(const struct sim *sim, size_t i, char path[ROOTFS_PATH_SIZE])
{
	const size_t vm = i - sim->spec.readers + 1;

	if (sim_process_runs_vm(&sim->spec, i))
		snprintf(path, ROOTFS_PATH_SIZE,
			 "/machine.slice/machine-qemu\\x2d%zu\\x2dvm%zu.scope", vm, vm);
	else
		snprintf(path, ROOTFS_PATH_SIZE, "%s", kinds[i % KINDS].cgroup);
}

static const char *cgroup_of(struct platform *p, unsigned pid, char path[ROOTFS_PATH_SIZE])
{
	const size_t i = index_of(sim_of(p), pid);

	if (i == SIZE_MAX)
		return NULL;
	name_cgroup(sim_of(p), i, path);
	return path;
}

static bool runs_vm(struct platform *p, unsigned pid)
{
	return kind_of(p, pid) == &emulator;
}

/*
 * Threads of processes: each process has a thread on each CPU, which is always busy. A thread's
 * part of the time is its process's part of the reads. Numbers of threads follow those of
 * processes.
 */

static unsigned first_thread(const struct sim *sim, size_t i)
{
	return SIM_FIRST_PID + sim_process_count(&sim->spec) + (unsigned)(i * sim->core_count);
}

static int list_threads(struct platform *p, unsigned pid, unsigned **tids, size_t *count)
{
	const struct sim *sim = sim_of(p);
	const size_t i = index_of(sim, pid);

	return list_numbers(i == SIZE_MAX ? 0 : first_thread(sim, i),
			    i == SIZE_MAX ? 0 : sim->core_count, tids, count);
}

static bool read_stat(struct platform *p, unsigned pid, unsigned tid, struct process_stat *out)
{
	const struct sim *sim = sim_of(p);
	const size_t i = index_of(sim, pid);
	const unsigned cpu = tid && i != SIZE_MAX ? tid - first_thread(sim, i) : 0;

	if (i == SIZE_MAX || cpu >= sim->core_count)
		return false;
	const double ticks = (double)sim_now(sim) / NS_PER_S * USER_HZ * share_of(&sim->spec, i);
	*out = (struct process_stat){
		.started = STARTED + i,
		.ticks = (uint64_t)(tid ? ticks : ticks * (double)sim->core_count),
		.cpu = cpu,
	};
	return true;
}

/*
 * Returns the start of a process: the first one begins with the simulation, the others a tick
 * after each other.
 */
static uint64_t process_began(struct platform *p, uint64_t started)
{
	const struct sim *sim = sim_of(p);

	return p->ops->clock->wall(p) - sim->suspended - sim_now(sim) +
	       (started - STARTED) * (NS_PER_S / USER_HZ);
}

const struct process_ops sim_processes = {
	.pids = list_pids,
	.status = read_status,
	.stat = read_stat,
	.began = process_began,
	.threads = list_threads,
	.owner = owner_of,
	.name = name_of,
	.user = user_of,
	.cgroup = cgroup_of,
	.memory = read_memory,
	.mappings = read_mappings,
	.runs_vm = runs_vm,
};

/* Cgroups. */

/*
 * Replaces the path of a process's cgroup by the visited one: it, or one above it. Returns false
 * if there is none.
 */
static bool find_visited(const struct cgroup_visitor *visitor, char path[ROOTFS_PATH_SIZE])
{
	if (!visitor->stops_at)
		return true;
	/* the outermost one */
	for (char *end = path; *end;) {
		end += 1 + strcspn(end + 1, "/");
		const char next = *end;

		*end = '\0';
		if (visitor->stops_at(visitor->context, path))
			return true;
		*end = next;
	}
	return false;
}

/* Returns the next process with the same cgroup. */
static size_t next_member(const struct sim_spec *spec, size_t i)
{
	return !sim_process_runs_vm(spec, i) && i + KINDS < spec->readers ? i + KINDS : SIZE_MAX;
}

/* Visits the cgroup whose first process is this one. */
static int visit_cgroup(struct platform *p, size_t first, const struct cgroup_visitor *visitor,
			struct cgroups_walked *out, struct error *err)
{
	uint64_t sums[NUMA_NODES_MOST] = {0}, bytes[NUMA_NODES_MOST];
	char path[ROOTFS_PATH_SIZE];

	name_cgroup(sim_of(p), first, path);
	out->seen++;
	if (!find_visited(visitor, path))
		return 0;
	for (size_t i = first; i != SIZE_MAX; i = next_member(&sim_of(p)->spec, i)) {
		if (sum_up(p, i, bytes))
			return error_no_memory(err);
		for (size_t n = 0; n < NUMA_NODES_MOST; n++)
			sums[n] += bytes[n];
	}
	out->visited++;
	return visitor->visit(visitor->context, &(struct listed_cgroup){path, sums});
}

static int walk_cgroups(struct platform *p, const struct cgroup_visitor *visitor,
			struct cgroups_walked *out, struct error *err)
{
	const struct sim_spec *spec = &sim_of(p)->spec;

	*out = (struct cgroups_walked){.seen = 0};
	for (size_t i = 0; i < sim_process_count(spec); i++) {
		if (i >= KINDS && !sim_process_runs_vm(spec, i))
			continue;
		int rc = visitor->go_on(visitor->context);

		out->late += rc == -ETIME;
		if (!rc)
			rc = visit_cgroup(p, i, visitor, out, err);
		if (rc && rc != -ETIME)
			return rc;
	}
	return 0;
}

const struct cgroup_ops sim_cgroups = {.walk = walk_cgroups};
