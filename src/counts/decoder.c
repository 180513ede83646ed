/* SPDX-License-Identifier: BSD-3-Clause */
#include "counts/decoder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "counts/decoder_private.h"
#include "plan/perf_events.h"
#include "uncore/devices/cpmus.h"

/* Time in which a running clock ticks: an uncore runs at 0.8 GHz or more (its lowest ratio). */
#define TICKS_NS 1000
/*
 * Time after which a stopped clock is reported. Until then, its counts are only awaited:
 * cxlmon-platform copies its registers to files every 0.2 ms, or later on a busy machine.
 */
#define CLOCK_STOPPED_NS 50000000
/* The most by which registers may show counts late. */
#define LATE_NS 10000000
/* Parts of a count's time: if more is uncertain, the count is an estimate, or unknown. */
#define ESTIMATE_PART 100
#define UNKNOWN_PART  20
/*
 * Time after the last failed read until a unit is no longer lost: so a unit that fails now and then
 * is reported once.
 */
#define LOST_NS (10 * NS_PER_S)

/* Returns the loss of a unit: its port's, or else its type's in its socket. */
static size_t find_loss(struct decoder *decoder, const struct unit *unit)
{
	const struct port *port = unit_port(decoder->plan->machine, unit);
	size_t i = 0;

	while (i < decoder->loss_count &&
	       (decoder->losses[i].port != port ||
		(!port && (decoder->losses[i].unit->socket != unit->socket ||
			   decoder->losses[i].unit->type != unit->type))))
		i++;
	if (i == decoder->loss_count)
		decoder->losses[decoder->loss_count++] = (struct loss){unit, port, 0};
	return i;
}

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
	decoder->enabled_since = calloc(plan->domain_count + 1, sizeof(*decoder->enabled_since));
	decoder->counts = calloc(plan->counter_count + 1, sizeof(*decoder->counts));
	decoder->losses = calloc(plan->unit_count + 1, sizeof(*decoder->losses));
	if (decoder->units && decoder->last && decoder->enabled_since && decoder->counts &&
	    decoder->losses) {
		for (size_t u = 0; u < plan->unit_count; u++)
			decoder->units[u].loss = find_loss(decoder, plan->units[u].unit);
		return decoder;
	}
	decoder_free(decoder);
	return NULL;
}

void decoder_free(struct decoder *decoder)
{
	if (!decoder)
		return;
	free(decoder->units);
	free(decoder->last);
	free(decoder->enabled_since);
	free(decoder->counts);
	free(decoder->losses);
	free(decoder);
}

static const struct round *round_of(const struct decoder *decoder, size_t u)
{
	return &decoder->plan
			->rounds[decoder->plan->units[u].first_round + decoder->units[u].round];
}

/* Tells if a unit responds: registers of a unit that does not read as all ones. */
static bool unit_responds(const struct unit *unit, const uint64_t *raw, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (unit_no_response(unit, raw[i]))
			return false;
	return true;
}

/* Returns the events of a counter up to the last reading for which the ring had no room. */
static uint64_t undelivered_count(const struct decoder *decoder, size_t r,
				  const struct frame *frame)
{
	return frame->has_undelivered ? frame->undelivered[r] - decoder->last[r].undelivered : 0;
}

/* Returns the events of a counter after that, fewer than its range. */
static uint64_t last_count(const struct decoder *decoder, size_t r, const struct frame *frame,
			   uint64_t mask)
{
	return (frame->raw[r] - decoder->last[r].raw - undelivered_count(decoder, r, frame)) & mask;
}

static uint64_t running_ns(const struct decoder *decoder, size_t u, const struct frame *frame)
{
	return frame->running_ns[decoder->plan->units[u].domain];
}

/* Returns the uncertainty of the time since the previous frame. */
static uint64_t uncertain_ns(const struct decoder *decoder, size_t u, const struct frame *frame)
{
	return frame->uncertain_ns[decoder->plan->units[u].domain] -
	       decoder->units[u].since_uncertain;
}

/* Tells if a running clock would have ticked since the previous frame. */
static bool has_clock(const struct decoder *decoder, size_t u, const struct frame *frame)
{
	return round_of(decoder, u)->clock_counter != PLAN_NO_CLOCK &&
	       running_ns(decoder, u, frame) - decoder->units[u].since_ns >= TICKS_NS;
}

