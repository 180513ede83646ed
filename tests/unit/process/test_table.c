/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes known by records as the kernel writes them, and by a tree of files. */
#include "process/table.h"

#include "linux/system/linux_platform.h"
#include "unit.h"

static struct process_names names;
static struct process_table processes;
static struct linux_platform machine;

static void begin(void)
{
	static const struct platform_ops ops = {.processes = &linux_processes};

	machine = (struct linux_platform){.base = {.ops = &ops}, .root = (char *)tree_root()};
	ck_assert_int_eq(process_names_init(&names), 0);
	ck_assert_int_eq(process_table_init(&processes, &names, &machine.base), 0);
	processes.kept = MAPPINGS_ALL;
}

static void end(void)
{
	process_table_free(&processes);
	process_names_free(&names);
	linux_subuids_free(&machine.subuids);
	linux_users_free(&machine.users);
}

TREE_FIXTURE(begin, end)

static void take(struct sample_record record)
{
	process_table_take(&processes, &record);
}

static void fork_process(unsigned pid, unsigned parent)
{
	take((struct sample_record){.kind = RECORD_FORK, .pid = pid, .tid = pid, .parent = parent});
}

static void call(unsigned pid, unsigned tid, const char *name, bool exec)
{
	take((struct sample_record){
		.kind = RECORD_NAME, .pid = pid, .tid = tid, .name = name, .exec = exec});
}

static void end_process(unsigned pid)
{
	take((struct sample_record){.kind = RECORD_EXIT, .pid = pid, .tid = pid});
}

static void map(unsigned pid, uint64_t start, uint64_t end, const char *name)
{
	take((struct sample_record){.kind = RECORD_MAPPING,
				    .pid = pid,
				    .tid = pid,
				    .start = start,
				    .length = end - start,
				    .name = name});
}

/* Writes a file as in proc(5). */
static void stat_file(unsigned pid, unsigned started)
{
	tree_file(tree_name("proc/%u/stat", pid),
		  "%u (x) S 1 1 1 1 1 1 1 1 1 1 0 0 1 1 1 1 1 1 %u 1\n", pid, started);
}

/* Forgets processes that have ended by now. */
static void forget_ended(void)
{
	process_table_forget_ended(&processes);
	process_table_forget_ended(&processes);
}

static const char *name_of(unsigned pid)
{
	return process_name(&names, process_table_find(&processes, pid)->name);
}

static const char *cgroup_of(unsigned pid)
{
	return process_name(&names, process_table_find(&processes, pid)->cgroup);
}

static const struct kept_mapping *kept_at(unsigned pid, uint64_t address)
{
	return process_table_mapping(&processes, process_table_find(&processes, pid), address);
}

static const char *mapping_at(unsigned pid, uint64_t address)
{
	const struct kept_mapping *mapping = kept_at(pid, address);

	return mapping ? process_name(&names, mapping->name) : "none";
}

TEST(test_a_process_is_as_its_parent_until_it_runs_another_program)
{
	call(10, 10, "shell", false);
	map(10, 0x1000, 0x2000, "/bin/shell");
	fork_process(11, 10);
	ck_assert_str_eq(name_of(11), "shell");
	ck_assert_str_eq(mapping_at(11, 0x1800), "/bin/shell");
	call(11, 11, "work", true);
	ck_assert_str_eq(name_of(11), "work");
	ck_assert_str_eq(mapping_at(11, 0x1800), "none");
	ck_assert_str_eq(mapping_at(10, 0x1800), "/bin/shell");
}

/* The child's first record may be in the ring of a CPU that is read before its parent's. */
TEST(test_records_of_several_cpus_come_in_any_order)
{
	call(10, 10, "shell", false);
	take((struct sample_record){.kind = RECORD_NAME,
				    .pid = 11,
				    .tid = 11,
				    .time_ns = 200,
				    .name = "work",
				    .exec = true});
	take((struct sample_record){
		.kind = RECORD_FORK, .pid = 11, .tid = 11, .parent = 10, .time_ns = 100});
	ck_assert_str_eq(name_of(11), "work");
	take((struct sample_record){
		.kind = RECORD_NAME, .pid = 11, .tid = 11, .time_ns = 150, .name = "older"});
	ck_assert_str_eq(name_of(11), "work");
	/* end of an earlier process with this pid */
	take((struct sample_record){.kind = RECORD_EXIT, .pid = 11, .tid = 11, .time_ns = 50});
	forget_ended();
	ck_assert_str_eq(name_of(11), "work");
}

