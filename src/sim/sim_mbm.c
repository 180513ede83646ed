/* SPDX-License-Identifier: BSD-3-Clause */
/* Bandwidth monitoring of the L3 caches of a simulated machine: the reads of their CPUs. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "platform/mbm.h"
#include "sim/sim_machine.h"

#define LINE_BYTES 64

/* Returns the index of a cache, or the index at which it would be added. */
static size_t index_of(const struct sim *sim, unsigned cache)
{
	size_t i = 0;

	while (i < sim->mbm.count && sim->mbm.caches[i].number != cache)
		i++;
	return i;
}

/* Caches are numbered in the order of their CPUs. */
static int find_caches(struct sim *sim)
{
	struct mbm *mbm = &sim->mbm;

	if (mbm->count)
		return 0;
	mbm->caches = calloc(sim->core_count + 1, sizeof(*mbm->caches));
	sim->clearings = calloc(sim->core_count + 1, sizeof(*sim->clearings));
	if (!mbm->caches || !sim->clearings)
		return -ENOMEM;
	for (size_t i = 0; i < sim->core_count; i++) {
		const unsigned l3 = (unsigned)sim->cores[i].l3;

		if (sim->cores[i].l3 >= 0 && index_of(sim, l3) == mbm->count)
			mbm->caches[mbm->count++] =
				(struct mbm_cache){l3, {MBM_TOTAL_DEFAULT, MBM_LOCAL_DEFAULT}};
	}
	return 0;
}

int sim_mbm_open(struct platform *p, const struct mbm **out, struct error *err)
{
	struct sim *sim = sim_of(p);

	if (!sim->spec.bmec || sim->spec.facts->vendor != SIM_AMD)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "resctrl: this simulated machine has none: expected an AMD "
				 "processor, and bmec=1, as --sim=genoa,bmec=1");
	*out = &sim->mbm;
	return find_caches(sim) ? error_no_memory(err) : 0;
}

int sim_mbm_get(const struct sim *sim, unsigned cache, enum mbm_event event, uint64_t *setting)
{
	const size_t i = index_of(sim, cache);

	if (i == sim->mbm.count)
		return -ENXIO;
	*setting = sim->mbm.caches[i].settings[event];
	return 0;
}

int sim_mbm_set(struct sim *sim, unsigned cache, enum mbm_event event, uint64_t setting)
{
	const size_t i = index_of(sim, cache);

	if (i == sim->mbm.count || setting > MBM_ALL_BITS)
		return -EINVAL;
	if (sim->mbm.caches[i].settings[event] != setting)
		sim->clearings[i] = (struct sim_clearing){sim_now(sim), true};
	sim->mbm.caches[i].settings[event] = (uint32_t)setting;
	return 0;
}

/* Returns the lines from CXL memory until t ns. */
static uint64_t lines_of(const struct sim *sim, unsigned cache, uint64_t t)
{
	uint64_t lines = 0;

	for (unsigned cpu = 0; cpu < sim->core_count; cpu++)
		if (sim->cores[cpu].l3 == (int)cache)
			lines += traffic_core_reads(&sim->loads, cpu, true, false, t) +
				 traffic_core_reads(&sim->loads, cpu, true, true, t);
	return lines;
}

int sim_mbm_read(struct platform *p, enum mbm_event event, uint64_t wall_ns, double *bytes,
		 uint64_t *at_ns)
{
	struct sim *sim = sim_of(p);
	int rc = 0;

	*at_ns = sim_time_of(sim, wall_ns);
	for (size_t i = 0; i < sim->mbm.count; i++) {
		const struct mbm_cache *cache = &sim->mbm.caches[i];
		struct sim_clearing *cleared = &sim->clearings[i];
		const bool ours = cache->settings[event] == MBM_SLOW_READS;

		bytes[i] = ours && !cleared->unread
				   ? LINE_BYTES *
					     (double)(lines_of(sim, cache->number, *at_ns) -
						      lines_of(sim, cache->number, cleared->since))
				   : NAN;
		rc = ours ? rc : -ESTALE;
		cleared->unread = false;
	}
	return rc;
}
