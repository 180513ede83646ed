/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages about units that have no values, or have some again. decoder_report() is a part of
 * decoder.h.
 */
#include "counts/decoder_private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "base/text.h"
#include "counts/decoder.h"
#include "plan/perf_events.h"

#define NAMES_SIZE 320

/* Tells if the names of two units differ only in the last number. */
static bool is_same_kind(const struct unit *a, const struct unit *b)
{
	return a && b && !a->cpmu && a->type == b->type && a->socket == b->socket &&
	       a->die == b->die;
}

static const struct unit *unit_of(const struct decoder *decoder, size_t u)
{
	return decoder->plan->units[u].unit;
}

/* Tells if two units have the same type, and are lost in the same way. */
static bool is_same_loss(const struct decoder *decoder, size_t u, size_t v)
{
	const struct frame_unit *a = &decoder->units[u].failure, *b = &decoder->units[v].failure;

	return unit_of(decoder, u)->type == unit_of(decoder, v)->type && a->error == b->error &&
	       (a->failed_read == FRAME_NO_READ) == (b->failed_read == FRAME_NO_READ);
}

static bool has_news(const struct decoder *decoder, size_t u, enum news news, size_t like)
{
	return u < decoder->plan->unit_count && decoder->units[u].news & news &&
	       (news != NEWS_LOST || is_same_loss(decoder, u, like));
}

/* Writes "socket 0 cha 3-7" for units from u on, or "3-7" after another one of that kind. */
static void format_range(const struct unit *unit, const struct unit *last,
			 const struct unit *before, char text[UNIT_NAME_SIZE + 16])
{
	char name[UNIT_NAME_SIZE];

	if (is_same_kind(unit, before))
		snprintf(name, sizeof(name), "%u", unit->id);
	else
		unit_name(unit, name);
	snprintf(text, UNIT_NAME_SIZE + 16, unit == last ? "%s" : "%s-%u", name, last->id);
}

/*
 * Writes "socket 0 cha 0-7, 9, socket 0 cxlcm 2": all units with the news; for losses, those like
 * unit .like.
 */
static void name_units(const struct decoder *decoder, enum news news, size_t like,
		       char text[NAMES_SIZE])
{
	const struct unit *before = NULL;
	size_t others = 0;

	text[0] = '\0';
	for (size_t u = 0, end; u < decoder->plan->unit_count; u = end) {
		char range[UNIT_NAME_SIZE + 16];

		end = u + 1;
		if (!has_news(decoder, u, news, like))
			continue;
		while (has_news(decoder, end, news, like) &&
		       is_same_kind(unit_of(decoder, end), unit_of(decoder, u)) &&
		       unit_of(decoder, end)->id == unit_of(decoder, end - 1)->id + 1)
			end++;
		format_range(unit_of(decoder, u), unit_of(decoder, end - 1), before, range);
		before = unit_of(decoder, end - 1);
		if (strlen(text) + strlen(range) + 32 > NAMES_SIZE)
			others += end - u;
		else
			text_list(text, NAMES_SIZE, "%s", range);
	}
	if (others)
		text_append(text, NAMES_SIZE, " and %zu other%s", others, others == 1 ? "" : "s");
}

/* Explains an error of the kernel with a register, or with programming. */
static void explain_error(const struct decoder *decoder, size_t u, struct error *err)
{
	const struct plan_unit *pu = &decoder->plan->units[u];
	const struct frame_unit *failure = &decoder->units[u].failure;
	const struct round *round =
		&decoder->plan->rounds[pu->first_round + decoder->units[u].round];

	if (pu->unit->access == ACCESS_PERF || failure->failed_read == FRAME_NO_READ) {
		error_set(err, ERROR_FAILED, failure->error, "%s: %s",
			  pu->unit->access == ACCESS_PERF ? "the kernel cannot read it"
							  : "cannot be frozen or programmed",
			  strerror(-failure->error));
		return;
	}
	struct reg reg = decoder->plan->counters[round->first_counter + failure->failed_read].reg;
	reg.cpu = failure->cpu;
	reg_error(decoder->plan->machine->platform, &reg, false, failure->error, err);
}

