/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out who reads CXL memory, by sampled loads (platform/load_sample.h). A run takes samples,
 * and makes a report (report.h) of each interval.
 *
 *   records of the sampler ──> processes (whose) ──┐
 *   memory map (which node) ───────────────────────┴──> row sets ───────> report ──> print_*.c
 * ports' counters ───────────────────────────────────────────────────────────────────┘
 *
 *   load_run.c   the run, in one thread; load_run_open.c begins and ends it
 *   table.c, table_mappings.c, mappings.c
 *                names of processes and mappings: first from /proc, then from the kernel's records
 *   functions.c  names of functions, found by two helper processes (symbol_process.c):
 *                one opens files (symbol_opener.c, symbol_files.c),
 *                one reads them (symbol_reader.c, elf_symbols.c, elf_table.c)
 *   intake.c     samples, each with its process and memory, and counts of those left out
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

/*
 * Longest time between readings of the rings, to which the kernel writes samples. Each CPU has a
 * ring, with room for some 4500 samples on a machine with up to 127 CPUs.
 */
#define LOAD_READ_NS (NS_PER_S / 10)

/* Pointers are not owned, and must be valid until load_run_close(). */
struct load_run_options {
	/* session that counts reads of ports; its .view selects neither nodes nor devices */
	struct session_options session;
	bool samples_alone;	       /* only samples: no session counts ports */
	struct platform *platform;     /* used without a session; NULL: the run opens one */
	const struct cxl_nodes *nodes; /* nodes of CXL memory; NULL: found by .choice */
	bool cgroups;		       /* rows include their process's cgroup */
	bool without_heat;	       /* hotness of memory is not counted */
	/* helper processes that find functions; NULL: the run starts them if .by is BY_FUNCTION */
	struct symbol_process *symbols;
	/* the caller uses load_run_start() and load_run_read(), not load_run_wait() */
	bool starts_later;
	struct cxl_node_choice choice;	/* selection of CXL nodes */
	const struct load_event *event; /* event to sample; NULL: the processor's events */
	enum row_by by;			/* kind of rows */
	uint64_t period;		/* sampling period; 0: adapted to the cost */
	uint64_t cool_samples;		/* samples between coolings; 0: HEAT_COOL_SAMPLES */
	struct heat_detail detail;	/* addresses whose pages are also counted */
	const char *pids;		/* number list; NULL: all processes */
	const char *cgroup;		/* the cgroup's directory; NULL: all cgroups */
	const sigset_t *wake;		/* SIGALRM, and the signals that end load_run_wait() */
	/* user whose ids helper processes take */
	const struct sudo_user *caller;
};

/* Hotness of memory by node. */
struct node_heat {
	struct reported_node nodes[REPORT_NODES_MOST];
	struct process_report known; /* only the members that heat_table_compare() uses or sets */
	uint64_t ns;		     /* time of the last update, on the platform's clock */
};

/* The time and totals at a point of a run, such as the beginning of an interval. */
struct load_run_totals {
	uint64_t ns, wall_ns;		    /* time by clock_ops.now(), and by .wall() */
	uint64_t cpu_ns;		    /* CPU time of this process; 0 with a virtual clock */
	uint64_t samples[LOAD_EVENTS_MOST]; /* process_intake.samples */
	/* see struct sampler; .missed: missed deadlines */
	uint64_t lost, records_lost, throttled, missed;
	struct event_times times; /* counter times of the first event */
	double counted_MB[2];	  /* MB that ports counted since then: CXL, DRAM */
};

