/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampled loads of a scan: the test passes samples as a sampler does. */
#include "probe/who/reads.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/number.h"
#include "linux/system/linux_platform.h"
#include "platform/load_sample.h"
#include "platform/memory.h"
#include "probe/who/watch.h"
#include "unit.h"

static unsigned numbers[] = {1};
static const struct who_nodes nodes = {.numa = {numbers, 1}};
static const struct load_event event = {.name = "loads", .period = 7, .counts = true};
static uint64_t now_ns;
static struct linux_platform machine;
static struct sampler sampler;
static size_t unsampled;
static struct load_sample samples[100];
static size_t sample_count;
static struct who_samples reads;
static struct process_row processes[3], groups[3];
static struct who_watch watch;
static struct error err;

static uint64_t now(struct platform *p)
{
	(void)p;
	return now_ns;
}

static void pass(struct sampler *s, sample_visitor *visit, void *context)
{
	for (size_t i = 0; i < sample_count; i++) {
		const struct sample_record record = {.kind = RECORD_SAMPLE, .sample = samples[i]};

		visit(context, &record);
	}
	visit(context, &(struct sample_record){.kind = RECORD_FORK, .pid = 1});
	sample_count = 0;
	(void)s;
}

static int set_period(struct sampler *s, size_t number, uint64_t period)
{
	s->periods[number] = period;
	return 0;
}

static void update(struct sampler *s)
{
	s->unsampled = unsampled;
}

static int enable(struct sampler *s, bool on)
{
	(void)s;
	ck_assert(on);
	return 0;
}

static void destroy(struct sampler *s)
{
	(void)s;
}

static int open_sampler(struct platform *p, const struct load_sampling *sampling,
			struct sampler **out, struct error *why)
{
	static const struct sampler_ops ops = {.read = pass,
					       .update = update,
					       .set_period = set_period,
					       .enable = enable,
					       .destroy = destroy};

	(void)p;
	(void)why;
	sampler = (struct sampler){
		.ops = &ops, .sampling = *sampling, .cpus = 2, .periods = {event.period}};
	*out = &sampler;
	return 0;
}

/* Maps 4 KiB of each node. */
static int map_memory(struct platform *p, struct memory_map *out, struct error *why)
{
	static const struct memory_range ranges[] = {{0, 4096, 0}, {4096, 8192, 1}};

	(void)p;
	(void)why;
	*out = (struct memory_map){.ranges = malloc(sizeof(ranges)), .count = 2};
	memcpy(out->ranges, ranges, sizeof(ranges));
	return 0;
}

static int no_nodes(struct platform *p, int **numbers_of, size_t *count, struct error *why)
{
	(void)p;
	(void)numbers_of;
	(void)count;
	(void)why;
	return -ENOENT;
}

static int no_stats(struct platform *p, int node, uint64_t wall_ns, struct kernel_stats *out)
{
	(void)p;
	(void)node;
	(void)wall_ns;
	(void)out;
	return -ENOENT;
}

static int open_samples(void)
{
	static const struct log silent = {.write = NULL};

	return who_samples_open(&reads, &watch, &event, &silent, &err);
}

static void begin(void)
{
	static const struct clock_ops own_clock = {.now = now, .wall = now};

	static const struct memory_ops own_memory = {
		.map = map_memory, .nodes = no_nodes, .stats = no_stats};

	static const struct sampling_ops own_samples = {
		.open = open_sampler,
	};

	static const struct platform_ops ops = {
		.clock = &own_clock,
		.memory = &own_memory,
		.samples = &own_samples,
		.processes = &linux_processes,
	};

	machine = (struct linux_platform){.base = {.ops = &ops, .virtual_clock = true},
					  .root = (char *)tree_root()};
	now_ns = NS_PER_S;
	sample_count = 0;
	watch = (struct who_watch){.platform = &machine.base, .root = tree_root(), .nodes = &nodes};
	ck_assert_int_eq(open_samples(), 0);
}

static void end(void)
{
	who_samples_close(&reads);
	linux_subuids_free(&machine.subuids);
}

TREE_FIXTURE(begin, end)

static void sample(unsigned pid, uint64_t physical, uint64_t period)
{
	samples[sample_count++] = (struct load_sample){
		.pid = pid, .physical = physical, .period = period, .load = true};
}

/* Ends an interval of this length. */
static void give(unsigned seconds)
{
	now_ns += seconds * NS_PER_S;
	ck_assert_int_eq(who_samples_give(&reads, &err), 0);
}

