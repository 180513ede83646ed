/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/selftest/counters.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/text.h"
#include "session/session.h"
#include "sim/sim.h"

#define INTERVAL_NS UINT64_C(100000000)
/*
 * Number of looks: one is not enough to accuse a counter, because a busy machine may read counters
 * at different times.
 */
#define LOOKS 3

/*
 * Tolerated difference, as a part of the other counts: reading the counters one by one takes less.
 */
#define TOLERANCE 0.01
/*
 * Least clocks for a judgement: uncores run at 800 MHz or more, so that fewer mean a clock that
 * has hardly run.
 */
#define ENOUGH 1000000

#define EVENTS_SIZE 2048

static bool are_alike(uint64_t a, uint64_t b)
{
	return (double)(a > b ? a - b : b - a) <= TOLERANCE * (double)(a > b ? a : b);
}

/*
 * Returns the count that most counters share, except 0; the highest if several counts are shared
 * by as many.
 */
static uint64_t usual_count(const uint64_t counts[UNIT_MAX_COUNTERS], uint32_t counters)
{
	uint64_t usual = 0;
	unsigned most = 0;

	for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++) {
		unsigned alike = 0;

		if (!(counters >> i & 1) || !counts[i])
			continue;
		for (unsigned k = 0; k < UNIT_MAX_COUNTERS; k++)
			alike += counters >> k & 1 && are_alike(counts[i], counts[k]);
		if (alike > most || (alike == most && counts[i] > usual))
			usual = counts[i];
		if (alike > most)
			most = alike;
	}
	return usual;
}

struct counters_judged counters_judge(const uint64_t counts[UNIT_MAX_COUNTERS], uint32_t counters)
{
	const uint64_t usual = usual_count(counts, counters);
	struct counters_judged judged = {0, 0};

	for (unsigned i = 0; usual >= ENOUGH && i < UNIT_MAX_COUNTERS; i++) {
		if (!(counters >> i & 1))
			continue;
		if (!counts[i])
			judged.silent |= UINT32_C(1) << i;
		else if (!are_alike(counts[i], usual))
			judged.off |= UINT32_C(1) << i;
	}
	return judged;
}

void counters_result_free(struct counters_result *result)
{
	free(result->units);
	*result = (struct counters_result){.units = NULL};
}

/* Prints "; counters 1, 3 do not count", or nothing if the mask is empty. */
static void print_counters(uint32_t counters, const char *one, const char *several,
			   const char *between, FILE *out)
{
	char numbers[128] = "";

	if (!counters)
		return;
	for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++)
		if (counters >> i & 1)
			text_append(numbers, sizeof(numbers), "%s%u", *numbers ? ", " : "", i);
	fprintf(out, "%s counter%s %s %s", between, counters & (counters - 1) ? "s" : "", numbers,
		counters & (counters - 1) ? several : one);
}

void counters_print(const struct counters_result *result, FILE *out)
{
	for (size_t i = 0; i < result->count; i++) {
		const struct counters_judged *judged = &result->units[i].judged;

		fprintf(out, "%s:", result->units[i].name);
		print_counters(judged->silent, "does not count", "do not count", "", out);
		print_counters(judged->off, "differs from the others by more than 1 %",
			       "differ from the others by more than 1 %", judged->silent ? ";" : "",
			       out);
		fputc('\n', out);
	}
}

static json_t *numbers_array(uint32_t counters)
{
	json_t *numbers = json_array();

	for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++)
		if (counters >> i & 1)
			json_array_append_new(numbers, json_integer(i));
	return numbers;
}

json_t *counters_json(const struct counters_result *result)
{
	json_t *units = result->tested ? json_array() : NULL;

	for (size_t i = 0; i < result->count; i++) {
		const struct counters_unit *unit = &result->units[i];

		json_array_append_new(units, json_pack("{s:s, s:o, s:o}", "unit", unit->name,
						       "silent", numbers_array(unit->judged.silent),
						       "off", numbers_array(unit->judged.off)));
	}
	return units;
}

/* State while units of one type are looked at. */
struct look {
	const struct session *session;
	uint64_t *before;		/* raw counts by read */
	struct counters_judged *judged; /* faults that all looks show, by unit */
};

/* Tells if a unit was read, and no other program has changed its controls. */
static bool is_good(const struct plan_unit *pu, const struct frame *frame, size_t u)
{
	const struct frame_unit *unit = &frame->units[u];

	if (unit->error || unit->clobbered || unit->rotated)
		return false;
	for (size_t r = pu->first_read; r < pu->first_read + pu->read_count; r++)
		if (unit_no_response(pu->unit, frame->raw[r]))
			return false;
	return true;
}

static struct counters_judged judge_unit(const struct look *look, size_t u,
					 const struct frame *frame)
{
	const struct plan *plan = &look->session->plan;
	const struct plan_unit *pu = &plan->units[u];
	uint64_t counts[UNIT_MAX_COUNTERS] = {0};
	uint32_t counters = 0;

	for (size_t i = 0; i < pu->read_count; i++) {
		const struct counter *counter = &plan->counters[pu->first_counter + i];
		const size_t r = pu->first_read + i;

		/* each event uses a single counter */
		counters |= counter->event->counters;
		counts[__builtin_ctz(counter->event->counters)] =
			(frame->raw[r] - look->before[r]) & counter->mask;
	}
	return counters_judge(counts, counters);
}

