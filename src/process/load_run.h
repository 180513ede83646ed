/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out who reads CXL memory, by sampled loads. A run takes samples, and makes a report of each
 * interval.
 *
 *   records of the sampler ──> processes (whose) ──┐
 *   memory map (which node) ───────────────────────┴──> row sets ───────> report ──> print_*.c
 * ports' counters ───────────────────────────────────────────────────────────────────┘
 *
 *   load_run.c   the run: one thread, which reads the rings at least every 100 ms, and the counts
 *                of ports (load_run_open.c: its beginning and its end)
 *   table.c, table_mappings.c, mappings.c
 *                names, from /proc at the start and then from the kernel's records
 *   functions.c  names of functions, found by other processes: symbol_process.c starts them,
 *                symbol_opener.c opens files (symbol_files.c), symbol_reader.c reads them
 *                (elf_symbols.c, elf_table.c)
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
 * Longest time between readings of the rings. On machines with up to 127 CPUs, a ring has room for
 * 4500 samples.
 */
#define LOAD_READ_NS (NS_PER_S / 10)

/* Pointers are not owned, and must be valid until load_run_close(). */
struct load_run_options {
	/* session that counts the reads of ports; selects neither nodes nor devices */
	struct session_options session;
	bool samples_alone;	       /* no session counts ports */
	struct platform *platform;     /* used without a session; NULL: one is opened */
	const struct cxl_nodes *nodes; /* nodes of CXL memory; NULL: .choice */
	bool cgroups;		       /* rows include their process's cgroup */
	bool without_heat;	       /* ranges of memory are not counted */
	/* finds functions for all sets of rows; NULL: the run starts it if rows are by function */
	struct symbol_process *symbols;
	/* the caller starts by load_run_start(), and does not use load_run_wait() */
	bool starts_later;
	struct cxl_node_choice choice;	/* selection of CXL nodes */
	const struct load_event *event; /* NULL: the processor's events */
	enum row_by by;
	uint64_t period;	   /* sampling period; 0: adapted to the cost */
	uint64_t cool_samples;	   /* samples between coolings; 0: HEAT_COOL_SAMPLES */
	struct heat_detail detail; /* addresses whose pages are also counted */
	const char *pids;	   /* number list; NULL: all processes */
	const char *cgroup;	   /* directory; NULL: all */
	const sigset_t *wake;	   /* signals that end a wait; SIGALRM is one */
	/* user whose rights the processes that find function names keep */
	const struct sudo_user *caller;
};

/* Hotness of memory by node. */
struct node_heat {
	struct reported_node nodes[REPORT_NODES_MOST];
	struct process_report known; /* only .nodes, .unsampled, and values derived from them */
	uint64_t ns;		     /* time of the last update, on the platform's clock */
};

/* State at the beginning of an interval or of the run. */
struct load_run_begun {
	uint64_t ns, wall_ns; /* time by clock_ops.now(), and by .wall() */
	uint64_t cpu_ns;      /* CPU time of this process */
	uint64_t samples[LOAD_EVENTS_MOST];
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
	struct platform *own;  /* opened without a session */
	struct platform *p;    /* platform in use: .own, options->platform, or the session's */
	struct cxl_nodes nodes;
	unsigned *pids;
	size_t pid_count;
	/* finds functions, for rows by function on a real machine */
	struct symbol_process symbols;
	struct process_intake intake;
	const struct sampled_row **sorted; /* room for all rows */
	int *handles;			   /* all perf events, for rights_filter() */
	size_t handle_count;
	struct node_heat heat;
	struct deadlines deadlines; /* used unless .counting */
	uint64_t missed;	    /* deadlines missed so far */
	/* CPU time that the caller used for other work; set by the caller */
	uint64_t other_cpu_ns;
	size_t unsampled; /* highest number of CPUs without samples in an interval */
	struct load_run_begun begun[ROW_TIMES]; /* by enum row_time */
	struct load_run_begun adapted;		/* last adaptation of the periods */
	struct load_run_begun end;    /* end of the last reported interval, or start of the run */
	struct process_report report; /* latest report */
	/* set by the caller after a signal: the wait for names of functions is shorter */
	bool asked_to_end;
};

/* Names of events of page faults, which a user may choose to sample; ended by NULL. */
extern const char *const load_run_event_names[];
/* Returns the event whose name has index number - 1 in the list. NULL: number is 0. */
const struct load_event *load_run_event(int number);

/*
 * Opens the machine, and starts sampling and the counting of ports. If ports cannot be counted, a
 * note says why. Also starts a timer, whose SIGALRM makes load_run_wait() read samples; the caller
 * has blocked this signal. With .starts_later, starts nothing.
 *
 * ERROR_NO_UNIT: no CXL node is known, or the processor cannot sample loads. ERROR_PERMISSION: the
 * kernel does not allow it. ERROR_USAGE: a choice is not valid. *out must not move until
 * load_run_close(), which is also called after an error.
 *
 * A caller that has other work before load_run_begin() calls process_intake_read() meanwhile, so
 * that the rings do not fill.
 */
int load_run_open(const struct load_run_options *options, const struct log *log,
		  struct load_run *out, struct error *err);

/* Starts a run that load_run_open() has opened with .starts_later, or that was paused. */
int load_run_start(struct load_run *run, struct error *err);

/*
 * Stops sampling until load_run_start(), which then finds the running processes again; drops the
 * interval so far. Only for runs with .samples_alone. 0 or a negative errno.
 */
int load_run_pause(struct load_run *run);

/* Leaves the CPU time that was used until now out of process_report.cost_ns. */
void load_run_begin(struct load_run *run);

/* Returns the processor's name, for a title. */
const char *load_run_processor(const struct load_run *run);

/*
 * Takes the waiting samples, and adapts the periods. A caller that does not use load_run_wait()
 * calls it at least every LOAD_READ_NS.
 */
int load_run_read(struct load_run *run, struct error *err);

/*
 * Waits until an interval ends, and reads samples meanwhile. -EINTR: *signal_number has come, which
 * is a signal of .wake other than SIGALRM.
 */
int load_run_wait(struct load_run *run, int *signal_number, struct error *err);

/*
 * Ends an interval. If it is the last one, waits up to 5 s (0.5 s if .asked_to_end) until all
 * functions have names. Returns 1 if there is a .report, valid until load_run_next(); 0: no time
 * has passed, and the interval goes on; or a negative errno.
 */
int load_run_take(struct load_run *run, bool last, struct error *err);

/* Begins the next interval, after load_run_take() has returned 1. */
int load_run_next(struct load_run *run, struct error *err);

/* Makes the .report of the whole run until the last reported interval, with .time TIME_RUN. */
void load_run_sum_up(struct load_run *run);

/*
 * Ends the run, and frees it, even after load_run_open() has failed. Writes notes about samples
 * that the rows lack, and restores registers. Errors as session_stop().
 */
int load_run_close(struct load_run *run, struct error *err);

#endif