TEST(test_processes_have_what_they_read_from_the_watched_nodes)
{
	watch.scan.processes = (struct who_rows){processes, 3};
	for (unsigned i = 0; i < 3; i++)
		processes[i] = (struct process_row){.is.pid = 10 + i};
	sample(10, 4096, 100);
	sample(10, 8191, 50);
	sample(10, 4095, 1000); /* memory of node 0 */
	sample(11, 5000, 7);
	sample(99, 5000, 7); /* the process is not in the scan */
	sample(0, 5000, 7);
	sample(11, 0, 7); /* unknown memory */
	give(2);
	ck_assert_double_eq(processes[0].reads.cxl.per_s, 75);
	ck_assert_double_eq(processes[0].reads.cxl.MBps,
			    75 * 64 / 1e6); /* a load brings 64 bytes */
	ck_assert_double_eq(processes[1].reads.cxl.per_s, 3.5);
	ck_assert_double_eq(processes[2].reads.cxl.per_s, 0);
	sample(12, 4096, 9);
	give(1);
	ck_assert_double_eq(processes[0].reads.cxl.per_s, 0);
	ck_assert_double_eq(processes[2].reads.cxl.per_s, 9);
}

/* Rates are unknown before a virtual clock has advanced, which is not due to guests. */
TEST(test_in_no_time_rates_are_unknown_without_guests)
{
	watch.scan = (struct who_scan){.processes = {processes, 1}};
	processes[0] = process_row_unknown;
	give(0);
	ck_assert_double_nan(processes[0].reads.cxl.per_s);
	ck_assert_uint_eq(watch.scan.with_guests, 0);
}

TEST(test_rates_of_the_first_scan_are_unknown_without_guests)
{
	watch.scan = (struct who_scan){.interval_s = NAN, .processes = {processes, 1}};
	processes[0] = (struct process_row){.is.pid = 10};
	sample(10, 4096, 100);
	give(1);
	ck_assert_double_nan(processes[0].reads.cxl.per_s);
	ck_assert_double_nan(processes[0].reads.cxl.MBps);
	ck_assert_uint_eq(watch.scan.with_guests, 0);
}

TEST(test_rates_are_unknown_while_a_cpu_is_not_sampled)
{
	watch.scan.processes = (struct who_rows){processes, 1};
	processes[0] = (struct process_row){.is.pid = 10};
	sample(10, 4096, 100);
	unsampled = 1;
	give(1);
	ck_assert_double_nan(processes[0].reads.cxl.per_s);
	sample(10, 4096, 100);
	unsampled = 0;
	give(1);
	ck_assert_double_eq(processes[0].reads.cxl.per_s, 100);
}

static void status_of(unsigned pid, unsigned uid)
{
	tree_file(tree_name("proc/%u/status", pid), "Uid:\t%u\t%u\t%u\t%u\nVmRSS:\t4 kB\n", uid,
		  uid, uid, uid);
}

static void end_process(unsigned pid)
{
	process_table_take(&reads.loads.intake.processes,
			   &(struct sample_record){.kind = RECORD_EXIT, .pid = pid, .tid = pid});
}

TEST(test_a_process_has_no_reads_of_another_that_had_its_pid)
{
	watch.scan.processes = (struct who_rows){processes, 1};
	processes[0] = (struct process_row){.is.pid = 10};
	sample(10, 4096, 100);
	process_intake_read(&reads.loads.intake);
	end_process(10);
	give(1);
	ck_assert_double_eq(processes[0].reads.cxl.per_s, 0);
}

/* Processes that have ended, or have no memory on the watched nodes, also count. */
TEST(test_a_user_has_the_reads_of_all_processes)
{
	char key[16];

	snprintf(key, sizeof(key), "%u", (unsigned)geteuid());
	watch.by = BY_USER;
	watch.scan = (struct who_scan){.processes = {processes, 1}, .groups = {groups, 2}};
	groups[0] = (struct process_row){.key = key};
	groups[1] = (struct process_row){.key = "54321"};
	processes[0] = (struct process_row){.is.pid = 10, .is.uid = geteuid()};
	for (unsigned pid = 10; pid < 14; pid++)
		status_of(pid, pid == 10 ? geteuid() : 54321);
	for (unsigned i = 0; i < 4; i++)
		sample(10 + i, 4096, (uint64_t[]){1, 10, 100, 1000}[i]);
	process_intake_read(&reads.loads.intake);
	end_process(13); /* a process whose files belong to this user */
	give(1);
	ck_assert_double_eq(groups[0].reads.cxl.per_s, 1001);
	ck_assert_double_eq(groups[1].reads.cxl.per_s, 110);
}

TEST(test_a_cgroup_has_the_reads_of_its_processes_and_of_those_below)
{
	watch.by = BY_CONTAINER;
	reads.loads.intake.processes.cgroups = true;
	watch.scan = (struct who_scan){.groups = {groups, 2}};
	groups[0] = (struct process_row){.key = "/pod/a"};
	groups[1] = (struct process_row){.key = "/pod/ab"};
	tree_file("proc/10/cgroup", "0::/pod/a\n");
	tree_file("proc/11/cgroup", "4:cpuset:/old\n0::/pod/ab/below/it\n");
	tree_file("proc/12/cgroup", "0::/pod\n");
	tree_file("proc/13/cgroup", "4:memory:/pod/a\n0::/other\n"); /* versions 1 and 2 */
	for (unsigned i = 0; i < 4; i++)
		sample(10 + i, 4096, 1U << i);
	tree_file("proc/14/cgroup", "0::/pod/ab\n");
	sample(14, 4096, 16);
	process_intake_read(&reads.loads.intake);
	/* a process that has ended counts in its last cgroup, whoever has its pid now */
	end_process(14);
	tree_file("proc/14/cgroup", "0::/pod/a\n");
	/* a process that has moved counts in its new cgroup */
	tree_file("proc/12/cgroup", "0::/pod/ab\n");
	give(1);
	ck_assert_double_eq(groups[0].reads.cxl.per_s, 1 + 8);
	ck_assert_double_eq(groups[1].reads.cxl.per_s, 2 + 4 + 16);
}

