/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events of CPUs the kernel counts: what is left where the uncore is hidden. */
#include <string.h>

#include "base/text.h"
#include "formula/formulas.h"
#include "session/session.h"
#include "show/doctor/doctor.h"

#define NAMES_SIZE 400

struct core_events {
	struct doctor *d;
	size_t counted;
	size_t refused;
	char counted_names[NAMES_SIZE], refused_names[NAMES_SIZE];
	struct error first_refusal;
};

/* Opens and closes it; it never counts. */
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
		text_list(events->counted_names, NAMES_SIZE, "%s", event->name);
		return;
	}
	if (!events->refused++)
		events->first_refusal = why;
	text_list(events->refused_names, NAMES_SIZE, "%s", event->name);
}

/* Whether the metrics before this formula have the event, too. */
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

static void report(const struct core_events *events, struct check_result *out)
{
	if (!events->counted)
		doctor_warn(out, events->first_refusal.command, "%s; no core metrics",
			    events->first_refusal.text);
	else if (events->refused)
		doctor_warn(out, "", "the kernel counts %s, but not %s: %.200s",
			    events->counted_names, events->refused_names,
			    events->first_refusal.text);
	else
		doctor_pass(out, "the kernel counts %s", events->counted_names);
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
		report(&events, out);
	}
	formulas_free(&formulas);
}

const struct check doctor_core_events = {
	.name = "core-events",
	.purpose = "--backend=perf -m core: often all that a virtual machine can count",
	.run = check_core_events,
	.needs = {&doctor_processor},
};
