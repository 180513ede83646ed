/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Units that are listed and respond, but count nothing: their clocks have stopped, while clocks of
 * other units of the type in the socket run. They are found before the final view is made, because
 * they must have no share in sums over several units.
 */
#include "session/session_private.h"

#include <stdlib.h>

#include "platform/clock.h"

static bool shows_clock(const struct plan *plan, const struct plan_unit *pu)
{
	for (size_t g = pu->first_round; g < pu->first_round + pu->round_count; g++)
		if (plan->rounds[g].clock_counter != PLAN_NO_CLOCK)
			return true;
	return false;
}

static bool is_doubtful(const struct plan *plan, const struct plan_unit *pu)
{
	if (pu->unit->type == PMU_CHA && plan->machine->model->chas_may_not_exist)
		return true;
	return pu->unit->access == ACCESS_PERF && unit_is_uncore(pu->unit) &&
	       !shows_clock(plan, pu);
}

/*
 * Makes requests for the clocks of units to be checked: CHAs of a processor that may not have all
 * that are listed; and units that the kernel counts, whose driver may have failed to initialise
 * them, unless a counter shows their clock in the run. NULL: out of memory.
 */
static struct request *clock_requests(const struct plan *plan, size_t *count)
{
	struct request *requests = calloc(plan->unit_count + 1, sizeof(*requests));

	*count = 0;
	for (size_t u = 0; requests && u < plan->unit_count; u++) {
		struct unit *unit = plan->units[u].unit;
		const struct event *clock = model_clock(plan->machine->model, unit->type);

		if (clock && is_doubtful(plan, &plan->units[u]) && unit_can_count(unit, clock))
			requests[(*count)++] = (struct request){.unit = unit, .event = clock};
	}
	return requests;
}

/*
 * Finds clocks that have moved from the first values, and counts the stopped ones. Unreadable
 * clocks count as neither.
 */
static size_t count_stopped(const struct plan *plan, const struct frame *frame,
			    const uint64_t *first, bool *ticks)
{
	size_t stopped = 0;

	for (size_t u = 0; u < plan->unit_count; u++) {
		const size_t r = plan->units[u].first_read;

		ticks[u] |= frame->units[u].error || frame->raw[r] != first[r];
		stopped += !ticks[u];
	}
	return stopped;
}

/*
 * Tells if other units of the socket tick; for units counted by the kernel, of any socket, because
 * a whole die or socket may fail.
 */
static bool others_tick(const struct plan *plan, const bool *ticks, const struct unit *unit)
{
	for (size_t u = 0; u < plan->unit_count; u++)
		if (ticks[u] && plan->units[u].unit->type == unit->type &&
		    (unit->access == ACCESS_PERF || plan->units[u].unit->socket == unit->socket))
			return true;
	return false;
}

/*
 * Waits in ns, ascending. Counts of a machine made of files change every 0.2 ms, or later if it is
 * busy.
 */
static const uint64_t waits[] = {1, 1000, 100000, 10000000, 50000000}; /* ns */

/*
 * Sets unit.still for stopped clocks, and adds their number to *still. The poller runs a plan of
 * clock_requests(), and goes on. Takes some ns, or 61 ms if a clock has stopped.
 */
static int find_stopped_clocks(struct poller *poller, const struct plan *plan, size_t *still,
			       struct error *err)
{
	const struct frame *frame = poller_frame(poller);
	uint64_t *first = calloc(plan->read_count + 1, sizeof(*first));
	bool *ticks = calloc(plan->unit_count + 1, sizeof(*ticks));
	struct platform *p = plan->machine->platform;
	size_t stopped = plan->unit_count;
	int rc = first && ticks ? 0 : error_no_memory(err), signal_number;
	sigset_t none;

	sigemptyset(&none);
	for (size_t r = 0; !rc && r < plan->read_count; r++)
		first[r] = frame->raw[r];
	for (size_t i = 0; !rc && stopped && i < sizeof(waits) / sizeof(waits[0]); i++) {
		p->ops->clock->sleep_until(p, p->ops->clock->now(p) + waits[i], &none,
					   &signal_number);
		rc = poller_read(poller, READ_BETWEEN, err);
		stopped = rc ? 0 : count_stopped(plan, frame, first, ticks);
	}
	for (size_t u = 0; !rc && stopped && u < plan->unit_count; u++) {
		struct unit *unit = plan->units[u].unit;

		unit->still = !ticks[u] && others_tick(plan, ticks, unit);
		*still += unit->still;
	}
	free(first);
	free(ticks);
	return rc;
}

static int start_clocks(struct session *s, const struct request *clocks, size_t count,
			struct error *err)
{
	const bool perf = s->backend == BACKEND_PERF;
	int rc = plan_make(&s->machine, clocks, count, FREEZE_NEVER, &s->plan, err);

	if (!rc)
		rc = perf ? perf_events_open(&s->perf, &s->plan, err) : session_init_pmu(s, err);
	if (!rc)
		rc = perf ? poller_new_perf(&s->perf, NS_PER_S, &s->poller, err)
			  : poller_new(&s->pmu, NS_PER_S, &s->poller, err);
	s->started = !rc;
	return rc ? rc : poller_start(s->poller, err);
}

/* Counts only clocks, and restores the registers that this changed. */
static int find_still_units(struct session *s, size_t *still, struct error *err)
{
	struct held_log held;
	struct error why;
	struct request *clocks;
	size_t count;
	int rc = plan_make(&s->machine, s->view.requests, s->view.request_count, FREEZE_NEVER,
			   &s->plan, err);

	if (rc)
		return rc;
	clocks = clock_requests(&s->plan, &count);
	plan_free(&s->plan);
	if (!clocks || !count) {
		free(clocks);
		return clocks ? 0 : error_no_memory(err);
	}
	/* messages of this attempt will come again */
	held_log_begin(&held, &s->platform->log);
	rc = start_clocks(s, clocks, count, err);
	if (!rc)
		rc = find_stopped_clocks(s->poller, &s->plan, still, err);
	const int left = s->started ? session_restore(s, &why) : 0;
	held_log_end(&held, false);
	free(clocks);
	if (left) {
		*err = why;
		return left;
	}
	poller_free(s->poller);
	s->poller = NULL;
	perf_events_close(&s->perf);
	pmu_state_free(&s->pmu);
	plan_free(&s->plan);
	return rc;
}

/* Selects rows, and again without the units that count nothing, if there are any. */
int session_select_counting(struct session *s, struct error *err)
{
	struct held_log held;
	size_t still = 0;

	if (!s->machine.model->chas_may_not_exist && s->backend != BACKEND_PERF)
		return session_select_rows(s, err);
	held_log_begin(&held, &s->platform->log);
	int rc = session_select_rows(s, err);
	if (!rc)
		rc = find_still_units(s, &still, err);
	held_log_end(&held, !still);
	if (rc || !still)
		return rc;
	view_free(&s->view);
	machine_close_units(&s->machine);
	return session_select_rows(s, err);
}
