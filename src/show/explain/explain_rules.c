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
#include "platform/cxl_link.h"
#include "platform/kernel_stats.h"
#include "platform/memory.h"
#include "platform/pci_link.h"
#include "show/explain/explain_private.h"

/* Percent of what a link can carry of its mix of reads and writes. */
#define SATURATED_PCT (100 * CXL_LINK_FULL)
#define ROOM_PCT      (100 * CXL_LINK_ROOM)
/* Percent of its raw rate as data: however short its flits are, no tenth of what it can carry. */
#define IDLE_SHARE_PCT 5

#define LATENCY_TIMES 1.5 /* the latency without load */
/*
 * Published measurements of memory expanders without load are 140 to 410 ns; twice the highest is
 * no such device without load. Nor is what firmware promises always one: a Granite Rapids says
 * 1510.
 */
#define LEAST_USUAL_NS 140
#define USUAL_NS       410
#define USUAL_TIMES    2
#define FULL_PCT       10 /* of the time a buffer is; as the alerts of packaging have it */
#define QUEUE_CLOCKS   10 /* that an access waits */
#define ERRORS_PER_S   1  /* as the alerts */
#define THROTTLED_PCT  1
#define UNEVEN_PART    0.1
#define TRAFFIC_MBPS   100 /* less is no traffic to judge */
#define PROMISED_PART  0.75
#define REMOTE_PART    (1.0 / 3)
#define REMOTE_MBPS    100
#define FULL_FREE_PCT  10
#define MOVED_PER_S    100 /* pages */
#define THRASHED_PART  0.5
#define MISPLACED_PCT  10 /* of all reads, they are from CXL memory */

static double figure(const struct situation *s, const char *name)
{
	return explain_figure(s, name);
}

static void set_number(struct situation *s, const char *name, double number, unsigned decimals)
{
	s->numbers[s->number_count++] = (struct evidence){name, number, decimals};
}

static enum answer not_known(struct situation *s, const char *reason)
{
	s->reason = reason;
	return NOT_KNOWN;
}

static const struct memory_node *node_of(const struct situation *s, const struct row *row)
{
	return memory_layout_node(&s->explain->info->memory, row->node);
}

/* Links. */

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

static struct cxl_link_use use_of(const struct situation *s)
{
	return explain_has_68_byte_flits(s->explain, s->row)
		       ? cxl_link_use(figure(s, "link_read_pct") / 100,
				      figure(s, "link_write_pct") / 100)
		       : (struct cxl_link_use){NAN, NAN};
}

static void add_caveat(struct situation *s, const char *figure_name, const char *sentence)
{
	size_t i = 0;

	while (s->caveats[i])
		i++;
	if (figure(s, figure_name) > 0)
		s->caveats[i] = sentence;
}

/* What is said of how full a link is by reads may be too much. */
static void add_caveat_of_requests(struct situation *s)
{
	add_caveat(s, "estimated_pct",
		   "Reads are counted as requests here, which is an upper estimate.");
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

/* Latency. */

/* The most that firmware promises of a socket's devices; NAN: nothing that can be believed. */
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
	return promised >= LEAST_USUAL_NS && promised < USUAL_TIMES * USUAL_NS ? promised : NAN;
}

/* Whether many of a socket's reads pass links of another one, whose latency is in the mean. */
static bool are_remote(const struct situation *s)
{
	const double near = figure(s, "cxl_read_local_MBps"),
		     far = figure(s, "cxl_read_remote_MBps");

	return far >= REMOTE_MBPS && far >= REMOTE_PART * (near + far);
}

/*
 * Whether reads take long for what is promised; else for the least that was seen; else for what
 * such devices usually have. least: NAN where it may not have been without load.
 */
static enum answer reads_are_slow(struct situation *s, double least)
{
	const double latency = figure(s, "cxl_read_latency_ns"), promised = promised_latency(s);
	const double dram = figure(s, "ddr_local_read_latency_ns");
	double unloaded = promised, times = LATENCY_TIMES;
	const char *source = "that firmware promises";

	if (isnan(unloaded) && least * LATENCY_TIMES <= latency) {
		unloaded = least;
		source = "that they took at best";
	} else if (isnan(unloaded)) {
		unloaded = USUAL_NS;
		times = USUAL_TIMES;
		source = "that such devices take at most without load";
	}
	add_caveat(s, "scaled_latency_pct",
		   "The latency is an estimate, of multiplexed events or of few reads.");
	snprintf(s->text, sizeof(s->text), "%s", source);
	if (!isnan(dram))
		text_append(s->text, sizeof(s->text), ", and reads of local DRAM %.0f ns", dram);
	set_number(s, "latency_ns", latency, 0);
	set_number(s, "unloaded_ns", unloaded, 0);
	set_number(s, "times", latency / unloaded, 1);
	return latency >= times * unloaded && !are_remote(s) ? YES : NO;
}

