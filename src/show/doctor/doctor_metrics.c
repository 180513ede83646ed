/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of metrics: events of CPUs, counters of memory regions, and a run without options. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "formula/formulas.h"
#include "session/session.h"
#include "show/doctor/doctor.h"
#include "uncore/rdt/region_counters.h"
#include "view/view_unmeasured.h"

#define NAMES_SIZE 400

/* Events of CPUs that the kernel counts, and those that it refuses. */
struct core_events {
	struct doctor *d;
	size_t counted;
	size_t refused;
	char refused_names[NAMES_SIZE];
	struct error first_refusal;
};

/* Opens and closes an event, which never counts. */
static int try_event(struct doctor *d, const char *name, struct error *err)
{
	const struct log silent = {.write = NULL};
	struct session_options wanted = {.sim = d->sim,
					 .root = d->root,
					 .backend = BACKEND_PERF,
					 .view = {.finest = SCOPE_SOCKET},
					 .events = {&name, 1},
					 .freeze = FREEZE_AUTO,
					 .interval_ns = NS_PER_S};
	struct session session;
	const int rc = session_open(&wanted, &silent, &session, err);

	session_close(&session);
	return rc;
}

static void add_event(struct core_events *events, const struct event *event)
{
	struct error why;

	if (!try_event(events->d, event->name, &why)) {
		events->counted++;
		return;
	}
	if (!events->refused++)
		events->first_refusal = why;
	text_list(events->refused_names, NAMES_SIZE, "%s", event->name);
}

/* Tells if the metrics before this formula also have the event. */
static bool was_tried(const struct formulas *formulas, size_t end, const struct event *event)
{
	const struct event *other;

	for (size_t n = 0; n < end; n++)
		for (unsigned i = 0; (other = formula_event(&formulas->items[n], i)); i++)
			if (other == event)
				return true;
	return false;
}

static void add_events(struct core_events *events, const struct formulas *formulas)
{
	const struct event *event;

	for (size_t n = 0; n < formulas->of_model; n++)
		for (unsigned i = 0; (event = formula_event(&formulas->items[n], i)); i++)
			if (event->type == PMU_CORE && !was_tried(formulas, n, event))
				add_event(events, event);
}

static void report_events(const struct core_events *events, struct check_result *out)
{
	if (!events->counted && !events->refused)
		doctor_skip(out, "cxlmon has no core metrics for this processor");
	else if (!events->counted)
		doctor_warn(out, events->first_refusal.command, "%s; no core metrics",
			    events->first_refusal.text);
	else if (events->refused)
		doctor_warn(out, "", "the kernel counts %zu events, but not %s: %.200s",
			    events->counted, events->refused_names, events->first_refusal.text);
	else
		doctor_pass(out, "the kernel counts all %zu events", events->counted);
}

static void check_core_events(struct doctor *d, struct check_result *out)
{
	struct core_events events = {.d = d};
	struct formulas formulas;
	struct error why;

	if (doctor_only_cpmus(d)) {
		doctor_skip(out, DOCTOR_NO_UNCORE);
		return;
	}
	if (formulas_read(&formulas, d->probe.machine.model, &why)) {
		doctor_fail(out, &why);
	} else {
		add_events(&events, &formulas);
		report_events(&events, out);
	}
	formulas_free(&formulas);
}

const struct check doctor_core_events = {
	.name = "core-events",
	.purpose = "--backend=perf -m core: often all that a virtual machine can count",
	.run = check_core_events,
	.needs = {&doctor_processor},
};

/* Writes "0 DRAM, 2 CXL". */
static const char *names_of(const struct region_tables *tables, char *text, size_t size)
{
	text[0] = '\0';
	for (int region = 0; region < ERDT_REGIONS; region++)
		if (region_tables_name(tables, region))
			text_list(text, size, "%d %s", region, region_tables_name(tables, region));
	return text;
}

static void check_regions(struct doctor *d, struct check_result *out)
{
	const struct machine *m = &d->probe.machine;
	struct region_counters counters;
	struct error why;
	char names[64];
	const int rc = region_counters_open(&counters, d->probe.platform, &m->topology, &why);
	const size_t domains = counters.tables.erdt.count;

	if (!rc)
		doctor_pass(out, "%zu L3 domain%s: -m region can be measured: regions %s", domains,
			    domains == 1 ? "" : "s",
			    names_of(&counters.tables, names, sizeof(names)));
	else if (rc == -ENODEV)
		doctor_pass(out, "none: %s", why.text);
	else
		doctor_warn(out, why.command, "%s", why.text);
	region_counters_close(&counters);
}

const struct check doctor_regions = {
	.name = "regions",
	.purpose = "-m region: the ACPI tables ERDT and MRRM must say where L3 caches count bytes",
	.run = check_regions,
};

/* Metrics that are lacking here, and all that are not measured, as by view_list_unmeasured(). */
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

/* Checks metrics as in a run: with registers or, if these cannot be used, through the kernel. */
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
	/* another check has said why there are none */
	if (rc && d->probe.machine_error.kind == ERROR_NO_UNIT)
		doctor_block(out, "needs units of the uncore");
	else if (rc && why.kind == ERROR_NO_UNIT)
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
