/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules, the worst limit first. A rule answers only where all its inputs are known. The
 * thresholds are choices, but for what their comments say.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "platform/cxl.h"
#include "platform/kernel_stats.h"
#include "platform/memory.h"
#include "platform/pci_link.h"
#include "show/explain/explain_private.h"

/* Percent of a link's raw rate. About 87 is all that CXL.mem can use: see link_saturated. */
#define SATURATED_PCT 80
#define NOT_FULL_PCT  70
#define IDLE_PCT      10

#define LATENCY_TIMES  1.5 /* the latency without load */
#define BUSY_QUEUE_PCT 50  /* of the time, it is not empty */
#define QUEUE_CLOCKS   1   /* that an access waits */
#define ERRORS_PER_S   1   /* as the alerts of packaging/prometheus-alerts.yml */
#define THROTTLED_PCT  1
#define UNEVEN_PART    0.1
#define UNEVEN_MBPS    100 /* less is no traffic to judge */
#define PROMISED_PART  0.75
#define REMOTE_PART    (1.0 / 3)
#define REMOTE_MBPS    100
#define FULL_FREE_PCT  10
#define MOVED_PER_S    100 /* pages */
#define THRASHED_PART  0.5
#define MISPLACED_PCT  10 /* of all reads, they are from CXL memory */

static double busy(const struct situation *s, const char *metric)
{
	return explain_busy(s->explain, s->row, metric);
}

static double whole(const struct situation *s, const char *metric)
{
	return explain_cell(s->explain, s->row, metric).whole;
}

static void set_number(struct situation *s, const char *name, double number, unsigned decimals)
{
	s->numbers[s->number_count++] = (struct evidence){name, number, decimals};
}

static const struct memory_node *node_of(const struct situation *s, const struct row *row)
{
	return memory_layout_node(&s->explain->info->memory, row->node);
}

/* The larger share of both directions; NAN: not known. */
static double link_pct(const struct situation *s)
{
	return fmax(busy(s, "link_read_pct"), busy(s, "link_write_pct"));
}

static enum answer link_degraded(struct situation *s)
{
	bool known;
	const struct pci_hop *hop = cxl_device_degraded(s->device, &known);
	char text[PCI_HOP_TEXT_SIZE];

	if (!hop)
		return known ? NO : NOT_KNOWN;
	snprintf(s->text, sizeof(s->text), "%s", pci_hop_text(hop, text));
	return YES;
}

/* That there is no mark says nothing: what reports them may not be there. */
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

static enum answer link_saturated(struct situation *s)
{
	const double pct = link_pct(s);

	if (isnan(pct))
		return NOT_KNOWN;
	set_number(s, "share_pct", pct, 1);
	return pct >= SATURATED_PCT ? YES : NO;
}

/*
 * What reads take without load: what firmware promises, or the least that was seen. NAN: neither
 * is known, or all samples may have been under load.
 */
static double unloaded_latency(struct situation *s, double latency)
{
	const struct row *socket = explain_socket_row(s->explain, s->row->socket);
	const struct memory_node *node = node_of(s, s->row);
	const double least =
		socket ? explain_cell(s->explain, socket, "cxl_read_latency_ns").least : NAN;

	if (node && node->read_ns > 0) {
		snprintf(s->text, sizeof(s->text), "that firmware promises");
		return node->read_ns;
	}
	snprintf(s->text, sizeof(s->text), "that they took at best");
	return least * LATENCY_TIMES <= latency ? least : NAN;
}

/* Of the port, or of the DRAM of the device. NOT_KNOWN: neither is counted. */
static enum answer queue_is_used(const struct situation *s)
{
	const double pct = fmax(busy(s, "rx_mem_data_busy_pct"), busy(s, "rx_mem_req_busy_pct"));
	const double clocks = busy(s, "queue_clocks");

	if (isnan(pct) && isnan(clocks))
		return NOT_KNOWN;
	return pct >= BUSY_QUEUE_PCT || clocks >= QUEUE_CLOCKS ? YES : NO;
}

static enum answer device_slow(struct situation *s)
{
	const double pct = link_pct(s), latency = busy(s, "cxl_read_latency_ns");
	const double unloaded = unloaded_latency(s, latency);
	const enum answer queue = queue_is_used(s);

