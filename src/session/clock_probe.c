/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/clock_probe.h"

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

struct request *clock_probe_requests(const struct plan *plan, size_t *count)
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

/* Of the same socket; but of what the kernel counts, a die or a socket may be left out as a whole.
 */
static bool others_tick(const struct plan *plan, const bool *ticks, const struct unit *unit)
{
	for (size_t u = 0; u < plan->unit_count; u++)
		if (ticks[u] && plan->units[u].unit->type == unit->type &&
		    (unit->access == ACCESS_PERF || plan->units[u].unit->socket == unit->socket))
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
		p->ops->clock->sleep_until(p, p->ops->clock->now(p) + waits[i], &none,
					   &signal_number);
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
