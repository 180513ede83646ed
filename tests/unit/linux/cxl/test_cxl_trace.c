/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/cxl/cxl_trace.h"

#include "unit.h"

/* Without the page in front of each ring. */
TEST(test_rings_of_all_CPUs_have_1024_pages_at_most_or_one_each)
{
	static const struct {
		size_t cpus, pages;
	} rows[] = {{1, 16},  {64, 16}, {65, 8},  {128, 8},  {129, 4}, {256, 4},
		    {257, 2}, {512, 2}, {513, 1}, {1024, 1}, {8192, 1}};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		ck_assert_uint_eq(cxl_trace_pages(rows[i].cpus), rows[i].pages);
}