/* A page needs the mappings of its process, and no others. */
TEST(test_mappings_may_be_those_of_one_process)
{
	static unsigned pid = 10;

	processes.mapped = &pid;
	call(10, 10, "shell", false);
	map(10, 0x1000, 0x2000, "/bin/shell");
	fork_process(11, 10);
	map(11, 0x3000, 0x4000, "/bin/work");
	ck_assert_str_eq(mapping_at(10, 0x1800), "/bin/shell");
	ck_assert_str_eq(mapping_at(11, 0x1800), "none");
	ck_assert_str_eq(mapping_at(11, 0x3800), "none");
	ck_assert_str_eq(name_of(11), "shell");
	pid = 11;
	process_table_drop_mappings(&processes, 10);
	ck_assert_str_eq(mapping_at(10, 0x1800), "none");
	ck_assert_uint_eq(processes.mappings.used, 0);
	map(11, 0x3000, 0x4000, "/bin/work");
	ck_assert_str_eq(mapping_at(11, 0x3800), "/bin/work");
}

/* The rest of a cut mapping keeps its time: another file may have the name and inode later. */
TEST(test_a_mapping_knows_since_when_it_is_there)
{
	struct sample_record record = {.kind = RECORD_MAPPING,
				       .pid = 10,
				       .tid = 10,
				       .time_ns = 100,
				       .start = 0x1000,
				       .length = 0x4000,
				       .inode = 5,
				       .name = "/old"};

	take(record);
	record.time_ns = 200;
	record.start = 0x2000;
	record.length = 0x1000;
	take(record);
	ck_assert_uint_eq(kept_at(10, 0x1000)->since_ns, 100);
	ck_assert_uint_eq(kept_at(10, 0x2000)->since_ns, 200);
	ck_assert_uint_eq(kept_at(10, 0x3000)->since_ns, 100);
	fork_process(11, 10);
	ck_assert_uint_eq(kept_at(11, 0x1000)->since_ns, 100);
	/* joined mappings have the earlier time */
	record.offset = 0x4000;
	record.start = 0x5000;
	take(record);
	ck_assert_uint_eq(kept_at(10, 0x5000)->since_ns, 100);
	tree_file("proc/12/status", "Uid:\t0\t0\t0\t0\n");
	tree_file("proc/12/comm", "old\n");
	tree_file("proc/12/maps", "00001000-00002000 r-xp 00000000 08:01 5 /old\n");
	process_table_rescan(&processes, 12, 300);
	ck_assert_uint_eq(kept_at(12, 0x1000)->since_ns, 300);
}

TEST(test_threads_neither_name_nor_end_a_process)
{
	call(10, 10, "program", false);
	take((struct sample_record){.kind = RECORD_FORK, .pid = 10, .tid = 12, .parent = 10});
	call(10, 12, "worker", false);
	take((struct sample_record){.kind = RECORD_EXIT, .pid = 10, .tid = 12});
	forget_ended();
	ck_assert_str_eq(name_of(10), "program");
}

/* The last samples of a process may be read after the record of its end. */
TEST(test_an_ended_process_is_known_in_the_next_reading)
{
	call(10, 10, "short", false);
	const uint64_t serial = process_table_find(&processes, 10)->serial;

	end_process(10);
	ck_assert_str_eq(name_of(10), "short");
	process_table_forget_ended(&processes);
	ck_assert_str_eq(name_of(10), "short");
	process_table_forget_ended(&processes);
	ck_assert_uint_eq(processes.entries.used, 0);
	ck_assert_str_eq(name_of(10), "");
	ck_assert_uint_ne(process_table_find(&processes, 10)->serial, serial);
}

