/* SPDX-License-Identifier: BSD-3-Clause */
/* Bandwidth monitoring of the L3 caches of a simulated machine: the reads of their CPUs. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim/sim_machine.h"

#define LINE_BYTES 64

static struct sim_mbm *find(const struct sim *sim, unsigned cache)
{
	for (size_t i = 0; i < sim->mbm_count; i++)
		if (sim->mbm[i].cache == cache)
			return &sim->mbm[i];
	return NULL;
}

/* Caches are numbered in the order of their CPUs. */
static int find_caches(struct sim *sim)
{
	if (!sim->mbm)
		sim->mbm = calloc(sim->core_count + 1, sizeof(*sim->mbm));
	if (!sim->mbm)
		return -ENOMEM;
	for (size_t i = 0; i < sim->core_count; i++)
		if (sim->cores[i].l3 >= 0 && !find(sim, (unsigned)sim->cores[i].l3))
			sim->mbm[sim->mbm_count++] = (struct sim_mbm){
				.cache = (unsigned)sim->cores[i].l3,
				.settings = {MBM_TOTAL_DEFAULT, MBM_LOCAL_DEFAULT}};
	return 0;
}

int sim_mbm_open(struct sim *sim, struct mbm *out, struct error *err)
{
	*out = (struct mbm){.count = 0};
	if (!sim->spec.bmec || sim_model_facts(sim->spec.model)->vendor != SIM_AMD)
		return error_set(err, EXIT_NO_UNIT, -ENODEV,
				 "resctrl: this simulated machine has none: expected an AMD "
				 "processor, and bmec=1, as --sim=genoa,bmec=1");
	if (find_caches(sim))
		return error_no_memory(err);
	out->caches = calloc(sim->mbm_count + 1, sizeof(*out->caches));
	if (!out->caches)
		return error_no_memory(err);
	out->count = sim->mbm_count;
	for (size_t i = 0; i < out->count; i++) {
		out->caches[i].number = sim->mbm[i].cache;
		for (unsigned e = 0; e < MBM_EVENTS; e++)
			out->caches[i].settings[e] = sim->mbm[i].settings[e];
	}
	return 0;
}

int sim_mbm_get(struct sim *sim, unsigned cache, enum mbm_event event, uint64_t *setting)
{
	const struct sim_mbm *mbm = find(sim, cache);

	if (!mbm)
		return -ENXIO;
	*setting = mbm->settings[event];
	return 0;
}

int sim_mbm_set(struct sim *sim, unsigned cache, enum mbm_event event, uint64_t setting)
{
	struct sim_mbm *mbm = find(sim, cache);

	if (!mbm || setting > MBM_ALL_BITS)
		return -EINVAL;
	if (mbm->settings[event] == setting)
		return 0;
	mbm->settings[event] = (uint32_t)setting;
	mbm->since = sim_now(sim);
	mbm->cleared = true;
	return 0;
}

/* Lines until t ns. Writes are not simulated. */
static uint64_t lines_of(const struct sim *sim, const struct sim_mbm *mbm, uint32_t setting,
			 uint64_t t)
{
	static const struct {
		uint32_t bit;
		bool cxl, remote;
	} reads[] = {
		{MBM_READS_LOCAL, false, false},
		{MBM_READS_REMOTE, false, true},
		{MBM_SLOW_READS_LOCAL, true, false},
		{MBM_SLOW_READS_REMOTE, true, true},
	};
	uint64_t lines = 0;

	for (unsigned cpu = 0; cpu < sim->core_count; cpu++)
		for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++)
			if (sim->cores[cpu].l3 == (int)mbm->cache && setting & reads[i].bit)
				lines += traffic_core_reads(&sim->loads, cpu, reads[i].cxl,
							    reads[i].remote, t);
	return lines;
}

int sim_mbm_read(struct sim *sim, enum mbm_event event, uint64_t t, double *bytes)
{
	int rc = 0;

	for (size_t i = 0; i < sim->mbm_count; i++) {
		struct sim_mbm *mbm = &sim->mbm[i];
		const uint32_t setting = mbm->settings[event];
		const uint64_t lines =
			lines_of(sim, mbm, setting, t) - lines_of(sim, mbm, setting, mbm->since);
		const bool known = setting == MBM_SLOW_READS && !mbm->cleared;

		bytes[i] = known ? (double)(lines * LINE_BYTES) : NAN;
		rc = setting == MBM_SLOW_READS ? rc : -ESTALE;
		mbm->cleared = false;
	}
	return rc;
}
