/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/perf/sampler_private.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "linux/kernel/clock.h"
#include "linux/perf/perf.h"
#include "platform/cpus.h"
#include "platform/perf.h"

/* Configurations of the PMU "msr": enum perf_msr_id. */
#define MSR_APERF 1
#define MSR_MPERF 2

struct cpu_clock {
	int aperf, mperf;   /* handles: the leader of the group, and its second event */
	uint64_t values[2]; /* counts of the last reading */
	double MHz;
};

struct core_clock {
	struct platform *platform;
	double tsc_MHz;
	uint64_t read_ns;
	size_t count; /* number of .cpus, which are indexed by CPU number */
	struct cpu_clock cpus[];
};

static int open_msr(struct platform *p, uint32_t type, uint64_t config, unsigned cpu, int leader)
{
	return linux_perf_open(
		p, &(struct perf_event){
			   .type = type, .config = {config}, .cpu = cpu, .leader = leader});
}

static bool open_cpu(struct platform *p, uint32_t type, unsigned cpu, struct cpu_clock *clock)
{
	clock->aperf = open_msr(p, type, MSR_APERF, cpu, -1);
	if (clock->aperf >= 0)
		clock->mperf = open_msr(p, type, MSR_MPERF, cpu, clock->aperf);
	return clock->aperf >= 0 && clock->mperf >= 0 && !linux_perf_enable(p, clock->aperf, true);
}

static bool open_all(struct core_clock *clock, const struct perf_pmus *pmus,
		     const struct topology *topology)
{
	const struct perf_pmu *msr = perf_find_pmu(pmus, "msr");
	bool all = msr;

	for (size_t i = 0; all && i < topology->count; i++) {
		const unsigned cpu = topology->cpus[i].cpu;

		all = open_cpu(clock->platform, msr->type, cpu, &clock->cpus[cpu]);
	}
	return all;
}

static void read_cpu(const struct core_clock *clock, struct cpu_clock *cpu)
{
	struct perf_reading reading;

	if (cpu->aperf < 0 || linux_perf_read(clock->platform, cpu->aperf, &reading) ||
	    reading.count != 2)
		return;
	const uint64_t aperf = reading.values[0] - cpu->values[0];
	const uint64_t mperf = reading.values[1] - cpu->values[1];

	if (mperf)
		cpu->MHz = clock->tsc_MHz * (double)aperf / (double)mperf;
	cpu->values[0] = reading.values[0];
	cpu->values[1] = reading.values[1];
}

struct core_clock *core_clock_open(struct platform *p, const struct perf_pmus *pmus,
				   const struct topology *topology, double tsc_MHz)
{
	const size_t count = topology->count ? topology->cpus[topology->count - 1].cpu + 1 : 0;
	struct core_clock *clock =
		count && tsc_MHz > 0 ? calloc(1, sizeof(*clock) + count * sizeof(clock->cpus[0]))
				     : NULL;

	if (!clock)
		return NULL;
	clock->platform = p;
	clock->tsc_MHz = tsc_MHz;
	clock->count = count;
	for (size_t i = 0; i < count; i++)
		clock->cpus[i] = (struct cpu_clock){.aperf = -1, .mperf = -1, .MHz = NAN};
	if (open_all(clock, pmus, topology))
		return clock;
	core_clock_close(clock);
	return NULL;
}

void core_clock_close(struct core_clock *clock)
{
	for (size_t i = 0; clock && i < clock->count; i++) {
		if (clock->cpus[i].mperf >= 0)
			linux_perf_close(clock->platform, clock->cpus[i].mperf);
		if (clock->cpus[i].aperf >= 0)
			linux_perf_close(clock->platform, clock->cpus[i].aperf);
	}
	free(clock);
}

void core_clock_update(struct core_clock *clock)
{
	const uint64_t now = clock ? clock_monotonic() : 0;

	if (!clock || now - clock->read_ns < NS_PER_S)
		return;
	clock->read_ns = now;
	for (size_t i = 0; i < clock->count; i++)
		read_cpu(clock, &clock->cpus[i]);
}

double core_clock_MHz(const struct core_clock *clock, unsigned cpu)
{
	return clock && cpu < clock->count ? clock->cpus[cpu].MHz : NAN;
}