/* Tells if the unit's clock has stopped; in a round without a clock, as in the previous round. */
static bool is_clock_stopped(const struct decoder *decoder, size_t u, const struct frame *frame)
{
	const struct round *round = round_of(decoder, u);
	const size_t r =
		decoder->plan->units[u].first_read + round->clock_counter - round->first_counter;

	if (!has_clock(decoder, u, frame))
		return round->clock_counter == PLAN_NO_CLOCK && decoder->units[u].clock_stopped;
	return !undelivered_count(decoder, r, frame) &&
	       !last_count(decoder, r, frame, decoder->plan->counters[round->clock_counter].mask);
}

/* Returns the events that counter i of the active round has counted since the previous frame. */
static uint64_t counter_delta(const struct decoder *decoder, size_t u, size_t i,
			      const struct frame *frame)
{
	const size_t r = decoder->plan->units[u].first_read + i;
	const size_t s = round_of(decoder, u)->first_counter + i;

	return undelivered_count(decoder, r, frame) +
	       last_count(decoder, r, frame, decoder->plan->counters[s].mask);
}

/*
 * Returns the most events that a counter can count in s seconds and clocks of its unit (negative:
 * unknown). It may have counted for late_s more.
 */
static double most_of(const struct counter *counter, double s, double clocks, double late_s)
{
	const struct event_rate *rate = &counter->max_rate;
	const double in_time = rate->per_s * (s + late_s);

	if (clocks < 0 || !(rate->per_clock > 0))
		return in_time;
	return fmin(in_time, rate->per_clock * (clocks + CLOCK_RATE * late_s));
}

/*
 * Tells if a counter has moved by more events than are possible since the previous frame, or by
 * half of its range: then it was set back, and has not wrapped.
 */
static bool was_written(const struct decoder *decoder, size_t u, const struct frame *frame)
{
	const size_t first = decoder->plan->units[u].first_read;
	const struct round *round = round_of(decoder, u);
	const size_t clock = round->clock_counter;
	const double clocks =
		clock == PLAN_NO_CLOCK
			? -1
			: (double)counter_delta(decoder, u, clock - round->first_counter, frame);
	const uint64_t ns = running_ns(decoder, u, frame) - decoder->units[u].since_ns;
	const double late_s = (double)(LATE_NS + uncertain_ns(decoder, u, frame)) / NS_PER_S;

	for (size_t i = 0; i < round->counter_count; i++) {
		const struct counter *counter = &decoder->plan->counters[round->first_counter + i];
		const double most = most_of(counter, (double)ns / NS_PER_S, clocks, late_s);

		if (last_count(decoder, first + i, frame, counter->mask) > counter->mask / 2 ||
		    (double)counter_delta(decoder, u, i, frame) > most)
			return true;
	}
	return false;
}

/* Tells if a counter is full: AMD's counters that do not wrap set the bit above their width. */
static bool is_saturated(const struct decoder *decoder, size_t u, const struct frame *frame)
{
	const struct plan_unit *pu = &decoder->plan->units[u];
	const struct round *round = round_of(decoder, u);

	for (size_t i = 0; pu->unit->has_pairs && i < round->counter_count; i++)
		if (frame->raw[pu->first_read + i] &
		    ~decoder->plan->counters[round->first_counter + i].mask)
			return true;
	return false;
}

/* Checks a unit: all its counters are valid or none, so that a ratio has one interval. */
static enum unit_status check_unit(const struct decoder *decoder, size_t u,
				   const struct frame *frame)
{
	const size_t first = decoder->plan->units[u].first_read;
	const struct round *round = round_of(decoder, u);

	if (frame->units[u].error ||
	    !unit_responds(decoder->plan->units[u].unit, &frame->raw[first], round->counter_count))
		return UNIT_READ_FAILED;
	if (!decoder->units[u].has_baseline)
		return UNIT_NO_BASELINE;
	if (frame->units[u].clobbered)
		return UNIT_CLOBBERED;
	if (is_saturated(decoder, u, frame))
		return UNIT_SATURATED;
	if (frame->units[u].freeze != FRAME_RUNS)
		return UNIT_FROZEN;
	if (is_clock_stopped(decoder, u, frame))
		return UNIT_CLOCK_STOPPED;
	if (decoder->units[u].disturbed)
		return UNIT_RESUMED;
	return was_written(decoder, u, frame) ? UNIT_WRITTEN : UNIT_VALID;
}

