/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands for a machine that cannot measure bandwidth. */
#include "base/text.h"
#include "platform/kernel_stats.h"
#include "show/doctor/doctor.h"
#include "view/view.h"

/* Metric groups that the files of the kernel and of devices suffice for. */
static const char *const groups[] = {"tiering", "port", "health", "region"};

static bool is_measured(struct machine *machine, const char *group)
{
	const struct view_options options = {.groups = group, .finest = SCOPE_PORT};
	struct view view = {0};
	struct error why;
	const bool measured = !view_make(machine, &options, &view, &why);

	view_free(&view);
	return measured;
}

/* Processes are found by the nodes of their memory, whether any is CXL memory or not. */
static void add_who(const struct doctor *d, const struct machine *machine,
		    char works[DOCTOR_WORKS_SIZE])
{
	for (size_t i = 0; i < machine->device_count; i++)
		if (machine->devices[i].node >= 0) {
			text_list(works, DOCTOR_WORKS_SIZE, "cxlmon who");
			return;
		}
	if (!d->sim && machine->memory.node_count)
		text_list(works, DOCTOR_WORKS_SIZE, "cxlmon who --node=%d",
			  machine->memory.nodes[0].node);
}

/* On a processor that is not supported the checks of its CPUs were not run. */
static bool core_works(struct doctor *d, const struct doctor_verdict *verdict)
{
	struct check_result found = {.verdict = VERDICT_NOT_RUN};

	if (verdict->supports_processor || !d->probe.machine.model || !d->probe.machine.cpu_count)
		return verdict->core_works;
	doctor_core_counters.run(d, &found);
	if (found.verdict != VERDICT_PASS)
		doctor_core_events.run(d, &found);
	return found.verdict == VERDICT_PASS;
}

void doctor_find_works(struct doctor *d, const struct doctor_verdict *verdict,
		       char works[DOCTOR_WORKS_SIZE])
{
	struct machine machine;
	struct error why;
	char measured[DOCTOR_WORKS_SIZE] = "";

	works[0] = '\0';
	if (machine_open_without_units(d->probe.platform, &machine, &why)) {
		machine_close(&machine);
		return;
	}
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		if (is_measured(&machine, groups[i]))
			text_append(measured, sizeof(measured), "%s%s", *measured ? "," : "",
				    groups[i]);
	if (core_works(d, verdict))
		text_append(measured, sizeof(measured), "%score", *measured ? "," : "");
	if (*measured)
		text_list(works, DOCTOR_WORKS_SIZE, "cxlmon -m %s", measured);
	add_who(d, &machine, works);
	machine_close(&machine);
}
