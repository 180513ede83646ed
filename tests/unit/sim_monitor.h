/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole monitor on a simulated machine, from the platform to the poller. */
#ifndef CXLMON_TEST_SIM_MONITOR_H
#define CXLMON_TEST_SIM_MONITOR_H

#include "plan/plan.h"
#include "platform/perf.h"
#include "poller/poller.h"
#include "session/sampling.h"
#include "sim_registers.h"
#include "uncore/machine.h"
#include "view/view.h"

struct sim_setup {
	const char *spec;
	struct view_options view; /* without events, .groups NULL means "cxl" */
	enum freeze_policy freeze;
	bool perf;	      /* count by perf events of the kernel */
	uint64_t interval_ns; /* 0: one second */
	/* Clock at the beginning. Not whole seconds: no count coincides with a reading. */
	uint64_t start_ns;
	uint64_t access_ns; /* time of each register access after the machine was opened */
};

struct sim_monitor {
	struct platform *platform;
	struct sim *sim;
	struct machine machine;
	struct view view;
	struct plan plan;
	struct pmu_state pmu;
	struct perf_events events; /* used in place of .pmu with sim_setup.perf */
	struct poller *poller;
	struct sampling sampling;

	struct sample sample;
	struct error trouble, err;
	bool new_warning; /* the latest sample has one */
	unsigned warnings;
	char warning[1024]; /* the last one */
	unsigned notes;
	char note[1024]; /* the last one */
};

/*
 * Open a monitor up to a stage: the machine (for registers, or for perf events), the view, the
 * poller. sim_monitor_open_as() does all three, and sim_monitor_start_as() also starts the poller.
 * sim_monitor_measure_as() does the same with a machine that is open. All but sim_monitor_view()
 * assert that they succeed; that returns 0 or a negative errno with m->err.
 *
 * *m must be static. It is closed by sim_monitor_close(), when the test opens it again, or when the
 * test has ended.
 */
void sim_monitor_machine(struct sim_monitor *m, const char *spec);
void sim_monitor_perf_machine(struct sim_monitor *m, const char *spec);
int sim_monitor_view(struct sim_monitor *m, const struct view_options *options);
void sim_monitor_poller_as(struct sim_monitor *m, const struct request *requests, size_t count,
			   const struct sim_setup *setup);
void sim_monitor_open_as(struct sim_monitor *m, const struct sim_setup *setup);
void sim_monitor_start_as(struct sim_monitor *m, const struct sim_setup *setup);
void sim_monitor_measure_as(struct sim_monitor *m, const struct sim_setup *setup);
void sim_monitor_close(struct sim_monitor *m);

/* Takes members of the setup as arguments: sim_monitor_start(&m, .spec = "spr"). */
#define SIM_SETUP(...) (&(const struct sim_setup){__VA_ARGS__})
#define sim_monitor_poller(m, requests, count, ...)                                                \
	sim_monitor_poller_as(m, requests, count, SIM_SETUP(__VA_ARGS__))
#define sim_monitor_open(m, ...)    sim_monitor_open_as(m, SIM_SETUP(__VA_ARGS__))
#define sim_monitor_start(m, ...)   sim_monitor_start_as(m, SIM_SETUP(__VA_ARGS__))
#define sim_monitor_measure(m, ...) sim_monitor_measure_as(m, SIM_SETUP(__VA_ARGS__))

/* Waits for the next deadline, takes the sample, and updates the view. */
void sim_monitor_sample(struct sim_monitor *m);

/* Takes a sample, in which this many reads fail. */
void sim_monitor_sample_failing(struct sim_monitor *m, unsigned reads);

/* Take the steps of a sample one by one. 0, or a negative errno with m->err. */
int sim_monitor_begin(struct sim_monitor *m); /* starts the poller */
int sim_monitor_wait(struct sim_monitor *m, const sigset_t *wake, int *signal_number);
int sim_monitor_take(
	struct sim_monitor *m); /* sets m->sample and m->trouble, but leaves the view unchanged */

/* Returns unit number nth, from 0, of a type on a socket, in the order of ids, opened. */
struct unit *sim_monitor_unit(struct sim_monitor *m, int socket, uint16_t type, unsigned nth);

/* Returns the last sample's count of an event on a unit. event is the end of the event's name. */
const struct count *sim_monitor_count(const struct sim_monitor *m, const struct unit *unit,
				      const char *event);

/* Return a row, and a value of a row. A number that does not apply to the row is -1. */
const struct row *sim_monitor_row(const struct sim_monitor *m, int socket, int port);
const struct row *sim_monitor_cpu_row(const struct sim_monitor *m, int cpu);
const struct value *sim_monitor_cell(const struct sim_monitor *m, const struct row *row,
				     const char *metric);
double sim_monitor_value(const struct sim_monitor *m, int socket, int port, const char *metric);

#endif
