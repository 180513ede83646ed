/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/hot_report.h"

#include <math.h>

const unsigned heat_percents[HEAT_PARTS] = {50, 90, 99};

double hot_per_s(const struct hot_report *report, const struct hot_row *row, enum hot_memory memory)
{
	return report->event->counts
		       ? (double)row->counts[report->time][memory].events / report->seconds
		       : NAN;
}

double hot_MBps(const struct hot_report *report, const struct hot_row *row, enum hot_memory memory)
{
	return report->event->no_loads ? NAN
				       : hot_per_s(report, row, memory) * HOT_LINE_BYTES / 1e6;
}

double hot_share_pct(const struct hot_report *report, const struct hot_row *row)
{
	const double share = 100 * hot_MBps(report, row, MEMORY_CXL) / report->cxl_MBps;

	return isfinite(share) ? share : NAN;
}

double hot_latency(const struct hot_report *report, const struct hot_row *row,
		   enum hot_memory memory, unsigned percent)
{
	const struct latencies *latencies = &row->latencies[report->time][memory];

	if (percent < 100)
		return latencies_percentile(latencies, percent);
	return latencies->count ? latencies->max : NAN;
}

uint64_t hot_samples(const struct hot_report *report, const struct hot_row *row,
		     enum hot_memory memory)
{
	return row->counts[report->time][memory].samples;
}

double hot_unseen_GiB(const struct hot_node *node)
{
	const double unseen = node->used_GiB - heat_GiB(node->heat.ranges);

	return unseen < 0 ? 0 : unseen;
}

static void add_rate(double *rate, double seconds, double added, double added_seconds)
{
	*rate = (*rate * seconds + added * added_seconds) / (seconds + added_seconds);
}

void hot_report_add(struct hot_report *run, const struct hot_report *interval)
{
	add_rate(&run->cxl_MBps, run->seconds, interval->cxl_MBps, interval->seconds);
	add_rate(&run->dram_MBps, run->seconds, interval->dram_MBps, interval->seconds);
	add_rate(&run->cost_pct, run->seconds, interval->cost_pct, interval->seconds);
	run->seconds += interval->seconds;
	run->missed += interval->missed;
	run->lost += interval->lost;
	run->throttled += interval->throttled;
	run->wall_ns = interval->wall_ns;
	run->timed = interval->timed;
	run->period = interval->period;
	run->coolings = interval->coolings;
	run->left_out = interval->left_out;
	if (!interval->node_count)
		return;
	run->nodes = interval->nodes;
	run->node_count = interval->node_count;
	run->colder_dram_GiB = interval->colder_dram_GiB;
	run->hot_cxl_GiB = interval->hot_cxl_GiB;
}
