/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/important.h"

#include <stddef.h>

#include "metrics/metric.h"
#include "unit.h"

TEST(test_important_metrics_exist_and_have_one_row)
{
	for (const struct important *i = important_metrics; i->name; i++) {
		ck_assert_msg(metric_by_name(i->name), "%s", i->name);
		for (const struct important *other = important_metrics; other < i; other++)
			ck_assert_str_ne(other->name, i->name);
	}
}

static unsigned metrics_at(enum important_place place)
{
	unsigned count = 0;

	for (const struct important *i = important_metrics; i->name; i++)
		count += i->rank[place] > 0;
	return count;
}

TEST_LOOP(test_ranks_of_a_place_have_no_gap, IMPORTANT_PLACES)
{
	const enum important_place place = (enum important_place)_i;
	unsigned rank = 1;

	while (important_at(place, rank))
		rank++;
	ck_assert_uint_eq(rank - 1, metrics_at(place));
}

TEST(test_tiles_begin_with_cxl_and_sockets_have_dram_before_latency)
{
	ck_assert_str_eq(important_at(IMPORTANT_TILES, 3), "cxl_read_latency_ns");
	ck_assert_str_eq(important_at(IMPORTANT_SOCKETS, 3), "dram_read_MBps");
	/* as many as the screen has room for */
	ck_assert_uint_eq(metrics_at(IMPORTANT_SOCKETS), 7);
}

TEST(test_a_picture_has_few_metrics_of_one_unit_and_a_title)
{
	for (enum picture picture = PICTURE_NONE + 1; picture < PICTURES; picture++) {
		const char *unit = NULL;
		unsigned count = 0;

		ck_assert_ptr_nonnull(picture_styles[picture].title);
		for (const struct important *i = important_metrics; i->name; i++) {
			if (i->picture != picture)
				continue;
			if (count++)
				ck_assert_str_eq(metric_by_name(i->name)->unit, unit);
			unit = metric_by_name(i->name)->unit;
		}
		ck_assert(count >= 2 && count <= PICTURE_METRICS);
	}
}

TEST(test_errors_throttling_and_health_are_trouble_and_traffic_is_not)
{
	ck_assert(important_is_trouble("crc_errors_per_s"));
	ck_assert(important_is_trouble("dram_power_throttled_pct"));
	ck_assert(important_is_trouble("health"));
	ck_assert(!important_is_trouble("cxl_mem_read_MBps"));
	ck_assert(!important_is_trouble("of_a_user"));
}
