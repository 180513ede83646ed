/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_monitor.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void keep_remark(void *context, enum log_level level, const char *text)
{
	struct sim_monitor *m = context;

	if (level == LEVEL_WARNING) {
		m->warnings++;
		snprintf(m->warning, sizeof(m->warning), "%s", text);
	} else if (level == LEVEL_NOTE) {
		m->notes++;
		snprintf(m->note, sizeof(m->note), "%s", text);
	}
}

static void close_monitor(void *m)
{
	sim_monitor_close(m);
}

static void make_machine(struct sim_monitor *m, const char *spec,
			 int (*open)(struct platform *, struct machine *, struct error *))
{
	const struct log log = {.write = keep_remark, .context = m};

	sim_monitor_close(m);
	*m = (struct sim_monitor){0};
	at_end(close_monitor, m);
	ck_assert_msg(!platform_sim(spec, &log, &m->platform, &m->err), "%s", m->err.text);
	m->sim = sim_of(m->platform);
	ck_assert_msg(!open(m->platform, &m->machine, &m->err), "%s", m->err.text);
	m->warnings = 0; /* invalid records have tests of their own */
}

void sim_monitor_machine(struct sim_monitor *m, const char *spec)
{
	make_machine(m, spec, machine_open);
}

void sim_monitor_perf_machine(struct sim_monitor *m, const char *spec)
{
	make_machine(m, spec, machine_open_perf);
}

int sim_monitor_view(struct sim_monitor *m, const struct view_options *options)
{
	struct view_options o = *options;

	o.groups = o.groups || o.event_count ? o.groups : "cxl";
	return view_make(&m->machine, &o, &m->view, &m->err);
}

void sim_monitor_poller_as(struct sim_monitor *m, const struct request *requests, size_t count,
			   const struct sim_setup *setup)
{
	const uint64_t interval = setup->interval_ns ? setup->interval_ns : SECOND;

	ck_assert_msg(!plan_make(&m->machine, requests, count, setup->freeze, &m->plan, &m->err),
		      "%s", m->err.text);
	if (setup->perf) {
		ck_assert_msg(!perf_events_open(&m->events, &m->plan, &m->err), "%s", m->err.text);
		ck_assert_int_eq(poller_new_perf(&m->events, interval, &m->poller, &m->err), 0);
	} else {
		ck_assert_msg(!pmu_state_init(&m->pmu, &m->plan, &m->err), "%s", m->err.text);
		ck_assert_int_eq(poller_new(&m->pmu, interval, &m->poller, &m->err), 0);
	}
	pass_time(m->platform, setup->start_ns);
	sim_set_access_time(m->sim, setup->access_ns);
}

static void open_view(struct sim_monitor *m, const struct sim_setup *setup)
{
	ck_assert_msg(!sim_monitor_view(m, &setup->view), "%s", m->err.text);
	sim_monitor_poller_as(m, m->view.requests, m->view.request_count, setup);
	view_bind(&m->view, &m->plan);
}

void sim_monitor_open_as(struct sim_monitor *m, const struct sim_setup *setup)
{
	if (setup->perf)
		sim_monitor_perf_machine(m, setup->spec);
	else
		sim_monitor_machine(m, setup->spec);
	open_view(m, setup);
}

void sim_monitor_measure_as(struct sim_monitor *m, const struct sim_setup *setup)
{
	open_view(m, setup);
	ck_assert_msg(!sim_monitor_begin(m), "%s", m->err.text);
}

void sim_monitor_start_as(struct sim_monitor *m, const struct sim_setup *setup)
{
	sim_monitor_open_as(m, setup);
	ck_assert_msg(!sim_monitor_begin(m), "%s", m->err.text);
}

void sim_monitor_close(struct sim_monitor *m)
{
	if (!m->platform)
		return;
	poller_free(m->poller);
	sampling_free(&m->sampling);
	perf_events_close(&m->events);
	pmu_state_free(&m->pmu);
	plan_free(&m->plan);
	view_free(&m->view);
	machine_close(&m->machine);
	platform_destroy(m->platform);
	m->platform = NULL;
}

