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
 *   top_print.c      output without a screen
 *   top_page.c       the page of one process
 *   top_watcher.c    a helper process that does all this for a run without rights
 *   top_parts.c      messages of that process, in parts
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
	const char *root, *sim;	       /* options as in session_options */
	struct cxl_node_choice choice; /* selection of CXL nodes */
	const char *pids;	       /* number list; NULL: all processes */
	const char *cgroup;	       /* directory; NULL: all */
	/* top_show() is not called: names of functions are not needed */
	bool without_pages;
	const struct sudo_user *caller; /* user whose rights helper processes keep */
};

#define TOP_BYS (BY_USER + 1) /* kinds of rows that top can group by */

struct top_node {
	int number;
	bool cxl; /* has CXL memory */
};

/* State of the system. */
struct top_summary {
	uint64_t wall_ns;   /* end of the interval, UTC since 1970 */
	double interval_s;  /* length of the interval; NAN: there is none yet */
	double latencies_s; /* time that latencies cover; NAN: they are unknown */
	enum row_by by;	    /* groups whose latencies are in rows; BY_PROCESS: none */
	/* reason why loads cannot be sampled; .code 0: they can */
	struct error why_not;
	char event[64];		/* event that samples loads; "": none */
	double cxl_MBps;	/* reads from CXL memory of all processes; NAN: unknown */
	uint64_t samples, lost; /* samples of loads in the interval; samples that were lost */
	size_t unsampled;	/* CPUs without samples */
	double records_lost;	/* lost records that name processes; NAN: unknown */
	double cost_pct;	/* percent of a CPU for sampling and reading memory; NAN: unknown */
	size_t processes;	/* processes with memory */
	/* processes whose memory was read, and those whose memory may not be read */
	size_t known, refused;
	double cxl, dram; /* bytes of all .known processes */
	double oldest_s;  /* age of the oldest reading of memory in rows */
	struct top_node nodes[SCAN_NODES_MOST];
	size_t node_count;
	size_t row_count;
	bool with_page; /* the update has a process's page */
};

/* State at the end of an interval. */
struct top_update {
	struct top_summary summary;
	struct process_row *rows; /* summary.row_count of them */
	struct top_page *page;	  /* valid if summary.with_page */
};

/* A run. .summary, .rows and .page are valid after top_update(); the caller may set .by. */
struct top {
	const struct top_options *options;
	struct load_run_options load_options;
	struct load_run loads;
	bool sampling; /* .loads is open */
	bool begun;    /* .loads samples */
	/* beginning of the interval, and the process's CPU time then; used without sampling */
	uint64_t begun_ns, begun_cpu_ns;
	/* platform opened by top_open_memory(); platform in use, .own or the sampler's */
	struct platform *own, *p;
	struct cxl_nodes nodes; /* nodes of .own */
	enum row_by by;		/* groups whose latencies are wanted */
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
 * Initializes a run, and starts the parts that need more rights than top_open(). *out must not move
 * until top_close(). Then top_open() or top_open_memory() comes before the other functions.
 */
void top_prepare(const struct top_options *options, struct top *out);

/*
 * Opens the machine without sampling, unless it is open. Reads stay unknown. ERROR_NO_UNIT: no CXL
 * node was found.
 */
int top_open_memory(struct top *top, struct error *err);

/*
 * Opens the machine and a sampler of loads. If loads cannot be sampled, returns 0, sets
 * .summary.why_not, and rows have only memory. ERROR_NO_UNIT: no CXL node was found.
 */
int top_open(struct top *top, struct error *err);

/* Begins to sample; does nothing if top_open() has not opened a sampler. */
int top_begin(struct top *top, struct error *err);

/* Stops sampling until top_begin(). Until then reads are unknown. */
int top_pause(struct top *top, struct error *err);

/*
 * Opens the page of a process, which then has a row in any case; pid 0: closes the page. started:
 * see struct process_identity. -ENOMEM: no page is open.
 */
int top_show(struct top *top, unsigned pid, uint64_t started, struct error *err);

/* Takes waiting samples; called at least every 100 ms while sampling, or samples are lost. */
void top_read(struct top *top);

/* Ends an interval: fills .summary, .rows and .page, and begins the next interval. */
int top_update(struct top *top, struct error *err);

/* Ends a run that top_prepare() has begun, and frees it, even after an error. */
void top_close(struct top *top);

/*
 * Joins the two sources of rows: a report by process (NULL: no samples), and .processes. Fills
 * .rows and the sums of .summary, and sets .reads of the processes. Rows are sorted by reads from
 * CXL memory, then by CXL memory, most first. now_ns: time on the platform's clock.
 */
void top_join(struct top *top, const struct process_report *report, uint64_t now_ns);

/* top_code.c: processes in recordings of a screen that watched them. */

/* Most rows of an update that are recorded, the first ones; sums include all processes. */
#define TOP_RECORDED_MOST 128

/* Block with the last struct top_update before the sample, without its page. */
extern const struct block_kind top_block;

#endif