	if (isnan(pct) || isnan(latency) || isnan(unloaded) || queue == NOT_KNOWN)
		return NOT_KNOWN;
	set_number(s, "share_pct", pct, 1);
	set_number(s, "latency_ns", latency, 0);
	set_number(s, "unloaded_ns", unloaded, 0);
	return pct >= IDLE_PCT && pct < NOT_FULL_PCT && queue == YES &&
			       latency >= LATENCY_TIMES * unloaded
		       ? YES
		       : NO;
}

/* What firmware promises of a device's reads: its part of its region's node, MB/s. NAN: nothing. */
static double promised_reads(const struct situation *s)
{
	const struct memory_node *node = node_of(s, s->row);
	const struct cxl_region *region =
		memory_layout_region(&s->explain->info->memory, s->row->memdev);

	return node && node->read_MBps > 0 && region && region->ways
		       ? node->read_MBps / region->ways
		       : NAN;
}

/*
 * What device_slow does not see: a device that is too slow to use a tenth of its link, or one whose
 * latency is not known. Where latency is known and low, nobody asks the device for more.
 */
static enum answer below_promise(struct situation *s)
{
	struct situation slow = *s;
	const double moved = explain_cell(s->explain, s->row, "cxl_mem_read_MBps").busy +
			     explain_cell(s->explain, s->row, "cxl_mem_write_MBps").busy;
	const double pct = link_pct(s), promised = promised_reads(s);
	const double latency = busy(s, "cxl_read_latency_ns");
	const double unloaded = unloaded_latency(s, latency);
	const enum answer queue = queue_is_used(s);

	if (isnan(moved) || isnan(pct) || isnan(promised) || queue == NOT_KNOWN)
		return NOT_KNOWN;
	set_number(s, "moved_GBps", moved / 1e3, 1);
	set_number(s, "promised_GBps", promised / 1e3, 1);
	set_number(s, "share_pct", pct, 1);
	if (queue == NO || pct >= NOT_FULL_PCT || latency < LATENCY_TIMES * unloaded)
		return NO;
	return moved >= UNEVEN_MBPS && moved < PROMISED_PART * promised && device_slow(&slow) != YES
		       ? YES
		       : NO;
}

/*
 * Whether no link of the socket is in use, and no queue, as far as these are counted. NOT_KNOWN: of
 * one link, or of all, that is not known.
 */
static enum answer links_are_idle(const struct situation *s)
{
	const struct view *view = s->explain->view;
	enum answer answer = NOT_KNOWN;
	bool unknown = false;

	for (size_t r = 0; r < view_metric_rows(view); r++) {
		const struct row *row = &view->rows[r];

		if (row->scope != SCOPE_PORT || row->of_node || row->socket != s->row->socket)
			continue;
		const double pct = fmax(explain_cell(s->explain, row, "link_read_pct").whole,
					explain_cell(s->explain, row, "link_write_pct").whole);
		if (pct >= IDLE_PCT ||
		    queue_is_used(&(struct situation){.explain = s->explain, .row = row}) == YES)
			return NO;
		unknown |= isnan(pct);
		answer = YES;
	}
	return unknown ? NOT_KNOWN : answer;
}

/* The most that firmware promises of a socket's devices; NAN: nothing. */
static double promised_latency(const struct situation *s)
{
	const struct view *view = s->explain->view;
	double promised = NAN;

	for (size_t r = 0; r < view_metric_rows(view); r++) {
		const struct row *row = &view->rows[r];
		const struct memory_node *node = node_of(s, row);

		if (row->scope == SCOPE_PORT && !row->of_node && row->socket == s->row->socket &&
		    node && node->read_ns > 0)
			promised = fmax(promised, node->read_ns);
	}
	return promised;
}

static enum answer latency_high(struct situation *s)
{
	const double latency = whole(s, "cxl_read_latency_ns"), promised = promised_latency(s);
	const enum answer idle = links_are_idle(s);

	if (idle != YES)
		return idle;
	if (isnan(latency) || isnan(promised))
		return NOT_KNOWN;
	set_number(s, "latency_ns", latency, 0);
	set_number(s, "promised_ns", promised, 0);
	return latency >= LATENCY_TIMES * promised ? YES : NO;
}

/* Metrics of which each may be unknown, and what is too much of it. */
struct limit {
	const char *metric, *unit;
	double least;
};

/* Lists those above their limit in the text: "CRC errors 12/s, link retries 3/s". */
static enum answer any_above(struct situation *s, const struct limit *limits)
{
	enum answer answer = NOT_KNOWN;

