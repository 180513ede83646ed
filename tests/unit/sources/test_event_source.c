/* SPDX-License-Identifier: BSD-3-Clause */
#include "sources/sources.h"

#include "allocations.h"
#include "base/number.h"
#include "counts/sample.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "tests/ops_copy.h"
#include "unit.h"

static struct platform *platform;
static struct sources sources;
static uint64_t begin;
static struct marks marks;

static void start(const char *spec)
{
	const struct topology none = {.count = 0};
	struct error err;

	sources_close(&sources);
	platform = sim_make(spec);
	begin = platform->ops->clock->wall(platform);
	ck_assert_int_eq(event_source_open(&sources.events, platform, &none, &err), 0);
}

static void tear_down(void)
{
	platform = NULL;
	sources_close(&sources);
}

FIXTURE(NULL, tear_down)

static uint64_t counted(void)
{
	uint64_t sum = sources.events.lost;

	for (size_t i = 0; i < sources.events.count_count; i++)
		sum += sources.events.counts[i].count;
	return sum;
}

static void read_at(unsigned s)
{
	marks.count = marks.more = 0;
	sources_update(&sources, &(struct sample){.wall_ns = begin + s * NS_PER_S}, &marks);
}

TEST(test_events_until_a_sample_are_marked_with_their_times)
{
	start("spr,clock=virtual,events=2");
	read_at(2);
	ck_assert_uint_eq(marks.count, 4);
	ck_assert_uint_eq(marks.items[0].wall_ns, begin + NS_PER_S / 2);
	ck_assert_uint_eq(marks.items[3].wall_ns, begin + 2 * NS_PER_S);
	ck_assert_int_eq(marks.items[0].kind, MARK_EVENT);
	ck_assert_str_eq(marks.items[0].device, "mem0");
	read_at(2);
	ck_assert_uint_eq(marks.count, 0);
	ck_assert_uint_eq(counted(), 4);
}

TEST(test_a_storm_is_counted_and_marked_a_few_times)
{
	uint64_t marked = 0;

	start("spr,clock=virtual,events=10000");
	for (unsigned s = 1; s <= 60; s++) {
		read_at(s);
		marked += marks.count;
		ck_assert_uint_eq(marks.more, 0);
	}
	ck_assert_uint_eq(counted(), 600000);
	ck_assert_uint_eq(sources.events.lost, 0);
	/* for each of 4 kinds: 4, and at the samples 1, 2, 4, 8, 16 and 32 */
	ck_assert_uint_eq(marked, 4 * (4 + 6));
}

/* Number of devices and kinds, more than there is room for. */
static unsigned sent;

static bool next_of_many(struct platform *p, uint64_t wall_ns, struct cxl_event *out,
			 uint64_t *lost)
{
	(void)p;
	(void)wall_ns;
	*out = (struct cxl_event){.kind = CXL_EVENT_POISON};
	snprintf(out->device, sizeof(out->device), "mem%u", sent);
	*lost += sent == 1;
	return sent++ < 3 * CXL_EVENTS_COUNTS;
}

TEST(test_what_has_no_room_is_counted_as_lost)
{
	struct ops_copy ops;

	start("spr,events=1,clock=virtual");
	ops_copy_init(&ops, platform->ops);
	ops.cxl.events_next = next_of_many;
	sources.events.base.platform = &(struct platform){.ops = &ops.ops};
	sent = 0;
	begin = 0;
	read_at(0);
	ck_assert_uint_eq(sources.events.count_count, CXL_EVENTS_COUNTS);
	ck_assert_uint_eq(sources.events.lost, 2 * CXL_EVENTS_COUNTS + 1);
	ck_assert_uint_eq(marks.count + marks.more, CXL_EVENTS_COUNTS);
}

TEST(test_a_platform_without_events_marks_none)
{
	start("spr,clock=virtual");
	read_at(1000);
	ck_assert_uint_eq(marks.count, 0);
}

/* The monitor goes on without events if they cannot be opened. */
TEST(test_a_source_that_runs_out_of_memory_is_not_open)
{
	const struct topology none = {.count = 0};
	struct error err;
	int rc = -ENOMEM;

	platform = sim_make("spr,clock=virtual,events=2");
	begin = platform->ops->clock->wall(platform);
	for (size_t nth = 1; rc; nth++) {
		allocations_fail(nth);
		rc = event_source_open(&sources.events, platform, &none, &err);
		allocations_fail(0);
		ck_assert(rc == 0 || rc == -ENOMEM);
		ck_assert_int_eq(sources.events.base.kind != NULL, rc == 0);
		if (rc)
			read_at(1);
	}
}
