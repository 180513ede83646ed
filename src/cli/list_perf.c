/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/list_perf.h"

#include <errno.h>

#include "session/session.h"
#include "sim/open.h"

/* What is wrong with PMUs is said of each event. */
void list_perf_open(struct list_perf *out, const char *sim, const char *root)
{
	const struct log silent = {.write = NULL};

	*out = (struct list_perf){.platform = NULL};
	if (platform_open(sim, root, &silent, &out->platform, &out->error))
		return;
	if (!machine_open_perf(out->platform, &out->machine, &out->error))
		out->error = out->machine.uncore_error;
}

void list_perf_close(struct list_perf *perf)
{
	if (perf->platform)
		machine_close(&perf->machine);
	platform_destroy(perf->platform);
}

static const struct unit *first_unit(const struct machine *machine, const struct event *event)
{
	const struct unit *unit;
	size_t i = 0;

	while ((unit = machine_unit(machine, event->box, i++)))
		if (unit->type == event->box)
			return unit;
	return NULL;
}

const char *list_perf_text(const struct list_perf *perf, const struct event *event,
			   char text[PERF_EVENT_TEXT_SIZE], struct error *why)
{
	const struct unit *unit = first_unit(&perf->machine, event);
	struct perf_event encoded;

	if (!unit && perf->error.code)
		*why = perf->error;
	else if (!unit)
		error_set(why, EXIT_NO_UNIT, -ENODEV, "this kernel has no PMU of its unit");
	if (!unit || perf_unit_encode(unit, event, &encoded, why))
		return NULL;
	return perf_unit_event_text(unit, event, text);
}
