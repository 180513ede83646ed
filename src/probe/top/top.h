/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A live list of the processes that use CXL memory: how much of it each has and, if loads can be
 * sampled, how much each reads from it.
 *
 *   /proc ──> process/rolling_scan (memory by node) ────┐
 *   samples ──> process (rows by process) ──────────────┴──> top_join() ──> rows
 *
 *   top.c            rows, made from processes and samples
 *   top_latencies.c  latencies of reads in the last seconds
 *   top_groups.c     groups of processes
 *   top_list.c       processes and groups in an order
 *   top_print.c      output without a screen
 *   top_page.c       the page of one process
 *   top_watcher.c    cxlmon-top, a helper process that does all this for a run without rights
 *   top_parts.c      messages of cxlmon-top, in parts
 *   top_code.c       the coding of these messages, and of recordings
 */
#ifndef CXLMON_PROBE_TOP_TOP_H
#define CXLMON_PROBE_TOP_TOP_H

#include "probe/top/top_latencies.h"
#include "probe/top/top_page.h"
#include "process/load_run.h"
#include "process/rolling_scan.h"
#include "process/row.h"
#include "record/block_kind.h"

#define TOP_ROWS_MOST 4096 /* further processes have no row */

/* Pointers are not owned, and must be valid until top_close(). */
struct top_options {
	const char *root, *sim;	       /* members of session_options */
	struct cxl_node_choice choice; /* selection of CXL nodes */
	const char *pids;	       /* number list; NULL: all processes */
	const char *cgroup;	       /* see cgroup_path_of() (cgroup_names.h); NULL: all */
	bool without_pages;	       /* the caller never calls top_show() */
	/* user whose ids helper processes take */
	const struct sudo_user *caller;
};

#define TOP_BYS (BY_USER + 1) /* kinds of rows that top can group by */

struct top_node {
	int number;
	bool cxl; /* has CXL memory */
};

/* State of the system at the end of an interval. */
struct top_summary {
	uint64_t wall_ns;   /* end of the interval, UTC since 1970 */
	double interval_s;  /* length of the interval; NAN: there is none yet */
	double latencies_s; /* time that latencies of reads cover; NAN: no latencies */
	enum row_by by;	    /* kind of groups for .reads.group_p50_ns of rows; BY_PROCESS: none */
	/* reason why loads cannot be sampled; .code 0: none */
	struct error why_not;
	char event[64];		/* event that samples loads; "": none */
	double cxl_MBps;	/* reads from CXL memory by all processes; NAN: unknown */
	uint64_t samples, lost; /* samples of the interval; samples that were lost */
	size_t unsampled;	/* CPUs without samples, see sampler.unsampled */
	double records_lost;	/* lost records of processes; NAN: unknown */
	double cost_pct;	/* cost of sampling and reading memory, % of a CPU; NAN: unknown */
	size_t processes;	/* processes with memory */
	/* processes whose memory was read; processes whose memory the kernel refuses to show */
	size_t known, refused;
	double cxl, dram; /* bytes of all .known processes */
	double oldest_s;  /* age of the oldest reading of memory in rows */
	struct top_node nodes[SCAN_NODES_MOST];
	size_t node_count;
	size_t row_count;
	bool with_page; /* the update has a process's page */
};

/* Results of an interval. */
struct top_update {
	struct top_summary summary;
	struct process_row *rows; /* .summary.row_count rows */
	struct top_page *page;	  /* valid if .summary.with_page */
};

/* A run. The caller may set .by, and reads .summary, .rows and .page after top_update(). */
struct top {
	const struct top_options *options;
	struct load_run_options load_options;
	struct load_run loads;
	bool sampling; /* .loads is open */
	bool begun;    /* .loads samples */
	/* beginning of an interval without samples, and this process's CPU time then */
	uint64_t begun_ns, begun_cpu_ns;
	/* platform that top_open_memory() has opened; platform in use: .own or .loads.p */
	struct platform *own, *p;
	struct cxl_nodes nodes; /* CXL nodes of .own */
	enum row_by by;		/* groups whose latencies are wanted; BY_PROCESS: none */
	struct rolling_scan processes;
	struct top_latencies latencies;
	struct top_focus focus; /* process with a page */
	struct top_page page;
	/* path of the chosen cgroup; "": all */
	char cgroup[PROCESS_CGROUP_SIZE];
	struct top_summary summary;
	struct process_row rows[TOP_ROWS_MOST];
};

/*
 * Initializes a run. Loads libraries and starts helper processes, which needs more rights than
 * top_open(). *out must not move until top_close(). The next call is top_open() or
 * top_open_memory().
 */
void top_prepare(const struct top_options *options, struct top *out);

/*
 * Opens the machine without a sampler: reads are unknown. If the machine is open, does nothing.
 * Returns 0 or a negative errno. ERROR_NO_UNIT: no CXL node was found.
 */
int top_open_memory(struct top *top, struct error *err);

/*
 * Opens the machine and a sampler of loads. If loads cannot be sampled, sets .summary.why_not and
 * calls top_open_memory(). Returns 0 or a negative errno. ERROR_NO_UNIT: no CXL node was found.
 */
int top_open(struct top *top, struct error *err);

/* Begins to sample, if top_open() has opened a sampler. Returns 0 or a negative errno. */
int top_begin(struct top *top, struct error *err);

/* Stops sampling until top_begin(). Reads are unknown meanwhile. Returns 0 or a negative errno. */
int top_pause(struct top *top, struct error *err);

/*
 * Closes the open page, and opens the page of a process. pid 0: opens none. started:
 * process_identity.started. While the page is open, the process has a row even without CXL memory
 * and reads. Returns 0, or -ENOMEM: no page is open.
 */
int top_show(struct top *top, unsigned pid, uint64_t started, struct error *err);

/* Takes the samples that have come. While sampling, the caller calls it every 100 ms. */
void top_read(struct top *top);

/*
 * Ends an interval and begins the next one. Sets .summary, .rows and .page. Returns 0 or a negative
 * errno.
 */
int top_update(struct top *top, struct error *err);

/* Ends a run that top_prepare() has begun, and frees it, even after an error. */
void top_close(struct top *top);

/*
 * Makes .rows and the sums in .summary from report and .processes. Sorts rows as top_row_compare()
 * does. Sets scanned_process.reads. report: a report by process; NULL: no samples. now_ns: time on
 * the platform's clock.
 */
void top_join(struct top *top, const struct process_report *report, uint64_t now_ns);

/* top_code.c: the list of processes in recordings of the screen. */

/* Most rows of an update that are recorded: the first ones. Sums include all processes. */
#define TOP_RECORDED_MOST 128

/* Block before a sample, with the latest struct top_update at that time, without its page. */
extern const struct block_kind top_block;

#endif