TEST(test_a_pid_that_is_used_again_is_another_process)
{
	call(10, 10, "first", false);
	const uint64_t serial = process_table_find(&processes, 10)->serial;

	map(10, 0x1000, 0x2000, "/bin/first");
	fork_process(10, 1);
	ck_assert_uint_ne(process_table_find(&processes, 10)->serial, serial);
	ck_assert_str_eq(mapping_at(10, 0x1800), "none");
	ck_assert_uint_eq(processes.mappings.used, 0);
	end_process(10);
	fork_process(10, 1);
	call(10, 10, "third", false);
	forget_ended();
	ck_assert_str_eq(name_of(10), "third");
}

TEST(test_many_short_processes_take_no_memory)
{
	call(1, 1, "init", false);
	map(1, 0x1000, 0x2000, "/sbin/init");
	ck_assert_str_eq(mapping_at(1, 0x1000), "/sbin/init");
	for (unsigned i = 0; i < 300000; i++) {
		fork_process(2 + i % 5000, 1);
		end_process(2 + i % 5000);
		forget_ended();
	}
	ck_assert_uint_eq(processes.entries.used, 1);
	ck_assert_uint_eq(processes.mappings.used, 1);
	ck_assert_uint_eq(processes.left_out, 0);
	ck_assert_str_eq(name_of(1), "init");
}

/* One of five processes ends, the first, the third or the last, next to a neighbour. */
TEST_LOOP(test_processes_whose_pids_share_a_slot_are_told_apart, 3)
{
	const unsigned ended = 2 * (unsigned)_i;

	call(8, 8, "neighbour", false);
	for (unsigned i = 0; i < 5; i++)
		call(7 + i * PROCESSES_MOST, 7 + i * PROCESSES_MOST, "one", false);
	end_process(7 + ended * PROCESSES_MOST);
	forget_ended();
	ck_assert_uint_eq(processes.entries.used, 5);
	for (unsigned i = 0; i < 5; i++)
		ck_assert_str_eq(name_of(7 + i * PROCESSES_MOST), i == ended ? "" : "one");
	ck_assert_str_eq(name_of(8), "neighbour");
	ck_assert_uint_eq(processes.entries.used, 6);
}

TEST(test_more_processes_than_there_is_room_for_are_counted)
{
	for (unsigned pid = 1; pid <= PROCESSES_MOST / 2; pid++)
		fork_process(pid, pid - 1);
	ck_assert_uint_eq(processes.left_out, 0);
	ck_assert_ptr_null(process_table_find(&processes, PROCESSES_MOST));
	ck_assert_uint_eq(processes.left_out, 1);
	end_process(7);
	forget_ended();
	ck_assert_ptr_nonnull(process_table_find(&processes, PROCESSES_MOST));
}

/* Mappings cover another one in its middle, at both of its ends, and several at once. */
TEST(test_a_mapping_replaces_what_it_covers)
{
	map(10, 0x1000, 0x9000, "a");
	map(10, 0x3000, 0x5000, "b");
	ck_assert_str_eq(mapping_at(10, 0x0fff), "none");
	ck_assert_str_eq(mapping_at(10, 0x2fff), "a");
	ck_assert_str_eq(mapping_at(10, 0x3000), "b");
	ck_assert_str_eq(mapping_at(10, 0x5000), "a");
	ck_assert_uint_eq(processes.mappings.used, 3);
	map(10, 0x0000, 0x2000, "c");
	map(10, 0x8000, 0xa000, "d");
	ck_assert_str_eq(mapping_at(10, 0x1fff), "c");
	ck_assert_str_eq(mapping_at(10, 0x2000), "a");
	ck_assert_str_eq(mapping_at(10, 0x7fff), "a");
	ck_assert_str_eq(mapping_at(10, 0x8000), "d");
	map(10, 0x1000, 0x9000, "e");
	ck_assert_str_eq(mapping_at(10, 0x0fff), "c");
	ck_assert_str_eq(mapping_at(10, 0x1000), "e");
	ck_assert_str_eq(mapping_at(10, 0x8fff), "e");
	ck_assert_str_eq(mapping_at(10, 0x9000), "d");
	ck_assert_uint_eq(processes.mappings.used, 3);
	map(10, 0x9000, 0x9000, "empty");
	ck_assert_uint_eq(processes.left_out, 1);
}

/* Returns the offset in the mapped file, by which functions are found. */
static uint64_t place_of(unsigned pid, uint64_t address)
{
	const struct kept_mapping *mapping = kept_at(pid, address);

	ck_assert_ptr_nonnull(mapping);
	return mapping->offset + (address - mapping->start);
}

