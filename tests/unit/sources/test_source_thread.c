/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources that a thread reads: the readings of each row. */
#include <math.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/number.h"
#include "counts/sample.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "poller/timetable.h"
#include "sources/sources.h"
#include "unit.h"

#define S NS_PER_S

/* A kernel whose clock, and counter of promotions, a test sets. */
static struct kernel {
	struct platform base;
	_Atomic uint64_t at_ns, promoted, readings;
	atomic_bool blocked; /* files do not respond */
} kernel;

static struct sources sources;
static struct marks marks;
static struct error err;
static char said[8][256];
static size_t said_count;

static int list_nodes(struct platform *p, int **nodes, size_t *count, struct error *e)
{
	(void)p;
	(void)e;
	*count = 1;
	*nodes = calloc(1, sizeof(**nodes));
	ck_assert_ptr_nonnull(*nodes);
	return 0;
}

static int read_node(struct platform *p, int node, uint64_t wall_ns, struct kernel_stats *out)
{
	(void)p;
	(void)wall_ns;
	if (node != NODE_MACHINE)
		atomic_fetch_add(&kernel.readings, 1);
	while (atomic_load(&kernel.blocked))
		sched_yield();
	*out = kernel_stats_unknown(atomic_load(&kernel.at_ns));
	out->values[NODE_PROMOTED] = (double)atomic_load(&kernel.promoted);
	return 0;
}

static uint64_t now(struct platform *p)
{
	(void)p;
	return atomic_load(&kernel.at_ns);
}

static void say(void *context, enum log_level level, const char *text)
{
	(void)context;
	(void)level;
	if (said_count < COUNT_OF(said))
		snprintf(said[said_count++], sizeof(said[0]), "%s", text);
}

static const struct clock_ops kernel_clock = {.now = now, .wall = now};
static const struct memory_ops kernel_memory = {.nodes = list_nodes, .stats = read_node};
static const struct platform_ops ops = {
	.clock = &kernel_clock, .cxl = &(const struct cxl_ops){0}, .memory = &kernel_memory};

/* Makes the thread read only on request: its next deadline is far away. */
static void set_up(void)
{
	const struct deadlines samples = {.interval = S, .next = UINT64_MAX / 2};

	kernel = (struct kernel){.base = {.ops = &ops, .log = {.write = say}}};
	atomic_store(&kernel.at_ns, S);
	said_count = 0;
	sources = (struct sources){.sample_ns = S};
	ck_assert_int_eq(node_source_open(&sources.nodes, &kernel.base, &err), 0);
	sources.nodes.nodes[0].shown = true;
	ck_assert_int_eq(sources_start(&sources, &samples, &err), 0);
}

static void tear_down(void)
{
	atomic_store(&kernel.blocked, false);
	sources_close(&sources);
}

FIXTURE(set_up, tear_down)

static void wait_for_readings(size_t count)
{
	while (slot_ring_count(sources.nodes.base.ring) < count)
		sources_read_now(&sources);
}

/* Makes a reading at a time, which no row has taken yet. */
static void read_at(uint64_t s, uint64_t promoted)
{
	const size_t before = slot_ring_count(sources.nodes.base.ring);

	atomic_store(&kernel.at_ns, s * S);
	atomic_store(&kernel.promoted, promoted);
	wait_for_readings(before + 1);
}

/* Returns promotions per second in the row of a sample at that time. */
static double row_at(uint64_t s, double *seconds)
{
	const struct place place = {.kind = ROW_NODE};
	const struct source_cell cell = {.place = &place};
	const struct sample sample = {.wall_ns = s * S, .at_ns = s * S};
	struct input_value item;
	struct inputs inputs = {.items = &item};
	const struct source *nodes = &sources.nodes.base;

	sources_update(&sources, &sample, &marks);
	*seconds = nodes->kind->inputs(nodes, &cell, metric_by_name("promoted_per_s"), &inputs);
	return inputs.formula ? item.per_second : NAN;
}

