/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of a simulated machine, whose memory moves between nodes as time goes by. */
#include "base/number.h"
#include "platform/process.h"

#include <errno.h>

#include "sim_machine.h"
#include "unit.h"

#define GIB  (UINT64_C(1) << 30)
#define PAGE 4096

static struct sim_machine m;
static uint64_t bytes[NUMA_NODES_MOST];

static void end(void)
{
	sim_machine_close(&m);
}

FIXTURE(NULL, end)

/* A socket with DRAM of node 0, and two devices with memory of nodes 1 and 2. */
static struct platform *begin(const char *keys)
{
	char spec[128];

	snprintf(spec, sizeof(spec), "gnr,clock=virtual,ports=2,cpus=4%s", keys);
	sim_machine_open(&m, spec);
	return m.spy.inner;
}

static int go_on(void *context)
{
	(void)context;
	return 0;
}

/* Its memory now is so much on nodes 0, 1 and 2, and all of it resident. */
static void check_memory(unsigned pid, uint64_t n0, uint64_t n1, uint64_t n2)
{
	struct platform *p = m.spy.inner;
	struct listed_process listed;

	ck_assert_int_eq(p->ops->processes->memory(p, pid, go_on, NULL, bytes), 0);
	ck_assert_uint_eq(bytes[0], n0);
	ck_assert_uint_eq(bytes[1], n1);
	ck_assert_uint_eq(bytes[2], n2);
	ck_assert_int_eq(p->ops->processes->status(p, pid, &listed), 1);
	ck_assert_uint_eq(listed.pid, pid);
	ck_assert_uint_eq(listed.resident, n0 + n1 + n2);
}

TEST(test_they_have_names_users_and_cgroups)
{
	static const char *const expected[][3] = {
		{"postgres", "postgres", "/system.slice/docker-4f1c9b7e2a60"},
		{"memcached", "memcache", "/system.slice/memcached.service"},
		{"batch", "alice", "/user.slice/user-1000.slice/session-3.scope"},
	};
	struct platform *p = begin("");
	const struct process_ops *ops = p->ops->processes;
	char name[PROCESS_NAME_SIZE], user[PROCESS_USER_SIZE], cgroup[ROOTFS_PATH_SIZE];
	size_t count;
	unsigned *pids;

	ck_assert_int_eq(ops->pids(p, &pids, &count), 0);
	ck_assert_uint_eq(count, COUNT_OF(expected));
	for (size_t i = 0; i < count; i++) {
		struct listed_process listed;

		ck_assert_uint_eq(pids[i], 1001 + i);
		ck_assert_str_eq(ops->name(p, pids[i], name), expected[i][0]);
		ck_assert_int_eq(ops->status(p, pids[i], &listed), 1);
		ck_assert_str_eq(ops->user(p, listed.uid, user), expected[i][1]);
		assert_contains(ops->cgroup(p, pids[i], cgroup), expected[i][2]);
	}
	free(pids);
	ck_assert_str_eq(ops->user(p, 12345, user), "12345");
}

/* Memory of a process after some seconds: GiB of DRAM and of each device, and pages that moved. */
static const struct {
	const char *keys;
	unsigned seconds, pid;
	uint64_t dram, each;
	int64_t pages;
} moved[] = {
	/* a part of it is read */
	{",read_set=1", 0, 1002, 5, 9, 0},
	{",read_set=2", 0, 1001, 14, 4, 0},
	{",read_set=2", 0, 1002, 6, 10, 0},
	{",read_set=2", 0, 1003, 18, 3, 0},
	/* 1000 pages per second are demoted to each device: those of a batch job */
	{",demote=1000", 10, 1001, 16, 6, 0},
	{",demote=1000", 10, 1003, 20, 5, 10000},
	/* memory that is read is neither demoted nor promoted */
	{",demote=100000000", 10, 1003, 4, 13, 0},
	{",promote=1000", 10, 1003, 20, 5, -10000},
	{",promote=1000", 10010, 1003, 22, 4, 0},
	/* two batch jobs */
	{",demote=1000,readers=6", 10, 1003, 20, 5, 5000},
	{",demote=1000,readers=6", 10, 1006, 20, 5, 5000},
	/* 128 GiB of DRAM are used, and of each device 64: a 16th of it */
	{",readers=16,read_set=1", 0, 1001, 8, 3, 0},
	{",readers=16,read_set=1", 0, 1002, 5, 4, 0},
};

