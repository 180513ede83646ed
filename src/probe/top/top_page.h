/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The page of one process: its mappings and functions that read CXL memory, the latencies of these
 * reads, the hotness of its memory, and its memory by node over time. The intake of all samples
 * has two more sets of rows for it: by mapping and by function.
 */
#ifndef CXLMON_PROBE_TOP_TOP_PAGE_H
#define CXLMON_PROBE_TOP_TOP_PAGE_H

#include "probe/top/top_latencies.h"
#include "process/load_run.h"
#include "process/rolling_scan.h"

#define TOP_PAGE_ROWS 24
#define TOP_PAGE_NAME 128 /* a longer name is cut off */
/* readings of memory kept: five minutes or more, at most one per SCAN_FRESH_NS */
#define TOP_READINGS_MOST 300
/* samples of a node: with fewer, too few of its ranges were seen */
#define TOP_HEAT_SAMPLES_LEAST 100

/* Samples since the page was opened. */
struct top_page_row {
	char name[TOP_PAGE_NAME];   /* name of a mapping or function; "": unknown */
	char within[TOP_PAGE_NAME]; /* mapping of the function's code; "": unknown */
	double cxl_MBps, dram_MBps; /* NAN: unknown */
	/* percent of the process's sampled loads from CXL memory; NAN: unknown */
	double share_pct;
	uint64_t cxl_samples, dram_samples;
};

struct top_page_rows {
	struct top_page_row at[TOP_PAGE_ROWS]; /* most reads from CXL memory first */
	size_t count, left_out;
};

/* GiB of a node that get the hottest reads of the process, since the page was opened. */
struct top_page_heat {
	int node;
	bool cxl;
	uint64_t samples;
	float GiB[101]; /* [n]: GiB with n % of the reads, hottest first */
	/*
	 * [n]: samples of the coldest range in GiB[n]. With less than HEAT_SAMPLES_FEWEST, other
	 * ranges may be as hot without a sample: GiB[n] is then a lower limit.
	 */
	uint32_t least[101];
};

struct top_reading {
	double age_s;
	float GiB[SCAN_NODES_MOST]; /* memory by summary.nodes */
};

struct top_page {
	unsigned pid;	   /* 0: no page is open */
	uint64_t started;  /* see struct process_identity */
	uint64_t since_ns; /* start of the process, UTC since 1970; 0: unknown */
	/* time since the page was opened; NAN: loads are not sampled */
	double sampled_s;
	/* latencies in summary.latencies_s, of MEMORY_CXL and MEMORY_DRAM */
	struct latencies latencies[2];
	struct top_page_rows mappings, functions;
	/* reason why names of functions are unknown; .code 0: none */
	struct error no_functions;
	struct top_page_heat heat[SCAN_NODES_MOST];
	size_t heat_count;
	struct top_reading readings[TOP_READINGS_MOST]; /* latest first */
	size_t reading_count;
};

/* A reading of the process's memory by node. */
struct top_memory_reading {
	uint64_t ns; /* time on the platform's clock */
	uint64_t bytes[SCAN_NODES_MOST];
};

struct top_focus {
	unsigned pid; /* 0: none */
	uint64_t started;
	/* Valid if loads are sampled. */
	/* run whose intake has the sets; NULL: not sampled */
	struct load_run *loads;
	size_t mappings, functions; /* indices of the intake's sets */
	const struct process_row **sorted;
	struct symbol_process symbols;
	struct error no_functions;
	uint64_t begun_ns; /* time of the choice, on the platform's clock */
	/* end and duration of the last reading of mappings */
	uint64_t scanned_ns, scan_took_ns;
	/* CPUs without samples, the most in any interval since the choice */
	size_t unsampled;
	/* Ring of readings. */
	struct top_memory_reading readings[TOP_READINGS_MOST];
	size_t reading_count, next_reading;
};

/*
 * Prepares a focus without samples: its .loads is NULL. symbols: starts the processes that find
 * names of functions in files, with the caller's rights. Freed by top_focus_free(), before the
 * sampler.
 */
void top_focus_init(struct top_focus *focus, bool symbols, const struct sudo_user *caller);

/* Adds sets of rows to a run opened with .symbols, before samples are read. 0 or -ENOMEM. */
int top_focus_open(struct top_focus *focus, struct load_run *loads);
void top_focus_free(struct top_focus *focus);

/* Chooses another process, or none. 0, or -ENOMEM: none is chosen. */
int top_focus_choose(struct top_focus *focus, unsigned pid, uint64_t started, uint64_t now_ns);

/* Takes the state after an update. process NULL: it has ended. */
void top_focus_update(struct top_focus *focus, const struct scanned_process *process,
		      uint64_t now_ns);

/* Fills a page, except for .since_ns, which is kept. */
void top_page_make(struct top_focus *focus, const struct top_latencies *latencies, uint64_t now_ns,
		   struct top_page *out);

#endif
