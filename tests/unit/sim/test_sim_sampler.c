/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampled loads of a simulated machine, of which caches answer most. */
#include <errno.h>

#include "base/number.h"
#include "sim_machine.h"
#include "unit.h"

static struct sim_machine m;
static struct sampler *sampler;
static struct error err;
static size_t all, useful, guests;
static uint64_t events;

static void end(void)
{
	if (sampler)
		sampler->ops->destroy(sampler);
	sampler = NULL;
	sim_machine_close(&m);
}

FIXTURE(NULL, end)

static int open_sampler(const struct load_event *event)
{
	const struct load_sampling sampling = {.events = {event}, .event_count = 1};
	struct platform *p = m.spy.inner;

	return p->ops->samples->open(p, &sampling, &sampler, &err);
}

static void take(void *context, const struct sample_record *record)
{
	const struct load_event *event = sampler->sampling.events[0];

	(void)context;
	if (record->kind != RECORD_SAMPLE)
		return;
	all++;
	guests += record->sample.guest;
	if (record->sample.guest) {
		ck_assert_uint_eq(record->sample.pid, 1002);
		ck_assert_uint_eq(record->sample.physical, 0);
	}
	if (!load_sample_reads_memory(event, &record->sample))
		return;
	useful++;
	events += record->sample.period;
}

/* Seconds at a rate that costs 1 % of a CPU; returns useful samples of the last one. */
static size_t run(const struct load_event *event)
{
	ck_assert_int_eq(sampler->ops->enable(sampler, true), 0);
	for (unsigned second = 0; second < 30; second++) {
		all = useful = guests = events = 0;
		sim_machine_wait(&m, NS_PER_S);
		sampler->ops->read(sampler, take, NULL);
		sampler->ops->set_period(sampler, 0,
					 load_next_period(event, sampler->periods[0], all, 1,
							  sampler->cpus,
							  (double)all * LOAD_SAMPLE_NS / 1e9));
	}
	ck_assert_uint_le(all, 5000);
	return useful;
}

#define MACHINE "gnr,clock=virtual,ports=1,cpus=8,read=12,dram_read=12,cache_hits=99"

/* Checks mem-loads as sysfs has it: of 100 loads 99 are hits. */
TEST(test_without_a_threshold_most_samples_are_hits)
{
	sim_machine_open(&m, MACHINE);
	struct load_event before = *m.machine.model->load_events[1];
	before.ldlat = 0;
	before.period = 100003;
	ck_assert_int_eq(open_sampler(&before), 0);
	const size_t useful_samples = run(&before);
	ck_assert_uint_gt(all, 1000);
	ck_assert_uint_lt(useful_samples, all / 90);
}

/* Only hits of the L3 pass the threshold: 99 of 199 loads, and 100 are of memory. */
TEST(test_a_threshold_leaves_samples_of_memory)
{
	sim_machine_open(&m, MACHINE);
	const struct load_event *event = m.machine.model->load_events[1];

	ck_assert_str_eq(event->name, "mem-loads");
	ck_assert_int_eq(open_sampler(event), 0);
	const size_t useful_samples = run(event);
	ck_assert_uint_gt(all, 1000);
	ck_assert_uint_ge(useful_samples, all / 2);
}

/* 12 GB/s of each node, of which loads are one half. */
TEST(test_tagged_ops_estimate_the_loads_of_memory)
{
	sim_machine_open(&m, "turin,clock=virtual,ports=1,read=12,dram_read=12");
	const struct load_event *event = m.machine.model->load_events[0];

	ck_assert(event->counts && event->tagged);
	ck_assert_int_eq(open_sampler(event), 0);
	run(event);
	ck_assert_uint_ge(events, 187500000 - 2 * sampler->periods[0]);
	ck_assert_uint_le(events, 187500000 + 2 * sampler->periods[0]);
}

static const struct load_event misses = {.name = "misses", .period = 1009, .counts = true};

static const struct {
	const char *spec;
	uint64_t events;
} sampled[] = {
	/* 12 GB/s of each of its devices, of which loads are one half */
	{"gnr,clock=virtual,ports=2,ways=2,read=12,dram_read=0", 187500000},
	/* PEBS is off while a guest runs: two thirds of the loads remain */
	{"gnr,clock=virtual,ports=1,read=12,dram_read=12,readers=1,vms=1", 125000000},
};

TEST_LOOP(test_interleaved_nodes_are_sampled_and_guests_are_not_on_Intel, COUNT_OF(sampled))
{
	sim_machine_open(&m, sampled[_i].spec);
	ck_assert_int_eq(open_sampler(&misses), 0);
	run(&misses);
	ck_assert_uint_eq(guests, 0);
	ck_assert_uint_ge(events, sampled[_i].events - 8 * sampler->periods[0]);
	ck_assert_uint_le(events, sampled[_i].events + 8 * sampler->periods[0]);
}

TEST(test_samples_of_a_shared_counter_stand_for_all_loads)
{
	sim_machine_open(&m, "gnr,clock=virtual,ports=1,read=12,dram_read=12,sample_running=25");
	ck_assert_int_eq(open_sampler(&misses), 0);
	run(&misses);
	ck_assert_uint_ge(events, 187500000 - 8 * sampler->periods[0]);
	ck_assert_uint_le(events, 187500000 + 8 * sampler->periods[0]);
	sampler->ops->update(sampler);
	ck_assert_uint_eq(sampler->times[0].running_ns * 4, sampler->times[0].enabled_ns);
	ck_assert_uint_eq(sampler->unsampled, 0);
}

/* The second of two processes has a third of the reads, by its guest. */
TEST(test_loads_of_guests_are_sampled_on_AMD)
{
	sim_machine_open(&m, "turin,clock=virtual,ports=1,read=12,dram_read=12,readers=1,vms=1");
	ck_assert_int_eq(open_sampler(m.machine.model->load_events[0]), 0);
	const size_t useful_samples = run(m.machine.model->load_events[0]);
	ck_assert_uint_ge(3 * guests, useful_samples - 9);
	ck_assert_uint_le(3 * guests, useful_samples + 9);
}

TEST(test_IBS_of_a_kernel_without_addresses_is_refused)
{
	sim_machine_open(&m, "turin,kernel=5.19");
	ck_assert_int_eq(open_sampler(m.machine.model->load_events[0]), -ENODEV);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
}

/* Checks that loads are sampled only on whole CPUs, as the kernel does. */
TEST(test_without_rights_nothing_is_sampled)
{
	sim_machine_open(&m, MACHINE ",paranoid=1");
	ck_assert_int_eq(open_sampler(m.machine.model->load_events[0]), -EACCES);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	assert_contains(err.text, "kernel.perf_event_paranoid is 1");
	ck_assert_str_ne(err.command, "");
}