TEST_LOOP(test_memory_that_is_not_read_moves_between_nodes, COUNT_OF(moved))
{
	const uint64_t bytes_moved = (uint64_t)(moved[_i].pages * PAGE);
	const uint64_t each = moved[_i].each * GIB + bytes_moved;

	begin(moved[_i].keys);
	sim_machine_wait(&m, moved[_i].seconds * NS_PER_S);
	check_memory(moved[_i].pid, moved[_i].dram * GIB - 2 * bytes_moved, each, each);
}

/* The processes run for 3, 2 and 1 sixths of the 100 ticks per second of each CPU. */
TEST(test_threads_run_as_long_as_their_process_reads)
{
	struct platform *p = begin("");
	const struct process_ops *ops = p->ops->processes;

	sim_machine_wait(&m, 6 * NS_PER_S);
	for (unsigned i = 0; i < 3; i++) {
		struct process_stat stat;
		unsigned *tids;
		size_t count;

		ck_assert_int_eq(ops->threads(p, 1001 + i, &tids, &count), 0);
		ck_assert_uint_eq(count, 4);
		for (unsigned cpu = 0; cpu < 4; cpu++) {
			ck_assert(ops->stat(p, 1001 + i, tids[cpu], &stat));
			ck_assert_uint_eq(stat.cpu, cpu);
			ck_assert_uint_eq(stat.ticks, 100 * (3 - i));
		}
		ck_assert(!ops->stat(p, 1001 + i, tids[3] + 1, &stat));
		free(tids);
		ck_assert(ops->stat(p, 1001 + i, 0, &stat));
		ck_assert_uint_eq(stat.ticks, 400 * (3 - i));
		ck_assert(!ops->runs_vm(p, 1001 + i));
	}
}

/* Four processes have 4, 3, 2 and 1 tenths of the reads, and as much of the time of CPUs. */
TEST(test_virtual_machines_follow_the_other_processes)
{
	struct platform *p = begin(",readers=2,vms=2");
	const struct process_ops *ops = p->ops->processes;
	char text[ROOTFS_PATH_SIZE];

	for (unsigned i = 0; i < 4; i++)
		ck_assert_int_eq(ops->runs_vm(p, 1001 + i), i >= 2);
	ck_assert(!ops->runs_vm(p, 1005));
	ck_assert_str_eq(ops->name(p, 1003, text), "qemu-system-x86");
	ck_assert_str_eq(ops->user(p, 64055, text), "libvirt-qemu");
	ck_assert_str_eq(ops->cgroup(p, 1004, text),
			 "/machine.slice/machine-qemu\\x2d2\\x2dvm2.scope");
	check_memory(1004, 12 * GIB, 8 * GIB, 8 * GIB);
	sim_machine_wait(&m, NS_PER_S);
	for (unsigned i = 0; i < 4; i++) {
		struct process_stat stat;

		ck_assert(ops->stat(p, 1001 + i, 0, &stat));
		ck_assert_uint_eq(stat.ticks, 40 * (4 - i));
	}
}

TEST(test_they_begin_with_the_simulation)
{
	const uint64_t epoch_ns = UINT64_C(1767225600) * NS_PER_S; /* start of the virtual clock */
	struct platform *p = begin("");

	sim_machine_wait(&m, 6 * NS_PER_S);
	for (unsigned i = 0; i < 3; i++) {
		const struct process_ops *ops = p->ops->processes;
		struct process_stat stat;

		ck_assert(ops->stat(p, 1001 + i, 0, &stat));
		ck_assert_uint_eq(ops->began(p, stat.started), epoch_ns + i * NS_PER_S / 100);
	}
}

TEST(test_there_are_no_others)
{
	static const unsigned others[] = {0, 1, 1000, 1003};
	struct platform *p = begin(",readers=2");
	const struct process_ops *ops = p->ops->processes;
	char name[PROCESS_NAME_SIZE], cgroup[ROOTFS_PATH_SIZE];

	for (size_t i = 0; i < COUNT_OF(others); i++) {
		struct listed_process listed;
		struct process_stat stat;
		unsigned *tids;
		size_t count;

		ck_assert_int_eq(ops->status(p, others[i], &listed), 0);
		ck_assert(!ops->stat(p, others[i], 0, &stat));
		ck_assert_str_eq(ops->name(p, others[i], name), "");
		ck_assert_ptr_null(ops->cgroup(p, others[i], cgroup));
		ck_assert_int_eq(ops->memory(p, others[i], go_on, NULL, bytes), -ENOENT);
		ck_assert_int_eq(ops->threads(p, others[i], &tids, &count), 0);
		ck_assert_uint_eq(count, 0);
		free(tids);
	}
}
