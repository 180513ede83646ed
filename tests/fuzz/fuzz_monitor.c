/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole runs on small simulated machines that may have a fault: metrics or events from the input
 * are counted for three samples. Values are plausible, and every register is restored.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events/event_list.h"
#include "fuzz.h"
#include "session/sampling.h"
#include "tests/sim/faults.h"
#include "tests/sim/state.h"
#include "view/view.h"

#define SMALL	 ",cpus=2,chas=4,imcs=1,clock=virtual"
#define INTERVAL UINT64_C(1000000000) /* ns */

static const char *const specs[] = {
	"spr,sockets=2,ports=1" SMALL,
	"emr,ports=2" SMALL,
	"gnr,sockets=2,ports=1" SMALL,
	"srf,ports=2" SMALL,
};

#define FAULT_UNIT_DEAD	     (1 << 0)
#define FAULT_WRITES_REFUSED (1 << 1)
#define FAULT_NO_MSR	     (1 << 2)
#define FAULT_FREEZE	     (1 << 3)
#define FAULT_CPU_OFFLINE    (1 << 4)

struct run {
	struct platform *platform;
	struct machine machine;
	struct event_catalogue catalogue;
	struct event_list events;
	struct view_options options;
	struct view view;
	struct plan plan;
	struct pmu_state pmu;
	struct poller *poller;
	struct sampling sampling;
	enum freeze_policy freeze;
	struct error err;
};

static void log_line(void *context, enum log_level level, const char *text)
{
	(void)context;
	fuzz_require(level <= LEVEL_DETAIL && *text && fuzz_one_line(text));
}

static void add_faults(struct sim *sim, uint8_t faults)
{
	if (faults & FAULT_UNIT_DEAD)
		sim_set_unit_dead(sim, 0, faults & 0x80 ? PMU_CXLDP : PMU_CHA, 0, true);
	sim_set_writes_refused(sim, faults & FAULT_WRITES_REFUSED);
	sim_set_msr_absent(sim, faults & FAULT_NO_MSR);
	if (faults & FAULT_FREEZE)
		sim_set_msr_fault(sim, 0x2FF0, -EIO);
	if (faults & FAULT_CPU_OFFLINE)
		sim_set_cpu_online(sim, 1, false);
}

/* Chooses view options from the input. */
static int choose(struct run *r, uint8_t how, const char *text)
{
	r->freeze = (how & 3) % (FREEZE_NEVER + 1);
	r->options.finest = (how >> 2 & 3) % SCOPE_COUNT;
	r->options.latency = how & 0x10 ? LATENCY_ROTATE : LATENCY_SPATIAL;
	if (how & 0x20) {
		r->options.groups = text;
		return view_check_groups(text, &r->err);
	}
	r->options.groups = how & 0x40 ? "cxl" : NULL;
	int rc = event_list_add(&r->events, &r->catalogue, text, &r->err);
	r->options.events = r->events.items;
	r->options.event_count = r->events.count;
	return rc;
}

static void check_row(const struct view *view, const struct row *row)
{
	fuzz_require(isnan(row->counted_pct) || (row->counted_pct >= 0 && row->counted_pct <= 100));
	fuzz_require(isnan(row->interval_s) || row->interval_s >= 0);
	fuzz_require(isnan(row->count) || (row->event && row->count >= 0 && isfinite(row->count)));
	for (size_t c = 0; c < view->table.column_count; c++) {
		const struct value *value = &row->values[c];

		if (view->table.columns[c].metric->kind == METRIC_NUMBER)
			fuzz_require(isnan(value->number) ||
				     (value->number >= 0 && isfinite(value->number)));
	}
}

static int sample(struct run *r)
{
	struct sample got;
	sigset_t none;
	int signal_number;

	sigemptyset(&none);
	int rc = sampling_wait(&r->sampling, &none, &signal_number, &r->err);
	rc = rc ? rc : sampling_take(&r->sampling, &got, &r->err);
	if (rc)
		return rc;
	if (got.warning)
		fuzz_check_error(got.warning->code, got.warning);
	view_update(&r->view, &got);
	for (size_t i = 0; i < r->view.table.row_count; i++)
		check_row(&r->view, &r->view.table.rows[i]);
	return 0;
}

static int count(struct run *r)
{
	int rc = view_make(&r->machine, &r->options, &r->view, &r->err);

	rc = rc ? rc
		: plan_make(&r->machine, r->view.requests, r->view.request_count, r->freeze,
			    &r->plan, &r->err);
	if (rc)
		return rc;
	view_bind(&r->view, &r->plan);
	fuzz_require(!pmu_state_init(&r->pmu, &r->plan, &r->err));
	rc = poller_new(&r->pmu, INTERVAL, &r->poller, &r->err);
	rc = rc ? rc : poller_start(r->poller, &r->err);
	rc = rc ? rc : sampling_begin(&r->sampling, r->poller, &r->plan, &r->err);
	for (unsigned i = 0; i < 3 && !rc; i++)
		rc = sample(r);
	int stopped = r->poller ? poller_stop(r->poller, rc ? NULL : &r->err) : 0;
	return rc ? rc : stopped;
}

static void close_run(struct run *r)
{
	poller_free(r->poller);
	sampling_free(&r->sampling);
	pmu_state_free(&r->pmu);
	plan_free(&r->plan);
	view_free(&r->view);
	event_list_free(&r->events);
	catalogue_free(&r->catalogue);
	machine_close(&r->machine);
	platform_destroy(r->platform);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	const char *spec = specs[input_u8(&in) % (sizeof(specs) / sizeof(specs[0]))];
	const uint8_t how = input_u8(&in), faults = input_u8(&in);
	const struct log log = {.write = log_line};
	struct run r = {0};
	char *text = input_text(&in);

	fuzz_require(!platform_sim(spec, &log, &r.platform, &r.err));
	struct sim *sim = sim_of(r.platform);
	add_faults(sim, faults);
	const uint64_t before = sim_state_hash(sim);
	fuzz_require(!machine_open(r.platform, &r.machine, &r.err));
	catalogue_init(&r.catalogue, r.machine.model);
	r.events = (struct event_list){.count = 0};
	/* no other files are opened */
	int rc = text[strspn(text, " \t")] == '@' ? 0 : choose(&r, how, text);
	if (!rc && (r.options.groups || r.options.event_count))
		rc = count(&r);
	if (rc)
		fuzz_check_error(rc, &r.err);
	fuzz_require(sim_state_hash(sim) == before);
	close_run(&r);
	free(text);
	return 0;
}
