/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/verify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platform/clock.h"
#include "uncore/units/amd_unit.h"

#define MAX_DIFFERENCE 1000 /* a difference is more than one part in this number */

/*
 * Slow readings: one that took longer than 1/MAX_READING of the interval is repeated, at most
 * MAX_READINGS times.
 */
#define MAX_READING  (4 * MAX_DIFFERENCE)
#define MAX_READINGS 10

/* bits of a counter control, without its interrupt enable and counter enable */
#define EVENT_BITS (~(PMON_CTL_OVERFLOW_ENABLE | AMD_CTL_ENABLE))

/* Tells if a number is more than a thousandth of another, and more than one event. */
static bool is_much(uint64_t events, uint64_t of)
{
	return events > 1 && events > of / MAX_DIFFERENCE;
}

bool verify_differs(const struct verify_row *row)
{
	const uint64_t more = row->perf > row->raw ? row->perf : row->raw;
	const uint64_t less = row->perf > row->raw ? row->raw : row->perf;

	return row->state == VERIFY_COMPARED && is_much(more - less, more);
}

/* A register's value, with the kernel's count before and after it was read. */
struct reading {
	uint64_t before, raw, after;
};

/* State of a counter at the beginning of its interval. */
struct beginning {
	const struct unit *unit; /* unit of registers */
	unsigned counter;	 /* counter of this unit */
	struct reading reading;
};

struct verifying {
	struct session *session;
	struct machine *machine; /* opened for registers */
	struct verify_row *rows; /* by counter */
	struct beginning *begun; /* by counter */
	uint64_t *waited_ns;	 /* by unit */
	const struct verify_options *options;
};

/* Finds the counter that the kernel has chosen for the event. -ENOENT: there is none. */
static int find_counter(struct platform *p, const struct unit *unit, const struct event *event,
			unsigned *counter, struct error *err)
{
	for (unsigned i = 0; i < unit->counters; i++) {
		const struct reg control = unit_counter_control(unit, i);
		const uint64_t enable = unit->pmu_type ? unit->pmu_type->enable : 0;
		uint64_t value, wanted = event_control(event);
		int rc = reg_read(p, &control, &value, err);

		if (rc)
			return rc;
		if (control.bytes == 4)
			wanted = (uint32_t)wanted;
		*counter = i;
		if (!((value ^ wanted) & EVENT_BITS & ~enable))
			return 0;
	}
	return -ENOENT;
}

/* Reads the kernel's count. An error is stored in the counter's row. */
static int read_perf(struct verifying *v, size_t s, size_t g, uint64_t *count)
{
	struct verify_row *row = &v->rows[s];
	uint64_t running_ns = 0;
	const int rc = perf_events_read(&v->session->perf, g, &running_ns,
					&v->waited_ns[v->session->plan.counters[s].unit]);

	*count = v->session->perf.values[s];
	return rc ? error_set(&row->why, ERROR_FAILED, rc, "the kernel: %s", strerror(-rc)) : 0;
}

static int read_once(struct verifying *v, size_t s, size_t g, struct reading *out)
{
	const struct beginning *begun = &v->begun[s];
	const struct reg counter = unit_counter(begun->unit, begun->counter);
	int rc = read_perf(v, s, g, &out->before);

	if (!rc)
		rc = reg_read(v->session->platform, &counter, &out->raw, &v->rows[s].why);
	return rc ? rc : read_perf(v, s, g, &out->after);
}

/* Takes the fastest of several readings, if other work interrupts the first ones. */
static int take_reading(struct verifying *v, size_t s, size_t g, struct reading *out)
{
	struct platform *p = v->session->platform;
	uint64_t fastest = UINT64_MAX;
	int rc = 0;

	for (int i = 0; !rc && i < MAX_READINGS && fastest > v->options->ns / MAX_READING; i++) {
		const uint64_t start = p->ops->clock->now(p);
		struct reading reading;

		rc = read_once(v, s, g, &reading);
		const uint64_t took = p->ops->clock->now(p) - start;
		if (!rc && took < fastest) {
			fastest = took;
			*out = reading;
		}
	}
	return rc;
}

static void begin_counter(struct verifying *v, size_t s, size_t g)
{
	const struct counter *counter = &v->session->plan.counters[s];
	struct platform *p = v->session->platform;
	struct verify_row *row = &v->rows[s];
	struct beginning *begun = &v->begun[s];

	*row = (struct verify_row){.unit = v->session->plan.units[counter->unit].unit,
				   .event = counter->event};
	if (row->unit->cpmu) {
		row->state = VERIFY_CPMU;
		return;
	}
	struct unit *unit = machine_find_unit(v->machine, row->unit);
	if (!unit) {
		row->state = VERIFY_NO_UNIT;
		return;
	}
	begun->unit = unit;
	int rc = unit_open(p, unit, &row->why);
	if (!rc)
		rc = find_counter(p, unit, row->event, &begun->counter, &row->why);
	if (!rc)
		rc = take_reading(v, s, g, &begun->reading);
	if (rc)
		row->state = rc == -ENOENT ? VERIFY_NOT_FOUND : VERIFY_UNREADABLE;
}

