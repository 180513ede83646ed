/* SPDX-License-Identifier: BSD-3-Clause */
/* The accesses of a sample of the default metrics, by purpose. */

#include "allocations.h"
#include "platform/guard.h"
#include "poller/frame.h"
#include "poller/poller.h"
#include "session/sampling.h"
#include "sim/sim.h"
#include "spy.h"
#include "unit.h"
#include "view/view.h"

#define SIZE	    "sockets=2,ports=4,cpus=2,chas=8,imcs=4,read=10,write=5,dram_read=20,clock=virtual"
#define TENTH	    UINT64_C(100000000) /* ns: from one check of controls to the next */
#define SAMPLES_A_S 10

static struct spy spy;
static struct machine machine;
static struct view view;
static struct plan plan;
static struct pmu_state pmu;
static struct poller *poller;
static struct sampling sampling;
static struct sample sample;

static void sleep_and_sample(void)
{
	struct error err;
	int signal_number;
	sigset_t none;

	sigemptyset(&none);
	ck_assert_int_eq(sampling_wait(&sampling, &none, &signal_number, &err), 0);
	ck_assert_int_eq(sampling_take(&sampling, &sample, &err), 0);
	ck_assert_uint_eq(sample.lost_readings, 0);
}

static void stop(void *unused)
{
	(void)unused;
	poller_free(poller);
	sampling_free(&sampling);
	pmu_state_free(&pmu);
	plan_free(&plan);
	view_free(&view);
	struct platform *platform = machine.platform;
	machine_close(&machine);
	platform_destroy(platform);
}

/* After the first sample everything is set up. */
static void start_on(struct platform *platform, enum freeze_policy freeze, uint64_t interval)
{
	const struct view_options options = {.groups = "cxl,latency,dram", .finest = SCOPE_PORT};
	struct error err;

	at_end(stop, NULL);
	ck_assert_msg(!machine_open(platform, &machine, &err), "%s", err.text);
	ck_assert_msg(!view_make(&machine, &options, &view, &err), "%s", err.text);
	ck_assert_msg(!plan_make(&machine, view.requests, view.request_count, freeze, &plan, &err),
		      "%s", err.text);
	ck_assert_msg(!pmu_state_init(&pmu, &plan, &err), "%s", err.text);
	ck_assert_msg(!poller_new(&pmu, interval, &poller, &err), "%s", err.text);
	spy_forget(&spy);
	ck_assert_msg(!poller_start(poller, &err), "%s", err.text);
	ck_assert_int_eq(sampling_begin(&sampling, poller, &plan, &err), 0);
	sleep_and_sample();
	spy_forget(&spy);
}

static struct platform *simulate(const char *spec)
{
	struct platform *sim;
	struct error err;

	ck_assert_msg(!platform_sim(spec, &(struct log){0}, &sim, &err), "%s", err.text);
	return sim;
}

static void start(const char *spec, enum freeze_policy freeze, uint64_t interval)
{
	spy_init(&spy, simulate(spec));
	spy.base.log = (struct log){0};
	start_on(&spy.base, freeze, interval);
}

static size_t count_accesses(enum reg_space space, bool write)
{
	size_t n = 0;

	for (size_t i = 0; i < spy.access_count; i++)
		n += spy.accesses[i].space == space && spy.accesses[i].write == write;
	return n;
}

/*
 * Of 2 sockets with 4 ports, 8 CHAs and 4 memory controllers each. Where a socket has a freeze
 * register two writes are all that it takes; elsewhere each unit is stopped and started by itself.
 */
static const struct {
	const char *spec;
	enum freeze_policy freeze;
	size_t msr_reads, msr_writes, memory_reads, memory_writes;
} costs[] = {
	/*
	 * 16 CHAs: occupancy and inserts of a class, their clock, and the cross-check of reads;
	 * 2 sockets stopped and started;
	 * 8 CXLCMs: inserts of memory and of cache data; 8 CXLDPs: requests; 8 controllers: reads
	 * and writes; and the clock of each
	 */
	{"spr," SIZE, FREEZE_AUTO, 16 * 4 + 2, 2 * 2, 8 * 3 + 8 * 2 + 8 * 3, 0},
	/* the same, with nothing stopped */
	{"spr," SIZE, FREEZE_NEVER, 16 * 4, 0, 8 * 3 + 8 * 2 + 8 * 3, 0},
	/*
	 * 16 CHAs without cross-check, which counted lines do not need, each stopped and
	 * started; 8 CXLCMs: memory data, and cache data both ways; 8 CXLDPs: memory data; 8
	 * controllers: reads and writes of two channels each; and 24 stops and starts
	 */
	{"gnr," SIZE, FREEZE_AUTO, 16 * 3 + 16, 16 * 2, 8 * 3 + 8 * 1 + 8 * 4 + 24, 24 * 2},
	/* the same registers */
	{"srf," SIZE, FREEZE_AUTO, 16 * 3 + 16, 16 * 2, 8 * 3 + 8 * 1 + 8 * 4 + 24, 24 * 2},
};