TEST(test_what_is_left_of_a_mapping_is_of_the_same_place_in_its_file)
{
	take((struct sample_record){.kind = RECORD_MAPPING,
				    .pid = 10,
				    .tid = 10,
				    .start = 0x11000,
				    .length = 0x8000,
				    .offset = 0x2000,
				    .name = "a"});
	map(10, 0x13000, 0x15000, "b");
	ck_assert_uint_eq(place_of(10, 0x11000), 0x2000);
	ck_assert_uint_eq(place_of(10, 0x13000), 0);
	ck_assert_uint_eq(place_of(10, 0x15000), 0x6000);
	map(10, 0x14000, 0x16000, "c");
	ck_assert_uint_eq(place_of(10, 0x13fff), 0xfff);
	ck_assert_uint_eq(place_of(10, 0x16000), 0x7000);
}

/*
 * All mappings are dropped if the new one has no room: without the new one, an old one would name
 * another's memory.
 */
TEST(test_mappings_are_bounded)
{
	for (uint64_t i = 0; i < PROCESS_MAPPINGS_MOST / 4; i++)
		map(10, i << 12, (i << 12) + 0x800, "m");
	ck_assert_uint_eq(processes.mappings.used, PROCESS_MAPPINGS_MOST / 2);
	ck_assert_uint_eq(processes.left_out, 0);
	ck_assert_str_eq(mapping_at(10, 0x1000), "m");
	for (uint64_t i = PROCESS_MAPPINGS_MOST / 4; i < PROCESS_MAPPINGS_MOST; i++)
		map(10, i << 12, (i << 12) + 0x800, "m");
	ck_assert_uint_le(processes.mappings.used, PROCESS_MAPPINGS_MOST / 2);
	ck_assert_uint_ge(processes.left_out, PROCESS_MAPPINGS_MOST / 2);
	ck_assert_str_eq(mapping_at(10, 0x1000), "none");
	ck_assert_str_eq(mapping_at(10, (uint64_t)(PROCESS_MAPPINGS_MOST - 1) << 12), "m");
}

/* Neighbours are joined to one piece of memory. */
TEST(test_a_storm_of_neighbours_needs_no_room)
{
	for (uint64_t i = 4 * PROCESS_MAPPINGS_MOST; i; i--)
		map(10, i << 12, (i + 1) << 12, "//anon");
	ck_assert_uint_eq(processes.left_out, 0);
	ck_assert_str_eq(mapping_at(10, 0x1000), "//anon");
	ck_assert_uint_eq(processes.mappings.used, 1);
}

TEST(test_names_are_printable_and_bounded)
{
	char name[32];

	call(10, 10, "\033[31mred\n", false);
	assert_lacks(name_of(10), "\033");
	for (unsigned i = 0; i < NAMES_MOST + 5; i++) {
		snprintf(name, sizeof(name), "name %u", i);
		call(10, 10, name, false);
	}
	ck_assert_uint_eq(names.count, NAMES_MOST / 2);
	ck_assert_uint_gt(names.left_out, 0);
	ck_assert_str_eq(name_of(10), "");
}

/* Processes from GREEDY on belong to a user who takes all room. */
#define GREEDY 1000000

static uid_t owner_by_pid(struct platform *p, unsigned pid)
{
	(void)p;
	return pid < GREEDY ? 1 : 2;
}

static void lose(unsigned pid)
{
	take((struct sample_record){.kind = RECORD_PROCESS_LOST, .pid = pid, .lost = 1});
}

TEST(test_after_records_were_lost_only_new_ones_name_a_mapping)
{
	map(10, 0x1000, 0x9000, "old");
	map(11, 0x1000, 0x9000, "other");
	lose(10);
	ck_assert_str_eq(mapping_at(10, 0x1000), "none");
	ck_assert_str_eq(mapping_at(11, 0x1000), "other");
	map(10, 0x3000, 0x5000, "new");
	ck_assert_str_eq(mapping_at(10, 0x1000), "none");
	ck_assert_str_eq(mapping_at(10, 0x3000), "new");
	/* loss of records of unknown processes */
	lose(0);
	map(10, 0x7000, 0x8000, "newer");
	ck_assert_str_eq(mapping_at(10, 0x3000), "none");
	ck_assert_str_eq(mapping_at(10, 0x7000), "newer");
	ck_assert_str_eq(mapping_at(11, 0x1000), "none");
	/* a child does not get mappings that its parent had before a loss */
	map(12, 0x1000, 0x9000, "old");
	lose(0);
	fork_process(13, 12);
	ck_assert_str_eq(mapping_at(13, 0x1000), "none");
	lose(99);
	ck_assert_uint_eq(processes.entries.used, 4);
}

