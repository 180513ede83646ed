/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules about the latency of CXL reads. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "platform/memory.h"
#include "show/explain/explain_rules.h"

#define LATENCY_TIMES 1.5 /* multiple of the latency without load */
/*
 * Latencies of memory expanders without load, by published measurements: 140 to 410 ns. Twice the
 * highest is not such a device without load. The latency that firmware reports is not always one,
 * either: a Granite Rapids reports 1510 ns.
 */
#define LEAST_USUAL_NS 140
#define USUAL_NS       410
#define USUAL_TIMES    2
#define PREFETCHED_PCT 50 /* percentage of requests for lines of CXL memory */

/*
 * Returns the highest latency that firmware reports for a socket's devices; NAN: none that is
 * plausible.
 */
static double promised_latency(const struct situation *s)
{
	const struct table *table = s->explain->table;
	double promised = NAN;

	for (size_t r = 0; r < table_metric_rows(table); r++) {
		const struct row *row = &table->rows[r];
		const struct memory_node *node = node_of(s, row);

		if (place_is_of_port(&row->place) && row->place.socket == s->row->place.socket &&
		    node && node->read_ns > 0)
			promised = fmax(promised, node->read_ns);
	}
	return promised >= LEAST_USUAL_NS && promised < USUAL_TIMES * USUAL_NS ? promised : NAN;
}

/*
 * Judges whether reads take long, compared with the promised latency, else with the least one seen,
 * else with the usual one of such devices. least: NAN if it may have been under load.
 */
static enum answer reads_are_slow(struct situation *s, double least)
{
	const double latency = figure(s, "cxl_read_latency_ns"), promised = promised_latency(s);
	const double dram = figure(s, "ddr_local_read_latency_ns");
	double unloaded = promised, times = LATENCY_TIMES;
	const char *source = "that firmware reports";

	if (isnan(unloaded) && least * LATENCY_TIMES <= latency) {
		unloaded = least;
		source = "that they took in the fastest sample";
	} else if (isnan(unloaded)) {
		unloaded = USUAL_NS;
		times = USUAL_TIMES;
		source = "that such devices are published to take without load at most";
	}
	add_caveat(
		s, "scaled_latency_pct",
		"The latency is an estimate: of multiplexed events, few reads, an uncertain time or unit.");
	snprintf(s->text, sizeof(s->text), "%s", source);
	if (!isnan(dram))
		text_append(s->text, sizeof(s->text), ", and reads of local DRAM %.0f ns", dram);
	set_number(s, "latency_ns", latency, 0);
	set_number(s, "unloaded_ns", unloaded, 0);
	set_number(s, "times", latency / unloaded, 1);
	return latency >= times * unloaded && !are_remote(s) ? YES : NO;
}

/* Judges latency while links are used within a range; full receive buffers have their own rule. */
static enum answer slow_with_links_used(struct situation *s, double from_pct, double to_pct)
{
	const double used = figure(s, "links_used_pct");

	if (figure(s, "links_share_pct") < IDLE_SHARE_PCT || used < from_pct || used >= to_pct ||
	    figure(s, "buffers_full_pct") >= FULL_PCT)
		return NO;
	return reads_are_slow(s, explain_least(s, "cxl_read_latency_ns"));
}

static enum answer link_nearly_full(struct situation *s)
{
	add_caveat_of_requests(s);
	return slow_with_links_used(s, ROOM_PCT, SATURATED_PCT);
}

static enum answer reads_slow(struct situation *s)
{
	return slow_with_links_used(s, 0, ROOM_PCT);
}

static bool links_are_idle(const struct situation *s)
{
	return figure(s, "links_share_pct") < IDLE_SHARE_PCT;
}

static enum answer latency_high(struct situation *s)
{
	if (figure(s, "buffers_full_pct") >= FULL_PCT ||
	    figure(s, "cxl_mem_read_MBps") < TRAFFIC_MBPS)
		return NO;
	return reads_are_slow(s, NAN);
}

/*
 * Judges latency only if the use of links is unknown, without which the rules above have no answer.
 */
static enum answer latency_unexplained(struct situation *s)
{
	const double share = figure(s, "links_share_pct");

	if (!isnan(figure(s, "links_used_pct")))
		return NOT_KNOWN;
	if (share < IDLE_SHARE_PCT || figure(s, "buffers_full_pct") >= FULL_PCT)
		return NO;
	return reads_are_slow(s, explain_least(s, "cxl_read_latency_ns"));
}

static void append_latency(struct situation *s, const char *name, const char *kind)
{
	const double ns = figure(s, name);

	if (!isnan(ns))
		text_append(s->text, sizeof(s->text), "%s%s %.0f ns", *s->text ? ", " : "", kind,
			    ns);
}

/* Judges whether most requests are prefetches, which the latency of demand reads leaves out. */
static enum answer mostly_prefetched(struct situation *s)
{
	const double pct = figure(s, "cxl_l2_prefetch_pct") + figure(s, "cxl_l3_prefetch_pct");

