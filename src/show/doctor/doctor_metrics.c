/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run without options measures. */
#include "show/doctor/doctor.h"
#include "view/view_unmeasured.h"

/* What is lacking here, and all that is not measured, as by view_list_unmeasured(). */
struct lists {
	char here[UNMEASURED_TEXT_SIZE], all[UNMEASURED_TEXT_SIZE];
};

static int list_unmeasured(struct machine *machine, struct lists *out, struct error *err)
{
	static const struct view_options defaults = {.groups = METRIC_DEFAULTS,
						     .finest = SCOPE_PORT};
	struct view view = {0};
	const int rc = view_make(machine, &defaults, &view, err);

	view_list_unmeasured(&view, false, out->here);
	view_list_unmeasured(&view, true, out->all);
	view_free(&view);
	machine_close_units(machine);
	return rc;
}

/* As a run: with registers, or, where those can't be used, through the kernel. */
static void check_metrics(struct doctor *d, struct check_result *out)
{
	struct lists lists;
	struct error why = d->probe.machine_error;

	if (doctor_only_cpmus(d)) {
		doctor_block(out, DOCTOR_NO_UNCORE);
		return;
	}
	int rc = why.code ? why.code : list_unmeasured(&d->probe.machine, &lists, &why);

	if (rc && !d->probe.kernel_error.code)
		rc = list_unmeasured(&d->probe.kernel, &lists, &why);
	if (rc && why.kind == ERROR_NO_UNIT)
		doctor_warn(out, why.command, "%s", why.text);
	else if (rc)
		doctor_block(out, "needs units that can be read");
	else if (*lists.here)
		doctor_warn(out, "cxlmon list", "not measured here: %s", lists.all);
	else if (*lists.all)
		doctor_pass(out, "cxl, latency and dram are measured, except %s", lists.all);
	else
		doctor_pass(out, "cxl, latency and dram are measured");
}

const struct check doctor_metrics = {
	.name = "metrics",
	.purpose = "a run without options measures bandwidth, latency and DRAM",
	.run = check_metrics,
	.needs = {&doctor_processor},
};
