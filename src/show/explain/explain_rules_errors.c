/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules about errors and health. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "platform/device_health.h"
#include "platform/kernel_stats.h"
#include "show/explain/explain_rules.h"

#define ERRORS_PER_S  1 /* as in the alerts */
#define THROTTLED_PCT 1

/* Errors of one severity that AER has reported since the first sample began. */
struct aer_rates {
	char clear[96];	 /* kinds of known meaning: "BadTLP 2/s, Timeout 1/s"; "": none */
	char others[96]; /* other kinds */
	double unnamed;	 /* errors of unknown kinds, per second */
	bool summed;	 /* a recording has only the sum of all kinds */
};

/*
 * Correctable kinds after which CXL.io repeats a transfer, or that report a damaged symbol. The
 * meaning of the other kinds: NonFatalErr is advisory; HeaderOF is a log that was full; CorrIntErr
 * is any error that the function corrected inside, which on a CXL function includes link errors of
 * CXL.mem and CXL.cache (CRC or retry threshold, physical layer). Source: the kernel's
 * drivers/pci/pcie/aer.c.
 */
static const char *const transfer_kinds[] = {"RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout"};

/*
 * Returns whether a kind tells what happened. An uncorrectable UnsupReq is a refused request, such
 * as a probe of a missing function.
 */
static bool is_clear(const struct tally *tally)
{
	if (tally->severity != AER_CORRECTABLE)
		return strcmp(tally->kind, "UnsupReq") != 0;
	for (size_t i = 0; i < sizeof(transfer_kinds) / sizeof(transfer_kinds[0]); i++)
		if (!strcmp(transfer_kinds[i], tally->kind))
			return true;
	return false;
}

static const struct tally *find_tally(const struct tallies *tallies, const char *device,
				      enum kernel_stat severity, const char *kind)
{
	for (size_t i = 0; i < tallies->count; i++) {
		const struct tally *tally = &tallies->items[i];

		if (tally->severity == severity && !strcmp(tally->device, device) &&
		    !strcmp(tally->kind, kind))
			return tally;
	}
	return NULL;
}

/* Returns the rates of the device behind a row; total: errors of all kinds, per second. */
static struct aer_rates aer_rates_of(const struct explain *e, const struct row *row,
				     enum kernel_stat severity, double total)
{
	const struct tallies *all = &e->table->tallies;
	const struct tally *now = find_tally(all, row->place.memdev, severity, "");
	const struct tally *first = find_tally(&e->tallies, row->place.memdev, severity, "");
	struct aer_rates rates = {.unnamed = total, .summed = !now};

	if (!now || !first || isnan(now->count - first->count) || now->at_ns <= first->at_ns)
		return rates;
	const double seconds = (double)(now->at_ns - first->at_ns) / NS_PER_S;
	double left = now->count - first->count;
	for (const struct tally *kind = now; kind < all->items + all->count; kind++) {
		if (kind->severity != severity || !*kind->kind ||
		    strcmp(kind->device, row->place.memdev) != 0)
			continue;
		const struct tally *before =
			find_tally(&e->tallies, row->place.memdev, severity, kind->kind);
		const double events = kind->count - (before ? before->count : 0);

		if (!(events > 0))
			continue;
		left -= events;
		text_list(is_clear(kind) ? rates.clear : rates.others, sizeof(rates.clear),
			  "%s %.3g/s", kind->kind, events / seconds);
	}
	rates.unnamed = left > 0 ? left / seconds : 0;
	return rates;
}

/* A metric, which may be unknown, and its limit. */
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

	return any_above(s, limits);
}

static struct aer_rates aer_of(const struct situation *s, enum kernel_stat severity)
{
	static const char *const metrics[] = {[AER_CORRECTABLE] = "aer_correctable_per_s",
					      [AER_NONFATAL] = "aer_nonfatal_per_s",
					      [AER_FATAL] = "aer_fatal_per_s"};

	return aer_rates_of(s->explain, s->row, severity, figure(s, metrics[severity]));
}

static enum answer has_io_errors(struct situation *s)
{
	const struct aer_rates aer = aer_of(s, AER_CORRECTABLE);

	if (*aer.clear)
		text_list(s->text, sizeof(s->text), "%s", aer.clear);
	if (*aer.clear || !(aer.unnamed > 0))
		return *aer.clear ? YES : NO;
	return not_known(s, aer.summed ? "a recording has only the sum of all kinds of "
					 "errors that AER reports"
				       : "the kinds of errors that AER reports are unknown");
}

/* Finds errors whose kinds do not show the cause. */
static enum answer has_other_errors(struct situation *s)
{
	const struct aer_rates aer = aer_of(s, AER_CORRECTABLE);
	const struct aer_rates nonfatal = aer_of(s, AER_NONFATAL);
	const struct aer_rates fatal = aer_of(s, AER_FATAL);

