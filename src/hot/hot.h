/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who reads CXL memory, by sampled loads.
 *
 *   records of the sampler ──> processes (whose) ──┐
 *   memory map (which node) ───────────────────────┴──> groups (rows) ──> report ──> print_*.c
 * ports' counters ───────────────────────────────────────────────────────────────────┘
 *
 *   hot.c        the run: one thread, which reads the rings at least every 100 ms
 *   counters.c   what the ports count meanwhile
 *   processes.c  names, from /proc at the start and then from the kernel's records
 *   functions.c, symbol_process.c, elf_symbols.c  names of functions
 *   groups.c     rows
 *   heat.c       how often each range of memory was sampled
 *   node_heat.c  how hot the memory of nodes is
 */
#ifndef CXLMON_HOT_H
#define CXLMON_HOT_H

#include "hot/groups.h"
#include "hot/heat.h"
#include "linux/sudo_user.h"
#include "session/session.h"
#include "who/nodes.h"

struct hot_intake;

struct hot_setup {
	const struct load_event *event;
	const struct who_nodes *nodes;
	bool counting; /* ports are counted */
	struct platform *platform;
	/* all perf events, for rights_filter() */
	const int *handles;
	size_t handle_count;
	/* what ports count, and the rows with it, which have .hot during a report */
	const char *processor;
	const struct machine *machine; /* NULL: they are not counted */
	const struct view *view;
	const struct sample *sample; /* the latest */
	struct hot_intake *intake; /* hot_intake_read() makes room where the beginning takes long */
};

struct hot_options {
	struct session_options session;
	struct who_choice choice;
	const struct load_event *event; /* NULL: those of the processor */
	enum hot_by by;
	uint64_t period;       /* 0: adapted to cost */
	uint64_t cool_samples; /* 0: HEAT_COOL_SAMPLES */
	struct heat_detail detail;
	const char *pids;   /* number list; NULL: all processes */
	const char *cgroup; /* directory; NULL: all */
	uint64_t count;	    /* reports; 0: endless */
	const sigset_t *wake;
	const struct sudo_user *caller; /* whose rights are kept by who reads names of functions */
	/* When samples are being taken. An error ends the run. */
	int (*begin)(void *context, const struct hot_setup *setup, struct error *err);
	/* Whether a signal ends the run, after a last report. */
	bool (*ends)(void *context, int signal_number);
	/* After each interval, and at the end with .time HOT_RUN. An error ends the run. */
	int (*report)(void *context, const struct hot_report *report, struct error *err);
	void *context;
};

/* Events that a user may choose instead, ended by a NULL. */
extern const char *const hot_event_names[];

/* "minor-faults". NULL: unknown. */
const struct load_event *hot_event_find(const char *name);

/*
 * EXIT_NO_UNIT: no node is known to be CXL memory, or the processor can't sample loads.
 * EXIT_PERMISSION: the kernel does not allow it.
 */
int hot_run(const struct hot_options *options, const struct log *log, struct error *err);

#endif