/* An emulator's loads are not its guest's reads. */
TEST(test_a_row_with_a_vm_has_no_rate)
{
	watch.scan = (struct who_scan){.processes = {processes, 3}};
	for (unsigned i = 0; i < 3; i++)
		processes[i] = (struct process_row){.is.pid = 10 + i, .is.uid = i ? 1000 : 0};
	tree_link("proc/11/fd/9", "anon_inode:kvm-vm");
	sample(10, 4096, 4);
	sample(12, 4096, 4);
	give(1);
	ck_assert_double_eq(processes[0].reads.cxl.per_s, 4);
	ck_assert(isnan(processes[1].reads.cxl.per_s));
	ck_assert_double_eq(processes[2].reads.cxl.per_s, 4);
	ck_assert_uint_eq(watch.scan.with_guests, 1);
	watch.by = BY_USER;
	watch.scan.with_guests = 0;
	status_of(10, 0);
	for (unsigned i = 0; i < 3; i++)
		processes[i].reads.cxl.per_s = 0;
	watch.scan.groups = (struct who_rows){groups, 2};
	groups[0] = (struct process_row){.key = "0"};
	groups[1] = (struct process_row){.key = "1000"};
	sample(10, 4096, 4);
	give(1);
	ck_assert_double_eq(groups[0].reads.cxl.per_s, 4);
	ck_assert(isnan(groups[1].reads.cxl.per_s));
	ck_assert_uint_eq(watch.scan.with_guests, 1);
}

TEST(test_a_process_whose_cgroup_is_unknown_counts_in_none)
{
	watch.by = BY_CGROUP;
	watch.scan = (struct who_scan){.groups = {groups, 1}};
	groups[0] = (struct process_row){.key = "/"};
	sample(10, 4096, 4);
	give(1);
	ck_assert_double_eq(groups[0].reads.cxl.per_s, 0);
}

TEST(test_a_cgroup_with_a_vm_has_no_rate)
{
	watch.by = BY_CGROUP;
	watch.scan = (struct who_scan){.groups = {groups, 3}};
	groups[0] = (struct process_row){
		.key = "/machine.slice/machine-qemu\\x2d1\\x2dweb.scope/libvirt"};
	groups[1] = (struct process_row){.key = "/pod"};
	groups[2] = (struct process_row){.key = "/machine.slice/machine-web.scope"};
	tree_file("proc/10/cgroup", "0::/pod\n");
	tree_link("proc/10/fd/9", "anon_inode:kvm-vm");
	tree_file("proc/11/cgroup", "0::/machine.slice/machine-web.scope\n");
	sample(10, 4096, 4);
	sample(11, 4096, 5);
	give(1);
	ck_assert(isnan(groups[0].reads.cxl.per_s));
	ck_assert(isnan(groups[1].reads.cxl.per_s));
	ck_assert_double_eq(groups[2].reads.cxl.per_s, 5);
	ck_assert_uint_eq(watch.scan.with_guests, 2);
}

TEST(test_reads_of_guests_are_not_of_their_emulator)
{
	watch.scan.processes = (struct who_rows){processes, 1};
	processes[0] = (struct process_row){.is.pid = 10};
	sample(10, 4096, 100);
	samples[sample_count++] = (struct load_sample){
		.pid = 10, .physical = 4096, .period = 1000, .load = true, .guest = true};
	give(1);
	ck_assert_double_eq(processes[0].reads.cxl.per_s, 100);
}

TEST(test_the_period_grows_where_there_are_many_samples)
{
	for (unsigned i = 0; i < 60; i++) {
		for (unsigned n = 0; n < 100; n++)
			sample(10, 0, 7);
		process_intake_read(&reads.loads.intake);
	}
	give(1);
	/*
	 * 6000 samples per second on 2 CPUs, each of which may take 1000: 3 times the period of 7,
	 * raised to the next prime number
	 */
	ck_assert_uint_eq(sampler.periods[0], 23);
}

TEST(test_processes_for_which_there_is_no_row_are_counted)
{
	for (unsigned pid = 1; pid <= SAMPLED_ROWS_MOST + 5; pid++) {
		sample(pid, 4096, 1);
		if (sample_count == 100)
			process_intake_read(&reads.loads.intake);
	}
	sample(17, 4096, 1);
	give(1);
	ck_assert_uint_eq(reads.left_out, 5);
}

TEST(test_without_an_event_that_counts_it_says_so)
{
	who_samples_close(&reads);
	machine.base.ops = &(struct platform_ops){.clock = machine.base.ops->clock};
	ck_assert_int_eq(open_samples(), -ENODEV);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
}
