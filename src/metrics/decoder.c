/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/decoder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plan/perf_events.h"
#include "platform/number.h"

/* An uncore runs at 0.8 GHz or more (its lowest ratio): in this time its clock ticks. */
#define TICKS_NS 1000
/*
 * After this time a clock that stands still is reported. Before, its counts are only awaited:
 * cxlmon-platform copies its registers to files every 0.2 ms, or later on a busy machine.
 */
#define STANDS_NS 50000000

struct unit_state {
	uint32_t group;	    /* that counts now */
	bool has_baseline;  /* decoder.last has values to subtract from the next ones, */
	uint64_t since_ns;  /* read when running_ns of its domain was this */
	bool clobbered;	    /* in the frame before */
	bool stands;	    /* its clock has stood still for STANDS_NS */
	uint64_t moved_ns;  /* running_ns of its domain when its clock last ran */
	uint64_t intact_ns; /* wall clock, when its controls were last found to be ours */
};

/* Whether a unit has counts in a frame, or why not. */
enum unit_status {
	UNIT_VALID,
	UNIT_NO_BASELINE, /* its counts begin with this frame */
	UNIT_READ_FAILED, /* it goes on counting: the next good read has its counts */
	UNIT_CLOBBERED,	  /* another program has changed its counters or controls */
	UNIT_STANDS,	  /* its clock stands still: it is frozen, or powered down */
};

struct decoder {
	const struct plan *plan;
	uint32_t epoch;
	struct unit_state *units;   /* by unit */
	uint64_t *last;		    /* by read: the value before */
	uint64_t *last_skew;	    /* by read: the skew before */
	uint64_t *last_unseen;	    /* by read: the unseen count before */
	uint64_t *enabled_since;    /* by domain: how long it was enabled at the last sample */
	struct count *counts;	    /* by slot: since the last sample */
	bool interval_begins;	    /* no frame was decoded since then */
	bool interrupted;	    /* an epoch began since then: the sample has no counts */
	size_t failed_reads;	    /* since then */
	uint64_t missed, frozen_ns; /* of the frame of the last sample */
	struct error warning;
	bool new_warning;
	bool read_failure_reported;	   /* once in a run */
	size_t clobbered, first_clobbered; /* how often a unit was, since the last sample; which */
	size_t standing, first_standing;   /* the same for units whose clock stands still */
	char note[256];
};

struct decoder *decoder_new(const struct plan *plan)
{
	struct decoder *decoder = calloc(1, sizeof(*decoder));

	if (!decoder)
		return NULL;
	decoder->plan = plan;
	decoder->interval_begins = true;
	/* one element more, so that no array is empty */
	decoder->units = calloc(plan->unit_count + 1, sizeof(*decoder->units));
	decoder->last = calloc(plan->read_count + 1, sizeof(*decoder->last));
	decoder->last_skew = calloc(plan->read_count + 1, sizeof(*decoder->last_skew));
	decoder->last_unseen = calloc(plan->read_count + 1, sizeof(*decoder->last_unseen));
	decoder->enabled_since = calloc(plan->domain_count + 1, sizeof(*decoder->enabled_since));
	decoder->counts = calloc(plan->slot_count + 1, sizeof(*decoder->counts));
	if (decoder->units && decoder->last && decoder->last_skew && decoder->last_unseen &&
	    decoder->enabled_since && decoder->counts)
		return decoder;
	decoder_free(decoder);
	return NULL;
}

void decoder_free(struct decoder *decoder)
{
	if (!decoder)
		return;
	free(decoder->units);
	free(decoder->last);
	free(decoder->last_skew);
	free(decoder->last_unseen);
	free(decoder->enabled_since);
	free(decoder->counts);
	free(decoder);
}

static const struct group *group_of(const struct decoder *decoder, size_t u)
{
	return &decoder->plan
			->groups[decoder->plan->units[u].first_group + decoder->units[u].group];
}

/* All ones: a register of this unit that doesn't respond reads so. */
static bool responds(const struct unit *unit, const uint64_t *raw, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (unit_no_response(unit, raw[i]))
			return false;
	return true;
}

/* What a counter counted up to the last reading that had no room for a frame. */
static uint64_t unseen_count(const struct decoder *decoder, size_t r, const struct frame *frame)
{
	return frame->unseen_counts ? frame->unseen[r] - decoder->last_unseen[r] : 0;
}

/* What it counted after that, less than a counter's range. */
static uint64_t last_count(const struct decoder *decoder, size_t r, const struct frame *frame,
			   uint64_t mask)
{
	return (frame->raw[r] - decoder->last[r] - unseen_count(decoder, r, frame)) & mask;
}

static uint64_t running_ns(const struct decoder *decoder, size_t u, const struct frame *frame)
{
	return frame->running_ns[decoder->plan->units[u].domain];
}

