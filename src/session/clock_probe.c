/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/clock_probe.h"

#include <errno.h>
#include <stdlib.h>

static bool is_requested(const struct request *requests, size_t count, const struct unit *unit)
{
	for (size_t i = 0; i < count; i++)
		if (requests[i].unit == unit)
			return true;
	return false;
}

struct request *clock_probe_requests(const struct view *view, const struct model *model,
				     size_t *count, int *rc)
{
	struct request *requests = calloc(view->request_count + 1, sizeof(*requests));
	const struct event *clock = model_clock(model, PMU_CHA);

	*count = 0;
	*rc = requests ? 0 : -ENOMEM;
	for (size_t i = 0; requests && clock && i < view->request_count; i++) {
		struct unit *unit = view->requests[i].unit;

		if (unit->type == PMU_CHA && !is_requested(requests, *count, unit))
			requests[(*count)++] = (struct request){.unit = unit, .event = clock};
	}
	if (*count)
		return requests;
	free(requests);
	return NULL;
}

/* Which clocks have moved from the first values; those that can't be read are not judged. */
static size_t count_standing(const struct plan *plan, const struct frame *frame,
			     const uint64_t *first, bool *ticks)
{
	size_t standing = 0;

	for (size_t u = 0; u < plan->unit_count; u++) {
		const size_t r = plan->units[u].first_read;

		ticks[u] |= frame->units[u].error || frame->raw[r] != first[r];
		standing += !ticks[u];
	}
	return standing;
}

static bool others_tick(const struct plan *plan, const bool *ticks, const struct unit *unit)
{
	for (size_t u = 0; u < plan->unit_count; u++)
		if (ticks[u] && plan->units[u].unit->socket == unit->socket)
			return true;
	return false;
}

/* From the shortest on; a machine of files is copied every 0.2 ms, or later where it is busy. */
static const uint64_t waits[] = {1, 1000, 100000, 10000000, 50000000}; /* ns */

int clock_probe_find(struct poller *poller, const struct plan *plan, size_t *still,
		     struct error *err)
{
	const struct frame *frame = poller_frame(poller);
	uint64_t *first = calloc(plan->read_count + 1, sizeof(*first));
	bool *ticks = calloc(plan->unit_count + 1, sizeof(*ticks));
	struct platform *p = plan->machine->platform;
	size_t standing = plan->unit_count;
	int rc = first && ticks ? 0 : error_no_memory(err), signal_number;
	sigset_t none;

	sigemptyset(&none);
	for (size_t r = 0; !rc && r < plan->read_count; r++)
		first[r] = frame->raw[r];
	for (size_t i = 0; !rc && standing && i < sizeof(waits) / sizeof(waits[0]); i++) {
		p->ops->sleep_until(p, p->ops->now(p) + waits[i], &none, &signal_number);
		rc = poller_read(poller, READ_BETWEEN, err);
		standing = rc ? 0 : count_standing(plan, frame, first, ticks);
	}
	for (size_t u = 0; !rc && standing && u < plan->unit_count; u++) {
		struct unit *unit = plan->units[u].unit;

		unit->still = !ticks[u] && others_tick(plan, ticks, unit);
		*still += unit->still;
	}
	free(first);
	free(ticks);
	return rc;
}