	if (*aer.others)
		text_list(s->text, sizeof(s->text), "%s", aer.others);
	if (*nonfatal.others)
		text_list(s->text, sizeof(s->text), "%s", nonfatal.others);
	if (*fatal.others)
		text_list(s->text, sizeof(s->text), "%s (fatal)", fatal.others);
	if (aer.unnamed > 0)
		text_list(s->text, sizeof(s->text), "%.3g/s of unknown kinds%s", aer.unnamed,
			  aer.summed ? ", as a recording has only the sum of all kinds" : "");
	return *s->text ? YES : NO;
}

static void list_uncorrectable(struct situation *s, enum kernel_stat severity, const char *name)
{
	const struct aer_rates aer = aer_of(s, severity);

	if (*aer.clear)
		text_list(s->text, sizeof(s->text), "%s (%s)", aer.clear, name);
	if (aer.unnamed > 0)
		text_list(s->text, sizeof(s->text), "%.3g/s of unknown kinds (%s)", aer.unnamed,
			  name);
}

static enum answer has_uncorrectable_errors(struct situation *s)
{
	list_uncorrectable(s, AER_FATAL, "fatal");
	list_uncorrectable(s, AER_NONFATAL, "not fatal");
	return *s->text ? YES : NO;
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
		text_append(s->text, sizeof(s->text), "; its health when it was last read: %s",
			    device_health_text(heat, text));
	return answer;
}

/* Judges health by the last report: a state is a sum of bits, which has no mean. */
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

/* clang-format off */
const struct rule rule_throttled = {
	.name = "throttled", .checks = "throttling", .of = PORTS,
	.any = {"dram_thermal_throttled_pct", "dram_power_throttled_pct"}, .beside = {"health"},
	.shows = {"dram_throttling_per_s", "device_temperature_C", "cxl_mem_read_MBps",
		  "cxl_mem_write_MBps"},
	.holds = is_throttled,
	.sentence = "{where}: the device's DRAM is throttled: {text}.",
	.advice = "If the cause is heat, cool it better (fans, air flow); if it is power, raise "
		  "the device's limit.",
};

const struct rule rule_device_unwell = {
	.name = "device_unwell", .checks = "health of devices", .of = PORTS,
	.any = {"health"}, .beside = {"device_temperature_C"}, .shows = {"life_used_pct"},
	.holds = is_unwell,
	.sentence = "{where}: the device reports: {text}.",
	.advice = "See what its vendor says about that; cool it better if it is the temperature, "
		  "else plan to replace it.",
};

const struct rule rule_uncorrectable_errors = {
	.name = "uncorrectable_errors", .checks = "uncorrectable errors", .of = PORTS,
	.any = {"aer_nonfatal_per_s", "aer_fatal_per_s"},
	.holds = has_uncorrectable_errors,
	.sentence = "{where}: uncorrectable errors are reported from root port to device, and "
		    "hardware retries nothing after these: {text}.",
	.advice = "The kernel's log names the function, and whether a driver recovered it; data may "
		  "be lost. Save what is in this memory before the cause is known.",
};

const struct rule rule_link_errors = {
	.name = "link_errors", .checks = "link errors of CXL.mem and CXL.cache", .of = PORTS,
	.any = {"crc_errors_per_s", "retries_per_s"},
	.shows = {"cxl_mem_read_MBps", "cxl_mem_write_MBps"},
	.holds = has_link_errors,
	.sentence = "{where}: its link has errors, after which it sends the damaged data again: "
		    "{text}.",
	.advice = "Reseat the card, look at cable and riser, and update its firmware; the kernel's "
		  "log and rasdaemon may name the fault.",
};

const struct rule rule_io_errors = {
	.name = "io_errors", .checks = "link errors that AER reports", .of = PORTS,
	.any = {"aer_correctable_per_s"},
	.shows = {"cxl_mem_read_MBps", "cxl_mem_write_MBps"},
	.holds = has_io_errors,
	.sentence = "{where}: a link from root port to device has errors, as AER reports: {text}.",
	.advice = "BadTLP, BadDLLP, Rollover and Timeout are transfers of CXL.io, which are repeated; "
		  "RxErr is of the physical layer. Reseat the card, look at cable and riser, and "
		  "update its firmware; the kernel's log names the function.",
};

const struct rule rule_media_errors = {
	.name = "media_errors", .checks = "errors of the device's memory", .of = PORTS,
	.any = {"corrected_errors_per_s", "dram_retries_per_s"},
	.shows = {"device_temperature_C"},
	.holds = has_media_errors,
	.sentence = "{where}: the device corrects errors of its own memory: {text}.",
	.advice = "These were corrected, or the access repeated. See whether they grow (rasdaemon "
		  "names addresses), and what the vendor's tools say of its memory modules.",
};

const struct rule rule_other_errors = {
	.name = "other_errors", .of = PORTS,
	.any = {"aer_correctable_per_s"},
	.holds = has_other_errors,
	.sentence = "{where}: AER reports errors from root port to device whose kind does not "
		    "show the cause: {text}.",
	.advice = "CorrIntErr may be an error of CXL.mem or CXL.cache: the kernel's trace events "
		  "cxl_aer_correctable_error and cxl_port_aer_correctable_error say which. "
		  "NonFatalErr is advisory, HeaderOF a full log, UnsupReq a refused request. The "
		  "kernel's log names the function.",
};
/* clang-format on */
