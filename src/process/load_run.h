/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who reads CXL memory, by sampled loads.
 *
 *   records of the sampler ──> processes (whose) ──┐
 *   memory map (which node) ───────────────────────┴──> row sets ───────> report ──> print_*.c
 * ports' counters ───────────────────────────────────────────────────────────────────┘
 *
 *   load_run.c   the run: one thread, which reads the rings at least every 100 ms; and what the
 *                ports count meanwhile
 *   table.c, mappings.c  names, from /proc at the start and then from the kernel's records
 *   functions.c  names of functions, which other processes find: symbol_process.c starts them,
 *                symbol_opener.c opens files (symbol_files.c), symbol_reader.c reads them
 *                (elf_symbols.c, elf_table.c)
 *   intake.c     samples, each with its process and memory, and what is not in the rows
 *   row_set.c    rows of one kind, of all processes or of a few
 *   heat.c       how often each range of memory was sampled
 */
#ifndef CXLMON_PROCESS_LOAD_RUN_H
#define CXLMON_PROCESS_LOAD_RUN_H

#include "linux/rights/sudo_user.h"
#include "platform/load_sample.h"
#include "poller/timetable.h"
#include "process/intake.h"
#include "session/sampling.h"
#include "session/session.h"
#include "uncore/devices/cxl_nodes.h"

struct load_run_options {
	struct session_options session; /* what ports count: of all nodes and devices */
	bool samples_alone;		/* ports are not counted: some other session does that */
	struct platform *platform;	/* that is open, with .nodes; NULL: opens its own */
	const struct cxl_nodes *nodes;
	bool cgroups;			/* rows have the cgroup of their process */
	bool without_heat;		/* ranges of memory are not counted */
	struct symbol_process *symbols; /* for further sets of rows; not owned; NULL: none */
	bool starts_later;		/* by load_run_start(); without load_run_wait() */
	struct cxl_node_choice choice;	/* which nodes are CXL memory */
	const struct load_event *event; /* NULL: those of the processor */
	enum row_by by;
	uint64_t period;       /* 0: adapted to cost */
	uint64_t cool_samples; /* 0: HEAT_COOL_SAMPLES */
	struct heat_detail detail;
	const char *pids;   /* number list; NULL: all processes */
	const char *cgroup; /* directory; NULL: all */
	const sigset_t *wake;
	const struct sudo_user *caller; /* whose rights are kept by who reads names of functions */
};

struct node_heat {
	struct reported_node nodes[REPORT_NODES_MOST];
	struct process_report
		known; /* .nodes, .unsampled and what follows from them, as they were last */
	uint64_t ns;   /* when that was, by the platform's clock */
};

/* What was known when an interval, or the run, began. */
struct load_run_begun {
	uint64_t ns, wall_ns; /* by the platform's clock; since 1970 in UTC */
	uint64_t cpu_ns;      /* CPU time of this process */
	uint64_t samples[LOAD_EVENTS_MOST];
	uint64_t lost, records_lost, throttled, missed;
	struct event_times times; /* of the first event */
	double counted_MB[2];	  /* since: see struct process_report */
};

/* A run. */
struct load_run {
	const struct load_run_options *options;
	const struct log *log;
	struct session session;
	struct sampling sampling;
	bool counting;	  /* .session is started; else of the system nothing is known: */
	size_t cxl, dram; /* columns of what the ports count; SIZE_MAX: not counted */
	struct row row;
	struct table no_table;
	struct table *table;  /* of the session, or that one; .report is of its last interval */
	struct sample sample; /* of the latest report */
	struct platform *own; /* where there is no session */
	struct platform *p;   /* that one, or the session's */
	struct cxl_nodes nodes;
	unsigned *pids;
	size_t pid_count;
	struct symbol_process symbols; /* of rows by function on a real machine */
	struct process_intake intake;
	const struct process_row **sorted; /* room for all rows */
	int *handles;			   /* of all perf events, for rights_filter() */
	size_t handle_count;
	struct node_heat heat;
	struct deadlines deadlines; /* unless counting */
	uint64_t missed;
	uint64_t other_cpu_ns; /* CPU time that the caller has used for something else */
	size_t unsampled;      /* CPUs: the most in any interval */
	struct load_run_begun begun[ROW_TIMES];
	struct load_run_begun adapted; /* when the periods were adapted last */
	struct load_run_begun end;     /* of the interval that was reported last, or the start */
	struct process_report report;
	bool asked_to_end; /* by a signal: names of functions are not waited for as long */
};

/* Events that a user may choose instead, ended by a NULL; and one of them, from 1. 0: NULL. */
extern const char *const load_run_event_names[];
const struct load_event *load_run_event(int number);

/*
 * Opens the machine, and starts sampling and counting. ERROR_NO_UNIT: no node is known to be CXL
 * memory, or the processor can't sample loads. ERROR_PERMISSION: the kernel does not allow it. *out
 * must not be moved until load_run_close(); until load_run_begin(), process_intake_read() makes
 * room where that takes long.
 */
int load_run_open(const struct load_run_options *options, const struct log *log,
		  struct load_run *out, struct error *err);

/* Starts what load_run_open() has opened with .starts_later. */
int load_run_start(struct load_run *run, struct error *err);

/* From here on it costs what it costs, and a timer makes load_run_wait() read the samples. */
void load_run_begin(struct load_run *run);

/* The processor, for a title. */
const char *load_run_processor(const struct load_run *run);

/* Takes the samples that are there: at least every 100 ms; adapts the periods. */
int load_run_read(struct load_run *run, struct error *err);

/* Waits until an interval ends. -EINTR: a signal of *wake came. */
int load_run_wait(struct load_run *run, int *signal_number, struct error *err);

/*
 * Ends an interval. last: nothing comes after it. Returns 1 if there is a .report, to be shown
 * before load_run_next(); 0: it had no time.
 */
int load_run_take(struct load_run *run, bool last, struct error *err);

/* Begins the next interval. */
int load_run_next(struct load_run *run, struct error *err);

/* Makes the .report of the whole run, with .time TIME_RUN. */
void load_run_sum_up(struct load_run *run);

/* After load_run_open() in any case: says what is not in the rows, and restores registers. */
int load_run_close(struct load_run *run, struct error *err);

#endif