int sim_monitor_begin(struct sim_monitor *m)
{
	sampling_free(&m->sampling);
	const int rc = poller_start(m->poller, &m->err);
	return rc ? rc : sampling_begin(&m->sampling, m->poller, &m->plan, &m->err);
}

int sim_monitor_wait(struct sim_monitor *m, const sigset_t *wake, int *signal_number)
{
	return sampling_wait(&m->sampling, wake, signal_number, &m->err);
}

int sim_monitor_take(struct sim_monitor *m)
{
	const int rc = sampling_take(&m->sampling, &m->sample, &m->err);

	m->trouble = (struct error){0};
	if (!rc && m->sample.warning)
		m->trouble = *m->sample.warning;
	const unsigned warnings = m->warnings;
	if (!rc)
		decoder_report(m->sampling.decoder, &m->platform->log);
	m->new_warning = m->warnings > warnings;
	return rc;
}

void sim_monitor_sample(struct sim_monitor *m)
{
	int signal_number;
	sigset_t none;

	sigemptyset(&none);
	ck_assert_int_eq(sim_monitor_wait(m, &none, &signal_number), 0);
	ck_assert_msg(!sim_monitor_take(m), "%s", m->err.text);
	if (m->view.table.rows)
		view_update(&m->view, &m->sample);
}

void sim_monitor_sample_failing(struct sim_monitor *m, unsigned reads)
{
	sim_monitor_sample(m);
	ck_assert_uint_eq(m->sample.lost_readings, reads);
}

struct unit *sim_monitor_unit(struct sim_monitor *m, int socket, uint16_t type, unsigned nth)
{
	for (size_t i = 0; i < m->machine.discovery.unit_count; i++) {
		struct unit *unit = &m->machine.discovery.units[i];

		if (unit->socket != socket || unit->type != type || nth--)
			continue;
		ck_assert_msg(!unit_open(m->platform, unit, &m->err), "%s", m->err.text);
		return unit;
	}
	ck_abort_msg("no such unit");
	return NULL;
}

static bool ends_with(const char *text, const char *end)
{
	const size_t length = strlen(text), n = strlen(end);

	return length >= n && !strcmp(text + length - n, end);
}

const struct count *sim_monitor_count(const struct sim_monitor *m, const struct unit *unit,
				      const char *event)
{
	for (size_t s = 0; s < m->plan.counter_count; s++)
		if (m->plan.units[m->plan.counters[s].unit].unit == unit &&
		    ends_with(m->plan.counters[s].event->name, event))
			return &m->sample.counts[s];
	ck_abort_msg("%s is not counted", event);
	return NULL;
}

const struct row *sim_monitor_row(const struct sim_monitor *m, int socket, int port)
{
	for (size_t r = 0; r < m->view.table.row_count; r++) {
		const struct row *row = &m->view.table.rows[r];

		if (row->place.socket == socket && row->place.port == port && row->place.cpu < 0 &&
		    row->place.kind != ROW_NODE)
			return row;
	}
	ck_abort_msg("no row of socket %d port %d", socket, port);
	return NULL;
}

const struct row *sim_monitor_cpu_row(const struct sim_monitor *m, int cpu)
{
	for (size_t r = 0; r < m->view.table.row_count; r++)
		if (m->view.table.rows[r].place.cpu == cpu)
			return &m->view.table.rows[r];
	ck_abort_msg("no row of CPU %d", cpu);
	return NULL;
}

const struct value *sim_monitor_cell(const struct sim_monitor *m, const struct row *row,
				     const char *metric)
{
	for (size_t c = 0; c < m->view.table.column_count; c++)
		if (!strcmp(m->view.table.columns[c].metric->name, metric))
			return &row->values[c];
	ck_abort_msg("no column %s", metric);
	return NULL;
}

double sim_monitor_value(const struct sim_monitor *m, int socket, int port, const char *metric)
{
	return sim_monitor_cell(m, sim_monitor_row(m, socket, port), metric)->number;
}
