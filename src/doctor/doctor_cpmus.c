/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of CXL devices that count what reaches them. They are no need of other metrics. */
#include "doctor/doctor_checks.h"
#include "uncore/cpmus.h"

bool doctor_only_cpmus(const struct doctor *d)
{
	const struct machine *machine = &d->probe.machine;

	return machine->model && !machine->model->pmu_types->name && machine->cpmu_count;
}

struct cpmus_seen {
	size_t lost, in_use;
	struct error first_lost, first_in_use;
};

static void look(struct doctor *d, struct unit *unit, struct cpmus_seen *seen)
{
	struct platform *p = d->probe.platform;
	struct error why;

	if (unit_open(p, unit, &why)) {
		seen->first_lost = seen->lost ? seen->first_lost : why;
		seen->lost++;
	} else if (!d->stale_run && unit_find_use(p, unit, UINT32_MAX, &why)) {
		seen->first_in_use = seen->in_use ? seen->first_in_use : why;
		seen->in_use++;
	}
}

/* Where nothing else can be measured, what prevents it is a failure. */
static void report_seen(const struct doctor *d, const struct cpmus_seen *seen, struct finding *out)
{
	const size_t count = d->probe.machine.cpmu_count;
	const struct error *why = seen->in_use ? &seen->first_in_use : &seen->first_lost;

	if (!why->code)
		doctor_pass(out, "%zu CXL device%s respond%s", count,
			    count == 1 ? "'s CPMU" : "s' CPMUs", count == 1 ? "s" : "");
	else if (doctor_only_cpmus(d) && (seen->in_use || seen->lost == count))
		doctor_fail(out, why);
	else
		doctor_warn(out, why->command, "%s", why->text);
}

void check_cpmus(struct doctor *d, struct finding *out)
{
	struct machine *machine = &d->probe.machine;
	const struct error *left_out = &machine->cpmu_error;
	struct cpmus_seen seen = {.lost = 0};

	for (size_t i = 0; i < machine->cpmu_count; i++)
		look(d, &machine->cpmus[i].unit, &seen);
	if (machine->cpmu_count && (!left_out->code || seen.lost || seen.in_use))
		report_seen(d, &seen, out);
	else if (left_out->code)
		doctor_warn(out, left_out->command, "%s", left_out->text);
	else
		doctor_pass(out, "none");
}
