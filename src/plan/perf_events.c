/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/perf_events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platform/clock.h"
#include "platform/perf.h"
#include "uncore/units/perf_unit.h"

#define NOT_OPEN (-1)

static const struct unit *unit_of(const struct plan *plan, const struct counter *counter)
{
	return plan->units[counter->unit].unit;
}

static int refuse_event(const struct perf_events *events, const struct counter *counter, int code,
			struct error *err)
{
	char text[PERF_EVENT_TEXT_SIZE];
	struct error reason;

	events->platform->ops->perf->explain(events->platform, code, &reason);
	error_set(err, reason.kind, code, "%s: %s: %s", counter->event->name,
		  perf_unit_event_text(unit_of(events->plan, counter), counter->event, text),
		  reason.text);
	error_hint(err, reason.command);
	return code;
}

static void close_group(struct perf_events *events, const struct round *round)
{
	struct platform *p = events->platform;

	/* closes the first event last, because it leads the others */
	for (size_t s = round->first_counter + round->counter_count; s-- > round->first_counter;) {
		if (events->handles[s] >= 0)
			p->ops->perf->close(p, events->handles[s]);
		events->handles[s] = NOT_OPEN;
	}
}

/* Opens an event. A user who may not count the kernel's part of his process counts the rest. */
static int open_event(struct perf_events *events, struct perf_event *event)
{
	struct platform *p = events->platform;

	event->exclude_kernel |= events->user_only;
	const int handle = p->ops->perf->open(p, event);
	if (handle != -EACCES || !event->thread || event->exclude_kernel)
		return handle;
	event->exclude_kernel = true;
	const int of_user = p->ops->perf->open(p, event);
	if (of_user < 0)
		return handle;
	events->user_only = true;
	log_write(&p->log, LEVEL_NOTE,
		  "kernel code is not counted for the process: kernel.perf_event_paranoid above 1 "
		  "keeps it from users without CAP_PERFMON");
	return of_user;
}

static int open_group(struct perf_events *events, const struct round *round, struct error *err)
{
	for (size_t s = round->first_counter; s < round->first_counter + round->counter_count;
	     s++) {
		const struct counter *counter = &events->plan->counters[s];
		struct perf_event event;
		int rc = perf_unit_encode(unit_of(events->plan, counter), counter->event, &event,
					  err);

		if (!rc) {
			event.leader = s == round->first_counter
					       ? -1
					       : events->handles[round->first_counter];
			events->handles[s] = open_event(events, &event);
			if (events->handles[s] < 0)
				rc = refuse_event(events, counter, events->handles[s], err);
		}
		if (rc) {
			close_group(events, round);
			return rc;
		}
	}
	return 0;
}

/* Opens the groups that can be opened; fails if none can, or if one lacks permission. */
static int open_groups(struct perf_events *events, struct error *err)
{
	const size_t groups = events->plan->round_count;
	struct error first = {0}, why;
	size_t left_out = 0;

	for (size_t g = 0; g < groups; g++) {
		if (!open_group(events, &events->plan->rounds[g], &why))
			continue;
		if (!left_out++ || why.kind == ERROR_PERMISSION)
			first = why;
		if (why.kind == ERROR_PERMISSION || left_out == groups) {
			*err = first;
			return first.code;
		}
	}
	if (left_out)
		log_write(&events->platform->log, LEVEL_WARNING,
			  "%zu of %zu groups of events are left out, and have no values; first: %s",
			  left_out, groups, first.text);
	return 0;
}

int perf_events_open(struct perf_events *out, const struct plan *plan, struct error *err)
{
	/* one element more, so that no array is empty */
	*out = (struct perf_events){
		.plan = plan,
		.platform = plan->machine->platform,
		.handles = calloc(plan->counter_count + 1, sizeof(*out->handles)),
		.groups = calloc(plan->round_count + 1, sizeof(*out->groups)),
		.values = calloc(plan->counter_count + 1, sizeof(*out->values)),
	};
	for (size_t s = 0; out->handles && s < plan->counter_count; s++)
		out->handles[s] = NOT_OPEN;
	if (!out->handles || !out->groups || !out->values)
		return error_no_memory(err);
	for (size_t g = 0; g < plan->round_count; g++)
		out->groups[g].of_thread =
			unit_of(plan, &plan->counters[plan->rounds[g].first_counter])->perf.thread;
	return open_groups(out, err);
}

