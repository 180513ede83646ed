/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks of counting through the kernel. Monitoring works without it where registers can be
 * accessed: what is missing is a warning.
 */
#include "doctor/doctor_checks.h"
#include "session/session.h"
#include "sim/open.h"

/* Whether the kernel counts on CPMUs, where nothing else can be counted. */
static bool counts_on_cpmus(const struct doctor *d)
{
	return doctor_only_cpmus(d) && d->probe.kernel.cpmu_count;
}

static size_t count_uncounted(const struct discovery *units, const struct unit **first)
{
	size_t count = 0;

	for (size_t i = 0; i < units->unit_count; i++)
		if (units->units[i].uncounted && !count++)
			*first = &units->units[i];
	return count;
}

void check_perf_units(struct doctor *d, struct finding *out)
{
	const struct probe *probe = &d->probe;
	const struct discovery *units = &probe->kernel.discovery;
	const size_t warnings = probe->warning_count - probe->register_warning_count;
	const struct unit *first = NULL;
	const size_t uncounted = count_uncounted(units, &first);
	char name[UNIT_NAME_SIZE];

	if (counts_on_cpmus(d))
		doctor_pass(out, "the kernel can count on %zu CPMU%s", probe->kernel.cpmu_count,
			    probe->kernel.cpmu_count == 1 ? "" : "s");
	else if (doctor_only_cpmus(d))
		doctor_skip(out, true, DOCTOR_NO_UNCORE);
	else if (probe->kernel_error.code)
		doctor_warn(out, "", "%s", probe->kernel_error.text);
	else if (warnings)
		doctor_warn(out, "", "%s%s", probe->warnings[probe->register_warning_count],
			    warnings > 1 ? "; cxlmon info shows more" : "");
	else if (uncounted)
		doctor_warn(
			out, "",
			"the kernel can count on %zu of %zu units: the dies of the others have no "
			"CPU; first: %s",
			units->unit_count - uncounted, units->unit_count, unit_name(first, name));
	else
		doctor_pass(out, "the kernel can count on %zu unit%s", units->unit_count,
			    units->unit_count == 1 ? "" : "s");
}

/* The events of a run without options are opened and closed; they never count. */
void check_perf_events(struct doctor *d, struct finding *out)
{
	const struct session_options wanted = {
		.sim = d->sim,
		.root = d->root,
		.backend = BACKEND_PERF,
		.view = {.groups = SESSION_METRICS, .finest = SCOPE_PORT},
		.freeze = FREEZE_AUTO,
		.interval_ns = NS_PER_S};
	const struct log silent = {.write = NULL};
	struct session session;
	struct error why;

	if (d->probe.kernel_error.code && !counts_on_cpmus(d)) {
		doctor_skip(out, true, "needs perf-units");
		return;
	}
	if (open_session(&wanted, &silent, &session, &why))
		doctor_warn(out, why.command, "%s", why.text);
	else
		doctor_pass(out, "%zu events were opened", session.plan.counter_count);
	session_close(&session);
}
