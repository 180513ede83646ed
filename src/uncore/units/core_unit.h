/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The core PMU of a logical CPU of Intel as a struct unit.
 *
 * Its counters are numbered as in uncore/model/event.h. The control of a general-purpose counter is
 * its IA32_PERFEVTSELx without EN. The control of a fixed counter is any value other than 0: it
 * counts in all rings.
 *
 * A counter counts only while its own control enables it and its bit in IA32_PERF_GLOBAL_CTRL is
 * set. unit_program() clears these bits of a run's counters; unit_unfreeze() then starts all with
 * one write. Overflow interrupts are never enabled, because user space cannot handle them.
 */
#ifndef CXLMON_UNCORE_UNITS_CORE_UNIT_H
#define CXLMON_UNCORE_UNITS_CORE_UNIT_H

#include "msr/core_pmu.h"
#include "platform/cpus.h"
#include "uncore/model/event.h"
#include "uncore/units/unit.h"

/* A CPU's PMU while it is open. */
struct core_pmu {
	struct core_pmu_info info;
	uint32_t saved;	     /* bit i: unit_save() has saved counter i */
	uint32_t programmed; /* bit i: unit_program() has selected an event on counter i */
	/*
	 * By register IA32_OFFCORE_RSP_0 and _1: the value that this run writes to it; 0: the run
	 * does not use it. Set by offcore_claim() before unit_save().
	 */
	uint64_t offcore[OFFCORE_REGISTERS];

	/* The members below are values from before this run, read by unit_save(). */
	uint64_t global_ctrl, fixed_ctr_ctrl, offcore_before[OFFCORE_REGISTERS];
	struct {
		uint64_t control, count; /* .control: only for a general-purpose counter */
	} before[UNIT_MAX_COUNTERS];
};

/*
 * Checks that an open unit can count an event. Returns 0, or -EINVAL (ERROR_USAGE) if the event
 * sets the AnyThread bit, which is reserved on this CPU.
 */
int core_unit_check_event(const struct unit *unit, const struct event *event, struct error *err);

/* Returns a mask of all counters of the PMU except the time stamp counter; bit i: counter i. */
uint32_t core_unit_counters(const struct core_pmu_info *info);

/* The PMU type of Intel's CPUs. */
extern const struct pmu_type core_pmu_type;

/* Returns a closed unit for the PMU of this CPU. */
struct unit core_unit(const struct cpu_location *place);

#endif
