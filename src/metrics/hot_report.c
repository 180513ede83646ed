/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/hot_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "platform/text.h"

const unsigned heat_percents[HEAT_PARTS] = {50, 90, 99};

const char *const hot_latency_names[2][4] = {
	{"cxl_p50_ns", "cxl_p90_ns", "cxl_p99_ns", "cxl_max_ns"},
	{"dram_p50_ns", "dram_p90_ns", "dram_p99_ns", "dram_max_ns"},
};

double hot_cost_pct(const struct hot_report *report)
{
	return 100 * (double)report->cost_ns / (double)report->ns;
}

double hot_counted_MBps(const struct hot_report *report, enum hot_memory memory)
{
	return report->counted_MB[memory] / hot_seconds(report);
}

double hot_per_s(const struct hot_report *report, const struct hot_row *row, enum hot_memory memory)
{
	return report->event->counts
		       ? (double)row->counts[report->time][memory].events / hot_seconds(report)
		       : NAN;
}

double hot_MBps(const struct hot_report *report, const struct hot_row *row, enum hot_memory memory)
{
	return report->event->no_loads ? NAN
				       : hot_per_s(report, row, memory) * HOT_LINE_BYTES / 1e6;
}

double hot_share_pct(const struct hot_report *report, const struct hot_row *row)
{
	const double share =
		100 * hot_MBps(report, row, MEMORY_CXL) / hot_counted_MBps(report, MEMORY_CXL);

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

void hot_report_add(struct hot_report *run, const struct hot_report *interval)
{
	for (size_t m = 0; m < 2; m++)
		run->counted_MB[m] += interval->counted_MB[m];
	run->ns += interval->ns;
	run->cost_ns += interval->cost_ns;
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

const char *hot_row_title(const struct hot_report *report, const struct hot_row *row,
			  char text[HOT_TITLE_SIZE])
{
	*text = '\0';
	if (row == report->others)
		text_append(text, HOT_TITLE_SIZE, " (others)");
	if (row == report->all)
		text_append(text, HOT_TITLE_SIZE, " (all)");
	if (row->pid)
		text_append(text, HOT_TITLE_SIZE, " %u", row->pid);
	if (row->command)
		text_append(text, HOT_TITLE_SIZE, " %s", hot_name(report->names, row->command));
	if (row->pid && !strcmp(report->by, "function"))
		text_append(text, HOT_TITLE_SIZE, " %s",
			    row->function ? hot_name(report->names, row->function) : "?");
	if (row->name)
		text_append(text, HOT_TITLE_SIZE, " %s", hot_name(report->names, row->name));
	if (row->address)
		text_append(text, HOT_TITLE_SIZE, " 0x%" PRIx64, row->address);
	if (row->node >= 0)
		text_append(text, HOT_TITLE_SIZE, " node %d", row->node);
	if (!*text)
		text_append(text, HOT_TITLE_SIZE, " ?");
	return text + 1;
}

struct hot_histogram hot_histogram_of(const struct heat_node *heat)
{
	struct hot_histogram histogram = {.used = 0};

	for (size_t i = 0; i < HEAT_BUCKETS; i++) {
		if (heat->buckets[i])
			histogram.used = i + 1;
		if (heat->buckets[i] > histogram.most)
			histogram.most = heat->buckets[i];
	}
	return histogram;
}
