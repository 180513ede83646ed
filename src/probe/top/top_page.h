/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One process: which of its mappings and functions read CXL memory, how long that takes, how hot
 * its memory is, and how much it has on which node over time. The intake of all samples has two
 * more sets of rows for it: by mapping and by function.
 */
#ifndef CXLMON_PROBE_TOP_TOP_PAGE_H
#define CXLMON_PROBE_TOP_TOP_PAGE_H

#include "probe/top/top_latencies.h"
#include "process/load_run.h"
#include "process/rolling_scan.h"

#define TOP_PAGE_ROWS	       24
#define TOP_PAGE_NAME	       128 /* a longer name is cut off */
#define TOP_READINGS_MOST      300 /* of memory; more than five minutes: SCAN_FRESH_NS is a second */
#define TOP_HEAT_SAMPLES_LEAST 100 /* of a node: with fewer, too few of its ranges were seen */

/* Of samples since the page was opened. */
struct top_page_row {
	char name[TOP_PAGE_NAME];   /* of a mapping, or a function; "": not known */
	char within[TOP_PAGE_NAME]; /* the mapping with the function's code, likewise */
	double cxl_MBps, dram_MBps; /* NAN: not known */
	double share_pct;	    /* of the process's sampled loads from CXL memory; likewise */
	uint64_t cxl_samples, dram_samples;
};

struct top_page_rows {
	struct top_page_row at[TOP_PAGE_ROWS]; /* those that read most from CXL memory first */
	size_t count, left_out;
};

/* How many GiB of a node the hottest reads of the process are in, likewise. */
struct top_page_heat {
	int node;
	bool cxl;
	uint64_t samples;
	float GiB[101]; /* [n]: that n % of the reads are in, the hottest first */
	/*
	 * Samples of the coldest range of these n %. With less than HEAT_SAMPLES_FEWEST there may
	 * be as hot ones that were not seen: GiB are at least so many.
	 */
	uint32_t least[101];
};

struct top_reading {
	double age_s;
	float GiB[SCAN_NODES_MOST]; /* by summary.nodes */
};

struct top_page {
	unsigned pid;		       /* 0: no page is open */
	uint64_t started;	       /* see struct process_identity */
	uint64_t since_ns;	       /* when it was started, since 1970; 0: not known */
	double sampled_s;	       /* since the page was opened; NAN: loads are not sampled */
	struct latencies latencies[2]; /* in summary.latencies_s, of MEMORY_CXL and MEMORY_DRAM */
	struct top_page_rows mappings, functions;
	struct error no_functions; /* why their names are not known; its .code 0: they are */
	struct top_page_heat heat[SCAN_NODES_MOST];
	size_t heat_count;
	struct top_reading readings[TOP_READINGS_MOST]; /* the latest first */
	size_t reading_count;
};

/* What is known of the memory of the process. */
struct top_memory_reading {
	uint64_t ns; /* by the platform's clock */
	uint64_t bytes[SCAN_NODES_MOST];
};

struct top_focus {
	unsigned pid; /* 0: none */
	uint64_t started;
	/* where loads are sampled */
	struct load_run *loads;	    /* whose intake has these; NULL: none has */
	size_t mappings, functions; /* sets of its rows */
	const struct process_row **sorted;
	struct symbol_process symbols;
	struct error no_functions;
	uint64_t begun_ns;		   /* when it was chosen, by the platform's clock */
	uint64_t scanned_ns, scan_took_ns; /* its mappings */
	size_t unsampled;		   /* CPUs: the most in any interval since */
	/* a ring */
	struct top_memory_reading readings[TOP_READINGS_MOST];
	size_t reading_count, next_reading;
};

/*
 * Initially, without samples: its .loads is NULL. symbols: starts the processes that find names of
 * functions in files, with the caller's rights. Freed by top_focus_free(), before the sampler.
 */
void top_focus_init(struct top_focus *focus, bool symbols, const struct sudo_user *caller);

/* Adds sets of rows to what was opened with .symbols, before samples are read. 0 or -ENOMEM. */
int top_focus_open(struct top_focus *focus, struct load_run *loads);
void top_focus_free(struct top_focus *focus);

/* Begins with another process, or none. 0 or -ENOMEM, then with none. */
int top_focus_choose(struct top_focus *focus, unsigned pid, uint64_t started, uint64_t now_ns);

/* After an update: what is known now. process NULL: it has ended. */
void top_focus_update(struct top_focus *focus, const struct scanned_process *process,
		      uint64_t now_ns);

/* Fills a page; since_ns stays. */
void top_page_make(struct top_focus *focus, const struct top_latencies *latencies, uint64_t now_ns,
		   struct top_page *out);

#endif
