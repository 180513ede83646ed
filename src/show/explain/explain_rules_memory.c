/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules about the place of memory and its readers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "platform/memory.h"
#include "show/explain/explain_rules.h"

#define UNEVEN_PART	    0.1
#define UPI_NEARLY_FULL_PCT 90
#define FULL_FREE_PCT	    10
#define MOVED_PER_S	    100 /* pages per second */
#define THRASHED_PART	    0.5
#define MISPLACED_PCT	    10 /* percent of all reads that are from CXL memory */

/* Returns whether another region also has the device. */
static bool is_shared(const struct explain *e, const struct cxl_region *region, const char *device)
{
	for (size_t r = 0; r < e->info->memory.region_count; r++) {
		const struct cxl_region *other = &e->info->memory.regions[r];

		for (size_t i = 0; other != region && i < other->device_count; i++)
			if (!strcmp(other->devices[i], device))
				return true;
	}
	return false;
}

static bool is_not_interleaved(const struct situation *s)
{
	return s->region->ways == 1;
}

/* Compares the devices over which addresses are spread evenly; all must be known. */
static enum answer is_uneven(struct situation *s)
{
	const struct cxl_region *region = s->region;
	const double *traffic = s->figures;
	size_t most = 0, least = 0;

	if (region->device_count < 2 || region->device_count < region->ways)
		return not_known(s, "not all devices of a region are known");
	for (size_t i = 0; i < region->device_count; i++) {
		if (is_shared(s->explain, region, region->devices[i]))
			return not_known(s, "devices are shared by regions");
		if (isnan(traffic[i]))
			return not_known(s, "traffic of a device is unknown, or counted "
					    "differently from the others");
		most = traffic[i] > traffic[most] ? i : most;
		least = traffic[i] < traffic[least] ? i : least;
	}
	set_number(s, "most_MBps", traffic[most], 0);
	set_number(s, "least_MBps", traffic[least], 0);
	snprintf(s->text, sizeof(s->text), "%s moves %.1f GB/s, but %s only %.1f GB/s",
		 region->devices[most], traffic[most] / 1e3, region->devices[least],
		 traffic[least] / 1e3);
	if (region->granularity)
		text_append(s->text, sizeof(s->text),
			    "; addresses go to the next device each %u bytes", region->granularity);
	return traffic[most] >= TRAFFIC_MBPS && traffic[least] < (1 - UNEVEN_PART) * traffic[most]
		       ? YES
		       : NO;
}

static bool is_only_socket(const struct situation *s)
{
	const struct table *table = s->explain->table;

	for (size_t r = 0; r < table_metric_rows(table); r++)
		if (table->rows[r].place.kind == ROW_SOCKET && &table->rows[r] != s->row)
			return false;
	return !recorded_option(s->explain->info, "socket"); /* other sockets may have no row */
}

static enum answer reads_remote(struct situation *s)
{
	const double near = figure(s, "cxl_read_local_MBps"),
		     far = figure(s, "cxl_read_remote_MBps");

	set_number(s, "remote_pct", 100 * far / fmax(near + far, 1), 0);
	return are_remote(s) ? YES : NO;
}

/*
 * Judges UPI, over which reads of other sockets' memory come, and writes of others to this
 * socket's.
 */
static enum answer upi_nearly_full(struct situation *s)
{
	const double near = figure(s, "cxl_read_local_MBps"),
		     far = figure(s, "cxl_read_remote_MBps"), busy = figure(s, "upi_read_busy_pct");

	set_number(s, "busy_pct", busy, 0);
	if (isnan(near + far)) {
		snprintf(s->text, sizeof(s->text), "; its CXL data is not counted separately");
	} else {
		set_number(s, "remote_pct", 100 * far / fmax(near + far, 1), 0);
		snprintf(s->text, sizeof(s->text),
			 "; %.1f GB/s of it are CXL data that its CPUs read", far / 1e3);
	}
	return busy >= UPI_NEARLY_FULL_PCT ? YES : NO;
}

static enum answer is_same_tier(struct situation *s)
{
	const struct memory_layout *memory = &s->explain->info->memory;
	const struct memory_node *node = memory_layout_node(memory, s->device->node);
	const struct memory_node *dram = memory_layout_same_tier(memory, s->device->node);

	if (!node || node->tier < 0)
		return not_known(s, "the kernel shows no memory tier");
	if (!dram)
		return NO;
	snprintf(s->text, sizeof(s->text), "node %d) and DRAM (node %d", node->node, dram->node);
	return YES;
}

static double free_pct(const struct situation *s)
{
	const double used = figure(s, "node_used_MiB"), left = figure(s, "node_free_MiB");

	return 100 * left / fmax(used + left, 1);
}

/*
 * Returns whether the DRAM of a node is nearly full. The kernel counts promotions and demotions on
 * this node: see platform/kernel_stats.h.
 */
static bool dram_is_full(const struct situation *s)
{
	return !memory_layout_has_region(&s->explain->info->memory, s->row->place.node) &&
	       !*s->row->place.memdev && free_pct(s) < FULL_FREE_PCT;
}

static enum answer is_thrashing(struct situation *s)
{
	const double promoted = figure(s, "promoted_per_s"), demoted = figure(s, "demoted_per_s");
	const double less = fmin(promoted, demoted), more = fmax(promoted, demoted);

	set_number(s, "free_pct", free_pct(s), 1);
	set_number(s, "promoted_per_s", promoted, 0);
	set_number(s, "demoted_per_s", demoted, 0);
	return less >= MOVED_PER_S && less >= THRASHED_PART * more ? YES : NO;
}