TEST(test_a_program_that_begins_after_records_were_lost_has_its_mappings)
{
	lose(0);
	call(10, 10, "work", true);
	map(10, 0x1000, 0x2000, "/bin/work");
	ck_assert_str_eq(mapping_at(10, 0x1000), "/bin/work");
	fork_process(11, 10);
	ck_assert_str_eq(mapping_at(11, 0x1000), "/bin/work");
}

TEST(test_a_process_whose_end_was_lost_is_found)
{
	tree_file("proc/1/comm", "init\n");
	tree_file("proc/11/comm", "lives\n");
	stat_file(11, 70);
	fork_process(10, 1);
	fork_process(11, 1);
	process_table_find(&processes, 0);
	for (unsigned i = 0; i < 2 * PROCESSES_MOST / 64; i++)
		process_table_find_ended(&processes);
	ck_assert_uint_eq(processes.ended_count, 1);
	forget_ended();
	ck_assert_uint_eq(processes.entries.used, 2);
}

TEST(test_a_pid_that_is_used_again_while_records_are_lost_is_not_the_old_process)
{
	tree_file("proc/1/comm", "init\n");
	stat_file(1, 1);
	stat_file(11, 70);
	tree_file("proc/11/comm", "old\n");
	ck_assert_int_eq(process_table_scan(&processes, 1), 0);
	ck_assert_str_eq(name_of(11), "old");
	stat_file(11, 90);
	for (unsigned i = 0; i < 2 * PROCESSES_MOST / 64; i++)
		process_table_find_ended(&processes);
	forget_ended();
	ck_assert_str_eq(name_of(11), "");
}

/*
 * Processes with few pids come by records and by lists: a pid has the name of its last process, and
 * a serial number names a single process.
 */
TEST(test_of_10000_processes_with_the_same_pids_none_is_taken_for_another)
{
	enum { PROCESSES = 10000, PIDS = 7, FIRST = 100 };
	uint64_t serials[PIDS] = {0}, last = 0;
	char name[16];

	for (unsigned i = 0; i < PROCESSES; i++) {
		const unsigned at = i * i % PIDS, pid = FIRST + at;

		snprintf(name, sizeof(name), "p%u", i);
		if (i % 3) {
			take((struct sample_record){.kind = RECORD_FORK,
						    .pid = pid,
						    .tid = pid,
						    .parent = 1,
						    .time_ns = i});
			take((struct sample_record){.kind = RECORD_NAME,
						    .pid = pid,
						    .tid = pid,
						    .time_ns = i,
						    .name = name,
						    .exec = true});
			take((struct sample_record){
				.kind = RECORD_EXIT, .pid = pid, .tid = pid, .time_ns = i});
		} else {
			stat_file(pid, 1000 + i);
			tree_file(tree_name("proc/%u/comm", pid), "%s\n", name);
			process_table_rescan(&processes, pid, i);
		}
		const struct process_entry *process = process_table_find(&processes, pid);
		ck_assert_str_eq(process_name(&names, process->name), name);
		ck_assert_uint_ne(process->serial, serials[at]);
		ck_assert_uint_gt(process->serial, last);
		last = serials[at] = process->serial;
	}
}

/* hidepid=2 hides the files of other users' processes: proc(5). */
TEST(test_where_processes_are_hidden_none_has_ended)
{
	fork_process(10, 1);
	for (unsigned i = 0; i < 2 * PROCESSES_MOST / 64; i++)
		process_table_find_ended(&processes);
	ck_assert_uint_eq(processes.ended_count, 0);
}

static void use_owners(void)
{
	static const struct process_ops ops = {.owner = owner_by_pid};
	static const struct platform_ops platform = {.processes = &ops};

	machine.base.ops = &platform;
}