static bool clock_stands(const struct decoder *decoder, size_t u, const struct frame *frame)
{
	const struct group *group = group_of(decoder, u);
	const size_t r = decoder->plan->units[u].first_read + group->clock_slot - group->first_slot;

	if (group->clock_slot == PLAN_NO_CLOCK ||
	    running_ns(decoder, u, frame) - decoder->units[u].since_ns < TICKS_NS)
		return false;
	return !unseen_count(decoder, r, frame) &&
	       !last_count(decoder, r, frame, decoder->plan->slots[group->clock_slot].mask);
}

/*
 * Either all counters of a unit are valid or none, so that no ratio is of two intervals. A delta of
 * more than half a counter's range means that somebody has set the counter back.
 */
static enum unit_status check_unit(const struct decoder *decoder, size_t u,
				   const struct frame *frame)
{
	const size_t first = decoder->plan->units[u].first_read;
	const struct group *group = group_of(decoder, u);
	const struct slot *slots = &decoder->plan->slots[group->first_slot];

	if (frame->units[u].error ||
	    !responds(decoder->plan->units[u].unit, &frame->raw[first], group->slot_count))
		return UNIT_READ_FAILED;
	if (!decoder->units[u].has_baseline)
		return UNIT_NO_BASELINE;
	if (frame->units[u].clobbered)
		return UNIT_CLOBBERED;
	for (size_t i = 0; i < group->slot_count; i++)
		if (last_count(decoder, first + i, frame, slots[i].mask) > slots[i].mask / 2)
			return UNIT_CLOBBERED;
	return clock_stands(decoder, u, frame) ? UNIT_STANDS : UNIT_VALID;
}

static void add_counts(struct decoder *decoder, size_t u, const struct frame *frame)
{
	const struct plan_unit *pu = &decoder->plan->units[u];
	const struct group *group = group_of(decoder, u);
	const struct slot *slots = &decoder->plan->slots[group->first_slot];
	const uint64_t ns = frame->running_ns[pu->domain] - decoder->units[u].since_ns;

	for (size_t i = 0; i < group->slot_count; i++) {
		const size_t r = pu->first_read + i;
		const uint64_t skew = frame->skewed ? frame->skew[r] - decoder->last_skew[r] : 0;
		struct count *count = &decoder->counts[slots[i].sum_slot];

		count->events += unseen_count(decoder, r, frame) +
				 last_count(decoder, r, frame, slots[i].mask);
		count->time_running += ns + skew;
		count->time_enabled += skew;
		count->known = true;
	}
}

/* What to subtract from the next values: what was read, or what the next group starts from. */
static void set_baseline(struct decoder *decoder, size_t u, const struct frame *frame)
{
	const struct plan_unit *pu = &decoder->plan->units[u];
	const size_t first = pu->first_read, end = first + pu->read_count;
	const bool start = frame->units[u].rotated;
	const uint64_t *values = start ? frame->start : frame->raw;

	memcpy(&decoder->last[first], &values[first], pu->read_count * sizeof(*values));
	for (size_t r = first; frame->skewed && r < end; r++)
		decoder->last_skew[r] = start ? frame->start_skew[r] : frame->skew[r];
	for (size_t r = first; frame->unseen_counts && r < end; r++)
		decoder->last_unseen[r] = frame->unseen[r];
	decoder->units[u].has_baseline = true;
	decoder->units[u].since_ns = frame->running_ns[pu->domain];
}

static void report_failed_read(struct decoder *decoder, size_t u, const struct frame *frame)
{
	const struct frame_unit *unit = &frame->units[u];
	struct error *warning = &decoder->warning, why = {0};
	char name[UNIT_NAME_SIZE];

	unit_name(decoder->plan->units[u].unit, name);
	if (!unit->error) {
		error_set(
			warning, EXIT_FAILED, -ENXIO,
			"%s: no response (a counter reads as all ones); no values from it until it "
			"responds",
			name);
		return;
	}
	if (unit->error == PERF_EVENTS_MISCOUNTED) {
		error_set(warning, EXIT_FAILED, unit->error,
			  "%s: the kernel counts other events than it was asked for, as the "
			  "registers show: its driver keeps events and filters of earlier runs, or "
			  "cannot select these; no values from it until it counts them",
			  name);
		return;
	}
	if (unit->error == PERF_EVENTS_UNSEEN) {
		error_set(warning, EXIT_FAILED, unit->error,
			  "%s: its events wait for counters of the kernel's, and the registers do "
			  "not show what is counted; no values from it until they do",
			  name);
		return;
	}
	if (decoder->plan->units[u].unit->access == ACCESS_PERF) {
		error_set(warning, EXIT_FAILED, unit->error,
			  "%s: the kernel cannot read it: %s; no values from it until it can", name,
			  strerror(-unit->error));
		return;
	}
	if (unit->failed_read == FRAME_NO_READ) {
		error_set(warning, EXIT_FAILED, unit->error,
			  "%s: cannot be frozen or programmed: %s; no values from it until it can",
			  name, strerror(-unit->error));
		return;
	}
	const struct group *group = group_of(decoder, u);
	struct reg reg = decoder->plan->slots[group->first_slot + unit->failed_read].counter;
	reg.cpu = unit->cpu;
	reg_error(decoder->plan->machine->platform, &reg, false, unit->error, &why);
	error_set(warning, why.status, unit->error,
		  "%s: %s; no values from it until it can be read", name, why.text);
}