static void add_counts(struct decoder *decoder, size_t u, const struct frame *frame)
{
	const struct plan_unit *pu = &decoder->plan->units[u];
	const struct round *round = round_of(decoder, u);
	const struct counter *counters = &decoder->plan->counters[round->first_counter];
	const uint64_t ns = frame->running_ns[pu->domain] - decoder->units[u].since_ns;
	const uint64_t uncertain = uncertain_ns(decoder, u, frame);

	for (size_t i = 0; i < round->counter_count; i++) {
		const size_t r = pu->first_read + i;
		const uint64_t skew = frame->skewed ? frame->skew[r] - decoder->last[r].skew : 0;
		struct count *count = &decoder->counts[counters[i].sum_counter];

		count->events += counter_delta(decoder, u, i, frame);
		count->time_running += ns + skew;
		count->time_enabled += skew;
		count->uncertain_ns += uncertain;
		count->known = true;
	}
}

/*
 * Sets the values to subtract from the next ones: those read, or those that the next round starts
 * from.
 */
static void set_baseline(struct decoder *decoder, size_t u, const struct frame *frame)
{
	const struct plan_unit *pu = &decoder->plan->units[u];
	const size_t first = pu->first_read, end = first + pu->read_count;
	const bool start = frame->units[u].rotated;

	for (size_t r = first; r < end; r++) {
		struct baseline *last = &decoder->last[r];

		last->raw = start ? frame->start[r] : frame->raw[r];
		if (frame->skewed)
			last->skew = start ? frame->start_skew[r] : frame->skew[r];
		if (frame->has_undelivered)
			last->undelivered = frame->undelivered[r];
	}
	decoder->units[u].has_baseline = true;
	decoder->units[u].since_ns = frame->running_ns[pu->domain];
	decoder->units[u].since_uncertain = frame->uncertain_ns[pu->domain];
}

/* Marks samples as doubtful that were shown since the unit was last unchanged. */
static void doubt_unit(struct decoder *decoder, size_t u)
{
	const uint64_t since = decoder->units[u].intact_ns;

	if (since < decoder->shown_ns && (!decoder->doubtful_ns || since < decoder->doubtful_ns))
		decoder->doubtful_ns = since;
}

/* Adds a loss. Returns the number of losses before it in this interval. */
static size_t add_loss(struct decoder *decoder, size_t u)
{
	decoder->losses[decoder->units[u].loss].readings++;
	return decoder->lost_readings++;
}

static void note_failed_read(struct decoder *decoder, size_t u, const struct frame *frame,
			     bool first)
{
	struct decoder_unit *state = &decoder->units[u];

	if (!state->lost || first)
		state->failure = frame->units[u];
	if (!state->lost)
		state->news |= NEWS_LOST;
	state->lost = true;
	state->failed_ns = frame->wall_ns;
	if (first)
		decoder_explain_loss(decoder, u, &decoder->warning);
}

/* Tells if another program has changed the unit's controls or counts. */
static bool is_changed(enum unit_status status)
{
	return status == UNIT_CLOBBERED || status == UNIT_WRITTEN;
}

/* Notes a unit without values: reported each time that another program takes it, else once. */
static void note_failure(struct decoder *decoder, size_t u, enum unit_status status,
			 const struct frame *frame)
{
	struct decoder_unit *state = &decoder->units[u];
	const bool begins = is_changed(status)	       ? !state->clobbered
			    : status == UNIT_SATURATED ? state->status != UNIT_SATURATED
						       : !state->stopped;

	/* the fault may pass; if not, the next frame reports it */
	if (frame->units[u].error == PERF_EVENTS_UNCONFIRMED)
		return;
	const bool first = !add_loss(decoder, u);

	if (status == UNIT_READ_FAILED) {
		note_failed_read(decoder, u, frame, first);
		return;
	}
	const enum news news = status == UNIT_CLOBBERED	  ? NEWS_TAKEN
			       : status == UNIT_WRITTEN	  ? NEWS_WRITTEN
			       : status == UNIT_SATURATED ? NEWS_SATURATED
							  : NEWS_STOPPED;

	state->news |= news;
	if (begins)
		decoder->begun |= news;
	if (begins && state->counted && (status == UNIT_CLOBBERED || status == UNIT_FROZEN))
		doubt_unit(decoder, u);
}