static size_t times_read(const struct reg *reg)
{
	size_t n = 0;

	for (size_t i = 0; i < spy.access_count; i++) {
		const struct access *access = &spy.accesses[i];

		n += !access->write && access->space == reg->space &&
		     access->address == reg->address &&
		     (reg->space != REG_MSR || access->cpu == reg->cpu);
	}
	return n;
}

TEST_LOOP(test_a_sample_costs_its_counters_and_the_freezes, COUNT(costs))
{
	start(costs[_i].spec, costs[_i].freeze, TENTH / SAMPLES_A_S);
	for (unsigned k = 2; k < SAMPLES_A_S; k++) {
		spy_forget(&spy);
		sleep_and_sample();
		ck_assert_uint_eq(count_accesses(REG_MSR, false), costs[_i].msr_reads);
		ck_assert_uint_eq(count_accesses(REG_MSR, true), costs[_i].msr_writes);
		ck_assert_uint_eq(count_accesses(REG_MMIO, false), costs[_i].memory_reads);
		ck_assert_uint_eq(count_accesses(REG_MMIO, true), costs[_i].memory_writes);
		ck_assert_uint_eq(spy_count_space(&spy, REG_PCI), 0);
	}
}

TEST_LOOP(test_a_sample_reads_each_counter_exactly_once, COUNT(costs))
{
	size_t counters = 0, freezes = 0;

	start(costs[_i].spec, costs[_i].freeze, TENTH / SAMPLES_A_S);
	sleep_and_sample();
	for (size_t u = 0; u < plan.unit_count; u++) {
		const struct plan_unit *pu = &plan.units[u];
		const struct round *round = &plan.rounds[pu->first_round + pmu.units[u].round];

		for (size_t s = round->first_counter;
		     s < round->first_counter + round->counter_count; s++)
			ck_assert_uint_eq(times_read(&plan.counters[s].reg), 1);
		counters += round->counter_count;
	}
	for (size_t d = 0; d < plan.domain_count; d++)
		freezes += pmu.domains[d].freezes;
	ck_assert_uint_eq(counters + freezes, spy_count(&spy, false));
}

/*
 * Checks come ten times per second, and compare the controls of all units with ours: 4 of each
 * CHA, CXLDP and memory controller, 8 of each CXLCM, and each unit's own. Rotation comes once per
 * second, when the CHAs exchange their classes: only the controls that change are written, at most
 * 4 each, without a reset, because they are frozen.
 */
TEST(test_controls_are_checked_in_every_sample_and_rotation_comes_once_a_second)
{
	const size_t counters = costs[0].msr_reads + costs[0].memory_reads;
	const size_t controls = 16 * 5 + 8 * 9 + 8 * 5 + 8 * 5;

	start(costs[0].spec, FREEZE_AUTO, TENTH);
	for (unsigned k = 2; k <= 4 * SAMPLES_A_S; k++) {
		spy_forget(&spy);
		sleep_and_sample();
		/* upper bound: a CHA may have a class without cross-check */
		ck_assert_uint_gt(spy_count(&spy, false), controls + counters - 16 * 2);
		ck_assert_uint_le(spy_count(&spy, false), controls + counters);
		if (k % SAMPLES_A_S) {
			ck_assert_uint_eq(spy_count(&spy, true), 2 * 2);
			continue;
		}
		ck_assert_uint_gt(spy_count(&spy, true), 2 * 2 + 16);
		ck_assert_uint_le(spy_count(&spy, true), 2 * 2 + 16 * 4);
	}
}

static size_t prepared; /* registers that were read as counters are */