/* "socket 0 cxlcm 2", "socket 0 cxlcm 2 and 3 other units" */
static void name_units(const struct decoder *decoder, size_t first, size_t count, char *text,
		       size_t size)
{
	char name[UNIT_NAME_SIZE];

	unit_name(decoder->plan->units[first].unit, name);
	if (count > 1)
		snprintf(text, size, "%s and %zu other unit%s", name, count - 1,
			 count == 2 ? "" : "s");
	else
		snprintf(text, size, "%s", name);
}

/* Of all units in the same state as the first one. */
static void report_clobbered(struct decoder *decoder, size_t first, size_t count)
{
	const time_t since = (time_t)(decoder->units[first].intact_ns / NS_PER_S);
	char units[UNIT_NAME_SIZE + 64], time[32];
	struct tm tm;

	name_units(decoder, first, count, units, sizeof(units));
	strftime(time, sizeof(time), "%H:%M:%S", gmtime_r(&since, &tm));
	error_set(
		&decoder->warning, EXIT_IN_USE, -EBUSY,
		"%s: reset, frozen or reprogrammed by another program after %s UTC, when the controls were "
		"last checked; no values until the controls are free again",
		units, time);
}

static void report_standing(struct decoder *decoder)
{
	char units[UNIT_NAME_SIZE + 64];
	size_t count = 0;

	for (size_t u = 0; u < decoder->plan->unit_count; u++)
		count += decoder->units[u].stands;
	name_units(decoder, decoder->first_standing, count, units, sizeof(units));
	error_set(&decoder->warning, EXIT_IN_USE, -EBUSY,
		  "%s: the clock stands still: frozen by another program, or powered down; no "
		  "values until it runs again; see cxlmon doctor",
		  units);
}

static void note_reclaimed(struct decoder *decoder, const struct frame *frame)
{
	const struct plan *plan = decoder->plan;
	char units[UNIT_NAME_SIZE + 64];
	size_t first = plan->unit_count, count = 0;

	for (size_t u = plan->unit_count; u-- > 0;) {
		if (!frame->units[u].reclaimed)
			continue;
		first = u;
		count++;
	}
	if (!count)
		return;
	name_units(decoder, first, count, units, sizeof(units));
	snprintf(decoder->note, sizeof(decoder->note),
		 "%s: the controls are free again; programmed again, and counting", units);
}

/* How a unit without values is reported: each time that another program takes it; else once. */
static void report_failure(struct decoder *decoder, size_t u, enum unit_status status,
			   const struct frame *frame)
{
	/* it may pass; if not, the next frame says so */
	if (frame->units[u].error == PERF_EVENTS_UNCONFIRMED)
		return;
	const bool first = !decoder->failed_reads++;

	if (status == UNIT_STANDS) {
		decoder->first_standing = decoder->standing++ ? decoder->first_standing : u;
		decoder->new_warning |= !decoder->units[u].stands;
		return;
	}
	if (status == UNIT_CLOBBERED) {
		decoder->first_clobbered = decoder->clobbered++ ? decoder->first_clobbered : u;
		decoder->new_warning |= !decoder->units[u].clobbered;
		return;
	}
	if (!first)
		return;
	report_failed_read(decoder, u, frame);
	decoder->new_warning |= !decoder->read_failure_reported;
	decoder->read_failure_reported = true;
}

static void decode_unit(struct decoder *decoder, size_t u, const struct frame *frame)
{
	const struct frame_unit *unit = &frame->units[u];
	const enum unit_status status = check_unit(decoder, u, frame);

	if (status == UNIT_VALID)
		add_counts(decoder, u, frame);
	const bool stands = status == UNIT_STANDS &&
			    running_ns(decoder, u, frame) - decoder->units[u].moved_ns >= STANDS_NS;

	if (status == UNIT_READ_FAILED || status == UNIT_CLOBBERED || stands)
		report_failure(decoder, u, status, frame);
	if (status == UNIT_VALID || status == UNIT_NO_BASELINE || status == UNIT_CLOBBERED)
		decoder->units[u].moved_ns = running_ns(decoder, u, frame);
	if ((status != UNIT_READ_FAILED && status != UNIT_STANDS) || stands || unit->rotated)
		set_baseline(decoder, u, frame);
	if (perf_events_misled(unit->error))
		decoder->units[u].has_baseline = unit->rotated;
	decoder->units[u].stands = stands;
	decoder->units[u].group = unit->group;
	decoder->units[u].clobbered = status == UNIT_CLOBBERED;
	if (frame->checked && status == UNIT_VALID)
		decoder->units[u].intact_ns = frame->wall_ns;
}

