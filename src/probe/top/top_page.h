/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The page of one process: its mappings and functions that read CXL memory, the latencies of its
 * reads, how much of its memory is hot, and its memory by node over time. Samples come from the
 * run's intake, to which the focus (struct top_focus) adds two sets of rows for the chosen process:
 * by mapping and by function.
 */
#ifndef CXLMON_PROBE_TOP_TOP_PAGE_H
#define CXLMON_PROBE_TOP_TOP_PAGE_H

#include "probe/top/top_latencies.h"
#include "process/load_run.h"
#include "process/rolling_scan.h"
#include "process/row.h"

#define TOP_PAGE_ROWS 24  /* most rows of each table */
#define TOP_PAGE_NAME 128 /* a longer name is cut off */
/* most readings of memory that are kept: with one per SCAN_FRESH_NS, they cover five minutes */
#define TOP_READINGS_MOST 300
/* samples of a node that its curve needs: with fewer, too few of its ranges were seen */
#define TOP_HEAT_SAMPLES_LEAST 100

/* Samples of a mapping or function since the page was opened. */
struct top_page_row {
	char name[TOP_PAGE_NAME];   /* name of the mapping or function; "": unknown */
	char within[TOP_PAGE_NAME]; /* mapping of a function's code; "": unknown, or a mapping */
	struct row_reads reads;	    /* .share_pct is a part of the process's samples */
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
	 * [n]: samples of the coldest range within GiB[n]. If fewer than HEAT_SAMPLES_FEWEST, other
	 * ranges may be as hot without a sample: GiB[n] is then a lower limit.
	 */
	uint32_t least[101];
};

struct top_reading {
	double age_s;
	float GiB[SCAN_NODES_MOST]; /* memory on each of top_summary.nodes */
};

struct top_page {
	unsigned pid;	   /* 0: no page is open */
	uint64_t started;  /* see struct process_identity */
	uint64_t since_ns; /* start of the process, UTC since 1970; 0: unknown */
	/* time since the page was opened; NAN: loads are not sampled */
	double sampled_s;
	/* latencies of MEMORY_CXL and MEMORY_DRAM, over top_summary.latencies_s */
	struct latencies latencies[2];
	struct top_page_rows mappings, functions;
	/* reason why names of functions are unknown; .code 0: none */
	struct error no_functions;
	struct top_page_heat heat[SCAN_NODES_MOST]; /* nodes with samples */
	size_t heat_count;
	struct top_reading readings[TOP_READINGS_MOST]; /* latest first */
	size_t reading_count;
};

/* A reading of the process's memory by node. */
struct top_memory_reading {
	uint64_t ns;			 /* time on the platform's clock */
	uint64_t bytes[SCAN_NODES_MOST]; /* by rolling_scan.numbers */
};

struct top_focus {
	unsigned pid; /* chosen process; 0: none */
	uint64_t started;
	struct load_run *loads;	    /* run whose intake has the sets; NULL: loads are not sampled */
	size_t mappings, functions; /* indices of the intake's sets */
	const struct sampled_row **sorted; /* room for SAMPLED_ROWS_MOST rows */
	struct symbol_process symbols;
	struct error no_functions;
	uint64_t begun_ns; /* time of the choice, on the platform's clock */
	/* end and duration of the last reading of mappings */
	uint64_t scanned_ns, scan_took_ns;
	size_t unsampled; /* most CPUs without samples in an interval since the choice */
	struct top_memory_reading readings[TOP_READINGS_MOST]; /* a ring */
	size_t reading_count, next_reading;
};

/*
 * Prepares a focus that has no samples until top_focus_open(). symbols: also starts the processes
 * that find names of functions in files, with the caller's rights; if that fails, .no_functions
 * says why. Freed by top_focus_free(), before the run of samples is closed.
 */
void top_focus_init(struct top_focus *focus, bool symbols, const struct sudo_user *caller);

/*
 * Adds the two sets of rows to a run whose options have .symbols, before samples are read. The run
 * must not move. 0 or -ENOMEM.
 */
int top_focus_open(struct top_focus *focus, struct load_run *loads);
void top_focus_free(struct top_focus *focus);

/*
 * Chooses another process (pid 0: none), and drops the samples and readings of the last one.
 * now_ns: time on the platform's clock. 0, or -ENOMEM: none is chosen.
 */
int top_focus_choose(struct top_focus *focus, unsigned pid, uint64_t started, uint64_t now_ns);

/*
 * Takes the chosen process's memory by node after an update, and reads its mappings again if that
 * takes at most 1 % of the time. process NULL: it has ended, and nothing is done.
 */
void top_focus_update(struct top_focus *focus, const struct scanned_process *process,
		      uint64_t now_ns);

/* Fills the page of the chosen process, except .since_ns, which is kept. */
void top_page_make(struct top_focus *focus, const struct top_latencies *latencies, uint64_t now_ns,
		   struct top_page *out);

#endif