/* Notes that a unit has counts again. */
static void note_recovery(struct decoder_unit *state, const struct frame *frame)
{
	if (state->stopped)
		state->news |= NEWS_RESUMED;
	if (!state->lost || frame->wall_ns - state->failed_ns < LOST_NS)
		return;
	state->lost = false;
	state->news |= NEWS_FOUND;
}

static bool has_counts(enum unit_status status)
{
	return status == UNIT_VALID || status == UNIT_RESUMED;
}

/* Tells if it is open whether the unit has counted until now: a later frame may decide it. */
static bool is_unknown(enum unit_status status)
{
	return status == UNIT_READ_FAILED || status == UNIT_CLOCK_STOPPED;
}

/* Tells if another program has stopped the unit, or has changed its controls and still does. */
static bool is_disturbed(const struct frame_unit *unit, bool stopped)
{
	return stopped || unit->freeze != FRAME_RUNS || (unit->clobbered && !unit->reclaimed);
}

/* Updates the state of a unit for the next frame, and for the interval. */
static void update_state(struct decoder *decoder, size_t u, enum unit_status status, bool stopped,
			 const struct frame *frame)
{
	const struct frame_unit *unit = &frame->units[u];
	struct decoder_unit *state = &decoder->units[u];
	const bool counts = has_counts(status);
	const bool unknown = is_unknown(status);

	state->status = status;
	if (status != UNIT_READ_FAILED)
		state->clock_stopped = status == UNIT_CLOCK_STOPPED;
	if (counts)
		note_recovery(state, frame);
	if (unit->reclaimed)
		state->news |= NEWS_RECLAIMED;
	state->disturbed = is_disturbed(unit, stopped) || (unknown && state->disturbed) ||
			   (status == UNIT_SATURATED && !unit->rotated);
	state->dropped |=
		is_changed(status) || status == UNIT_RESUMED || status == UNIT_SATURATED || stopped;
	/* programming has reported units that are frozen from the start */
	state->stopped = stopped || (status == UNIT_NO_BASELINE && unit->freeze != FRAME_RUNS);
	state->counted = counts;
	state->freeze = unit->freeze;
	state->round = unit->round;
	state->clobbered = is_changed(status);
	if (!unknown)
		state->moved_ns = running_ns(decoder, u, frame);
	if (frame->checked && counts)
		state->intact_ns = frame->wall_ns;
}

static void decode_unit(struct decoder *decoder, size_t u, const struct frame *frame)
{
	const struct frame_unit *unit = &frame->units[u];
	const enum unit_status status = check_unit(decoder, u, frame);
	const bool clock_stopped =
		status == UNIT_CLOCK_STOPPED &&
		running_ns(decoder, u, frame) - decoder->units[u].moved_ns >= CLOCK_STOPPED_NS;
	const bool stopped = status == UNIT_FROZEN || clock_stopped;

	decoder->units[u].ticked |= has_counts(status) && has_clock(decoder, u, frame);
	if (status == UNIT_VALID)
		add_counts(decoder, u, frame);
	if (status == UNIT_READ_FAILED || status == UNIT_SATURATED || is_changed(status) || stopped)
		note_failure(decoder, u, status, frame);
	if (!is_unknown(status) || clock_stopped || unit->rotated)
		set_baseline(decoder, u, frame);
	if (perf_events_misled(unit->error))
		decoder->units[u].has_baseline = unit->rotated;
	update_state(decoder, u, status, stopped, frame);
}

/*
 * Returns the time that a domain was enabled: it ran, or waited for other events that the kernel
 * counts.
 */
static uint64_t enabled_ns(const struct frame *frame, size_t d)
{
	return frame->running_ns[d] + (frame->multiplexed ? frame->waited_ns[d] : 0);
}