	append_latency(s, "cxl_l2_prefetch_latency_ns", "prefetches into L1 and L2 take");
	append_latency(s, "cxl_l3_prefetch_latency_ns", "prefetches into L3");
	append_latency(s, "cxl_read_latency_ns", "demand reads");
	set_number(s, "prefetched_pct", pct, 0);
	return pct >= PREFETCHED_PCT && figure(s, "cxl_mem_read_MBps") >= TRAFFIC_MBPS ? YES : NO;
}

/* clang-format off */
const struct rule rule_link_nearly_full = {
	.name = "link_nearly_full", .of = SOCKETS, .busy = true,
	.needs = {"links_share_pct", "links_used_pct", "cxl_read_latency_ns"},
	.beside = {"ddr_local_read_latency_ns", "buffers_full_pct", "estimated_pct",
		   "scaled_latency_pct"},
	.shows = {"links_used_pct", "cxl_mem_read_MBps", "cxl_mem_write_MBps",
		  "cxl_read_local_MBps", "cxl_read_remote_MBps"},
	.holds = link_nearly_full,
	.sentence = "{where}: a link is nearly full: at the peak, it carries {links_used_pct} % "
		    "of its maximum, and reads of CXL memory take {latency_ns} ns, {times} times "
		    "the {unloaded_ns} ns {text}.",
	.advice = "Spread pages over more devices, so that each link and each device has less to "
		  "carry. It was not measured if the link or the device slows reads down.",
};

const struct rule rule_reads_slow = {
	.name = "reads_slow", .checks = "latency under load", .of = SOCKETS, .busy = true,
	.needs = {"links_share_pct", "links_used_pct", "cxl_read_latency_ns"},
	.beside = {"ddr_local_read_latency_ns", "buffers_full_pct", "scaled_latency_pct"},
	.shows = {"links_used_pct", "cxl_mem_read_MBps", "cxl_mem_write_MBps",
		  "cxl_read_local_MBps", "cxl_read_remote_MBps"},
	.holds = reads_slow,
	.sentence = "{where}: reads of CXL memory are slow although links have room: at the peak, "
		    "they take {latency_ns} ns, {times} times the {unloaded_ns} ns {text}; no "
		    "link carries more than {links_used_pct} % of its maximum.",
	.advice = "It may be the device (random accesses, mixes of reads and writes, throttling), "
		  "a switch in between, or, if DRAM is also slow, the processor; in bursts "
		  "shorter than a sample links may be full. Spread pages over more devices.",
};

const struct rule rule_latency_high = {
	.name = "latency_high", .checks = "latency without load", .of = SOCKETS,
	.needs = {"links_share_pct", "cxl_read_latency_ns"},
	.beside = {"ddr_local_read_latency_ns", "buffers_full_pct", "scaled_latency_pct"},
	.shows = {"links_share_pct", "cxl_mem_read_MBps", "cxl_read_local_MBps",
		  "cxl_read_remote_MBps"},
	.takes = links_are_idle, .holds = latency_high,
	.sentence = "{where}: reads of CXL memory take {latency_ns} ns although links are nearly "
		    "idle, {times} times the {unloaded_ns} ns {text}.",
	.advice = "Look for power saving (uncore frequency, link ASPM), for readers on the other "
		  "socket, for a switch in between, and for bursts shorter than a sample; it may "
		  "also be the device.",
};

const struct rule rule_latency_unexplained = {
	.name = "latency_unexplained", .checks = "latency", .optional = true, .of = SOCKETS,
	.busy = true,
	.needs = {"cxl_read_latency_ns"},
	.beside = {"links_share_pct", "links_used_pct", "ddr_local_read_latency_ns",
		   "buffers_full_pct", "scaled_latency_pct"},
	.shows = {"cxl_mem_read_MBps", "cxl_mem_write_MBps", "cxl_read_local_MBps",
		  "cxl_read_remote_MBps"},
	.holds = latency_unexplained,
	.sentence = "{where}: at the peak, reads of CXL memory take {latency_ns} ns, {times} "
		    "times the {unloaded_ns} ns {text}; how full its links are was not measured.",
	.advice = "It may be a link that is full, the device (random accesses, throttling), a "
		  "switch in between, readers on the other socket, or, if DRAM is also slow, the "
		  "processor. cxlmon sweep shows the latency without load.",
};

const struct rule rule_prefetched = {
	.name = "prefetched", .checks = "prefetches", .optional = true, .of = SOCKETS,
	.needs = {"cxl_mem_read_MBps", "cxl_l2_prefetch_pct", "cxl_l3_prefetch_pct"},
	.beside = {"cxl_l2_prefetch_latency_ns", "cxl_l3_prefetch_latency_ns",
		   "cxl_read_latency_ns"},
	.shows = {"cxl_demand_pct", "cxl_ownership_pct"},
	.holds = mostly_prefetched,
	.sentence = "{where}: {prefetched_pct} % of the requests for CXL memory are prefetches: "
		    "{text}.",
	.advice = "A load of a prefetched line waits at most for the rest of its prefetch, so judge "
		  "waits by demand reads. How many prefetched lines are used was not measured.",
};
/* clang-format on */
