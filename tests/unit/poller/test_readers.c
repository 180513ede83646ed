/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers of two sockets read by a thread each. Only one thread at a time uses the simulated
 * machine, so that counts stay exact; the test decides how long its accesses take.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "platform/clock.h"
#include "platform/guard.h"
#include "poller/poller.h"
#include "sim_monitor.h"
#include "tests/ops_copy.h"
#include "unit.h"

EACH_IN_A_PROCESS

#define SPEC "spr,sockets=2,cpus=4,chas=2,clock=virtual,latency=400,read=10"

static struct sim_monitor m;

static struct {
	pthread_mutex_t lock;
	const struct platform_ops *inner;
	struct ops_copy ops;
	pthread_t sampler;
	atomic_int refused;    /* a CPU that nobody may run on; -1: none */
	atomic_uint bound;     /* threads besides the sampler that were bound so far */
	int sampler_cpu;       /* the CPU to which the sampler was bound last; -1: none */
	atomic_bool others;    /* another thread has looked at the clock, or at a register */
	atomic_uint by_others; /* reads by other threads */
	unsigned cpus_read;    /* bit n: CPU n's MSRs, by another thread; under the lock */
	uint64_t alone_ns;     /* ns of an access before .others */
	uint64_t together_ns;  /* ns of an access after .others */
	uint64_t taken;	       /* ns so far; under the lock */
	uint64_t opened_at;    /* by the machine's own clock */
} shared;

static bool by_sampler(void)
{
	return pthread_equal(pthread_self(), shared.sampler);
}

static void lock(void)
{
	pthread_mutex_lock(&shared.lock);
	shared.others |= !by_sampler();
}

static void enter(void)
{
	lock();
	shared.taken += shared.others ? shared.together_ns : shared.alone_ns;
}

static int leave(int rc)
{
	pthread_mutex_unlock(&shared.lock);
	return rc;
}

static int read_register(struct platform *p, const struct reg *reg, uint64_t *value)
{
	enter();
	if (reg->space == REG_MSR && !by_sampler()) {
		shared.by_others++;
		shared.cpus_read |= 1U << reg->cpu;
	}
	return leave(shared.inner->registers->read(p, reg, value));
}

static int write_register(struct platform *p, const struct reg *reg, uint64_t value)
{
	enter();
	return leave(shared.inner->registers->write(p, reg, value));
}

static uint64_t now(struct platform *p)
{
	lock();
	const uint64_t ns = shared.inner->clock->now(p) + shared.taken;
	pthread_mutex_unlock(&shared.lock);
	return ns;
}

static int sleep_until(struct platform *p, uint64_t deadline, const sigset_t *wake,
		       int *signal_number)
{
	const uint64_t inner = deadline > shared.taken ? deadline - shared.taken : 0;

	return shared.inner->clock->sleep_until(p, inner, wake, signal_number);
}

static int set_affinity(struct platform *p, int cpu)
{
	(void)p;
	if (cpu >= 0 && cpu == shared.refused)
		return -ENOENT;
	if (by_sampler())
		shared.sampler_cpu = cpu;
	else
		shared.bound++;
	return 0;
}

/* The sampling thread may choose its CPU, but has not yet. */
static void open_machine(uint64_t alone_ns, uint64_t together_ns)
{
	sim_monitor_open(&m, .spec = SPEC, .view = {.groups = "cxl,latency"});
	pthread_mutex_init(&shared.lock, NULL);
	shared.inner = m.platform->ops;
	ops_copy_init(&shared.ops, shared.inner);
	shared.ops.registers.read = read_register;
	shared.ops.registers.write = write_register;
	shared.ops.clock.now = now;
	shared.ops.clock.sleep_until = sleep_until;
	shared.ops.cpus.set_affinity = set_affinity;
	shared.sampler = pthread_self();
	shared.sampler_cpu = -1;
	shared.refused = -1;
	shared.others = false;
	shared.alone_ns = alone_ns;
	shared.together_ns = together_ns;
	shared.opened_at = shared.inner->clock->now(m.platform);
	m.platform->ops = &shared.ops.ops;
}

static char detail[256]; /* the last one */

static void keep_detail(void *context, enum log_level level, const char *text)
{
	(void)context;
	if (level == LEVEL_DETAIL)
		snprintf(detail, sizeof(detail), "%s", text);
}

static void start(uint64_t alone_ns, uint64_t together_ns)
{
	open_machine(alone_ns, together_ns);
	ck_assert_msg(!sim_monitor_begin(&m), "%s", m.err.text);
	m.platform->log = (struct log){.write = keep_detail};
	poller_place_readers(m.poller);
	shared.alone_ns = shared.together_ns = 0;
	shared.by_others = 0;
}

/* The time that the test adds is in the first sample, and in no counter. */
static void skip_sample(void)
{
	sim_monitor_sample(&m);
	shared.by_others = 0;
	shared.cpus_read = 0;
}

static void assert_whole(void)
{
	ck_assert_uint_eq(m.sample.lost_readings, 0);
	for (int socket = 0; socket < 2; socket++) {
		ck_assert_double_eq_tol(sim_monitor_value(&m, socket, -1, "cxl_read_latency_ns"),
					400, 1);
		ck_assert_double_eq_tol(sim_monitor_value(&m, socket, -1, "cxl_mem_read_MBps"),
					20000, 1);
	}
}