static void begin_enabled_times(struct decoder *decoder, const struct frame *frame)
{
	for (size_t d = 0; d < decoder->plan->domain_count; d++)
		decoder->enabled_since[d] = enabled_ns(frame, d);
}

/* Begins an epoch: counting restarts, and counts since the last sample are unknown. */
static void begin_epoch(struct decoder *decoder, const struct frame *frame)
{
	const struct plan *plan = decoder->plan;

	if (decoder->epoch) {
		decoder->interrupted = true;
		for (size_t u = 0; u < plan->unit_count; u++)
			add_loss(decoder, u);
	}
	decoder->epoch = frame->epoch;
	for (size_t r = 0; r < plan->read_count; r++)
		decoder->last[r].undelivered = 0;
	for (size_t u = 0; u < plan->unit_count; u++) {
		decoder->units[u].has_baseline = false;
		decoder->units[u].intact_ns = frame->wall_ns;
		decoder->units[u].round = frame->units[u].round;
		decoder->units[u].ticked = decoder->units[u].clock_stopped = false;
	}
	begin_enabled_times(decoder, frame);
}

static void begin_interval(struct decoder *decoder)
{
	memset(decoder->counts, 0, decoder->plan->counter_count * sizeof(*decoder->counts));
	decoder->interval_begins = false;
	decoder->interrupted = false;
	decoder->lost_readings = 0;
	decoder->doubtful_ns = 0;
	for (size_t u = 0; u < decoder->plan->unit_count; u++) {
		decoder->units[u].dropped = false;
		decoder->units[u].news = 0;
	}
	decoder->warning.code = 0;
	decoder->begun = 0;
	decoder->note[0] = 0;
}

/* Tells if more than a part of the count's time is uncertain. */
static bool is_uncertain(const struct count *count, uint64_t part)
{
	return count->uncertain_ns * part > count->time_running;
}

/* Marks a count as an estimate or unknown: a value covers the whole interval, or there is none. */
static void doubt_count(struct decoder *decoder, size_t u, struct count *count)
{
	count->estimate = is_uncertain(count, ESTIMATE_PART);
	decoder->held_up |= count->estimate;
	if (decoder->units[u].dropped || is_uncertain(count, UNKNOWN_PART))
		*count = (struct count){
			.time_enabled = count->time_enabled,
			.clock_stopped = decoder->units[u].status == UNIT_CLOCK_STOPPED,
		};
}

/* Adds the times that units were enabled. */
static void end_counts(struct decoder *decoder, const struct frame *frame)
{
	const struct plan *plan = decoder->plan;

	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct plan_unit *pu = &plan->units[u];
		const uint64_t ns =
			enabled_ns(frame, pu->domain) - decoder->enabled_since[pu->domain];

		for (size_t s = pu->first_counter; s < pu->first_counter + pu->counter_count; s++) {
			struct count *count = &decoder->counts[s];

			count->time_enabled += ns;
			if (decoder->units[u].dropped || is_uncertain(count, ESTIMATE_PART))
				doubt_count(decoder, u, count);
		}
	}
	if (decoder->interrupted)
		memset(decoder->counts, 0, plan->counter_count * sizeof(*decoder->counts));
	begin_enabled_times(decoder, frame);
}

static void end_interval(struct decoder *decoder, const struct frame *frame, struct sample *out)
{
	const bool held_up = decoder->held_up;

	end_counts(decoder, frame);
	decoder->new_held_up = decoder->held_up && !held_up;
	decoder_describe_news(decoder);
	*out = (struct sample){
		.counts = decoder->counts,
		.count = decoder->plan->counter_count,
		.wall_ns = frame->wall_ns,
		.at_ns = frame->at_ns,
		.frozen_ns = frame->frozen_ns - decoder->frozen_ns,
		.missed = frame->missed - decoder->missed,
		.skipped = frame->skipped,
		.lost_readings = decoder->lost_readings,
		.losses = decoder->losses,
		.loss_count = decoder->loss_count,
		.warning = decoder->warning.code ? &decoder->warning : NULL,
		.note = decoder->note[0] ? decoder->note : NULL,
		.doubtful_since_ns = decoder->doubtful_ns,
	};
	decoder->shown_ns = frame->wall_ns;
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
	if (frame->sample)
		end_interval(decoder, frame, out);
	return frame->sample;
}
