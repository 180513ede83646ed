/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The page of one process on the screen. It shows the mappings and functions that read CXL memory,
 * latencies of reads, the hotness of memory, and memory by node over time.
 *
 * A focus (struct top_focus) collects the data of the process that was chosen. It adds two sets of
 * rows to the run's intake (process/intake.h): by mapping and by function.
 */
#ifndef CXLMON_PROBE_TOP_TOP_PAGE_H
#define CXLMON_PROBE_TOP_TOP_PAGE_H

#include "probe/top/top_latencies.h"
#include "process/load_run.h"
#include "process/rolling_scan.h"
#include "process/row.h"

#define TOP_PAGE_ROWS 24  /* most rows of each table */
#define TOP_PAGE_NAME 128 /* a longer name is cut off */
/* most readings of memory on a page: with one per SCAN_FRESH_NS, they cover five minutes */
#define TOP_READINGS_MOST 300
/* fewest samples of a node whose hotness is shown: with fewer, too few ranges were seen */
#define TOP_HEAT_SAMPLES_LEAST 100

/* Samples of a mapping or function since the page was opened. */
struct top_page_row {
	char name[TOP_PAGE_NAME]; /* name of the mapping or function; "": unknown */
	/* name of the mapping with the function's code; "": unknown; always "" for a mapping */
	char within[TOP_PAGE_NAME];
	struct row_reads reads; /* .share_pct: percent of the process's samples */
};

struct top_page_rows {
	struct top_page_row at[TOP_PAGE_ROWS]; /* most reads from CXL memory first */
	size_t count, left_out;		       /* rows in .at; further rows */
};

/* Hotness of the process's memory on a node, from samples since the page was opened. */
struct top_page_heat {
	int node;
	bool cxl;	  /* has CXL memory */
	uint64_t samples; /* all samples of the node */
	float GiB[101];	  /* [n]: size of the hottest memory that gets n % of the reads */
	/*
	 * [n]: samples of the coldest range within GiB[n]. If they are fewer than
	 * HEAT_SAMPLES_FEWEST, GiB[n] is a lower limit: unseen ranges may be as hot.
	 */
	uint32_t least[101];
};

/* A reading of the process's memory, on a page. */
struct top_page_reading {
	double age_s;
	float GiB[SCAN_NODES_MOST]; /* memory on each node of top_summary.nodes */
};

struct top_page {
	unsigned pid;	   /* 0: no page is open */
	uint64_t started;  /* process_identity.started */
	uint64_t since_ns; /* start of the process, UTC since 1970; 0: unknown */
	/* time since the page was opened; NAN: loads are not sampled */
	double sampled_s;
	/* latencies of reads from MEMORY_CXL and MEMORY_DRAM in top_summary.latencies_s */
	struct latencies latencies[2];
	struct top_page_rows mappings, functions;
	/* reason why names of functions are unknown; .code 0: none */
	struct error no_functions;
	struct top_page_heat heat[SCAN_NODES_MOST]; /* nodes with samples */
	size_t heat_count;
	struct top_page_reading readings[TOP_READINGS_MOST]; /* latest first */
	size_t reading_count;
};

/* A reading of the process's memory, in a focus. */
struct top_focus_reading {
	uint64_t ns;			 /* time on the platform's clock */
	uint64_t bytes[SCAN_NODES_MOST]; /* bytes on each node of rolling_scan.numbers */
};

struct top_focus {
	unsigned pid;	  /* chosen process; 0: none */
	uint64_t started; /* process_identity.started of the chosen process */
	/* run with the two sets of rows, not owned; NULL: loads are not sampled */
	struct load_run *loads;
	size_t mappings, functions;	   /* indices of the two sets in process_intake.sets */
	const struct sampled_row **sorted; /* room for SAMPLED_ROWS_MOST rows */
	struct symbol_process symbols;	   /* helper processes that find names of functions */
	struct error no_functions;	   /* as top_page.no_functions */
	uint64_t begun_ns;		   /* time of the choice, on the platform's clock */
	/* end and duration of the last reading of mappings */
	uint64_t scanned_ns, scan_took_ns;
	size_t unsampled; /* highest sampler.unsampled since the choice */
	struct top_focus_reading readings[TOP_READINGS_MOST]; /* a ring */
	size_t reading_count, next_reading;
};

/*
 * Prepares a focus, which has no samples until top_focus_open(). symbols: starts helper processes
 * that find names of functions; caller: the user whose ids they take. If they cannot be started,
 * .no_functions says why. Freed by top_focus_free(), before its run of samples is closed.
 */
void top_focus_init(struct top_focus *focus, bool symbols, const struct sudo_user *caller);

/*
 * Adds the two sets of rows to a run that has not read samples yet, and must not move. If the focus
 * has started helper processes, loads->options->symbols must be &focus->symbols. Returns 0 or
 * -ENOMEM.
 */
int top_focus_open(struct top_focus *focus, struct load_run *loads);
void top_focus_free(struct top_focus *focus);

/*
 * Chooses another process, and drops samples and readings of the one before. pid 0: chooses none.
 * now_ns: time on the platform's clock. Returns 0, or -ENOMEM: no process is chosen.
 */
int top_focus_choose(struct top_focus *focus, unsigned pid, uint64_t started, uint64_t now_ns);

/*
 * Adds the memory of the chosen process to .readings, after rolling_scan_update(). Also reads the
 * process's mappings again, so seldom that this takes at most 1 % of the time. If process is NULL,
 * because it has ended, does nothing. now_ns: time on the platform's clock.
 */
void top_focus_update(struct top_focus *focus, const struct scanned_process *process,
		      uint64_t now_ns);

/*
 * Sets all members of the page of the chosen process, except .since_ns. latencies: those of all
 * processes. now_ns: time on the platform's clock.
 */
void top_page_make(struct top_focus *focus, const struct top_latencies *latencies, uint64_t now_ns,
		   struct top_page *out);

#endif