/*
 * Ends a counter's comparison. The kernel has counted at least the difference of its inner
 * readings, and at most that of its outer ones.
 */
static void end_counter(struct verifying *v, size_t s, size_t g)
{
	const struct beginning *begun = &v->begun[s];
	const struct reading *begin = &begun->reading;
	struct verify_row *row = &v->rows[s];
	struct reading end;

	if (row->state != VERIFY_COMPARED)
		return;
	if (take_reading(v, s, g, &end)) {
		row->state = VERIFY_UNREADABLE;
		return;
	}
	const uint64_t least = end.before - begin->after, most = end.after - begin->before;
	row->raw = (end.raw - begin->raw) & unit_counter_mask(begun->unit, begun->counter);
	row->perf = row->raw < least ? least : row->raw > most ? most : row->raw;
	if (!verify_differs(row) && is_much(most - least, most))
		row->state = VERIFY_DELAYED;
}

/*
 * Begins or ends the comparison of units in a round. Returns false if no unit has so many rounds.
 */
static bool compare_round(struct verifying *v, size_t round, bool begins)
{
	const struct plan *plan = &v->session->plan;
	bool any = false;

	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct plan_unit *pu = &plan->units[u];
		const size_t g = pu->first_round + round;

		any |= round < pu->round_count;
		if (pu->unit->type == PMU_CORE || round >= pu->round_count)
			continue;
		const size_t first = plan->rounds[g].first_counter;
		const size_t end = first + plan->rounds[g].counter_count;

		if (begins) {
			perf_events_enable(&v->session->perf, g, true);
			v->waited_ns[u] = 0;
		}
		for (size_t s = first; s < end; s++)
			if (begins)
				begin_counter(v, s, g);
			else
				end_counter(v, s, g);
		if (begins)
			continue;
		for (size_t s = first; v->waited_ns[u] && s < end; s++)
			if (v->rows[s].state == VERIFY_COMPARED ||
			    v->rows[s].state == VERIFY_DELAYED)
				v->rows[s].state = VERIFY_MULTIPLEXED;
		perf_events_enable(&v->session->perf, g, false);
	}
	return any;
}

/* Lets the kernel count for the duration of a comparison. after: comparisons that follow it. */
static int wait_for_counts(struct verifying *v, size_t after)
{
	struct platform *p = v->session->platform;
	const struct verify_options *o = v->options;
	const uint64_t end_ns = p->ops->clock->now(p) + o->ns;
	uint64_t now_ns;
	int rc = 0;

	while (!rc && (now_ns = p->ops->clock->now(p)) < end_ns) {
		const uint64_t left_ns = end_ns - now_ns;

		o->progress(o->context, left_ns + after * o->ns);
		rc = p->ops->clock->sleep_until(p, left_ns < NS_PER_S ? end_ns : now_ns + NS_PER_S,
						o->wake, o->signal_number);
	}
	return rc;
}

static int run_verification(struct verifying *v, struct error *err)
{
	size_t rounds = 0;
	int rc = 0;

	for (size_t u = 0; u < v->session->plan.unit_count; u++)
		if (rounds < v->session->plan.units[u].round_count)
			rounds = v->session->plan.units[u].round_count;
	for (size_t round = 0; !rc && compare_round(v, round, true); round++) {
		rc = wait_for_counts(v, rounds - round - 1);
		compare_round(v, round, false);
	}
	return rc ? error_set(err, ERROR_FAILED, rc, "interrupted by a signal") : 0;
}

int verify_run(struct session *session, struct machine *machine,
	       const struct verify_options *options, struct verify_row **out, size_t *count,
	       struct error *err)
{
	const struct plan *plan = &session->plan;
	struct verifying v = {
		.session = session,
		.machine = machine,
		.rows = calloc(plan->counter_count + 1, sizeof(*v.rows)),
		.begun = calloc(plan->counter_count + 1, sizeof(*v.begun)),
		.waited_ns = calloc(plan->unit_count + 1, sizeof(*v.waited_ns)),
		.options = options,
	};
	int rc =
		v.rows && v.begun && v.waited_ns ? run_verification(&v, err) : error_no_memory(err);

	free(v.begun);
	free(v.waited_ns);
	if (rc) {
		free(v.rows);
		v.rows = NULL;
	}
	*out = v.rows;
	*count = 0;
	/* leaves out counters of CPUs */
	for (size_t s = 0; !rc && s < plan->counter_count; s++)
		if (plan->units[plan->counters[s].unit].unit->type != PMU_CORE)
			v.rows[(*count)++] = v.rows[s];
	return rc;
}
