/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/reads.h"

#include <math.h>

#include "probe/who/watch.h"
#include "unit.h"

/* CPU n reads n x 100 MB/s; the reads of CPU 9 are unknown. */
static double reads(const void *context, unsigned cpu)
{
	(void)context;
	return cpu == 9 ? NAN : 100.0 * cpu;
}

static struct row_thread threads[8];
static struct process_row processes[3];
static struct who_scan scan = {.processes = {processes, 3}};

static void begin(void)
{
	memset(threads, 0, sizeof(threads));
	for (size_t i = 0; i < 3; i++)
		processes[i] = (struct process_row){
			.threads = {&threads[2 * i], .count = 2, .known = true}};
}

static void estimate(double first, double second, double third)
{
	const double expected[] = {first, second, third};

	ck_assert_int_eq(who_estimate(&scan, reads, NULL), 0);
	for (size_t i = 0; i < 3; i++)
		ck_assert_msg(processes[i].counted.read_MBps == expected[i] ||
				      (isnan(processes[i].counted.read_MBps) && isnan(expected[i])),
			      "process %zu: %f, expected %f", i, processes[i].counted.read_MBps,
			      expected[i]);
}

FIXTURE(begin, NULL)

TEST(test_reads_of_a_cpu_are_split_by_cpu_time)
{
	threads[0] = (struct row_thread){.cpu = 4, .ran = 30};
	threads[1] = (struct row_thread){.cpu = 2, .ran = 1};
	threads[2] = (struct row_thread){.cpu = 4, .ran = 10};
	estimate(500, 100, 0);
}

TEST(test_a_thread_that_has_not_run_has_read_nothing)
{
	threads[0] = (struct row_thread){.cpu = 4, .ran = 0};
	threads[2] = (struct row_thread){.cpu = 4, .ran = 1};
	threads[4] = (struct row_thread){.cpu = 9, .ran = 0};
	estimate(0, 400, 0);
}

TEST(test_what_is_not_known_stays_unknown)
{
	threads[0] = (struct row_thread){.cpu = 9, .ran = 1};
	threads[1] = (struct row_thread){.cpu = 1, .ran = 1};
	threads[2] = (struct row_thread){.cpu = 1, .ran = 3};
	processes[2].threads.known = false;
	threads[4] = (struct row_thread){.cpu = 1, .ran = 100};
	estimate(NAN, 75, NAN);
}

TEST(test_a_cpu_that_can_not_be_is_left_out)
{
	threads[0] = (struct row_thread){.cpu = WHO_CPUS_MOST, .ran = 1};
	threads[1] = (struct row_thread){.cpu = 1, .ran = 1};
	estimate(100, 0, 0);
}