TEST(test_another_socket_is_read_by_a_thread_on_its_cpu_if_that_is_faster)
{
	start(2000, 1000);
	assert_contains(detail, "registers of 2 sockets are read by one thread per socket: ");
	ck_assert_int_eq(shared.sampler_cpu, 0);
	ck_assert_uint_eq(shared.bound, 1);
	skip_sample();
	for (unsigned k = 0; k < 3; k++) {
		const unsigned before = shared.by_others;

		sim_monitor_sample(&m);
		assert_whole();
		/* 2 CHAs with 4 counters each, and the controls that are checked */
		ck_assert_uint_ge(shared.by_others - before, 2 * 4);
	}
	ck_assert_uint_eq(shared.cpus_read, 1U << 4);
}

TEST(test_one_thread_reads_all_if_that_is_about_as_fast)
{
	start(1000, 950);
	assert_contains(detail, "registers of 2 sockets are read by one thread: ");
	ck_assert_int_eq(shared.sampler_cpu, 0);
	ck_assert_uint_eq(shared.bound, 1);
	skip_sample();
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		assert_whole();
	}
	ck_assert_uint_eq(shared.by_others, 0);
}

TEST(test_measuring_that_costs_no_deadline_and_no_count)
{
	/*
	 * A walk of some 30 accesses: more than the first second. With other threads, accesses take
	 * no time: one of theirs would make the time of this thread's uncertain.
	 */
	start(100000000, 0);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.missed, 0);
	const struct row *port = sim_monitor_row(&m, 0, 0);
	ck_assert_double_gt(port->interval_s, 1.5);
	/* all counts of the simulated machine since */
	const uint64_t elapsed = shared.inner->clock->now(m.platform) - shared.opened_at;
	for (int socket = 0; socket < 2; socket++)
		ck_assert_uint_eq(
			sim_monitor_count(&m, sim_monitor_unit(&m, socket, PMU_CXLDP, 0), "M2S_REQ")
				->events,
			10 * elapsed / 64);
}

static const unsigned refused_cpus[] = {0, 4};

/* A thread that may not run where registers are stays where it is, and reads them all. */
TEST_LOOP(test_without_a_cpu_to_run_on_nothing_changes, 2)
{
	open_machine(2000, 1000);
	shared.refused = refused_cpus[_i];
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	poller_place_readers(m.poller);
	shared.alone_ns = shared.together_ns = 0;
	ck_assert_int_eq(shared.sampler_cpu, refused_cpus[_i] ? 0 : -1);
	ck_assert_uint_eq(shared.bound, 0);
	skip_sample();
	sim_monitor_sample(&m);
	assert_whole();
	ck_assert_uint_eq(shared.by_others, 0);
}

static const struct {
	const char *machine, *cpu;
} cpus_told[] = {
	{"spr,cpus=2", "CPU 0"},
	{"spr,cpus=2,isolated=1", "CPU 1"},
	{"spr,cpus=2,isolated=2", "CPU 0, because all its CPUs are isolated"},
};

TEST_LOOP(test_it_is_told_which_cpu_registers_are_accessed_through, COUNT(cpus_told))
{
	char expected[256];

	sim_monitor_start(&m, .spec = cpus_told[_i].machine, .view = {.groups = "latency"});
	m.platform->log = (struct log){.write = keep_detail};
	poller_place_readers(m.poller);
	snprintf(expected, sizeof(expected), "socket 0: MSRs of the uncore are accessed through %s",
		 cpus_told[_i].cpu);
	ck_assert_str_eq(detail, expected);
}

TEST(test_the_starting_thread_is_bound_only_if_that_is_allowed)
{
	open_machine(0, 0);
	shared.sampler_cpu = 7;
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	ck_assert_int_eq(shared.sampler_cpu, 7);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	poller_allow_affinity(m.poller);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	ck_assert_int_eq(shared.sampler_cpu, -1);
	ck_assert_uint_eq(shared.bound, 0);
}

TEST(test_after_a_suspension_threads_run_on_the_same_cpus)
{
	open_machine(2000, 1000);
	poller_allow_affinity(m.poller);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	poller_place_readers(m.poller);
	shared.alone_ns = shared.together_ns = 0;
	skip_sample();
	sim_suspend(m.sim, SECOND);
	sim_monitor_sample(&m);
	ck_assert_int_eq(shared.sampler_cpu, 0);
	sim_monitor_sample(&m);
	assert_whole();
	ck_assert_uint_gt(shared.by_others, 0);
}

TEST(test_a_cpu_that_goes_offline_is_replaced_for_its_thread)
{
	start(2000, 1000);
	skip_sample();
	sim_set_cpu_online(m.sim, 4, false);
	sim_monitor_sample(&m);
	assert_whole();
	sim_monitor_sample(&m);
	assert_whole();
	ck_assert_uint_eq(shared.cpus_read & ~(1U << 4), 1U << 5);
}

TEST(test_a_freeze_that_fails_in_another_thread_leaves_values_empty)
{
	start(2000, 1000);
	skip_sample();
	for (unsigned cpu = 4; cpu < 8; cpu++)
		sim_set_cpu_online(m.sim, cpu, false);
	sim_monitor_sample(&m);
	ck_assert_uint_gt(m.sample.lost_readings, 0);
	assert_contains(m.trouble.text, "socket 1 ");
	assert_contains(m.trouble.text, "cannot be frozen");
	sim_set_cpu_online(m.sim, 4, true);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	assert_whole();
}

TEST(test_all_is_restored_after_the_threads_have_ended)
{
	open_machine(2000, 1000);
	const uint64_t hash = sim_state_hash(m.sim);

	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	poller_place_readers(m.poller);
	sim_monitor_sample(&m);
	ck_assert_uint_gt(shared.by_others, 0);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
}
