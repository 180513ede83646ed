/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/perf_events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "uncore/perf_unit.h"

#define NOT_OPEN (-1)

static int allocate(struct perf_events *events, struct error *err)
{
	const struct plan *plan = events->plan;

	/* one element more, so that no array is empty */
	events->handles = calloc(plan->slot_count + 1, sizeof(*events->handles));
	events->times = calloc(plan->group_count + 1, sizeof(*events->times));
	events->values = calloc(plan->slot_count + 1, sizeof(*events->values));
	if (!events->handles || !events->times || !events->values)
		return error_no_memory(err);
	for (size_t s = 0; s < plan->slot_count; s++)
		events->handles[s] = NOT_OPEN;
	return 0;
}

static const struct unit *unit_of(const struct plan *plan, const struct slot *slot)
{
	return plan->units[slot->unit].unit;
}

static int refused(const struct perf_events *events, const struct slot *slot, int code,
		   struct error *err)
{
	char text[PERF_EVENT_TEXT_SIZE];
	struct reason reason = {.status = EXIT_FAILED};

	events->platform->ops->perf_explain(events->platform, code, &reason);
	error_set(err, reason.status, code, "%s: %s: %s", slot->event->name,
		  perf_unit_event_text(unit_of(events->plan, slot), slot->event, text),
		  reason.text);
	if (reason.command[0])
		error_hint(err, reason.command);
	return code;
}

static void close_group(struct perf_events *events, const struct group *group)
{
	struct platform *p = events->platform;

	/* the first one last, which leads the others */
	for (size_t s = group->first_slot + group->slot_count; s-- > group->first_slot;) {
		if (events->handles[s] >= 0)
			p->ops->perf_close(p, events->handles[s]);
		events->handles[s] = NOT_OPEN;
	}
}

static int open_group(struct perf_events *events, const struct group *group, struct error *err)
{
	struct platform *p = events->platform;

	for (size_t s = group->first_slot; s < group->first_slot + group->slot_count; s++) {
		const struct slot *slot = &events->plan->slots[s];
		struct perf_event event;
		int rc = perf_unit_encode(unit_of(events->plan, slot), slot->event, &event, err);

		if (!rc) {
			event.leader =
				s == group->first_slot ? -1 : events->handles[group->first_slot];
			events->handles[s] = p->ops->perf_open(p, &event);
			if (events->handles[s] < 0)
				rc = refused(events, slot, events->handles[s], err);
		}
		if (rc) {
			close_group(events, group);
			return rc;
		}
	}
	return 0;
}

int perf_events_open(struct perf_events *out, const struct plan *plan, struct error *err)
{
	struct error first = {0}, why;
	size_t left_out = 0;

	*out = (struct perf_events){.plan = plan, .platform = plan->machine->platform};
	int rc = allocate(out, err);

	for (size_t g = 0; !rc && g < plan->group_count; g++) {
		if (!open_group(out, &plan->groups[g], &why))
			continue;
		if (why.status == EXIT_PERMISSION || !left_out++)
			first = why;
		if (why.status == EXIT_PERMISSION)
			left_out = plan->group_count;
		rc = left_out == plan->group_count ? first.code : 0;
	}
	if (rc && first.code)
		*err = first;
	else if (left_out)
		log_write(&out->platform->log, LEVEL_WARNING,
			  "%zu of %zu groups of events are left out, and have no values; first: %s",
			  left_out, plan->group_count, first.text);
	return rc;
}

void perf_events_close(struct perf_events *events)
{
	const struct plan *plan = events->plan;

	for (size_t g = 0; events->handles && g < plan->group_count; g++)
		close_group(events, &plan->groups[g]);
	free(events->handles);
	free(events->times);
	free(events->values);
	*events = (struct perf_events){.plan = NULL};
}

/* Whose handle is that of the group. */
static int leader(const struct perf_events *events, size_t group)
{
	return events->handles[events->plan->groups[group].first_slot];
}

int perf_events_enable(struct perf_events *events, size_t group, bool on)
{
	struct platform *p = events->platform;

	return leader(events, group) < 0 ? -EINVAL
					 : p->ops->perf_enable(p, leader(events, group), on);
}

int perf_events_read(struct perf_events *events, size_t group, uint64_t *running_ns,
		     uint64_t *waited_ns)
{
	const struct group *read = &events->plan->groups[group];
	struct perf_group_times *times = &events->times[group];
	struct platform *p = events->platform;
	struct perf_reading now;

	if (leader(events, group) < 0)
		return -EINVAL;
	int rc = p->ops->perf_read(p, leader(events, group), &now);
	if (rc)
		return rc;
	const uint64_t ran = now.running_ns - times->running_ns;
	memcpy(&events->values[read->first_slot], now.values,
	       read->slot_count * sizeof(*events->values));
	*running_ns += ran;
	*waited_ns += now.enabled_ns - times->enabled_ns - ran;
	*times = (struct perf_group_times){now.enabled_ns, now.running_ns};
	return 0;
}