static void assert_row(uint64_t s, double per_s, double seconds)
{
	double found_s;

	assert_double(row_at(s, &found_s), per_s, 0);
	assert_double(found_s, seconds, 0);
}

TEST(test_rows_that_have_waited_have_the_readings_of_their_own_times)
{
	read_at(2, 100);
	read_at(3, 400);
	read_at(4, 400);
	assert_row(2, 100, 1);
	assert_row(3, 300, 1);
	assert_row(4, 0, 1);
}

TEST(test_a_row_without_a_reading_has_no_rate_and_the_next_has_all_since_the_one_before)
{
	read_at(2, 100);
	assert_row(2, 100, 1);
	assert_row(3, NAN, NAN);
	assert_row(4, NAN, NAN);
	read_at(5, 700);
	assert_row(5, 200, 3);
}

TEST(test_a_reading_after_a_row_is_of_the_next_one)
{
	read_at(3, 100);
	assert_row(2, NAN, NAN);
	assert_row(3, 50, 2);
}

TEST(test_a_row_has_all_readings_until_its_time)
{
	read_at(2, 100);
	read_at(3, 300);
	assert_row(4, 150, 2);
	read_at(5, 300);
	assert_row(5, 0, 2);
}

TEST(test_a_file_that_does_not_answer_delays_no_row_and_is_reported_once)
{
	const uint64_t before = atomic_load(&kernel.readings);

	read_at(2, 100);
	assert_row(2, 100, 1);
	atomic_store(&kernel.blocked, true);
	while (atomic_load(&kernel.readings) < before + 2)
		sources_read_now(&sources);
	for (uint64_t s = 3; s < 8; s++)
		assert_row(s, NAN, NAN);
	ck_assert_uint_eq(said_count, 1);
	assert_contains(said[0], "nodes: the kernel has not answered for 3 s");
	atomic_store(&kernel.at_ns, 8 * S);
	atomic_store(&kernel.promoted, 700);
	atomic_store(&kernel.blocked, false);
	wait_for_readings(1);
	assert_row(8, 100, 6);
	ck_assert_uint_eq(said_count, 2);
	assert_contains(said[1], "nodes: the kernel answers again");
}

TEST(test_what_has_no_room_is_in_a_later_reading)
{
	double sum = 0, seconds;
	uint64_t s = 2;

	for (; s < 1000; s++) {
		atomic_store(&kernel.at_ns, s * S);
		atomic_store(&kernel.promoted, 10 * (s - 1));
		sources_read_now(&sources);
	}
	for (uint64_t row = 2; row < s; row++) {
		const double per_s = row_at(row, &seconds);

		if (!isnan(per_s))
			sum += per_s * seconds;
	}
	read_at(s, 10 * (s - 1));
	sum += row_at(s, &seconds) * seconds;
	assert_double(sum, 10 * ((double)s - 1), 1e-6);
}

/* At any times of readings and rows, every count is in exactly one row. */
TEST_LOOP(test_amounts_are_conserved_whenever_files_are_read, 20)
{
	uint64_t random = 1 + (uint64_t)_i, counted = 0, time = 1;
	double sum = 0, seconds;

	for (unsigned step = 0; step < 60; step++) {
		random = random * 6364136223846793005U + 1442695040888963407U;
		time += 1 + (random >> 33) % 3;
		counted += (random >> 40) % 1000;
		if (random >> 60 & 1 && slot_ring_count(sources.nodes.base.ring) < 8)
			read_at(time, counted);
		const double per_s =
			random >> 61 & 1 ? row_at(time - (random >> 50) % 2, &seconds) : NAN;

		ck_assert(isnan(per_s) || per_s >= 0);
		if (!isnan(per_s))
			sum += per_s * seconds;
	}
	read_at(++time, counted);
	const double last = row_at(time, &seconds);
	sum += isnan(last) ? 0 : last * seconds;
	assert_double(sum, (double)counted, 1e-6);
}