	for (; limits->metric; limits++) {
		const double number = whole(s, limits->metric);

		if (isnan(number))
			continue;
		const struct metric *metric = metric_by_name(limits->metric);
		if (answer == NOT_KNOWN)
			answer = NO;
		if (number < limits->least || !(number > 0))
			continue;
		text_list(s->text, sizeof(s->text), "%s %.3g%s", metric_title(metric), number,
			  limits->unit);
		answer = YES;
	}
	return answer;
}

static enum answer has_errors(struct situation *s)
{
	static const struct limit limits[] = {
		{"crc_errors_per_s", "/s", ERRORS_PER_S},
		{"retries_per_s", "/s", ERRORS_PER_S},
		{"dram_retries_per_s", "/s", ERRORS_PER_S},
		{"corrected_errors_per_s", "/s", ERRORS_PER_S},
		{"aer_correctable_per_s", "/s", 0}, /* any */
		{"aer_nonfatal_per_s", "/s", 0},
		{"aer_fatal_per_s", "/s", 0},
		{.metric = NULL},
	};

	return any_above(s, limits);
}

static enum answer is_throttled(struct situation *s)
{
	static const struct limit limits[] = {
		{"dram_thermal_throttled_pct", " % of the time", THROTTLED_PCT},
		{"dram_power_throttled_pct", " % of the time", THROTTLED_PCT},
		{.metric = NULL},
	};
	const enum answer answer = any_above(s, limits);
	const unsigned heat = device_state_of(explain_cell(s->explain, s->row, "health").last) &
			      (STATE_TEMPERATURE_WARNING | STATE_TEMPERATURE_CRITICAL);
	char text[DEVICE_HEALTH_TEXT_SIZE];

	if (answer == YES && heat)
		text_append(s->text, sizeof(s->text), "; its health: %s",
			    device_health_text(heat, text));
	return answer;
}

/* The last answer counts: a state is a sum of bits, which has no mean. */
static enum answer is_unwell(struct situation *s)
{
	const double state = explain_cell(s->explain, s->row, "health").last;
	const double celsius = explain_cell(s->explain, s->row, "device_temperature_C").last;
	char text[DEVICE_HEALTH_TEXT_SIZE];

	if (isnan(state))
		return NOT_KNOWN;
	if (!isnan(celsius))
		set_number(s, "device_temperature_C", celsius, 0);
	if (!device_state_of(state))
		return NO;
	snprintf(s->text, sizeof(s->text), "%s", device_health_text(device_state_of(state), text));
	return YES;
}

/* Reads and writes; NAN: neither is known. */
static double traffic_of(const struct explain *e, const struct row *row)
{
	const double read = explain_cell(e, row, "cxl_mem_read_MBps").whole,
		     write = explain_cell(e, row, "cxl_mem_write_MBps").whole;

	return isnan(read) && isnan(write) ? NAN
					   : (isnan(read) ? 0 : read) + (isnan(write) ? 0 : write);
}

static const struct row *row_of_device(const struct explain *e, const char *name)
{
	for (size_t r = 0; r < view_metric_rows(e->view); r++)
		if (!e->view->rows[r].of_node && !strcmp(e->view->rows[r].memdev, name))
			return &e->view->rows[r];
	return NULL;
}

/* Of devices that addresses are spread evenly over; all must be known. */
static enum answer is_uneven(struct situation *s)
{
	const struct cxl_region *region = s->region;
	size_t most = 0, least = 0;
	double traffic[REGION_MAX_WAYS];

	if (region->ways == 1)
		return NO;
	if (region->device_count < 2 || region->device_count < region->ways)
		return NOT_KNOWN;
	for (size_t i = 0; i < region->device_count; i++) {
		const struct row *row = row_of_device(s->explain, region->devices[i]);

		traffic[i] = row ? traffic_of(s->explain, row) : NAN;
		if (isnan(traffic[i]))
			return NOT_KNOWN;
		most = traffic[i] > traffic[most] ? i : most;
		least = traffic[i] < traffic[least] ? i : least;
	}
	set_number(s, "most_MBps", traffic[most], 0);
	set_number(s, "least_MBps", traffic[least], 0);
	snprintf(s->text, sizeof(s->text), "%s moves %.1f GB/s, but %s only %.1f GB/s",
		 region->devices[most], traffic[most] / 1e3, region->devices[least],
		 traffic[least] / 1e3);
	return traffic[most] >= UNEVEN_MBPS && traffic[least] < (1 - UNEVEN_PART) * traffic[most]
		       ? YES
		       : NO;
}