TEST(test_a_greedy_user_leaves_others_room)
{
	char name[32];

	use_owners();
	for (unsigned i = 0; i < PROCESSES_MOST; i++)
		fork_process(GREEDY + i, 0);
	for (unsigned i = 0; i < NAMES_MOST; i++) {
		snprintf(name, sizeof(name), "name %u", i);
		call(GREEDY, GREEDY, name, false);
	}
	for (uint64_t i = 0; i < PROCESS_MAPPINGS_MOST / 4; i++)
		map(GREEDY, i << 12, (i << 12) + 0x800, "name 1");
	ck_assert_uint_eq(processes.entries.used, PROCESSES_MOST / 2);
	ck_assert_uint_eq(processes.mappings.used, PROCESS_MAPPINGS_MOST / 2);
	const uint64_t left_out = processes.left_out + names.left_out;

	for (unsigned pid = 1; pid <= 1000; pid++) {
		fork_process(pid, 0);
		snprintf(name, sizeof(name), "other %u", pid);
		call(pid, pid, name, true);
		map(pid, 0x1000, 0x2000, name);
		ck_assert_str_eq(name_of(pid), name);
		ck_assert_str_eq(mapping_at(pid, 0x1000), name);
	}
	ck_assert_uint_eq(processes.left_out + names.left_out, left_out);
}

/* A daemon of root starts a shell for a user. */
TEST(test_a_process_counts_in_the_share_of_its_user_once_it_runs_a_program)
{
	use_owners();
	fork_process(GREEDY, 0);
	map(GREEDY, 0x1000, 0x2000, "/usr/sbin/sshd");
	fork_process(7, GREEDY);
	ck_assert_uint_eq(process_table_find(&processes, 7)->owner, 2);
	call(7, 7, "shell", true);
	ck_assert_uint_eq(process_table_find(&processes, 7)->owner, 1);
	map(7, 0x1000, 0x2000, "/bin/shell");
	ck_assert_str_eq(mapping_at(7, 0x1000), "/bin/shell");
	end_process(7);
	forget_ended();
	ck_assert_uint_eq(processes.entries.used, 1);
	/* all shares are free again */
	ck_assert(share_take(&processes.entries, 1, PROCESSES_MOST / 2 - 1));
}

/* A container's first process is born outside of it, and moves before it runs its program. */
TEST(test_a_process_is_in_the_cgroup_in_which_it_runs_its_program)
{
	processes.cgroups = true;
	tree_file("proc/10/cgroup", "0::/system.slice/containerd.service\n");
	call(10, 10, "containerd", true);
	fork_process(11, 10);
	ck_assert_str_eq(cgroup_of(11), "/system.slice/containerd.service");
	tree_file("proc/11/cgroup", "0::/pod/a\n");
	call(11, 11, "work", true);
	ck_assert_str_eq(cgroup_of(11), "/pod/a");
	fork_process(12, 11);
	ck_assert_str_eq(cgroup_of(12), "/pod/a");
}

static const char *user_of(unsigned pid)
{
	return process_name(&names, process_table_find(&processes, pid)->user);
}

TEST(test_a_process_is_its_user_s_and_of_its_container)
{
	processes.cgroups = processes.users = true;
	processes.group_name = cgroup_container_name;
	stat_file(10, 70);
	tree_file("proc/10/status", "Uid:\t7\t77001\t7\t7\nVmRSS:\t8 kB\n");
	tree_file("proc/10/cgroup", "0::/lxc.payload.web/system.slice/http.service\n");
	ck_assert_int_eq(process_table_scan(&processes, 1), 0);
	ck_assert_str_eq(user_of(10), "77001");
	ck_assert_uint_eq(process_table_find(&processes, 10)->uid, 77001);
	ck_assert_str_eq(process_name(&names, process_table_find(&processes, 10)->group), "web");
	/* the child has ended already */
	fork_process(11, 10);
	ck_assert_str_eq(user_of(11), "77001");
	ck_assert_str_eq(process_name(&names, process_table_find(&processes, 11)->group), "web");
	/* the child becomes another user's and runs a program */
	tree_file("proc/11/status", "Uid:\t7\t77002\t7\t7\nVmRSS:\t8 kB\n");
	ck_assert_str_eq(user_of(11), "77001");
	call(11, 11, "work", true);
	ck_assert_str_eq(user_of(11), "77002");
	ck_assert_str_eq(user_of(10), "77001");
}

