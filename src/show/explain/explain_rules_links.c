/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules about links: width, speed, events, use; and about the traffic of devices. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "platform/cxl.h"
#include "platform/cxl_link.h"
#include "platform/memory.h"
#include "platform/pci.h"
#include "show/explain/explain_rules.h"

#define QUEUE_CLOCKS  10 /* clocks that an access waits */
#define PROMISED_PART 0.75

static enum answer link_degraded(struct situation *s)
{
	bool known;
	const struct pci_hop *hop = cxl_device_degraded(s->device, &known);
	char text[PCI_HOP_TEXT_SIZE];

	if (!hop)
		return known ? NO : not_known(s, "the kernel does not show both ends of links");
	snprintf(s->text, sizeof(s->text), "%s", pci_hop_text(hop, text));
	return YES;
}

/* Judges marks. No mark is not an answer, because their source may be missing. */
static enum answer has_happened(struct situation *s)
{
	if (!s->mark->count)
		return NOT_KNOWN;
	set_number(s, "events", (double)s->mark->count, 0);
	snprintf(s->text, sizeof(s->text), "%s", s->mark->first);
	if (s->mark->count > 1)
		text_append(s->text, sizeof(s->text), ", the first of %" PRIu64 " such events",
			    s->mark->count);
	return YES;
}

static struct cxl_link_use use_of(const struct situation *s)
{
	return explain_has_68_byte_flits(s->explain, s->row)
		       ? cxl_link_use(figure(s, "link_read_pct") / 100,
				      figure(s, "link_write_pct") / 100)
		       : (struct cxl_link_use){NAN, NAN};
}

static enum answer link_saturated(struct situation *s)
{
	const struct cxl_link_use use = use_of(s);
	const bool from_device = use.from_device > use.to_device;
	const double used = cxl_link_fullest(use);
	const double share = figure(s, from_device ? "link_read_pct" : "link_write_pct");

	if (isnan(used))
		return not_known(s, UNKNOWN_FLITS);
	set_number(s, "share_pct", share, 1);
	set_number(s, "limit_pct", share / used, 1);
	if (from_device)
		add_caveat_of_requests(s);
	snprintf(s->text, sizeof(s->text), "%s", from_device ? "from the device" : "to the device");
	return 100 * used >= SATURATED_PCT ? YES : NO;
}

static enum answer buffer_full(struct situation *s)
{
	const double data = figure(s, "rx_mem_data_full_pct"),
		     requests = figure(s, "rx_mem_req_full_pct");

	set_number(s, "full_pct", fmax(data, requests), 1);
	snprintf(s->text, sizeof(s->text), "%s", requests > data ? "requests" : "data");
	return fmax(data, requests) >= FULL_PCT ? YES : NO;
}

/*
 * Returns the MB/s of reads that firmware reports for a device, its part of its region's node;
 * NAN: none.
 */
static double promised_reads(const struct situation *s)
{
	const struct memory_node *node = node_of(s, s->row);
	const struct cxl_region *region =
		memory_layout_region(&s->explain->info->memory, s->row->place.memdev);

	return node && node->read_MBps > 0 && region && region->ways
		       ? node->read_MBps / region->ways
		       : NAN;
}

/*
 * Judges bandwidth below the promised one. Accesses that wait in the device itself show that it
 * cannot do what it is asked for.
 */
static enum answer below_promise(struct situation *s)
{
	const double promised = promised_reads(s);
	const double used = cxl_link_fullest(use_of(s));
	const double moved = figure(s, "cxl_mem_read_MBps") + figure(s, "cxl_mem_write_MBps");

	if (isnan(promised))
		return not_known(s, "firmware reports no bandwidth");
	if (isnan(used))
		return not_known(s, UNKNOWN_FLITS);
	set_number(s, "moved_GBps", moved / 1e3, 1);
	set_number(s, "promised_GBps", promised / 1e3, 1);
	set_number(s, "queue_clocks", figure(s, "queue_clocks"), 0);
	return 100 * used < ROOM_PCT && moved >= TRAFFIC_MBPS && moved < PROMISED_PART * promised &&
			       figure(s, "queue_clocks") >= QUEUE_CLOCKS
		       ? YES
		       : NO;
}

/* clang-format off */
const struct rule rule_link_degraded = {
	.name = "link_degraded", .checks = "links' width and speed", .of = DEVICES,
	.holds = link_degraded,
	.sentence = "{where}: its link is degraded, narrower or slower than both its ends "
		    "support: {text}.",
	.advice = "Reseat the card, and see the slot's width and speed in the firmware's set-up; "
		  "cxlmon doctor checks each link from root port to device.",
};

const struct rule rule_happened = {
	.name = "happened", .of = MARKS, .holds = has_happened,
	.sentence = "{text}, while it was measured.",
	.advice = "See the lines through the charts of cxlmon report for what changed with it, and "
		  "the kernel's log for why.",
};

const struct rule rule_link_saturated = {
	.name = "link_saturated", .checks = "links that are full", .of = PORTS, .busy = true,
	.needs = {"link_read_pct", "link_write_pct"}, .beside = {"estimated_pct"},
	.shows = {"cxl_mem_read_MBps", "cxl_mem_write_MBps", "link_max_GBps",
		  "cxl_read_latency_ns"},
	.holds = link_saturated,
	.sentence = "{where}: its link is saturated: at the peak, data {text} takes {share_pct} % "
		    "of its raw rate; the computed maximum for this mix of reads and writes is "
		    "{limit_pct} %.",
	.advice = "Spread pages over more devices (weighted interleave), or keep hot pages in "
		  "DRAM.",
};

const struct rule rule_buffer_full = {
	.name = "buffer_full", .checks = "receive buffers that are full", .of = PORTS, .busy = true,
	.any = {"rx_mem_data_full_pct", "rx_mem_req_full_pct"},
	.shows = {"cxl_mem_read_MBps", "cxl_mem_write_MBps", "cxl_read_latency_ns"},
	.holds = buffer_full,
	.sentence = "{where}: at the peak, the host's receive buffer of memory {text} is full "
		    "{full_pct} % of the time, in which it accepts nothing from the device.",
	.advice = "See whether the uncore runs at a low frequency, and whether the mesh or DRAM "
		  "is also busy; spread pages over ports, and over devices of another socket.",
};

const struct rule rule_below_promise = {
	.name = "below_promise", .checks = "devices below what firmware reports", .of = PORTS,
	.busy = true,
	.needs = {"link_read_pct", "link_write_pct", "queue_clocks", "cxl_mem_read_MBps",
		  "cxl_mem_write_MBps"},
	.shows = {"link_read_pct", "link_write_pct", "cxl_read_latency_ns"},
	.holds = below_promise,
	.sentence = "{where}: the device transfers less than firmware reports (HMAT, CDAT): "
		    "{moved_GBps} of {promised_GBps} GB/s at the peak, although accesses wait "
		    "{queue_clocks} clocks in the queue of its DRAM (an estimate), and its link "
		    "has room.",
	.advice = "See whether its memory is throttled or lacks channels (cxlmon -m device,health, "
		  "and its vendor's tools); random accesses cost a device most.",
};
/* clang-format on */