static bool is_only_socket(const struct situation *s)
{
	const struct view *view = s->explain->view;

	for (size_t r = 0; r < view_metric_rows(view); r++)
		if (view->rows[r].scope == SCOPE_SOCKET && &view->rows[r] != s->row)
			return false;
	return true;
}

static enum answer reads_remote(struct situation *s)
{
	const double near = whole(s, "cxl_read_local_MBps"), far = whole(s, "cxl_read_remote_MBps");

	if (is_only_socket(s))
		return NO;
	if (isnan(near) || isnan(far))
		return NOT_KNOWN;
	set_number(s, "remote_pct", 100 * far / fmax(near + far, 1), 0);
	return far >= REMOTE_MBPS && far >= REMOTE_PART * (near + far) ? YES : NO;
}

/* The kernel counts both on the node of DRAM: see platform/kernel_stats.h. */
static enum answer is_thrashing(struct situation *s)
{
	const double promoted = whole(s, "promoted_per_s"), demoted = whole(s, "demoted_per_s");
	const double used = whole(s, "node_used_MiB"), left = whole(s, "node_free_MiB");

	if (*s->row->memdev || isnan(promoted) || isnan(demoted) || isnan(used + left))
		return NOT_KNOWN;
	const double free_pct = 100 * left / fmax(used + left, 1);
	const double less = fmin(promoted, demoted), more = fmax(promoted, demoted);
	set_number(s, "free_pct", free_pct, 1);
	return free_pct < FULL_FREE_PCT && less >= MOVED_PER_S && less >= THRASHED_PART * more ? YES
											       : NO;
}

/* Of the reads that were counted, the percentage that is in the samples. NAN: not known. */
static double sampled_pct(const struct explained_hot *hot, enum hot_memory memory)
{
	const double counted = hot->counted_MB[memory] * 1e6 / HOT_LINE_BYTES;

	return hot->counts && counted > 0 ? 100 * hot->events[memory] / counted : NAN;
}