void perf_events_close(struct perf_events *events)
{
	const struct plan *plan = events->plan;

	for (size_t g = 0; events->handles && g < plan->round_count; g++)
		close_group(events, &plan->rounds[g]);
	free(events->handles);
	free(events->groups);
	free(events->values);
	*events = (struct perf_events){.plan = NULL};
}

/* Returns the handle of a group: its first event's. */
static int group_leader(const struct perf_events *events, size_t group)
{
	return events->handles[events->plan->rounds[group].first_counter];
}

/* Checks the registers of a group that counts, if they show its events. */
static void read_controls(struct perf_events *events, size_t group)
{
	struct perf_group_state *state = &events->groups[group];
	const struct round *round = &events->plan->rounds[group];
	const struct counter *first = &events->plan->counters[round->first_counter];

	if (!state->enabled)
		return;
	state->looked = true;
	state->holds = unit_controls_intact(events->platform, unit_of(events->plan, first),
					    round->controls);
}

/* Returns the result of a reading; registers tell nothing new about a group that did not run. */
static int check_reading(struct perf_group_state *state, uint64_t ran_ns, uint64_t waited_ns)
{
	if (state->looked && state->holds) {
		state->confirmed = true;
		state->misses = 0;
	} else if (state->looked && ran_ns) {
		state->misses++;
	}
	state->looked = false;
	if (!state->misses)
		return 0;
	if (state->misses > 1)
		return waited_ns ? PERF_EVENTS_UNCERTAIN : PERF_EVENTS_MISCOUNTED;
	return state->confirmed && waited_ns ? 0 : PERF_EVENTS_UNCONFIRMED;
}

int perf_events_enable(struct perf_events *events, size_t group, bool on)
{
	struct platform *p = events->platform;

	if (group_leader(events, group) < 0)
		return -EINVAL;
	if (!on)
		read_controls(events, group);
	const int rc = p->ops->perf->enable(p, group_leader(events, group), on);
	events->groups[group].enabled = on && !rc;
	if (on)
		events->groups[group].since_ns = p->ops->clock->now(p);
	return rc;
}

/*
 * Divides the time that passed in the proportion in which the group ran and waited while the thread
 * ran.
 */
static void share_time(struct perf_group_state *state, uint64_t now_ns, uint64_t *ran,
		       uint64_t *waited)
{
	const uint64_t passed = now_ns - state->since_ns, both = *ran + *waited;

	*ran = both ? (uint64_t)((long double)passed * *ran / both) : passed;
	*waited = passed - *ran;
	state->since_ns = now_ns;
}

int perf_events_read(struct perf_events *events, size_t group, uint64_t *running_ns,
		     uint64_t *waited_ns)
{
	const struct round *read = &events->plan->rounds[group];
	struct perf_group_state *state = &events->groups[group];
	struct platform *p = events->platform;
	struct perf_reading now;

	if (group_leader(events, group) < 0)
		return -EINVAL;
	int rc = p->ops->perf->read(p, group_leader(events, group), &now);
	if (rc)
		return rc;
	read_controls(events, group);
	uint64_t ran = now.running_ns - state->running_ns;
	uint64_t waited = now.enabled_ns - state->enabled_ns - ran;
	memcpy(&events->values[read->first_counter], now.values,
	       read->counter_count * sizeof(*events->values));
	state->enabled_ns = now.enabled_ns;
	state->running_ns = now.running_ns;
	rc = check_reading(state, ran, waited);
	if (state->of_thread)
		share_time(state, p->ops->clock->now(p), &ran, &waited);
	*running_ns += ran;
	*waited_ns += waited;
	return rc;
}