static void explain_loss(const struct decoder *decoder, size_t u, const char *names,
			 struct error *err)
{
	const int code = decoder->units[u].failure.error;
	struct error why = {.kind = ERROR_FAILED};
	const char *text = why.text;

	if (!code)
		text = "no response (a counter reads as all ones)";
	else if (code == PERF_EVENTS_MISCOUNTED)
		text = "the registers show that the kernel counts other events than those asked "
		       "for: its driver keeps events and filters of earlier runs, or cannot select "
		       "these";
	else if (code == PERF_EVENTS_UNCERTAIN)
		text = "the kernel has no counter free for its events, and the registers do not "
		       "show what is counted";
	else
		explain_error(decoder, u, &why);
	error_set(err, why.kind, code ? code : -ENXIO, "%s: %s; no values meanwhile", names, text);
}

void decoder_explain_loss(const struct decoder *decoder, size_t u, struct error *err)
{
	char name[UNIT_NAME_SIZE];

	explain_loss(decoder, u, unit_name(unit_of(decoder, u), name), err);
}

/* Writes "10:15:03"; exact: with milliseconds, for comparison with samples. */
static void format_time(char text[32], uint64_t wall_ns, bool exact)
{
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	struct tm tm;
	const size_t used = strftime(text, 32, "%H:%M:%S", gmtime_r(&seconds, &tm));

	if (exact)
		snprintf(text + used, 32 - used, ".%03u",
			 (unsigned)(wall_ns % NS_PER_S / (NS_PER_S / 1000)));
}

/* Returns the first unit with the news; the number of units: none. */
static size_t find_news(const struct decoder *decoder, enum news news)
{
	size_t u = 0;

	while (u < decoder->plan->unit_count && !(decoder->units[u].news & news))
		u++;
	return u;
}

static void describe_taken(const struct decoder *decoder, enum news news, size_t first,
			   const char *what, const char *until, struct error *out)
{
	char names[NAMES_SIZE], time[32];

	name_units(decoder, news, first, names);
	format_time(time, decoder->units[first].intact_ns, decoder->doubtful_ns);
	error_set(out, ERROR_IN_USE, -EBUSY,
		  "%s: %s by another program after %s UTC, when the controls were last checked%s; "
		  "no values until %s",
		  names, what, time,
		  decoder->doubtful_ns ? ", and values shown since then may be wrong" : "", until);
}

/* Tells if the clock of another unit of its type in its socket runs. */
static bool others_tick(const struct decoder *decoder, size_t unit)
{
	for (size_t u = 0; u < decoder->plan->unit_count; u++) {
		const struct decoder_unit *state = &decoder->units[u];

		if (state->ticked && state->counted &&
		    unit_of(decoder, u)->type == unit_of(decoder, unit)->type &&
		    unit_of(decoder, u)->socket == unit_of(decoder, unit)->socket)
			return true;
	}
	return false;
}

static void describe_stopped(const struct decoder *decoder, size_t first, struct error *out)
{
	char names[NAMES_SIZE];

	if (decoder->units[first].freeze == FRAME_FROZEN) {
		describe_taken(decoder, NEWS_STOPPED, first, "frozen",
			       "it runs again; see cxlmon doctor", out);
		return;
	}
	const bool perf = unit_of(decoder, first)->access == ACCESS_PERF;
	name_units(decoder, NEWS_STOPPED, first, names);
	error_set(out, ERROR_IN_USE, -EBUSY,
		  "%s: the clock stands still%s: frozen by another program, %sor powered down; no "
		  "values until it runs%s; see cxlmon doctor",
		  names, others_tick(decoder, first) ? ", while others of its kind run" : "",
		  perf ? "not initialised by the kernel's driver, " : "",
		  decoder->units[first].ticked ? " again" : "");
}

