/* SPDX-License-Identifier: BSD-3-Clause */
#include "doctor/doctor_checks.h"

#include "uncore/core_unit.h"

int doctor_plan(struct doctor *d, const struct view_options *options, doctor_look *look,
		void *context, struct error *err)
{
	struct machine *machine = &d->probe.machine;
	struct view view = {0};
	struct plan plan = {0};
	int rc = view_make(machine, options, &view, err);

	if (!rc)
		rc = plan_make(machine, view.requests, view.request_count, FREEZE_AUTO, &plan, err);
	if (!rc)
		rc = look(d, &plan, context, err);
	plan_free(&plan);
	view_free(&view);
	machine_close_units(machine);
	return rc;
}

/* Intel's fixed counters have one control, which runs share. */
static bool is_fixed(const struct unit *unit, unsigned i)
{
	return unit_is_cpu(unit) && i < CORE_COUNTER_GENERAL;
}

uint32_t doctor_find_held(const struct doctor *d, const struct unit *unit, uint32_t counters,
			  const struct journal_entry **holder)
{
	const struct cpu_location place = {.socket = unit->socket, .l3 = unit->l3};
	uint32_t held = 0;
	uint64_t bits;

	for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++) {
		const struct reg control = unit_counter_control(unit, i);
		const struct journal_entry *run;

		if (!(counters >> i & 1))
			continue;
		run = doctor_find_holder(d, &control, &place, &bits);
		if (!run || (is_fixed(unit, i) && !core_pmu_fixed_enabled(bits, i)))
			continue;
		held |= UINT32_C(1) << i;
		*holder = *holder ? *holder : run;
	}
	return held;
}
