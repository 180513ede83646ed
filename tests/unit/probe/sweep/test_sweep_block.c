/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/sweep/sweep_block.h"

#include <math.h>

#include "probe/sweep/sweep_point.h"
#include "unit.h"

static struct bytes file;
static struct sweep_point seen;

static void tear_down(void)
{
	bytes_free(&file);
}

FIXTURE(NULL, tear_down)

/* Whether it is valid, and is all that was written. */
static bool recode(const struct sweep_point *point)
{
	sweep_block.encode(&(struct coder){.out = &file}, point);
	struct coder c = {.at = file.data, .left = file.size};
	ck_assert_int_eq(sweep_block.decode(&c, &seen), 0);
	return !c.bad && !c.left;
}

TEST(test_a_point_is_kept_to_the_last_bit)
{
	static const struct sweep_point point = {
		.node = 2,
		.socket = 1,
		.read_share = 2 / 3.0,
		.asked_MBps = 1e4 / 3,
		.read_MBps = 0,
		.write_MBps = NAN,
		.chase_ns = 320.25,
		.start_ns = UINT64_C(1767225600123456789),
		.end_ns = UINT64_MAX,
	};

	ck_assert(recode(&point));
	ck_assert_int_eq(seen.node, 2);
	ck_assert_int_eq(seen.socket, 1);
	ck_assert_double_eq(seen.read_share, 2 / 3.0);
	ck_assert_double_eq(seen.asked_MBps, 1e4 / 3);
	ck_assert_double_eq(seen.read_MBps, 0);
	ck_assert_double_nan(seen.write_MBps);
	ck_assert_double_eq(seen.chase_ns, 320.25);
	ck_assert_uint_eq(seen.start_ns, UINT64_C(1767225600123456789));
	ck_assert_uint_eq(seen.end_ns, UINT64_MAX);
}

static const struct sweep_point impossible[] = {
	{.node = -1, .read_share = 1},
	{.node = 1, .read_share = NAN},
	{.node = 1, .read_share = 1.25},
	{.node = 1, .read_share = -0.25},
	{.node = 1, .read_share = 1, .read_MBps = -1},
	{.node = 1, .read_share = 1, .write_MBps = 1e300},
	{.node = 1, .read_share = 1, .chase_ns = -1},
	{.node = 1, .read_share = 1, .asked_MBps = -1},
};

TEST_LOOP(test_points_that_can_not_be_are_damage, COUNT_OF(impossible))
{
	ck_assert(!recode(&impossible[_i]));
}
