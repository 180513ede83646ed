/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who uses CXL memory, live: by process, how much of its memory is there, and what it reads from
 * there, as far as loads can be sampled.
 *
 *   /proc ──> process/rolling_scan (memory by node) ────┐
 *   samples ──> process (rows by process) ──────────────┴──> top_join() ──> rows
 *
 *   top.c            what is known of processes and of samples, in rows
 *   top_latencies.c  how long reads took in the last seconds
 *   top_groups.c     groups of processes
 *   top_print.c      how it is shown where there is no screen
 *   top_page.c       what is known of one process
 *   top_block.c      what recordings have of it
 *   top_watcher.c    a process of its own that does all this, beside a run without rights
 *   top_parts.c      what that process sends, in parts
 *   top_check.c      what that process sends, checked
 */
#ifndef CXLMON_PROBE_TOP_TOP_H
#define CXLMON_PROBE_TOP_TOP_H

#include "probe/top/top_latencies.h"
#include "probe/top/top_page.h"
#include "process/load_run.h"
#include "process/rolling_scan.h"
#include "record/block_kind.h"

#define TOP_ROWS_MOST 4096

struct top_options {
	const char *root, *sim;	       /* as session_options has them */
	struct cxl_node_choice choice; /* which nodes are CXL memory */
	const char *pids;	       /* number list; NULL: all processes */
	const char *cgroup;	       /* directory; NULL: all */
	bool without_pages;	       /* of single processes: top_show() is not called */
	const struct sudo_user *caller;
};

/* Kinds of groups. */
enum top_by { TOP_BY_PROCESS, TOP_BY_CGROUP, TOP_BY_CONTAINER, TOP_BY_VM, TOP_BY_USER, TOP_BYS };

/* A process with CXL memory, or with sampled reads. A number that is not known is NAN. */
struct top_row {
	unsigned pid;
	uint64_t started; /* see struct process_identity; 0: not known */
	char name[PROCESS_NAME_SIZE];
	char user[PROCESS_USER_SIZE]; /* "": not known, as cgroup */
	char cgroup[PROCESS_CGROUP_SIZE];
	/* in the last interval */
	double cxl_MBps, dram_MBps; /* reads; of a virtual machine they are not known */
	double share_pct;	    /* of all reads from CXL memory that were sampled */
	uint64_t cxl_samples;
	double p50_ns, p99_ns;		   /* of reads from CXL memory in summary.latencies_s */
	double group_p50_ns, group_p99_ns; /* likewise, of its group by summary.by */
	/* bytes */
	double cxl, dram;		 /* memory on watched nodes, and on others */
	bool partial;			 /* it has at least these */
	double age_s;			 /* since that was read */
	uint64_t bytes[SCAN_NODES_MOST]; /* by top_summary.nodes */
};

struct top_node {
	int number;
	bool cxl;
};

/* What is known of all. */
struct top_summary {
	uint64_t wall_ns;     /* end of the interval, since 1970 */
	double interval_s;    /* NAN: there was none yet */
	double latencies_s;   /* that latencies are of; NAN: they are not known */
	enum top_by by;	      /* groups whose latencies rows have; processes: none */
	struct error why_not; /* loads are not sampled; its .code 0: they are, */
	char event[64];	      /* this one */
	double cxl_MBps;      /* of all samples */
	uint64_t samples, lost;
	size_t unsampled;      /* CPUs of which nothing was seen */
	double records_lost;   /* of processes; NAN: not known */
	double cost_pct;       /* of a CPU, that sampling and reading of memory took */
	size_t processes;      /* with memory, */
	size_t known, refused; /* whose memory was read, and could not be */
	double cxl, dram;      /* bytes of all processes that are known */
	double oldest_s;       /* since the memory of a row was read, of all rows */
	struct top_node nodes[SCAN_NODES_MOST];
	size_t node_count;
	size_t row_count;
	bool with_page; /* there is a page of a process */
};

/* What is known at the end of an interval. */
struct top_update {
	struct top_summary summary;
	struct top_row *rows;  /* summary.row_count */
	struct top_page *page; /* if summary.with_page */
};

struct top {
	const struct top_options *options;
	struct load_run_options load_options;
	struct load_run loads;
	bool sampling;			 /* .loads is open, */
	bool begun;			 /* and samples */
	uint64_t begun_ns, begun_cpu_ns; /* without it: of the interval, and this process's then */
	struct platform *own, *p;	 /* the sampler's, or before and without one our own */
	struct cxl_nodes nodes;		 /* of .own */
	enum top_by by;			 /* groups whose latencies are wanted */
	struct rolling_scan processes;
	struct top_latencies latencies;
	struct top_focus focus; /* the process with a page */
	struct top_page page;
	char cgroup[PROCESS_CGROUP_SIZE]; /* path of the chosen one; "": all */
	struct top_summary summary;
	struct top_row rows[TOP_ROWS_MOST];
};

/* Starts what needs more rights than top_open(). *out must not be moved until top_close(). */
void top_prepare(const struct top_options *options, struct top *out);

/* Opens the machine unless it is open; reads are unknown. ERROR_NO_UNIT: as top_open(). */
int top_open_memory(struct top *top, struct error *err);

/*
 * Opens the machine, and what samples loads; if that is not possible, .summary says why, and only
 * memory is known. ERROR_NO_UNIT: no node is known to be CXL memory.
 */
int top_open(struct top *top, struct error *err);

/* Begins to sample. */
int top_begin(struct top *top, struct error *err);

/* Opens the page of a process, which then has a row whatever it has or reads; pid 0: of none. */
int top_show(struct top *top, unsigned pid, uint64_t started, struct error *err);

/* At least every 100 ms: takes the samples that are there. */
void top_read(struct top *top);

/* Ends an interval: .summary, .rows and .page are what is known then. */
int top_update(struct top *top, struct error *err);

/* After top_prepare(). */
void top_close(struct top *top);

/*
 * Fills .rows and what follows from them in .summary: of a report by process (NULL: there is none),
 * of .latencies, and of processes, whose .reads it sets. Those that have read most from CXL memory
 * are first, then those with most memory there.
 */
void top_join(struct top *top, const struct process_report *report, uint64_t now_ns);

/* top_block.c: what recordings of the screen have of processes, if it watched them. */

#define TOP_RECORDED_MOST 128 /* rows of an update, the first ones; sums are of all processes */

/* A struct top_update: the last one before the sample. */
extern const struct block_kind top_block;

/*
 * top_check.c: checks what cxlmon-top has sent, which reads what strangers chose and may have been
 * taken over: counts against their arrays, and that texts end, are printable, and numbers can be
 * drawn.
 */

/* Whether a rate, a time or a number of bytes is possible; NAN: it is not known. */
bool top_amount_is_valid(double amount);

bool top_summary_is_valid(const struct top_summary *summary);
bool top_row_is_valid(const struct top_row *row);
bool top_page_is_valid(const struct top_page *page);

#endif