/*
 * As much DRAM as the hottest CXL memory needs was sampled less than half as often. Where a sample
 * of DRAM stands for more than twice as many reads as one of CXL memory, as DRAM is read by
 * streams, it may be as hot nevertheless: samples can't answer.
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

/* A rule reads best as name, checks, subject and condition, then sentence, evidence and advice. */
/* clang-format off */
const struct rule explain_rules[] = {
	{.name = "link_degraded", .checks = {"links' width and speed", NULL}, .of = DEVICES,
	 .holds = link_degraded,
	 .sentence = "{where}: its link is narrower or slower than both its ends can be: {text}.",
	 .evidence = "",
	 .advice = "Reseat the card, and see the slot's width and speed in the firmware's set-up; "
		   "cxlmon doctor names each link on the way."},
	{.name = "happened", .of = MARKS, .holds = has_happened,
	 .sentence = "{text}, while it was measured.",
	 .evidence = "",
	 .advice = "See the lines through the charts of cxlmon report for what changed with it, and "
		   "the kernel's log for why."},
	{.name = "throttled", .checks = {"throttling", "device"}, .of = PORTS,
	 .holds = is_throttled,
	 .sentence = "{where}: the device's DRAM is throttled: {text}.",
	 .evidence = "dram_throttling_per_s,device_temperature_C,cxl_mem_read_MBps,cxl_mem_write_MBps",
	 .advice = "Cool it better (fans, air flow), or raise its power limit."},
	{.name = "device_unwell", .checks = {"health of devices", "health"}, .of = PORTS,
	 .holds = is_unwell,
	 .sentence = "{where}: the device says of itself: {text}.",
	 .evidence = "life_used_pct",
	 .advice = "See what its vendor says of that; cool it better where it is the temperature; "
		   "else plan to replace it."},
	{.name = "errors", .checks = {"errors", "link,port"}, .of = PORTS,
	 .holds = has_errors,
	 .sentence = "{where}: transfers fail and are repeated: {text}.",
	 .evidence = "cxl_mem_read_MBps,cxl_mem_write_MBps",
	 .advice = "Reseat the card, look at cable and riser, and update its firmware; the kernel's "
		   "log and rasdaemon may name the fault."},
	/* A 68-byte flit has four slots of 16 bytes, which lines share with headers: 87 % at best */
	{.name = "link_saturated", .checks = {"the link's share in use", "port"}, .of = PORTS,
	 .holds = link_saturated,
	 .sentence = "{where}: its link is saturated: at the peak, data takes {share_pct} % of "
		     "{link_max_GBps} GB/s one way, of which CXL.mem can use about 87 %.",
	 .evidence = "cxl_mem_read_MBps,cxl_mem_write_MBps,cxl_read_latency_ns",
	 .advice = "Spread pages over more devices (weighted interleave), or keep hot pages in "
		   "DRAM."},
	{.name = "device_slow", .checks = {"devices slower than their link", "port,queue"},
	 .of = PORTS, .holds = device_slow,
	 .sentence = "{where}: the device is slower than its link: at the peak, data takes "
		     "{share_pct} % of the link, but its queue is in use, and reads take "
		     "{latency_ns} ns instead of the {unloaded_ns} ns {text}.",
	 .evidence = "cxl_mem_read_MBps,cxl_mem_write_MBps,rx_mem_data_busy_pct,queue_clocks",
	 .advice = "Spread pages over more devices; mixes of reads and writes, and random accesses, "
		   "cost a device most."},
	{.name = "below_promise", .checks = {"devices below what firmware promises", "port,queue"},
	 .of = PORTS, .holds = below_promise,
	 .sentence = "{where}: the device moves less than firmware promises: {moved_GBps} of "
		     "{promised_GBps} GB/s at the peak, although its queue is in use, and data "
		     "takes only {share_pct} % of the link.",
	 .evidence = "cxl_read_latency_ns,rx_mem_data_busy_pct,queue_clocks",
	 .advice = "See whether its memory is throttled or lacks channels (cxlmon -m device,health, "
		   "and its vendor's tools); random accesses cost a device most."},
	{.name = "latency_high", .checks = {"latency without load", "port,latency"},
	 .of = SOCKETS, .holds = latency_high,
	 .sentence = "{where}: reads of CXL memory take {latency_ns} ns although the links are "
		     "idle; firmware promises {promised_ns} ns.",
	 .evidence = "cxl_mem_read_MBps",
	 .advice = "Look for power saving (uncore frequency, link ASPM), for readers on the other "
		   "socket, and for a switch on the way."},
	{.name = "uneven", .checks = {"balance of interleaved devices", NULL}, .of = REGIONS,
	 .holds = is_uneven,
	 .sentence = "{where}: its devices are not used evenly: {text}.",
	 .evidence = "",
	 .advice = "The slowest device of a region sets the pace of all: compare their links and "
		   "firmware; cxlmon info shows each."},
	{.name = "remote_reads", .checks = {"reads through another socket", "core"},
	 .of = SOCKETS, .holds = reads_remote,
	 .sentence = "{where}: its CPUs read {remote_pct} % of their CXL data through another "
		     "socket.",
	 .evidence = "cxl_read_local_MBps,cxl_read_remote_MBps",
	 .advice = "Bind the program to the socket that the device is attached to (numactl "
		   "--cpunodebind)."},
	{.name = "thrashing", .checks = {"tiering", "tiering"}, .of = NODES,
	 .holds = is_thrashing,
	 .sentence = "{where}: DRAM is full ({free_pct} % free), and pages go back and forth: "
		     "{promoted_per_s} are promoted and {demoted_per_s} demoted each second.",
	 .evidence = "node_used_MiB,node_free_MiB",
	 .advice = "The working set does not fit into DRAM: give the job more of it, or lower "
		   "kernel.numa_balancing_promote_rate_limit_MBps."},
	{.name = "misplaced", .of = SAMPLED_LOADS, .holds = is_misplaced,
	 .sentence = "The hottest {hot_cxl_GiB} GiB of CXL memory have half of its sampled loads, and "
		     "CXL memory {cxl_reads_pct} % of all; {colder_dram_GiB} GiB of DRAM were sampled "
		     "less than half as often{text}. " HOT_UNSEEN_CAVEAT,
	 .evidence = "",
	 .advice = "Move the hottest ranges of CXL memory, which cxlmon hot --pages=FILE lists, to free "
		   "DRAM, or let the kernel promote them (kernel.numa_balancing 2). That memory was "
		   "not sampled is no reason to move it out of DRAM."},
	{.name = NULL},
};
/* clang-format on */