TEST(test_a_process_runs_until_its_end_and_no_longer_under_its_number)
{
	fork_process(10, 0);
	const uint64_t serial = process_table_find(&processes, 10)->serial;

	ck_assert(process_table_runs(&processes, 10, serial));
	end_process(10);
	ck_assert(!process_table_runs(&processes, 10, serial));
	fork_process(10, 0);
	ck_assert(!process_table_runs(&processes, 10, serial));
	ck_assert(process_table_runs(&processes, 10, process_table_find(&processes, 10)->serial));
}

TEST(test_processes_that_run_already_are_found_in_procfs)
{
	processes.cgroups = true;
	stat_file(42, 70);
	tree_file("proc/42/comm", "server\n");
	tree_file("proc/42/cgroup", "4:cpuset:/old\n0::/system.slice/server.service\n");
	tree_file("proc/42/maps",
		  "00400000-00452000 r-xp 00001000 08:02 173521      /usr/bin/a server\n"
		  "7f0000000000-7f0000200000 rw-p 00000000 00:00 0 \n"
		  "not a line\n"
		  "7ffd00000000-7ffd00021000 rw-p 00000000 00:00 0          [stack]\n");
	ck_assert_int_eq(process_table_scan(&processes, 1), 0);
	ck_assert_str_eq(name_of(42), "server");
	ck_assert_str_eq(cgroup_of(42), "/system.slice/server.service");
	ck_assert_str_eq(mapping_at(42, 0x400010), "/usr/bin/a server");
	ck_assert_str_eq(mapping_at(42, 0x7f0000000000), "//anon");
	ck_assert_str_eq(mapping_at(42, 0x7ffd00020fff), "[stack]");
	const struct kept_mapping *code = kept_at(42, 0x400000);
	ck_assert(code->offset == 0x1000 && code->inode == 173521);
}

TEST(test_where_code_alone_is_wanted_only_that_is_kept)
{
	processes.kept = MAPPINGS_CODE;
	tree_file("proc/42/maps",
		  "00400000-00452000 r-xp 00001000 08:02 173521      /usr/bin/server\n"
		  "00452000-00460000 rw-p 00053000 08:02 173521      /usr/bin/server\n");
	ck_assert_int_eq(process_table_scan(&processes, 1), 0);
	ck_assert_uint_eq(processes.mappings.used, 1);
	map(42, 0x460000, 0x470000, "//anon");
	ck_assert_uint_eq(processes.mappings.used, 1);
	take((struct sample_record){.kind = RECORD_MAPPING,
				    .pid = 42,
				    .tid = 42,
				    .start = 0x460000,
				    .length = 0x1000,
				    .inode = 7,
				    .executable = true,
				    .name = "/lib/x.so"});
	ck_assert_str_eq(mapping_at(42, 0x460fff), "/lib/x.so");
	ck_assert_uint_eq(kept_at(42, 0x460000)->inode, 7);
}

static void maps_file(const char *lines)
{
	stat_file(7, 70);
	tree_file("proc/7/comm", "work\n");
	tree_file("proc/7/maps", "%s", lines);
}

TEST(test_a_process_is_read_again_alone)
{
	maps_file("1000-2000 rw-p 00000000 00:00 0\n");
	process_table_rescan(&processes, 7, 1);
	const uint64_t serial = process_table_find(&processes, 7)->serial;
	ck_assert_str_eq(name_of(7), "work");
	ck_assert_str_eq(mapping_at(7, 0x1000), "//anon");
	lose(0);
	ck_assert_str_eq(mapping_at(7, 0x1000), "none");
	maps_file("3000-4000 r--p 00000000 08:01 5 /data\n");
	process_table_rescan(&processes, 7, 2);
	ck_assert_str_eq(mapping_at(7, 0x1000), "none");
	ck_assert_str_eq(mapping_at(7, 0x3000), "/data");
	ck_assert_uint_eq(processes.mappings.used, 1);
	ck_assert_uint_eq(process_table_find(&processes, 7)->serial, serial);
}
