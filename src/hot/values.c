/* SPDX-License-Identifier: BSD-3-Clause */
/* What the samples of a row say. */
#include <math.h>

#include "hot/print.h"

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

/* The CXL node whose hot ranges are the hottest. */
static const struct hot_node *hottest(const struct hot_report *report)
{
	const struct hot_node *found = NULL;

	for (size_t i = 0; i < report->node_count; i++)
		if (report->nodes[i].cxl &&
		    (!found || report->nodes[i].heat.least[0] > found->heat.least[0]))
			found = &report->nodes[i];
	return found;
}

bool hot_misplaced(const struct hot_report *report, double *cold_GiB, double *hot_GiB)
{
	const struct hot_node *cxl = hottest(report);
	bool any = false;

	*cold_GiB = 0;
	for (size_t i = 0; cxl && i < report->node_count; i++) {
		const struct hot_node *node = &report->nodes[i];

		if (node->cxl)
			continue;
		any = true;
		*cold_GiB += heat_GiB(hot_heat_colder(report->heat, node->heat.node,
						      cxl->heat.least[0])) +
			     (isnan(node->used_GiB) ? 0 : hot_unseen_GiB(node));
	}
	*hot_GiB = cxl ? heat_GiB(cxl->heat.parts[0]) : 0;
	return any;
}