/*
 * Looks at one interval. A unit that cannot be judged in it is not accused. Sets *accused to the
 * number of accused units.
 */
static int look_once(struct look *look, const struct counters_options *o, size_t *accused,
		     int *signal_number, struct error *err)
{
	struct poller *poller = look->session->poller;
	const struct plan *plan = &look->session->plan;
	const struct frame *frame = poller_frame(poller);
	const uint32_t epoch = frame->epoch;
	enum read_reason due = READ_START;
	int rc = 0;

	*accused = 0;
	for (size_t r = 0; r < plan->read_count; r++)
		look->before[r] = frame->raw[r];
	while (!rc && due != READ_SAMPLE) {
		rc = poller_wait(poller, o->wake, signal_number, &due, err);
		if (!rc)
			rc = poller_read(poller, due, err);
	}
	for (size_t u = 0; !rc && u < plan->unit_count; u++) {
		const bool good = is_good(&plan->units[u], frame, u) && frame->epoch == epoch;
		const struct counters_judged now =
			good ? judge_unit(look, u, frame) : (struct counters_judged){0, 0};

		look->judged[u].silent &= now.silent;
		look->judged[u].off &= now.off;
		*accused += look->judged[u].silent || look->judged[u].off;
	}
	return rc;
}

static int add_unit(struct counters_result *out, const struct unit *unit,
		    const struct counters_judged *judged)
{
	if (array_room(&out->units, out->count, 1, sizeof(*out->units)))
		return -ENOMEM;
	struct counters_unit *added = &out->units[out->count++];
	unit_name(unit, added->name);
	added->judged = *judged;
	return 0;
}

/* Looks at a session that is counting. */
static int look_at(const struct session *session, const struct counters_options *o,
		   struct counters_result *out, int *signal_number, struct error *err)
{
	const struct plan *plan = &session->plan;
	struct look look = {
		.session = session,
		.before = calloc(plan->read_count + 1, sizeof(*look.before)),
		.judged = calloc(plan->unit_count + 1, sizeof(*look.judged)),
	};
	size_t accused = 1;
	int rc = look.before && look.judged ? 0 : error_no_memory(err);

	for (size_t u = 0; !rc && u < plan->unit_count; u++)
		look.judged[u] = (struct counters_judged){UINT32_MAX, UINT32_MAX};
	for (unsigned i = 0; !rc && accused && i < LOOKS; i++)
		rc = look_once(&look, o, &accused, signal_number, err);
	for (size_t u = 0; !rc && accused && u < plan->unit_count; u++)
		if (look.judged[u].silent || look.judged[u].off)
			rc = add_unit(out, plan->units[u].unit, &look.judged[u])
				     ? error_no_memory(err)
				     : 0;
	out->tested |= !rc;
	free(look.before);
	free(look.judged);
	return rc;
}

/*
 * Writes the clock once for each counter: "upi/event=0x1,umask=0x0,counter=0,name=counter_0/,...".
 */
static void write_events(const struct pmu_type *type, const struct event *clock, char *text)
{
	*text = '\0';
	for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++)
		if (clock->counters >> i & 1)
			text_append(text, EVENTS_SIZE,
				    "%s%s/event=%#x,umask=%#x,counter=%u,name=counter_%u/",
				    *text ? "," : "", type->name, clock->code, clock->umask, i, i);
}

/* Tells if a clock has several counters, and the syntax of events can describe it. */
static bool can_compare(const struct event *clock)
{
	return clock && clock->counters & (clock->counters - 1) && !clock->umask_ext &&
	       !clock->modifiers;
}

static int test_type(const struct pmu_type *type, const struct event *clock,
		     const struct counters_options *o, const struct log *log,
		     struct counters_result *out, int *signal_number, struct error *err)
{
	/* silences warnings of clocks that stand still: counters that do not count look the same */
	const struct log silent = {.write = NULL};
	char events[EVENTS_SIZE];
	const char *list[] = {events};
	const struct session_options options = {
		.sim = o->sim,
		.root = o->root,
		.backend = BACKEND_RAW,
		.view = {.finest = SCOPE_SYSTEM},
		.events = {.at = list, .count = 1},
		.interval_ns = INTERVAL_NS,
	};
	struct session session;
	struct error why = {.code = 0};

	write_events(type, clock, events);
	int rc = session_open(&options, &silent, &session, &why);
	if (!rc)
		rc = session_start(&session, &why);
	if (!rc)
		rc = look_at(&session, o, out, signal_number, &why);
	const int left = session_stop(&session, err);
	session_close(&session);
	if (left || !rc)
		return left;
	if (rc == -EINTR) {
		*err = why;
		return rc;
	}
	if (rc != -ENODEV)
		log_write(log, LEVEL_NOTE, "the counters of %s are not compared: %s", type->name,
			  why.text);
	return 0;
}

int counters_test(const struct counters_options *options, const struct log *log,
		  struct counters_result *out, int *signal_number, struct error *err)
{
	int rc = 0;

	for (const struct pmu_type *type = options->model->pmu_types; !rc && type->name; type++) {
		const struct event *clock = model_clock(options->model, type->type);

		if (can_compare(clock))
			rc = test_type(type, clock, options, log, out, signal_number, err);
	}
	return rc;
}