/* A sampling run, used by one thread. */
struct load_run {
	const struct load_run_options *options;
	const struct log *log;
	struct session session; /* counts ports, if .counting */
	struct sampling sampling;
	bool counting;	  /* .session is open */
	size_t cxl, dram; /* columns of port counts; SIZE_MAX: not counted */
	struct row row;
	struct table no_table; /* a table with only .row, without values */
	struct table *table;   /* table of the latest report: the session's, or .no_table */
	struct sample sample;  /* sample of the latest report */
	struct platform *own;  /* platform that the run has opened without a session */
	struct platform *p;    /* platform in use: .own, options->platform, or the session's */
	struct cxl_nodes nodes;
	unsigned *pids; /* list of options->pids */
	size_t pid_count;
	/* helper processes that the run has started; .pid 0: none */
	struct symbol_process symbols;
	struct process_intake intake;
	const struct sampled_row **sorted; /* rows of the latest report */
	int *handles;			   /* all perf events, for rights_filter() (rights.h) */
	size_t handle_count;
	struct node_heat heat;
	struct deadlines deadlines; /* used unless .counting */
	uint64_t missed;	    /* deadlines missed so far */
	/* CPU time that the caller used for other work; set by the caller */
	uint64_t other_cpu_ns;
	size_t unsampled;			 /* highest sampler.unsampled of an interval */
	struct load_run_totals begun[ROW_TIMES]; /* by enum row_time */
	struct load_run_totals adapted;		 /* state at the last adaptation of the periods */
	struct load_run_totals end;   /* end of the last reported interval, or start of the run */
	struct process_report report; /* latest report */
	/* set by the caller after a signal: shortens the wait for names of functions */
	bool asked_to_end;
};

/* Names of page-fault events, which a user may choose instead of loads; ended by NULL. */
extern const char *const load_run_event_names[];
/* Returns the event of load_run_event_names[number - 1]. NULL: number is 0. */
const struct load_event *load_run_event(int number);

/*
 * Opens the machine, and starts sampling and the counting of ports. If ports cannot be counted, a
 * note in the log says why. Also starts a timer: its SIGALRM, which the caller has blocked, makes
 * load_run_wait() read samples. With .starts_later, opens everything and starts nothing.
 *
 * *out must not move until load_run_close(), which is also called after an error. Until
 * load_run_begin(), the caller calls process_intake_read() so often that the rings do not fill.
 *
 * Returns 0 or a negative errno:
 * - ERROR_NO_UNIT: no CXL node is known, or the processor cannot sample loads
 * - ERROR_PERMISSION: the kernel does not allow sampling
 * - ERROR_USAGE: a choice is not valid
 */
int load_run_open(const struct load_run_options *options, const struct log *log,
		  struct load_run *out, struct error *err);

/* Starts a run with .starts_later, or one that was paused. Returns 0 or a negative errno. */
int load_run_start(struct load_run *run, struct error *err);

/*
 * Stops sampling until load_run_start(), and drops the interval so far. The run must have
 * .samples_alone. Returns 0 or a negative errno.
 */
int load_run_pause(struct load_run *run);

/* Excludes the CPU time that was used so far from process_report.cost_ns. */
void load_run_begin(struct load_run *run);

/* Returns the processor's name for a title; "unknown processor" if it is unknown. */
const char *load_run_processor(const struct load_run *run);

/*
 * Takes the samples that have come, and adapts the periods. A caller that does not use
 * load_run_wait() calls load_run_read() at least every LOAD_READ_NS. Returns 0 or a negative errno.
 */
int load_run_read(struct load_run *run, struct error *err);

/*
 * Waits until an interval ends, and reads samples meanwhile. Returns 0 or a negative errno. -EINTR:
 * a signal of .wake other than SIGALRM came; *signal_number is its number.
 */
int load_run_wait(struct load_run *run, int *signal_number, struct error *err);

/*
 * Ends an interval. If it is the last one, first waits up to 5 s (0.5 s if .asked_to_end) for names
 * of functions. Returns:
 * - 1: run->report is the interval's report, valid until load_run_next()
 * - 0: no time has passed since the interval began, and it goes on
 * - a negative errno
 */
int load_run_take(struct load_run *run, bool last, struct error *err);

/*
 * Begins the next interval, after load_run_take() has returned 1. Also adapts the periods. Returns
 * 0 or a negative errno.
 */
int load_run_next(struct load_run *run, struct error *err);

/* Sets run->report to the report of the whole run, up to the end of the last reported interval. */
void load_run_sum_up(struct load_run *run);

/*
 * Ends the run and frees it, even after load_run_open() has failed. Writes notes about missing
 * samples to the log, and restores registers. Returns 0, or a negative errno of session_stop().
 */
int load_run_close(struct load_run *run, struct error *err);

#endif
