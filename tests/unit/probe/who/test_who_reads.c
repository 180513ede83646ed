/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampled reads in who, hot and top: the same on one simulated machine. */
#include "probe/who/who.h"

#include <math.h>
#include <stdio.h>

#include "probe/top/top.h"
#include "uncore/models/models.h"
#include "unit.h"

#define INTERVALS 3
#define PROCESSES 6

static const struct log silent;
static struct error err;
static char spec[128];
/* reads per second from CXL memory, by interval and process */
static double reads[INTERVALS][PROCESSES], sums[INTERVALS];

static double *reads_of(unsigned interval, unsigned pid)
{
	ck_assert(pid > 1000 && pid <= 1000 + PROCESSES);
	return &reads[interval][pid - 1001];
}

/* Reads by hot. Returns false if the processor's samples do not count loads. */
static bool read_hot(void)
{
	const struct load_run_options options = {.session = {.sim = spec, .interval_ns = NS_PER_S},
						 .samples_alone = true};
	static struct load_run hot;
	bool known = false;

	ck_assert_msg(!load_run_open(&options, &silent, &hot, &err), "%s", err.text);
	load_run_begin(&hot);
	for (unsigned i = 0; i < INTERVALS; i++) {
		ck_assert_int_eq(load_run_wait(&hot, &(int){0}, &err), 0);
		ck_assert_int_eq(load_run_take(&hot, false, &err), 1);
		sums[i] = report_per_s(&hot.report, hot.report.all, MEMORY_CXL);
		known = sums[i] > 0;
		for (size_t r = 0; r < hot.report.count; r++)
			*reads_of(i, hot.report.rows[r]->pid) =
				report_per_s(&hot.report, hot.report.rows[r], MEMORY_CXL);
		ck_assert_int_eq(load_run_next(&hot, &err), 0);
	}
	load_run_close(&hot, NULL);
	return known;
}

static void compare_who(enum row_by by)
{
	const struct who_options options = {
		.session = {.sim = spec, .interval_ns = NS_PER_S}, .sampled = true, .by = by};
	static struct who who;

	ck_assert_msg(!who_open(&options, &silent, &who, &err), "%s", err.text);
	ck_assert_msg(!who_next(&who, &err), "%s", err.text);
	for (unsigned i = 0; i < INTERVALS; i++) {
		double sum = 0;

		ck_assert_msg(!who_next(&who, &err), "%s", err.text);
		const struct who_rows *rows = who_shown(&who.watch.scan, by);
		for (size_t r = 0; r < rows->count; r++) {
			if (by == BY_PROCESS)
				ck_assert_double_eq(rows->at[r].reads.cxl.per_s,
						    *reads_of(i, rows->at[r].is.pid));
			sum += rows->at[r].reads.cxl.per_s;
		}
		ck_assert_double_eq_tol(sum, sums[i], 1);
	}
	ck_assert_int_eq(who_close(&who, &err), 0);
}

static void compare_top(void)
{
	const struct top_options options = {.sim = spec};
	static struct top top;

	top_prepare(&options, &top);
	ck_assert_msg(!top_open(&top, &err) && !top_begin(&top, &err), "%s", err.text);
	for (unsigned i = 0; i < INTERVALS; i++) {
		top.p->ops->clock->sleep_until(top.p, (i + 1) * NS_PER_S, NULL, &(int){0});
		ck_assert_msg(!top_update(&top, &err), "%s", err.text);
		for (size_t r = 0; r < top.summary.row_count; r++)
			ck_assert_double_eq(top.rows[r].reads.cxl.MBps,
					    *reads_of(i, top.rows[r].is.pid) * LOAD_LINE_BYTES /
						    1e6);
	}
	top_close(&top);
}

TEST(test_who_hot_and_top_agree_to_the_sample_on_each_processor)
{
	unsigned agreed = 0;

	for (const struct model *model = NULL; (model = model_next_simulated(model));) {
		snprintf(spec, sizeof(spec),
			 "%s,sockets=2,cpus=4,read=20,dram_read=10,ramp=2,clock=virtual,readers=6",
			 model->short_name);
		if (!model->load_events || !read_hot())
			continue;
		compare_who(BY_PROCESS);
		compare_who(BY_USER);
		compare_who(BY_CGROUP);
		compare_top();
		agreed++;
	}
	ck_assert_uint_gt(agreed, 5);
}
