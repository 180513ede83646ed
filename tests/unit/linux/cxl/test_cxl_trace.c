/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/cxl/cxl.h"
#include "linux/cxl/cxl_private.h"

#include "platform/cpus.h"
#include "unit.h"

#define EVENTS "sys/kernel/tracing/events/cxl/"

static struct cpu_location cpu;
static const struct topology topology = {&cpu, 1};
static struct error err;

/* Pages without the page in front of each ring. */
TEST(test_rings_of_all_CPUs_have_1024_pages_at_most_or_one_each)
{
	static const struct {
		size_t cpus, pages;
	} rows[] = {{1, 16},  {64, 16}, {65, 8},  {128, 8},  {129, 4}, {256, 4},
		    {257, 2}, {512, 2}, {513, 1}, {1024, 1}, {8192, 1}};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		ck_assert_uint_eq(cxl_trace_pages(rows[i].cpus), rows[i].pages);
}

TREE_FIXTURE(NULL, NULL)

TEST(test_a_kernel_without_events_of_cxl_has_none)
{
	struct platform *p = tree_platform();
	struct cxl_event event;
	uint64_t lost = 0;

	ck_assert_int_eq(linux_cxl_events_open(p, &topology, &err), 0);
	ck_assert(!linux_cxl_events_next(p, 0, &event, &lost));
	ck_assert_uint_eq(lost, 0);
}

/* No tracepoint has such a number. */
TEST(test_events_that_the_kernel_refuses_are_an_error_and_leave_nothing_open)
{
	struct platform *p = tree_platform();
	const size_t descriptors = count_descriptors();
	struct cxl_event event;
	uint64_t lost = 0;

	tree_file(EVENTS "cxl_overflow/format",
		  "name: cxl_overflow\nID: 2000000000\nformat:\n"
		  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n");
	ck_assert_int_lt(linux_cxl_events_open(p, &topology, &err), 0);
	assert_contains(err.text, "the kernel's CXL events cannot be read: ");
	ck_assert_uint_eq(count_descriptors(), descriptors);
	ck_assert(!linux_cxl_events_next(p, 0, &event, &lost));
}
