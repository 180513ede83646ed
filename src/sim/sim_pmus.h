/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The PMUs that the kernel of a simulated machine shows: those of units, each of which counts on
 * one unit of each die, or as the driver has it, those of CPMUs and those of the CPUs.
 *
 * Source: the kernel's uncore.c, uncore_discovery.c and uncore_snbep.c, AMD's uncore.c, and their
 * history for what each version knows.
 */
#ifndef CXLMON_SIM_PMUS_H
#define CXLMON_SIM_PMUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/perf.h"
#include "sim/sim_machine.h"

enum sim_pmu_kind { SIM_PMU_UNCORE, SIM_PMU_CXL, SIM_PMU_CORE, SIM_PMU_MSR };

struct sim_pmu {
	char name[PERF_NAME_SIZE];
	uint32_t type; /* for struct perf_event */
	enum sim_pmu_kind kind;
	const struct sim_unit *unit; /* uncore: the first of those that it counts on */
	struct sim_cpmu *cpmu;	     /* CXL */
	bool known; /* uncore: the driver knows the type, and what is special about its units */
};

struct sim_pmus {
	struct sim_pmu *items; /* sorted by name */
	size_t count;
};

/* Lists the PMUs of the kernel that the spec names. 0 or -ENOMEM. Freed by sim_pmus_free(). */
int sim_pmus_make(const struct sim *sim, struct sim_pmus *out);
void sim_pmus_free(struct sim_pmus *pmus);

/* As platform_ops.perf_pmus: without those that have no CPU online, or none in a virtual machine.
 */
int sim_pmus_list(const struct sim *sim, const struct sim_pmus *pmus, struct perf_pmus *out);

/* NULL: there is none of that type, or it is not shown. */
const struct sim_pmu *sim_find_pmu(const struct sim *sim, const struct sim_pmus *pmus,
				   uint32_t type);

/* The unit that an uncore PMU counts from this CPU; NULL: the CPU's die has none. */
struct sim_unit *sim_pmu_unit(const struct sim *sim, const struct sim_pmu *pmu, unsigned cpu);

/* Bits of config that are in a format; the kernel ignores the others of an uncore event. */
uint64_t sim_pmu_config_bits(const struct sim *sim, const struct sim_pmu *pmu);

#endif