/* Returns the percentage of counted reads that is in the samples; NAN: unknown. */
static double sampled_pct(const struct explained_hot *hot, enum read_memory memory)
{
	const double counted = hot->counted_MB[memory] * 1e6 / LOAD_LINE_BYTES;

	return hot->counts && counted > 0 ? 100 * hot->events[memory] / counted : NAN;
}

/*
 * Judges whether as much DRAM as the hottest CXL memory needs was sampled less than half as often.
 * Samples cannot answer if one of DRAM stands for more than twice as many reads as one of CXL
 * memory, as when DRAM is read by streams: it may be as hot nevertheless.
 */
static enum answer is_misplaced(struct situation *s)
{
	const struct explained_hot *hot = s->hot;
	const double cxl = hot->events[MEMORY_CXL], dram = hot->events[MEMORY_DRAM];
	const double cxl_pct = sampled_pct(hot, MEMORY_CXL);
	const double dram_pct = sampled_pct(hot, MEMORY_DRAM);
	const double pct = 100 * cxl / (cxl + dram);

	if (isnan(pct) || isnan(hot->colder_dram_GiB) || isnan(hot->hot_cxl_GiB) ||
	    2 * dram_pct < cxl_pct)
		return NOT_KNOWN;
	set_number(s, "colder_dram_GiB", hot->colder_dram_GiB, 3);
	set_number(s, "hot_cxl_GiB", hot->hot_cxl_GiB, 3);
	set_number(s, "cxl_reads_pct", pct, 1);
	if (!isnan(hot->unseen_dram_GiB)) {
		set_number(s, "unseen_dram_GiB", hot->unseen_dram_GiB, 3);
		text_append(s->text, sizeof(s->text), ", %.3f GiB of these never",
			    hot->unseen_dram_GiB);
	}
	if (!isnan(cxl_pct + dram_pct)) {
		set_number(s, "cxl_sampled_pct", cxl_pct, 1);
		set_number(s, "dram_sampled_pct", dram_pct, 1);
	}
	return hot->colder_dram_GiB >= hot->hot_cxl_GiB && pct >= MISPLACED_PCT ? YES : NO;
}

/* clang-format off */
const struct rule rule_uneven = {
	.name = "uneven", .checks = "balance of interleaved devices", .of = REGIONS,
	.moot = is_not_interleaved, .holds = is_uneven,
	.sentence = "{where}: its devices are not used evenly: {text}.",
	.advice = "The cause is the accessed addresses: strides that leave out a device, or hot "
		  "data that is not spread over all devices. Place that data differently, or "
		  "choose another granularity. A slow device does not cause it.",
};

const struct rule rule_remote_reads = {
	.name = "remote_reads", .checks = "reads through another socket", .of = SOCKETS,
	.needs = {"cxl_read_local_MBps", "cxl_read_remote_MBps"},
	.shows = {"cxl_read_local_MBps", "cxl_read_remote_MBps"},
	.moot = is_only_socket, .holds = reads_remote,
	.sentence = "{where}: its CPUs read {remote_pct} % of their CXL data through another "
		    "socket.",
	.advice = "Bind the program to the socket that the device is attached to (numactl "
		  "--cpunodebind).",
};

const struct rule rule_upi_nearly_full = {
	.name = "upi_nearly_full", .checks = "links between sockets", .of = SOCKETS, .busy = true,
	.needs = {"upi_read_busy_pct"}, .beside = {"cxl_read_local_MBps", "cxl_read_remote_MBps"},
	.shows = {"upi_write_busy_pct", "cxl_read_latency_ns"},
	.moot = is_only_socket, .holds = upi_nearly_full,
	.sentence = "{where}: the UPI links from other sockets are nearly full: at the peak, at "
		    "least {busy_pct} % of what they can carry in the width in use is taken{text}.",
	.advice = "Bind programs to the socket whose memory they use (numactl --cpunodebind); if "
		  "it is CXL data, spread pages over devices of both sockets.",
};

const struct rule rule_thrashing = {
	.name = "thrashing", .checks = "tiering", .of = NODES,
	.needs = {"promoted_per_s", "demoted_per_s", "node_used_MiB", "node_free_MiB"},
	.shows = {"node_used_MiB", "node_free_MiB"},
	.takes = dram_is_full, .holds = is_thrashing,
	.sentence = "{where}: DRAM is full ({free_pct} % free), and pages move both ways: "
		    "{promoted_per_s} are promoted and {demoted_per_s} demoted each second.",
	.advice = "If it lasts, the working set may not fit into DRAM: give the job more of it, or "
		  "lower kernel.numa_balancing_promote_rate_limit_MBps.",
};

const struct rule rule_same_tier = {
	.name = "same_tier", .checks = "memory tiers", .optional = true, .of = DEVICES,
	.holds = is_same_tier,
	.sentence = "{where}: its memory ({text}) are in one memory tier: the kernel demotes and "
		    "promotes no pages between them.",
	.advice = "If pages are to move, see what firmware reports of both memories (HMAT, CDAT): the "
		  "kernel forms tiers by their performance.",
};

const struct rule rule_misplaced = {
	.name = "misplaced", .checks = "hot memory in CXL", .optional = true, .of = SAMPLED_LOADS,
	.holds = is_misplaced,
	.sentence = "The hottest {hot_cxl_GiB} GiB of CXL memory have half of its sampled loads, and "
		    "CXL memory {cxl_reads_pct} % of all; {colder_dram_GiB} GiB of DRAM were sampled "
		    "less than half as often{text}. " UNSEEN_CAVEAT,
	.advice = "Move the hottest ranges of CXL memory, which cxlmon hot --pages=FILE lists, to "
		  "free DRAM, or let the kernel promote them (kernel.numa_balancing 2). Do not "
		  "move memory out of DRAM only because it was not sampled.",
};
/* clang-format on */