/*
 * Describes units that were written to. Earlier values may have been right: a written counter does
 * not show when it was written.
 */
static void describe_written(const struct decoder *decoder, size_t first, struct error *out)
{
	char names[NAMES_SIZE];

	name_units(decoder, NEWS_WRITTEN, first, names);
	error_set(out, ERROR_IN_USE, -EBUSY,
		  "%s: a counter moved by more than it can count in that time: another program has "
		  "written to it, or it was read wrongly; no values in this sample",
		  names);
}

static void describe_saturated(const struct decoder *decoder, size_t first, struct error *out)
{
	char names[NAMES_SIZE];

	name_units(decoder, NEWS_SATURATED, first, names);
	error_set(out, ERROR_FAILED, -EOVERFLOW,
		  "%s: a counter has saturated and stopped; no values until it has been set to 0",
		  names);
}

/* Incidents that another program causes, and saturation; the worst for other values first. */
static const enum news incidents[] = {NEWS_TAKEN, NEWS_STOPPED, NEWS_WRITTEN, NEWS_SATURATED};
#define INCIDENTS (sizeof(incidents) / sizeof(incidents[0]))

/* Describes the units that have one of the incidents. */
static void describe_incident(const struct decoder *decoder, enum news news, struct error *out)
{
	const size_t first = find_news(decoder, news);

	if (news == NEWS_TAKEN)
		describe_taken(decoder, news, first, "reset, frozen or reprogrammed",
			       "the controls are free again", out);
	else if (news == NEWS_STOPPED)
		describe_stopped(decoder, first, out);
	else if (news == NEWS_WRITTEN)
		describe_written(decoder, first, out);
	else
		describe_saturated(decoder, first, out);
}

static void add_note(struct decoder *decoder, enum news news, const char *what)
{
	const size_t used = strlen(decoder->note), first = find_news(decoder, news);
	char names[NAMES_SIZE];

	if (first == decoder->plan->unit_count)
		return;
	name_units(decoder, news, first, names);
	snprintf(decoder->note + used, sizeof(decoder->note) - used, "%s%s: %s", used ? "; " : "",
		 names, what);
}

void decoder_describe_news(struct decoder *decoder)
{
	for (size_t i = 0; i < INCIDENTS; i++)
		if (find_news(decoder, incidents[i]) < decoder->plan->unit_count) {
			describe_incident(decoder, incidents[i], &decoder->warning);
			break;
		}
	add_note(decoder, NEWS_RECLAIMED,
		 "the controls are free again; programmed again, and counting");
	add_note(decoder, NEWS_RESUMED, "runs again, and counts");
	add_note(decoder, NEWS_FOUND, "can be read again");
}

void decoder_report(const struct decoder *decoder, const struct log *log)
{
	char names[NAMES_SIZE];
	struct error lost, incident;

	for (size_t u = 0; u < decoder->plan->unit_count; u++) {
		size_t first = 0;

		while (first < u && !has_news(decoder, first, NEWS_LOST, u))
			first++;
		if (first < u || !has_news(decoder, u, NEWS_LOST, u))
			continue;
		name_units(decoder, NEWS_LOST, u, names);
		explain_loss(decoder, u, names, &lost);
		log_write(log, LEVEL_WARNING, "%s", lost.text);
	}
	for (size_t i = 0; i < INCIDENTS; i++)
		if (decoder->begun & incidents[i]) {
			describe_incident(decoder, incidents[i], &incident);
			log_write(log, LEVEL_WARNING, "%s", incident.text);
		}
	if (decoder->new_held_up)
		log_write(log, LEVEL_WARNING,
			  "counters took longer to read than usual, as on a busy machine or with a "
			  "limit of CPU time: values that may be wrong by more than 1 %% are "
			  "estimates (~), by more than 5 %% empty");
	if (*decoder->note)
		log_write(log, LEVEL_NOTE, "%s", decoder->note);
}