static size_t read_prepared(struct platform *p, const struct reg_handle *handles, size_t count,
			    uint64_t *values, int *failures)
{
	prepared += count;
	return reg_read_each(p, handles, count, values, failures);
}

/* All but the freeze registers of sockets whose units are frozen one by one. */
TEST_LOOP(test_controls_are_read_as_counters_are, COUNT(costs))
{
	static struct register_ops registers;
	static struct platform_ops ops;

	spy_init(&spy, simulate(costs[_i].spec));
	spy.base.log = (struct log){0};
	ops = *spy.base.ops;
	registers = *ops.registers;
	registers.read_prepared = read_prepared;
	ops.registers = &registers;
	spy.base.ops = &ops;
	start_on(&spy.base, costs[_i].freeze, TENTH);
	prepared = 0;
	sleep_and_sample();
	ck_assert_uint_ge(spy_count(&spy, false), 2 * costs[_i].msr_reads);
	ck_assert_uint_le(spy_count(&spy, false) - prepared, 2);
}

/*
 * Checks a socket on which each unit is frozen by itself: units' own controls are read before each
 * freeze anyway, and the socket's control is read instead.
 */
TEST(test_the_control_of_a_socket_is_checked_too_where_each_unit_is_frozen)
{
	const size_t counters = costs[2].msr_reads + costs[2].memory_reads;
	const size_t controls = 16 * 4 + 8 * 8 + 8 * 4 + 8 * 4;

	start(costs[2].spec, FREEZE_AUTO, TENTH);
	sleep_and_sample();
	ck_assert_uint_eq(spy_count(&spy, false), counters + controls + 2);
}

/* Nothing is written to this memory. Its CXLDP is idle, which may mean that it was reset. */
TEST(test_an_idle_unit_is_checked_ten_times_a_second)
{
	start("gnr,ports=1,chas=4,imcs=1,cpus=1,read=1,cache_d2h=1,cache_h2d=1,dram_read=1,"
	      "dram_write=1,clock=virtual",
	      FREEZE_AUTO, TENTH / SAMPLES_A_S);
	sleep_and_sample();
	const size_t counters = spy_count(&spy, false);

	for (unsigned k = 3; k <= 3 * SAMPLES_A_S; k++) {
		spy_forget(&spy);
		sleep_and_sample();
		if (k % SAMPLES_A_S)
			ck_assert_uint_eq(spy_count(&spy, false), counters);
		else
			ck_assert_uint_gt(spy_count(&spy, false), counters);
	}
}

/* One frame from the poller through the ring to the decoder. */
static int take_frame(struct ring *ring, struct sample *out)
{
	enum read_reason due;
	int signal_number;
	struct error err;
	sigset_t none;

	sigemptyset(&none);
	int rc = poller_wait(poller, &none, &signal_number, &due, &err);
	if (!rc)
		rc = poller_read(poller, due, &err);
	if (rc || !ring_push(ring, poller_frame(poller)))
		return -1;
	decoder_add(sampling.decoder, ring_oldest(ring), out);
	ring_drop(ring);
	return 0;
}

/* No assertions in between, because they allocate memory. */
TEST_LOOP(test_a_sample_allocates_no_memory, COUNT(costs))
{
	int rc = 0;

	start_on(simulate(costs[_i].spec), costs[_i].freeze, TENTH);
	struct ring *ring = ring_new(4, poller_frame_size(&plan));
	const size_t before = allocations_so_far();

	for (unsigned k = 0; !rc && k < 3 * SAMPLES_A_S; k++)
		rc = take_frame(ring, &sample);
	const size_t after = allocations_so_far();
	ck_assert_int_eq(rc, 0);
	ck_assert_uint_gt(before, 0);
	ck_assert_uint_eq(after, before);
	ring_free(ring);
}

TEST(test_a_poller_that_lacks_memory_is_an_error)
{
	size_t nth = 1;
	int rc;

	start("spr," SIZE, FREEZE_AUTO, TENTH);
	do {
		struct poller *other = NULL;
		struct error err;

		allocations_fail(nth++);
		rc = poller_new(&pmu, TENTH, &other, &err);
		allocations_fail(0);
		if (rc)
			ck_assert_int_eq(rc, -ENOMEM);
		else
			poller_free(other);
	} while (rc);
	ck_assert_uint_gt(nth, 10);
}