/* Full receive buffers have a rule of their own. */
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

/* What the rules above can't say: how full the links are is not known. */
static enum answer latency_unexplained(struct situation *s)
{
	const double share = figure(s, "links_share_pct");

	if (share < IDLE_SHARE_PCT || !isnan(figure(s, "links_used_pct")) ||
	    figure(s, "buffers_full_pct") >= FULL_PCT)
		return NO;
	return reads_are_slow(s, explain_least(s, "cxl_read_latency_ns"));
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

/* That accesses wait in the device itself shows that it is asked for more than it does. */
static enum answer below_promise(struct situation *s)
{
	const double promised = promised_reads(s);
	const double used = cxl_link_fullest(use_of(s));
	const double moved = figure(s, "cxl_mem_read_MBps") + figure(s, "cxl_mem_write_MBps");

	if (isnan(promised))
		return not_known(s, "firmware promises no bandwidth");
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

/* Errors and health. */

/* A metric, which may be unknown, and what is too much of it. */
struct limit {
	const char *metric, *unit;
	double least;
};

/* Lists those above their limit in the text: "CRC errors 12/s, link retries 3/s". */
static enum answer any_above(struct situation *s, const struct limit *limits)
{
	enum answer answer = NO;

	for (; limits->metric; limits++) {
		const double number = figure(s, limits->metric);

		if (!(number >= limits->least && number > 0))
			continue;
		text_list(s->text, sizeof(s->text), "%s %.3g%s",
			  metric_title(metric_by_name(limits->metric)), number, limits->unit);
		answer = YES;
	}
	return answer;
}

static enum answer has_link_errors(struct situation *s)
{
	static const struct limit limits[] = {
		{"crc_errors_per_s", "/s", ERRORS_PER_S},
		{"retries_per_s", "/s", ERRORS_PER_S},
		{.metric = NULL},
	};
	const double reported = figure(s, "aer_correctable_per_s");
	const struct aer_rates aer = explain_aer(s->explain, s->row, reported);
	const enum answer answer = any_above(s, limits);

	if (*aer.link)
		text_list(s->text, sizeof(s->text), "%s", aer.link);
	if (*aer.link)
		return YES;
	return answer == NO && aer.unnamed > 0
		       ? not_known(s, aer.summed ? "a recording has only the sum of all kinds of "
						   "errors that AER reports"
						 : "what kind of errors AER reports is not known")
		       : answer;
}

static enum answer has_other_errors(struct situation *s)
{
	const double reported = figure(s, "aer_correctable_per_s");
	const struct aer_rates aer = explain_aer(s->explain, s->row, reported);

	if (*aer.others)
		text_list(s->text, sizeof(s->text), "%s", aer.others);
	if (aer.unnamed > 0)
		text_list(s->text, sizeof(s->text), "%.3g/s whose kind is not known%s", aer.unnamed,
			  aer.summed ? ", as a recording has only the sum of all kinds" : "");
	return *s->text ? YES : NO;
}

static enum answer has_uncorrectable_errors(struct situation *s)
{
	static const struct limit limits[] = {
		{"aer_nonfatal_per_s", "/s", 0}, /* any */
		{"aer_fatal_per_s", "/s", 0},
		{.metric = NULL},
	};

	return any_above(s, limits);
}

static enum answer has_media_errors(struct situation *s)
{
	static const struct limit limits[] = {
		{"dram_retries_per_s", "/s", ERRORS_PER_S},
		{"corrected_errors_per_s", "/s", ERRORS_PER_S},
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
	const unsigned heat = device_state_of(explain_last(s, "health")) &
			      (STATE_TEMPERATURE_WARNING | STATE_TEMPERATURE_CRITICAL);
	char text[DEVICE_HEALTH_TEXT_SIZE];

	if (answer == YES && heat)
		text_append(s->text, sizeof(s->text), "; its health when it was last asked: %s",
			    device_health_text(heat, text));
	return answer;
}

/* The last answer counts: a state is a sum of bits, which has no mean. */
static enum answer is_unwell(struct situation *s)
{
	const double state = explain_last(s, "health");
	const double celsius = explain_last(s, "device_temperature_C");
	char text[DEVICE_HEALTH_TEXT_SIZE];

