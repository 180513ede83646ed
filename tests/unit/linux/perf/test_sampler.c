/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of two events of a CPU, in a ring, and in files in place of events, that the test writes
 * as the kernel does; and samples of the running kernel, by its own events.
 */
#include "linux/perf/sampler_private.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "linux/linux.h"
#include "unit.h"

#define PAGE 4096

static const struct load_event misses = {.name = "misses", .pmu = "cpu", .counts = true};
static const struct load_event loads = {.name = "loads", .pmu = "cpu"};
static struct platform platform;
static char said[512];
static struct linux_sampler *s;
static struct perf_event_mmap_page *page;
static struct perf_event_mmap_page *process_pages[2];
static struct sample_record records[16];
static size_t record_count;
static struct sample_record last;

static void hear(void *context, enum log_level level, const char *text)
{
	(void)context;
	(void)level;
	snprintf(said, sizeof(said), "%s", text);
}

static int file_of(const void *bytes, size_t size)
{
	const int fd = memfd_create("event", MFD_CLOEXEC);

	ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* Makes a ring of the test. */
static struct perf_mapping make_ring(size_t bytes, struct perf_event_mmap_page **out)
{
	*out = mmap(NULL, PAGE + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(*out, MAP_FAILED);
	return (struct perf_mapping){*out, PAGE + bytes};
}

static void begin(void)
{
	platform = (struct platform){.log = {.write = hear}};
	said[0] = '\0';
	record_count = 0;
	s = calloc(1, sizeof(*s));
	s->streams = calloc(1, sizeof(*s->streams));
	s->handles = calloc(2, sizeof(*s->handles));
	s->samples = calloc(PAGE / SAMPLE_BYTES, sizeof(*s->samples));
	*s = (struct linux_sampler){
		.base = {.ops = &linux_sampler_ops,
			 .sampling = {.events = {&misses, &loads}, .event_count = 2},
			 .periods = {1, 1},
			 .cpus = 1,
			 .handles = s->handles},
		.platform = &platform,
		.streams = s->streams,
		.handles = s->handles,
		.samples = s->samples,
		.stream_count = 1,
		.layout = {.counter = true, .lost = true},
		.cgroup = -1,
		.online = -1,
	};
	s->streams[0] = (struct stream){.cpu = 2,
					.mapping = make_ring(PAGE, &page),
					.events = {{.fd = -1, .id = 11}, {.fd = -1, .id = 12}}};
}

static void end(void)
{
	s->base.ops->destroy(&s->base);
}

TREE_FIXTURE(begin, end)

static void put_into(struct perf_event_mmap_page *ring, uint32_t type, const uint64_t *quads,
		     size_t count)
{
	const struct perf_event_header header = {.type = type, .size = (uint16_t)(8 + 8 * count)};
	uint8_t *at = (uint8_t *)ring + PAGE + ring->data_head;

	memcpy(at, &header, sizeof(header));
	memcpy(at + sizeof(header), quads, 8 * count);
	ring->data_head += header.size;
}

static void put(uint32_t type, const uint64_t *quads, size_t count)
{
	put_into(page, type, quads, count);
}

#define PROCESS_RING_BYTES 65536

/* Adds rings of names, starts and ends of processes on two CPUs. */
static void add_process_rings(void)
{
	s->processes.rings = calloc(2, sizeof(*s->processes.rings));
	s->processes.count = 2;
	for (size_t i = 0; i < 2; i++)
		s->processes.rings[i] = (struct process_ring){
			.fd = -1, .mapping = make_ring(PROCESS_RING_BYTES, &process_pages[i])};
}

static void put_fork(size_t ring, unsigned pid, uint64_t time_ns)
{
	const uint64_t quads[] = {pid | UINT64_C(1) << 32, pid | UINT64_C(1) << 32, time_ns,
				  time_ns};

	put_into(process_pages[ring], PERF_RECORD_FORK, quads, COUNT_OF(quads));
}

static void put_sample(uint64_t id, uint64_t period, uint64_t enabled, uint64_t running)
{
	const uint64_t quads[] = {id, 0x401000, 1,	 0, 0x7000, 2, period,
				  0,  enabled,	running, 0, 0,	    0, 0x1000};

	put(PERF_RECORD_SAMPLE, quads, COUNT_OF(quads));
}

static void keep(void *context, const struct sample_record *record)
{
	(void)context;
	if (record_count < COUNT_OF(records))
		records[record_count++] = *record;
	last = *record;
}

static void take(void)
{
	record_count = 0;
	s->base.ops->read(&s->base, keep, NULL);
}

static size_t sample_count;

static void count_samples(void *context, const struct sample_record *record)
{
	(void)context;
	sample_count += record->kind == RECORD_SAMPLE;
}

TEST(test_events_of_one_ring_are_told_apart)
{
	put_sample(12, 7, 100, 100);
	put_sample(11, 5, 100, 100);
	put_sample(13, 5, 100, 100);
	put(PERF_RECORD_THROTTLE, (const uint64_t[3]){0}, 3);
	take();
	ck_assert_uint_eq(s->base.throttled, 1);
	ck_assert_uint_eq(record_count, 2);
	ck_assert(records[0].sample.event == 1 && records[0].sample.period == 7);
	ck_assert(records[1].sample.event == 0 && records[1].sample.period == 5);
	ck_assert_uint_eq(s->base.malformed, 1);
}

/* The sample is another program's, which samples the same software event. */
TEST(test_a_sample_of_the_only_event_may_have_the_id_of_another)
{
	s->base.sampling.event_count = 1;
	put_sample(11, 5, 100, 100);
	put_sample(13, 7, 100, 100);
	take();
	ck_assert_uint_eq(record_count, 2);
	ck_assert(records[1].sample.event == 0 && records[1].sample.period == 7);
	ck_assert_uint_eq(s->base.malformed, 0);
}

/* Samples of the kernel's own events are the shortest. */
TEST(test_all_samples_of_a_full_ring_are_passed)
{
	const uint64_t quads[SAMPLE_BYTES / 8 - 1] = {11};
	const size_t most = PAGE / SAMPLE_BYTES;

	s->layout.counter = false;
	for (size_t i = 0; i < most; i++)
		put(PERF_RECORD_SAMPLE, quads, COUNT_OF(quads));
	sample_count = 0;
	s->base.ops->read(&s->base, count_samples, NULL);
	ck_assert_uint_eq(sample_count, most);
	ck_assert_uint_eq(page->data_tail, page->data_head);
	ck_assert_uint_eq(s->base.malformed, 0);
}

/* The events of samples have no such records. */
TEST(test_a_record_of_a_process_among_samples_is_left_out)
{
	const uint64_t quads[] = {21, 0, 0, 0};

	put(PERF_RECORD_FORK, quads, COUNT_OF(quads));
	put_sample(11, 5, 100, 100);
	take();
	ck_assert(record_count == 1 && records[0].kind == RECORD_SAMPLE);
}

TEST(test_records_of_processes_come_before_samples_in_the_order_of_time)
{
	add_process_rings();
	put_sample(11, 5, 100, 100);
	put_fork(0, 21, 300);
	put_fork(0, 23, 500);
	put_fork(1, 20, 200);
	put_fork(1, 22, 400);
	take();
	ck_assert_uint_eq(record_count, 5);
	for (unsigned i = 0; i < 4; i++)
		ck_assert(records[i].kind == RECORD_FORK && records[i].pid == 20 + i);
	ck_assert_int_eq(records[4].kind, RECORD_SAMPLE);
	take();
	ck_assert_uint_eq(record_count, 0);
}

/* A record of a sample is not one of a process. */
TEST(test_a_malformed_record_of_a_process_is_counted)
{
	const uint64_t quads[14] = {0};

	add_process_rings();
	put_into(process_pages[0], PERF_RECORD_SAMPLE, quads, COUNT_OF(quads));
	put_into(process_pages[0], PERF_RECORD_COMM, quads, 1);
	put_fork(1, 20, 200);
	take();
	ck_assert_uint_eq(record_count, 1);
	ck_assert_uint_eq(s->base.malformed, 2);
}

/*
 * Losses are counted apart from samples: by read(2), and by records of kernels without counts
 * there.
 */
TEST(test_lost_records_of_processes_are_no_lost_samples)
{
	const uint64_t lost[] = {21, 42, 0}, by_read[] = {0, 50, 0, 60};

	add_process_rings();
	put_into(process_pages[0], PERF_RECORD_LOST, lost, COUNT_OF(lost));
	take();
	ck_assert_uint_eq(s->base.records_lost, 42);
	s->processes.says_lost = true;
	s->processes.rings[1].fd = file_of(by_read, sizeof(by_read));
	put_into(process_pages[1], PERF_RECORD_LOST, lost, COUNT_OF(lost));
	take();
	ck_assert_uint_eq(s->base.records_lost, 42);
	s->base.ops->update(&s->base);
	ck_assert_uint_eq(s->base.records_lost, 92);
	s->base.ops->update(&s->base);
	ck_assert_uint_eq(s->base.records_lost, 102);
	ck_assert_uint_eq(s->base.lost, 0);
}

static size_t taken[2];

static void count_by_cpu(void *context, const struct sample_record *record)
{
	(void)context;
	if (record->kind == RECORD_FORK)
		taken[record->pid / 1000 - 1]++;
}

/* Adds forks of pids from 1000 on to one ring, from 2000 on to the other. */
static void take_forks(unsigned first, unsigned second)
{
	for (size_t i = 0; i < 2; i++)
		process_pages[i]->data_head = process_pages[i]->data_tail = 0;
	for (unsigned i = 0; i < first; i++)
		put_fork(0, 1000 + i, i);
	for (unsigned i = 0; i < second; i++)
		put_fork(1, 2000 + i, i);
	taken[0] = taken[1] = 0;
	s->processes.refilled_ns = s->processes.lost = 0;
	s->base.ops->read(&s->base, count_by_cpu, NULL);
	ck_assert_uint_eq(s->base.records_lost, first + second - taken[0] - taken[1]);
	ck_assert(process_pages[0]->data_tail == process_pages[0]->data_head);
}

/* A reading takes 1000 records, the same from each CPU, and more from one if another needs less. */
TEST(test_records_beyond_the_budget_of_a_reading_are_dropped_and_counted)
{
	add_process_rings();
	take_forks(900, 900);
	ck_assert(taken[0] == 500 && taken[1] == 500);
	take_forks(900, 240);
	ck_assert(taken[0] == 760 && taken[1] == 240);
	take_forks(900, 100);
	ck_assert(taken[0] == 900 && taken[1] == 100);
	ck_assert_uint_eq(s->base.malformed, 0);
}

/* Mappings get the room that names leave, at least a quarter. */
TEST(test_a_storm_of_mappings_leaves_room_for_names)
{
	add_process_rings();
	s->processes.rings[1].mappings = true;
	take_forks(700, 900);
	ck_assert(taken[0] == 700 && taken[1] == 300);
	take_forks(900, 900);
	ck_assert(taken[0] == 750 && taken[1] == 250);
	take_forks(900, 60);
	ck_assert(taken[0] == 900 && taken[1] == 60);
	take_forks(10, 900);
	ck_assert(taken[0] == 10 && taken[1] == 900);
	take_forks(1500, 0);
	ck_assert(taken[0] == 1000 && taken[1] == 0);
}

/* An indivisible rest goes to another CPU in each reading. */
TEST(test_no_cpu_is_always_the_first)
{
	size_t sums[2] = {0, 0};

	add_process_rings();
	for (unsigned i = 0; i < 4; i++) {
		take_forks(900, 900);
		s->processes.room = 1;
		process_pages[0]->data_tail = process_pages[1]->data_tail = 0;
		s->processes.refilled_ns = UINT64_MAX;
		taken[0] = taken[1] = 0;
		s->base.ops->read(&s->base, count_by_cpu, NULL);
		ck_assert_uint_eq(taken[0] + taken[1], 1);
		sums[0] += taken[0];
		sums[1] += taken[1];
		take_forks(0, 0);
	}
	ck_assert(sums[0] == 2 && sums[1] == 2);
}

/* All readings take from the same budget, which is refilled as time passes. */
TEST(test_more_readings_take_no_more_records)
{
	add_process_rings();
	take_forks(900, 0);
	for (unsigned i = 0; i < 900; i++)
		put_fork(1, 2000 + i, i);
	s->processes.refilled_ns = UINT64_MAX;
	s->base.ops->read(&s->base, count_by_cpu, NULL);
	ck_assert(taken[0] == 900 && taken[1] == 100);
	ck_assert_uint_eq(s->base.records_lost, 800);
}

/* Dropped records are reported by process, consecutive ones in one record. */
TEST(test_what_is_dropped_is_said_of_each_process)
{
	add_process_rings();
	take_forks(900, 100);
	s->processes.refilled_ns = UINT64_MAX;
	for (unsigned i = 0; i < 3; i++)
		put_fork(0, 1000, i);
	put_fork(0, 1001, 3);
	take();
	ck_assert_uint_eq(record_count, 2);
	for (unsigned i = 0; i < 2; i++)
		ck_assert(records[i].kind == RECORD_PROCESS_LOST && records[i].pid == 1000 + i &&
			  records[i].lost == (i ? 1 : 3));
	ck_assert_uint_eq(s->base.records_lost, 4);
}

/* The kernel's own losses may be of any process: they come in the order of time, before samples. */
TEST(test_what_the_kernel_has_lost_is_said_before_samples)
{
	const uint64_t lost[] = {21, 42, 250};

	add_process_rings();
	put_sample(11, 5, 100, 100);
	put_fork(1, 7, 200);
	put_fork(1, 8, 300);
	put_into(process_pages[0], PERF_RECORD_LOST, lost, COUNT_OF(lost));
	take();
	ck_assert_uint_eq(record_count, 4);
	ck_assert(records[0].pid == 7 && records[2].pid == 8);
	ck_assert(records[1].kind == RECORD_PROCESS_LOST && !records[1].pid);
	ck_assert_int_eq(records[3].kind, RECORD_SAMPLE);
}

#define FULL 1600 /* forks that leave no room for any record */

static void fill_ring(void)
{
	process_pages[0]->data_head = process_pages[0]->data_tail = 0;
	for (unsigned i = 0; i < FULL; i++)
		put_fork(0, 1000, i);
	s->processes.refilled_ns = 0;
}

/* The report of a loss comes with the next record that finds room, maybe after the samples. */
TEST(test_a_ring_that_is_full_is_asked_what_was_lost)
{
	const uint64_t by_read[] = {0, 50, 0, 50, 0, 57, 0, 57};

	add_process_rings();
	s->processes.says_lost = true;
	s->processes.rings[0].fd = file_of(by_read, sizeof(by_read));
	put_fork(0, 1000, 1);
	take();
	ck_assert(record_count == 1 && s->base.records_lost == 0);
	fill_ring();
	take();
	ck_assert(last.kind == RECORD_PROCESS_LOST && !last.pid);
	ck_assert_uint_eq(s->base.records_lost, FULL - PROCESS_RECORDS_MOST + 50);
	/* the kernel has lost no more */
	fill_ring();
	take();
	ck_assert(last.kind == RECORD_PROCESS_LOST && last.pid == 1000);
	ck_assert_uint_eq(s->base.records_lost, 2 * (FULL - PROCESS_RECORDS_MOST) + 50);
	/* at the end of an interval each ring is asked */
	s->base.ops->update(&s->base);
	take();
	ck_assert(record_count == 1 && records[0].kind == RECORD_PROCESS_LOST);
	take();
	ck_assert_uint_eq(record_count, 0);
}

/* Kernels that report losses only in records are included. */
TEST(test_what_the_kernel_has_lost_is_counted_beyond_the_budget_too)
{
	const uint64_t lost[] = {21, 42, 0};

	add_process_rings();
	take_forks(900, 100);
	s->processes.refilled_ns = UINT64_MAX;
	put_into(process_pages[1], PERF_RECORD_LOST, lost, COUNT_OF(lost));
	put_fork(1, 2000, 1);
	s->base.ops->read(&s->base, count_by_cpu, NULL);
	ck_assert_uint_eq(s->base.records_lost, 43);
	ck_assert(taken[0] == 900 && taken[1] == 100);
	ck_assert_uint_eq(s->base.malformed, 0);
}

/* One event has its counter for a quarter of the time, the other always. */
TEST(test_samples_stand_for_the_time_without_a_counter_too)
{
	put_sample(11, 1000, 200, 100);
	put_sample(11, 1000, 400, 100);
	put_sample(12, 1000, 400, 400);
	take();
	ck_assert_uint_eq(records[0].sample.period, 4000);
	ck_assert_uint_eq(records[1].sample.period, 4000);
	ck_assert_uint_eq(records[2].sample.period, 1000);
	/* from then on only it has the counter */
	put_sample(11, 1000, 500, 200);
	take();
	ck_assert_uint_eq(records[0].sample.period, 1000);
}

/* read(2) counts records that the ring had no room for, but not those that never came to it. */
TEST(test_samples_that_never_came_to_the_ring_are_lost_too)
{
	const uint64_t lost[] = {11, 42}, never = 7;

	put(PERF_RECORD_LOST, lost, 2);
	put(PERF_RECORD_LOST_SAMPLES, &never, 1);
	take();
	ck_assert_uint_eq(s->base.lost, 7);
	s->layout.lost = false;
	put(PERF_RECORD_LOST, lost, 2);
	take();
	ck_assert_uint_eq(s->base.lost, 49);
}

/* Words of read(2): count, enabled, running, lost. */
TEST(test_a_cpu_whose_event_has_no_counter_is_named)
{
	const uint64_t first[] = {0, 1000, 1000, 0, 0, 3000, 1000, 5, 0, 4000, 2000, 5};
	const uint64_t second[] = {0, 1000, 0, 0, 0, 2000, 0, 0, 0, 3000, 0, 0};

	s->online = file_of("2\n", 2);
	s->streams[0].events[0].fd = file_of(first, sizeof(first));
	s->streams[0].events[1].fd = file_of(second, sizeof(second));
	s->base.ops->update(&s->base);
	/* the first event, whose rates count, was sampled on each CPU */
	ck_assert_uint_eq(s->base.unsampled, 0);
	ck_assert_str_eq(said, "loads is not sampled on cpu 2: the kernel gave it no counter, "
			       "because another event uses it");
	s->base.ops->update(&s->base);
	ck_assert_uint_eq(s->base.unsampled, 1);
	ck_assert_uint_eq(s->base.lost, 5);
	ck_assert_str_eq(said, "misses is not sampled on cpu 2: the kernel gave it no counter, "
			       "because another event uses it");
	s->base.ops->update(&s->base);
	ck_assert_uint_eq(s->base.unsampled, 0);
	ck_assert(s->base.times[0].enabled_ns == 4000 && s->base.times[0].running_ns == 2000);
	close(s->online);
	s->online = -1;
	close(s->streams[0].events[0].fd);
	close(s->streams[0].events[1].fd);
}

TEST(test_cpus_that_come_online_later_are_named)
{
	const uint64_t times[] = {0, 1000, 1000, 0, 0, 2000, 2000, 0};

	s->online = file_of("0-2,4-6,9\n", 10);
	s->streams[0].events[0].fd = file_of(times, sizeof(times));
	s->base.ops->update(&s->base);
	ck_assert_uint_eq(s->base.unsampled, 6);
	ck_assert_str_eq(said, "misses is not sampled on cpu 0-1,4-6,9: it came online after the "
			       "start: start cxlmon again");
	said[0] = '\0';
	s->base.ops->update(&s->base);
	ck_assert_str_eq(said, "");
	close(s->streams[0].events[0].fd);
}

/* The event's time passes only while the cgroup runs there. */
TEST(test_a_cpu_where_a_cgroup_does_not_run_is_not_named)
{
	const uint64_t times[8] = {0};

	s->cgroup = file_of("", 0);
	s->online = file_of("2\n", 2);
	s->streams[0].events[0].fd = file_of(times, sizeof(times));
	s->base.ops->update(&s->base);
	ck_assert_uint_eq(s->base.unsampled, 0);
	close(s->streams[0].events[0].fd);
}

/* sysfs has a threshold of 3 clocks, which each hit of a cache exceeds. */
TEST(test_an_event_has_its_own_threshold)
{
	static const struct perf_format formats[] = {
		{.name = "event", .word = 0, .bits = 0xFF},
		{.name = "ldlat", .word = 1, .bits = 0xFFFF},
		{.name = "umask", .word = 0, .bits = 0xFF00},
	};
	const struct perf_pmu pmu = {.name = "cpu",
				     .type = 4,
				     .formats = (struct perf_format *)formats,
				     .format_count = COUNT_OF(formats)};
	struct load_event event = {.name = "mem-loads",
				   .pmu = "cpu",
				   .alias = "mem-loads",
				   .leader = "mem-loads-aux",
				   .ldlat = 64};
	struct described_event out;

	tree_file("sys/bus/event_source/devices/cpu/events/mem-loads",
		  "event=0xcd,umask=0x1,ldlat=3\n");
	ck_assert_int_eq(sampler_describe(tree_root(), &pmu, &event, &out), 0);
	ck_assert(out.event.config[0] == 0x1cd && out.event.config[1] == 64);
	ck_assert(!out.has_leader);
	event.ldlat = 0;
	tree_file("sys/bus/event_source/devices/cpu/events/mem-loads-aux",
		  "event=0x03,umask=0x82\n");
	ck_assert_int_eq(sampler_describe(tree_root(), &pmu, &event, &out), 0);
	ck_assert(out.event.config[1] == 3);
	ck_assert(out.has_leader && out.leader.config[0] == 0x8203);
}

/* The running kernel. */

#define TOUCHED 64

static size_t touched[2];
static const char *memory;

static void count_touched(void *context, const struct sample_record *record)
{
	const char *at = (const char *)(uintptr_t)record->sample.address;

	(void)context;
	if (record->kind == RECORD_SAMPLE && record->sample.pid == (unsigned)getpid() &&
	    at >= memory && at < memory + (size_t)TOUCHED * PAGE)
		touched[record->sample.event]++;
}

static const struct load_event faults[] = {
	{.name = "page-faults", .pmu = "software", .terms = "config=2", .period = 1},
	{.name = "minor-faults", .pmu = "software", .terms = "config=5", .period = 1},
};

/* Opens a sampler; NULL: this kernel has none for this user. */
static struct sampler *open_sampler(struct platform *p, const struct load_sampling *sampling)
{
	struct sampler *sampler;
	struct error err;

	if (p->ops->samples->open(p, sampling, &sampler, &err)) {
		fprintf(stderr, "skipped: %s\n", err.text);
		return NULL;
	}
	ck_assert_int_eq(sampler->ops->enable(sampler, true), 0);
	return sampler;
}

static void touch(void)
{
	const size_t bytes = (size_t)TOUCHED * PAGE;
	char *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(pages, bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < TOUCHED; i++)
		((volatile char *)pages)[i * PAGE] = 1;
	memory = pages;
	munmap(pages, bytes);
}

static void count_touched_of(struct sampler *sampler)
{
	touched[0] = touched[1] = 0;
	sampler->ops->read(sampler, count_touched, NULL);
}

/*
 * Events page-faults and minor-faults: each has a sample of each page, unless another program has
 * one.
 */
TEST(test_two_events_of_this_kernel_share_a_ring)
{
	const struct load_sampling sampling = {.events = {&faults[0], &faults[1]},
					       .event_count = 2};
	struct platform *p;
	struct error err;

	ck_assert_int_eq(platform_linux("/", &(struct log){0}, &p, &err), 0);
	struct sampler *sampler = open_sampler(p, &sampling);
	if (sampler) {
		touch();
		count_touched_of(sampler);
		ck_assert(touched[0] == TOUCHED || sampler->malformed);
		ck_assert(touched[1] == TOUCHED || sampler->malformed);
		sampler->ops->update(sampler);
		ck_assert_uint_gt(sampler->times[1].running_ns, 0);
		ck_assert_uint_eq(sampler->times[1].running_ns, sampler->times[1].enabled_ns);
		sampler->ops->destroy(sampler);
	}
	platform_destroy(p);
}

TEST(test_samplers_of_one_event_of_this_kernel_have_all_samples_each)
{
	const struct load_sampling sampling = {.events = {&faults[1]}, .event_count = 1};
	struct platform *p;
	struct sampler *samplers[2];
	struct error err;

	ck_assert_int_eq(platform_linux("/", &(struct log){0}, &p, &err), 0);
	for (size_t i = 0; i < 2; i++)
		samplers[i] = open_sampler(p, &sampling);
	touch();
	for (size_t i = 0; i < 2 && samplers[i]; i++) {
		count_touched_of(samplers[i]);
		ck_assert_uint_eq(touched[0], TOUCHED);
		ck_assert_uint_eq(samplers[i]->malformed, 0);
		samplers[i]->ops->destroy(samplers[i]);
	}
	platform_destroy(p);
}
