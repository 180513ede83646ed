/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Snapshots from elsewhere: a valid one is written as it was read, and a machine made of it can be
 * probed and measured. The first byte decides if a machine is made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "platform/cpus.h"
#include "session/sampling.h"
#include "sim/sim.h"
#include "sim/snapshot/snapshot.h"
#include "view/view.h"

/* Limits of the machine: more would only take longer. */
#define MOST_CPUS  64
#define MOST_UNITS 256

static void check(const struct snapshot *snapshot)
{
	struct error err = {0};
	struct snapshot again;
	char *text, *same;
	size_t size;

	for (size_t i = 0; i < snapshot->topology.count; i++)
		fuzz_require(snapshot->topology.cpus[i].cpu < SNAPSHOT_MAX_CPUS &&
			     snapshot->topology.cpus[i].socket >= 0);
	for (size_t i = 0; i < snapshot->unit_count; i++)
		fuzz_require(snapshot->units[i].counters <= UNIT_MAX_COUNTERS);
	fuzz_require(!snapshot_encode(snapshot, &text, &size, &err));
	fuzz_require(!snapshot_decode(text, size, &again, &err));
	fuzz_require(!snapshot_encode(&again, &same, &size, &err));
	fuzz_require(!strcmp(text, same));
	snapshot_free(&again);
	free(text);
	free(same);
}

static void sample(struct plan *plan, struct view *view)
{
	struct pmu_state pmu;
	struct sampling sampling = {0};
	struct error err = {0};
	struct sample sample;
	struct poller *poller;
	int signal_number;

	fuzz_require(!pmu_state_init(&pmu, plan, &err));
	fuzz_require(!poller_new(&pmu, 1000000000, &poller, &err));
	if (!poller_start(poller, &err) && !sampling_begin(&sampling, poller, plan, &err) &&
	    !sampling_wait(&sampling, NULL, &signal_number, &err) &&
	    !sampling_take(&sampling, &sample, &err))
		view_update(view, &sample);
	poller_free(poller);
	sampling_free(&sampling);
	pmu_state_free(&pmu);
}

/* Measures all that the machine can. */
static void measure(struct machine *machine)
{
	const struct view_options options = {.groups = "all", .finest = SCOPE_PORT};
	struct error err = {0};
	struct view view;
	struct plan plan;
	int rc = view_make(machine, &options, &view, &err);

	if (!rc) {
		rc = plan_make(machine, view.requests, view.request_count, FREEZE_AUTO, &plan,
			       &err);
		if (!rc) {
			view_bind(&view, &plan);
			sample(&plan, &view);
		}
		plan_free(&plan);
	}
	if (rc)
		fuzz_check_error(rc, &err);
	view_free(&view);
}

static void make_machine(struct input *in)
{
	const struct log silent = {.write = NULL};
	struct error err = {0};
	struct machine machine;
	struct input_file file;
	struct platform *p;
	char spec[128];

	input_file(in, &file);
	snprintf(spec, sizeof(spec), "%s,clock=virtual", file.path);
	int rc = platform_sim(spec, &silent, &p, &err);
	if (!rc) {
		rc = machine_open(p, &machine, &err);
		if (!rc && machine.topology.count <= MOST_CPUS &&
		    machine.discovery.unit_count <= MOST_UNITS)
			measure(&machine);
		machine_close(&machine);
		platform_destroy(p);
	}
	if (rc)
		fuzz_check_error(rc, &err);
	input_file_close(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct snapshot snapshot;
	struct error err = {0};

	if (input_u8(&in) == 'm') {
		make_machine(&in);
		return 0;
	}
	int rc = snapshot_decode((const char *)in.at, in.left, &snapshot, &err);
	if (rc)
		fuzz_check_usage(rc, &err);
	else
		check(&snapshot);
	snapshot_free(&snapshot);
	return 0;
}