	if (!isnan(celsius))
		set_number(s, "device_temperature_C", celsius, 0);
	if (!device_state_of(state))
		return NO;
	snprintf(s->text, sizeof(s->text), "%s", device_health_text(device_state_of(state), text));
	return YES;
}

/* Where memory is. */

/* Whether another region has it, too. */
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

/* Of devices that addresses are spread evenly over; all must be known. */
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
			return not_known(s, "traffic of a device is not known, or counted "
					    "otherwise than that of others");
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
	const struct view *view = s->explain->view;

	for (size_t r = 0; r < view_metric_rows(view); r++)
		if (view->rows[r].scope == SCOPE_SOCKET && &view->rows[r] != s->row)
			return false;
	return true;
}

static enum answer reads_remote(struct situation *s)
{
	const double near = figure(s, "cxl_read_local_MBps"),
		     far = figure(s, "cxl_read_remote_MBps");

	set_number(s, "remote_pct", 100 * far / fmax(near + far, 1), 0);
	return are_remote(s) ? YES : NO;
}

static double free_pct(const struct situation *s)
{
	const double used = figure(s, "node_used_MiB"), left = figure(s, "node_free_MiB");

	return 100 * left / fmax(used + left, 1);
}

/* The kernel counts promotions and demotions on the node of DRAM: see platform/kernel_stats.h. */
static bool dram_is_full(const struct situation *s)
{
	const struct memory_layout *memory = &s->explain->info->memory;

	for (size_t r = 0; r < memory->region_count; r++)
		if (memory->regions[r].node == s->row->node)
			return false;
	return !*s->row->memdev && free_pct(s) < FULL_FREE_PCT;
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

/* A rule reads best as name, subject, samples and condition, then sentence and advice. */
/* clang-format off */
const struct rule explain_rules[] = {
	{.name = "link_degraded", .checks = "links' width and speed", .of = DEVICES,
	 .holds = link_degraded,
	 .sentence = "{where}: its link is narrower or slower than both its ends can be: {text}.",
	 .advice = "Reseat the card, and see the slot's width and speed in the firmware's set-up; "
		   "cxlmon doctor names each link on the way."},
	{.name = "happened", .of = MARKS, .holds = has_happened,
	 .sentence = "{text}, while it was measured.",
	 .advice = "See the lines through the charts of cxlmon report for what changed with it, and "
		   "the kernel's log for why."},
	{.name = "throttled", .checks = "throttling", .of = PORTS,
	 .any = {"dram_thermal_throttled_pct", "dram_power_throttled_pct"}, .beside = {"health"},
	 .shows = {"dram_throttling_per_s", "device_temperature_C", "cxl_mem_read_MBps",
		   "cxl_mem_write_MBps"},
	 .holds = is_throttled,
	 .sentence = "{where}: the device's DRAM is throttled: {text}.",
	 .advice = "If it is by heat, cool it better (fans, air flow); if for power, raise the "
		   "device's limit."},
	{.name = "device_unwell", .checks = "health of devices", .of = PORTS,
	 .any = {"health"}, .beside = {"device_temperature_C"}, .shows = {"life_used_pct"},
	 .holds = is_unwell,
	 .sentence = "{where}: the device says of itself: {text}.",
	 .advice = "See what its vendor says of that; cool it better where it is the temperature; "
		   "else plan to replace it."},
	{.name = "uncorrectable_errors", .checks = "uncorrectable errors", .of = PORTS,
	 .any = {"aer_nonfatal_per_s", "aer_fatal_per_s"},
	 .holds = has_uncorrectable_errors,
	 .sentence = "{where}: uncorrectable errors are reported on the way to the device, and "
		     "hardware repeats nothing after these: {text}.",
	 .advice = "The kernel's log names the function and the kind; data may be lost. Save what "
		   "is in this memory, and take it out of use until the cause is known."},
	{.name = "link_errors", .checks = "errors of the link", .of = PORTS,
	 .any = {"crc_errors_per_s", "retries_per_s", "aer_correctable_per_s"},
	 .shows = {"cxl_mem_read_MBps", "cxl_mem_write_MBps"},
	 .holds = has_link_errors,
	 .sentence = "{where}: its link has errors, after which it repeats what was damaged: {text}.",
	 .advice = "Reseat the card, look at cable and riser, and update its firmware; the kernel's "
		   "log and rasdaemon may name the fault."},
	{.name = "media_errors", .checks = "errors of the device's memory", .of = PORTS,
	 .any = {"corrected_errors_per_s", "dram_retries_per_s"},
	 .shows = {"device_temperature_C"},
	 .holds = has_media_errors,
	 .sentence = "{where}: the device corrects errors of its own memory: {text}.",
	 .advice = "No data is lost by these. See whether they grow (rasdaemon names addresses), "
		   "and what the vendor's tools say of its memory modules."},
	{.name = "other_errors", .of = PORTS,
	 .any = {"aer_correctable_per_s"},
	 .holds = has_other_errors,
	 .sentence = "{where}: correctable errors are reported on the way to the device (AER) that "
		     "are not known to be of its link: {text}.",
	 .advice = "NonFatalErr, CorrIntErr and HeaderOF are no transfers that were repeated; "
		   "RxErr, BadTLP, BadDLLP, Rollover and Timeout are of the link. The kernel's log "
		   "names the function and the kind."},
	{.name = "link_saturated", .checks = "links that are full", .of = PORTS, .busy = true,
	 .needs = {"link_read_pct", "link_write_pct"}, .beside = {"estimated_pct"},
	 .shows = {"cxl_mem_read_MBps", "cxl_mem_write_MBps", "link_max_GBps",
		   "cxl_read_latency_ns"},
	 .holds = link_saturated,
	 .sentence = "{where}: its link is saturated: at the peak, data {text} takes {share_pct} % "
		     "of its raw rate; with this mix of reads and writes it can take {limit_pct} % "
		     "at most.",
	 .advice = "Spread pages over more devices (weighted interleave), or keep hot pages in "
		   "DRAM."},
	{.name = "buffer_full", .checks = "receive buffers that are full", .of = PORTS, .busy = true,
	 .any = {"rx_mem_data_full_pct", "rx_mem_req_full_pct"},
	 .shows = {"cxl_mem_read_MBps", "cxl_mem_write_MBps", "cxl_read_latency_ns"},
	 .holds = buffer_full,
	 .sentence = "{where}: at the peak, the host's receive buffer of memory {text} is full "
		     "{full_pct} % of the time: the processor takes less from the port than the "
		     "device could send.",
	 .advice = "See whether the uncore runs at a low frequency, and whether the mesh or DRAM is "
		   "busy, too; spread pages over ports, and over devices of another socket."},
	{.name = "link_nearly_full", .of = SOCKETS, .busy = true,
	 .needs = {"links_share_pct", "links_used_pct", "cxl_read_latency_ns"},
	 .beside = {"ddr_local_read_latency_ns", "buffers_full_pct", "estimated_pct",
		    "scaled_latency_pct"},
	 .shows = {"links_used_pct", "cxl_mem_read_MBps", "cxl_mem_write_MBps",
		   "cxl_read_local_MBps", "cxl_read_remote_MBps"},
	 .holds = link_nearly_full,
	 .sentence = "{where}: a link is nearly full: at the peak, it carries {links_used_pct} % of "
		     "what it can, and reads of CXL memory take {latency_ns} ns, {times} times the "
		     "{unloaded_ns} ns {text}.",
	 .advice = "Spread pages over more devices: where latency falls with traffic, it was the "
		   "link, else the device."},
	{.name = "below_promise", .checks = "devices below what firmware promises", .of = PORTS,
	 .busy = true,
	 .needs = {"link_read_pct", "link_write_pct", "queue_clocks", "cxl_mem_read_MBps",
		   "cxl_mem_write_MBps"},
	 .shows = {"link_read_pct", "link_write_pct", "cxl_read_latency_ns"},
	 .holds = below_promise,
	 .sentence = "{where}: the device moves less than firmware promises: {moved_GBps} of "
		     "{promised_GBps} GB/s at the peak, although accesses wait {queue_clocks} clocks "
		     "in the queue of its DRAM, and its link has room.",
	 .advice = "See whether its memory is throttled or lacks channels (cxlmon -m device,health, "
		   "and its vendor's tools); random accesses cost a device most."},
	{.name = "reads_slow", .checks = "latency under load", .of = SOCKETS, .busy = true,
	 .needs = {"links_share_pct", "links_used_pct", "cxl_read_latency_ns"},
	 .beside = {"ddr_local_read_latency_ns", "buffers_full_pct", "scaled_latency_pct"},
	 .shows = {"links_used_pct", "cxl_mem_read_MBps", "cxl_mem_write_MBps",
		   "cxl_read_local_MBps", "cxl_read_remote_MBps"},
	 .holds = reads_slow,
	 .sentence = "{where}: reads of CXL memory are slow although links have room: at the peak, "
		     "they take {latency_ns} ns, {times} times the {unloaded_ns} ns {text}; no link "
		     "carries more than {links_used_pct} % of what it can.",
	 .advice = "It may be the device (random accesses, mixes of reads and writes, throttling), a "
		   "switch on the way, or, where DRAM is slow, too, the processor; in bursts "
		   "shorter than a sample links may be full. Spread pages over more devices."},
	{.name = "latency_high", .checks = "latency without load", .of = SOCKETS,
	 .needs = {"links_share_pct", "cxl_read_latency_ns"},
	 .beside = {"ddr_local_read_latency_ns", "buffers_full_pct", "scaled_latency_pct"},
	 .shows = {"links_share_pct", "cxl_mem_read_MBps", "cxl_read_local_MBps",
		   "cxl_read_remote_MBps"},
	 .takes = links_are_idle, .holds = latency_high,
	 .sentence = "{where}: reads of CXL memory take {latency_ns} ns although links are idle, "
		     "{times} times the {unloaded_ns} ns {text}.",
	 .advice = "Look for power saving (uncore frequency, link ASPM), for readers on the other "
		   "socket, for a switch on the way, and for bursts shorter than a sample; else it "
		   "is the device."},
	{.name = "latency_unexplained", .of = SOCKETS, .busy = true,
	 .needs = {"cxl_read_latency_ns"},
	 .beside = {"links_share_pct", "links_used_pct", "ddr_local_read_latency_ns",
		    "buffers_full_pct", "scaled_latency_pct"},
	 .shows = {"cxl_mem_read_MBps", "cxl_mem_write_MBps", "cxl_read_local_MBps",
		   "cxl_read_remote_MBps"},
	 .holds = latency_unexplained,
	 .sentence = "{where}: at the peak, reads of CXL memory take {latency_ns} ns, {times} times "
		     "the {unloaded_ns} ns {text}; how full its links are is not known.",
	 .advice = "It may be a link that is full, the device (random accesses, throttling), a "
		   "switch on the way, readers on the other socket, or, where DRAM is slow, too, "
		   "the processor. cxlmon sweep shows the latency without load."},
	{.name = "uneven", .checks = "balance of interleaved devices", .of = REGIONS,
	 .moot = is_not_interleaved, .holds = is_uneven,
	 .sentence = "{where}: its devices are not used evenly: {text}.",
	 .advice = "It is the addresses that are accessed: strides that leave out a device, or hot "
		   "data that is not spread over all of them. Place that data otherwise, or choose "
		   "another granularity. A slow device does not cause it."},
	{.name = "remote_reads", .checks = "reads through another socket", .of = SOCKETS,
	 .needs = {"cxl_read_local_MBps", "cxl_read_remote_MBps"},
	 .shows = {"cxl_read_local_MBps", "cxl_read_remote_MBps"},
	 .moot = is_only_socket, .holds = reads_remote,
	 .sentence = "{where}: its CPUs read {remote_pct} % of their CXL data through another "
		     "socket.",
	 .advice = "Bind the program to the socket that the device is attached to (numactl "
		   "--cpunodebind)."},
	{.name = "thrashing", .checks = "tiering", .of = NODES,
	 .needs = {"promoted_per_s", "demoted_per_s", "node_used_MiB", "node_free_MiB"},
	 .shows = {"node_used_MiB", "node_free_MiB"},
	 .takes = dram_is_full, .holds = is_thrashing,
	 .sentence = "{where}: DRAM is full ({free_pct} % free), and pages move both ways: "
		     "{promoted_per_s} are promoted and {demoted_per_s} demoted each second.",
	 .advice = "If it lasts, the working set does not fit into DRAM: give the job more of it, or "
		   "lower kernel.numa_balancing_promote_rate_limit_MBps."},
	{.name = "misplaced", .of = SAMPLED_LOADS, .holds = is_misplaced,
	 .sentence = "The hottest {hot_cxl_GiB} GiB of CXL memory have half of its sampled loads, and "
		     "CXL memory {cxl_reads_pct} % of all; {colder_dram_GiB} GiB of DRAM were sampled "
		     "less than half as often{text}. " HOT_UNSEEN_CAVEAT,
	 .advice = "Move the hottest ranges of CXL memory, which cxlmon hot --pages=FILE lists, to free "
		   "DRAM, or let the kernel promote them (kernel.numa_balancing 2). That memory was "
		   "not sampled is no reason to move it out of DRAM."},
	{.name = NULL},
};
_Static_assert(sizeof(explain_rules) / sizeof(explain_rules[0]) - 1 <= RULES_MOST,
	       "findings.not_checked has room for all");

const struct rule explain_nothing = {
	.name = "nothing_found", .of = SYSTEM, .busy = true,
	.shows = {"cxl_mem_read_MBps", "cxl_mem_write_MBps", "cxl_read_latency_ns"},
	.sentence = "Nothing that was checked limits CXL.",
};
/* clang-format on */
