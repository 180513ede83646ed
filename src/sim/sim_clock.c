/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_clock.h"

#include "linux/clock.h"

/* The virtual clock starts here, so that every run prints the same: 2026-01-01T00:00:00Z. */
#define VIRTUAL_EPOCH_NS UINT64_C(1767225600000000000)

uint64_t sim_clock_now(const struct sim *sim)
{
	return sim->spec.virtual_clock ? sim->virtual_now : clock_monotonic() - sim->start;
}

uint64_t sim_clock_wall(const struct sim *sim)
{
	return sim->suspended +
	       (sim->spec.virtual_clock ? VIRTUAL_EPOCH_NS + sim->virtual_now : clock_utc());
}

uint64_t sim_clock_at_wall(const struct sim *sim, uint64_t wall_ns)
{
	const uint64_t start = VIRTUAL_EPOCH_NS + sim->suspended;

	return wall_ns > start ? wall_ns - start : 0;
}

int sim_clock_sleep_until(struct sim *sim, uint64_t deadline, const sigset_t *wake,
			  int *signal_number)
{
	if (!sim->spec.virtual_clock)
		return clock_sleep_until(sim->start + deadline, wake, signal_number);
	int rc = clock_sleep_until(0, wake, signal_number);
	if (!rc && deadline > sim->virtual_now)
		sim->virtual_now = deadline;
	return rc;
}

void sim_clock_access(struct sim *sim)
{
	sim->virtual_now += sim->access_time;
}
