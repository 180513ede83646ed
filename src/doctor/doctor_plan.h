/* SPDX-License-Identifier: BSD-3-Clause */
/* The counters that a run would use, found without writing a register. */
#ifndef CXLMON_DOCTOR_PLAN_H
#define CXLMON_DOCTOR_PLAN_H

#include "doctor/doctor_checks.h"
#include "metrics/view.h"
#include "plan/plan.h"

typedef int doctor_look(struct doctor *d, const struct plan *plan, void *context,
			struct error *err);

/*
 * Plans what a run with these options would count, and calls look with it. Closes all units of the
 * machine. 0, or the first error.
 */
int doctor_plan(struct doctor *d, const struct view_options *options, doctor_look *look,
		void *context, struct error *err);

/*
 * Those of a unit's counters (bit i: counter i) that runs in progress have programmed, of a unit
 * that unit_find_busy() looks at. *holder is set to the first such run if it is NULL.
 */
uint32_t doctor_find_held(const struct doctor *d, const struct unit *unit, uint32_t counters,
			  const struct journal_entry **holder);

#endif
