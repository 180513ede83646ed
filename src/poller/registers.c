/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting with registers that are programmed, frozen, read and restored here. */
#include <stdlib.h>

#include "platform/number.h"
#include "poller/poller_private.h"

/* One element more, so that no array is empty. */
static bool allocate(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	const size_t reads = plan->read_count + 1;

	poller->sockets = calloc(plan->domain_count + 1, sizeof(*poller->sockets));
	poller->ranges = calloc(plan->unit_count + 1, sizeof(*poller->ranges));
	poller->idle = calloc(plan->round_count + 1, sizeof(*poller->idle));
	poller->reads = calloc(reads, sizeof(*poller->reads));
	poller->failures = calloc(reads, sizeof(*poller->failures));
	poller->previous = calloc(reads, sizeof(*poller->previous));
	poller->before_undelivered = calloc(reads, sizeof(*poller->before_undelivered));
	return poller->sockets && poller->ranges && poller->idle && poller->reads &&
	       poller->failures && poller->previous && poller->before_undelivered;
}

/* Domains are in the order of their sockets. */
static void divide_by_socket(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	int socket = -1;

	for (size_t d = 0; d < plan->domain_count; d++) {
		const struct unit *unit = plan->units[plan->domains[d].first_unit].unit;

		if (!d || unit->socket != socket)
			poller->sockets[poller->socket_count++] = (struct socket_job){
				.poller = poller,
				.first = d,
				.cpu = topology_first_cpu(&plan->machine->topology, unit->socket),
			};
		socket = unit->socket;
		poller->sockets[poller->socket_count - 1].end = d + 1;
	}
}

/*
 * How long counters may go unread: an occupancy of 3000 entries at 4 GHz counts half of the range
 * of 48 bits in 11.7 s, and no queue has as many. Narrower counters are read as much more often.
 */
#define MAX_GAP_NS (10 * NS_PER_S)
#define MIN_GAP_NS 1000000

static uint64_t max_gap(const struct plan *plan)
{
	uint64_t gap = MAX_GAP_NS;

	for (size_t s = 0; s < plan->counter_count; s++) {
		const int bits = __builtin_popcountll(plan->counters[s].mask);
		const uint64_t its_gap = bits < 48 ? MAX_GAP_NS >> (48 - bits) : MAX_GAP_NS;

		gap = its_gap < gap ? its_gap : gap;
	}
	return gap < MIN_GAP_NS ? MIN_GAP_NS : gap;
}

void poller_allow_affinity(struct poller *poller)
{
	poller->binds = true;
}

static int start(struct poller *poller, struct error *err)
{
	int rc = pmu_state_start(poller->pmu, err);

	return rc ? rc : poller_begin(poller, err);
}

/* What was counted until then is gone: counting begins again with this frame. */
static int resume(struct poller *poller, struct error *err)
{
	const int rc = pmu_state_reprogram(poller->pmu, err);

	return rc ? rc : poller_begin_here(poller, err);
}

static int stop(struct poller *poller, struct error *err)
{
	readers_free(poller->readers);
	poller->readers = NULL;
	return pmu_state_restore(poller->pmu, err);
}

static void release(struct poller *poller)
{
	free(poller->sockets);
	free(poller->ranges);
	free(poller->idle);
	free(poller->reads);
	free(poller->failures);
	free(poller->previous);
	free(poller->before_undelivered);
}

static const struct backend registers = {
	.start = start,
	.resume = resume,
	.read = poller_read_domains,
	.read_undelivered = poller_read_undelivered,
	.stop = stop,
	.free = release,
};

int poller_use_registers(struct poller *poller, struct pmu_state *pmu, struct error *err)
{
	poller->backend = &registers;
	poller->pmu = pmu;
	poller->counters = pmu->counters;
	poller->units = pmu->units;
	poller->domains = pmu->domains;
	poller->times.max_gap = max_gap(poller->plan);
	if (!allocate(poller))
		return error_no_memory(err);
	divide_by_socket(poller);
	return 0;
}