/* Units that were clobbered in the last frame; a counter that was set back is so once. */
static size_t count_clobbered(const struct decoder *decoder)
{
	size_t count = 0;

	for (size_t u = 0; u < decoder->plan->unit_count; u++)
		count += decoder->units[u].clobbered;
	return count ? count : 1;
}

/* A unit is enabled while its domain runs, or waits for others that the kernel counts there. */
static uint64_t enabled_ns(const struct frame *frame, size_t d)
{
	return frame->running_ns[d] + (frame->multiplexed ? frame->waited_ns[d] : 0);
}

static void begin_enabled_times(struct decoder *decoder, const struct frame *frame)
{
	for (size_t d = 0; d < decoder->plan->domain_count; d++)
		decoder->enabled_since[d] = enabled_ns(frame, d);
}

/* Counting begins again: what was counted since the last sample is not known. */
static void begin_epoch(struct decoder *decoder, const struct frame *frame)
{
	const struct plan *plan = decoder->plan;

	if (decoder->epoch) {
		decoder->interrupted = true;
		decoder->failed_reads += plan->unit_count;
	}
	decoder->epoch = frame->epoch;
	memset(decoder->last_unseen, 0, plan->read_count * sizeof(*decoder->last_unseen));
	for (size_t u = 0; u < plan->unit_count; u++) {
		decoder->units[u].has_baseline = false;
		decoder->units[u].intact_ns = frame->wall_ns;
		decoder->units[u].group = frame->units[u].group;
	}
	begin_enabled_times(decoder, frame);
}

static void begin_interval(struct decoder *decoder)
{
	memset(decoder->counts, 0, decoder->plan->slot_count * sizeof(*decoder->counts));
	decoder->interval_begins = false;
	decoder->interrupted = false;
	decoder->failed_reads = 0;
	decoder->clobbered = decoder->standing = 0;
	decoder->warning.code = 0;
	decoder->new_warning = false;
	decoder->note[0] = 0;
}

static void add_enabled_times(struct decoder *decoder, const struct frame *frame)
{
	const struct plan *plan = decoder->plan;

	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct plan_unit *pu = &plan->units[u];
		const uint64_t ns =
			enabled_ns(frame, pu->domain) - decoder->enabled_since[pu->domain];

		for (size_t s = pu->first_slot; s < pu->first_slot + pu->slot_count; s++)
			decoder->counts[s].time_enabled += ns;
	}
	begin_enabled_times(decoder, frame);
}

static void end_interval(struct decoder *decoder, const struct frame *frame, struct sample *out)
{
	const struct plan *plan = decoder->plan;

	add_enabled_times(decoder, frame);
	if (decoder->standing)
		report_standing(decoder);
	if (decoder->clobbered)
		report_clobbered(decoder, decoder->first_clobbered, count_clobbered(decoder));
	if (decoder->interrupted)
		memset(decoder->counts, 0, plan->slot_count * sizeof(*decoder->counts));
	*out = (struct sample){
		.counts = decoder->counts,
		.count = plan->slot_count,
		.wall_ns = frame->wall_ns,
		.frozen_ns = frame->frozen_ns - decoder->frozen_ns,
		.missed = frame->missed - decoder->missed,
		.skipped = frame->skipped,
		.failed_reads = decoder->failed_reads,
		.warning = decoder->warning.code ? &decoder->warning : NULL,
		.new_warning = decoder->new_warning,
		.note = decoder->note[0] ? decoder->note : NULL,
	};
	decoder->frozen_ns = frame->frozen_ns;
	decoder->missed = frame->missed;
	decoder->interval_begins = true;
}

bool decoder_add(struct decoder *decoder, const struct frame *frame, struct sample *out)
{
	if (decoder->interval_begins)
		begin_interval(decoder);
	if (frame->epoch != decoder->epoch)
		begin_epoch(decoder, frame);
	for (size_t u = 0; u < decoder->plan->unit_count; u++)
		decode_unit(decoder, u, frame);
	note_reclaimed(decoder, frame);
	if (frame->sample)
		end_interval(decoder, frame, out);
	return frame->sample;
}
