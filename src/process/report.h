/* SPDX-License-Identifier: BSD-3-Clause */
/* What sampled loads say of an interval, or of a run: what cxlmon hot shows and records. */
#ifndef CXLMON_PROCESS_REPORT_H
#define CXLMON_PROCESS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/load_sample.h"
#include "process/latencies.h"
#include "process/names.h"

/* Hashes what is sampled: the finalizer of MurmurHash3. */
static inline uint64_t hot_hash(uint64_t a, uint64_t b)
{
	uint64_t h = a * UINT64_C(0x9e3779b97f4a7c15) ^ b;

	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 33;
}

/* Samples that would need more rows are counted in .others. */
#define HOT_ROWS_MOST 4096

enum hot_memory { MEMORY_CXL, MEMORY_DRAM, MEMORY_UNKNOWN, HOT_MEMORIES };

enum hot_time { HOT_INTERVAL, HOT_RUN, HOT_TIMES };

struct hot_count {
	uint64_t samples; /* of the event that counts */
	uint64_t events;  /* the sum of their periods */
	uint64_t timed;	  /* samples of the event that takes time, which may be the same */
};

struct hot_key {
	uint64_t a, b; /* by process and page: its serial; by mapping and cgroup: a name; ... */
};

struct hot_row {
	struct hot_key key;
	unsigned pid;	  /* 0: not of a process */
	uint32_t command; /* the process's name, a number of struct process_names */
	uint32_t name;	  /* of the mapping or cgroup, likewise */
	uint32_t function;
	uint32_t cgroup;  /* of the process, if hot_processes.cgroups */
	uid_t owner;	  /* likewise, see process_ops.owner */
	int node;	  /* -1: not known, or of several */
	uint64_t address; /* of a page */
	struct hot_count counts[HOT_TIMES][HOT_MEMORIES];
	/* from MEMORY_CXL and MEMORY_DRAM; NULL: no read was timed, see hot_row_latencies() */
	struct latencies *latencies[HOT_TIMES][2];
};

struct hot_rows {
	struct hot_row **at; /* in no order */
	size_t count;
	uint32_t *slots;       /* numbers of rows + 1 by hash, open addressing */
	struct hot_row all;    /* the sum of all samples */
	struct hot_row others; /* of those in no row */
};

/* 0 or -ENOMEM. Freed by hot_rows_free(), also after failure. */
int hot_rows_init(struct hot_rows *rows);
void hot_rows_free(struct hot_rows *rows);

/* The row of this key, which may be a new one, or where there is no room for it, that of the
 * others.
 */
struct hot_row *hot_rows_find(struct hot_rows *rows, const struct hot_key *key);

/*
 * Rows with samples in that time: those with the most from CXL memory first, then by those from
 * DRAM. out has room for rows->count. Returns how many.
 */
size_t hot_rows_sort(const struct hot_rows *rows, enum hot_time time, const struct hot_row **out);

/* Keeps the names of all rows in the next sweep. */
void hot_rows_use_names(const struct hot_rows *rows, struct process_names *names);

/* Begins the next interval. Where there are many rows, those that were idle are given up. */
void hot_rows_next(struct hot_rows *rows);

/* Frees what it points to, not the row. */
void hot_row_free(struct hot_row *row);

uint64_t hot_row_samples(const struct hot_row *row, enum hot_time time);

/* Adds a timed read from MEMORY_CXL or MEMORY_DRAM; weight: the reads that it stands for. */
void hot_row_add_latency(struct hot_row *row, enum hot_time time, enum hot_memory memory, double ns,
			 uint64_t weight);

/* Returns how long reads took; an empty histogram if none was timed. */
const struct latencies *hot_row_latencies(const struct hot_row *row, enum hot_time time,
					  enum hot_memory memory);

/* For which samples of the event that counts stand; without them, samples of the other one. */
uint64_t hot_row_events(const struct hot_row *row, enum hot_time time, enum hot_memory memory);

/* Adds what a row has of its interval or run to another one. */
void hot_row_add(struct hot_row *to, enum hot_time to_time, const struct hot_row *from,
		 enum hot_time from_time);

/* How hot the memory of a node is, in ranges of 2 MiB. */

#define HEAT_RANGE_SHIFT 21
#define HEAT_PARTS	 3  /* 50, 90 and 99 % of the events of a node */
#define HEAT_BUCKETS	 16 /* ranges with 1, 2 or 3, 4 to 7, ... samples */
#define HOT_NODES_MOST	 64 /* that are shown */

struct heat_node {
	int node;
	size_t ranges;		      /* that were seen */
	size_t parts[HEAT_PARTS];     /* the fewest ranges with that part of the events */
	uint64_t least[HEAT_PARTS];   /* events of the coldest of these */
	size_t buckets[HEAT_BUCKETS]; /* ranges by samples; what is more is in the last one */
};

extern const unsigned heat_percents[HEAT_PARTS];

static inline double heat_GiB(size_t ranges)
{
	return (double)ranges / (1 << (30 - HEAT_RANGE_SHIFT));
}

struct hot_node {
	struct heat_node heat;
	bool cxl;
	double used_GiB; /* NAN: not known */
};

/* GiB of a node that are used and were not sampled; NAN: not known. */
double hot_unseen_GiB(const struct hot_node *node);

struct hot_report {
	enum hot_time time;
	const char *by; /* what rows are of: "process" */
	const struct process_names *names;
	const struct load_event *event; /* that says how many; else how long */
	uint64_t wall_ns;		/* end, since 1970 in UTC */
	uint64_t ns;			/* that it covers */
	uint64_t missed;		/* deadlines in it */
	const struct hot_row *all, *others;
	const struct hot_row *const *rows; /* those with most from CXL memory first */
	size_t count;
	bool timed;		  /* latencies are known */
	double counted_MB[2];	  /* read from CXL memory and DRAM by counters; NAN: not known */
	uint64_t lost, throttled; /* see struct sampler */
	double records_lost;	  /* likewise; NAN: not known */
	struct event_times times; /* of the event that says how many, on all CPUs */
	size_t unsampled;	  /* CPUs of which it saw nothing in some interval */
	uint64_t cost_ns;	  /* of CPU time, the kernel's part estimated */
	uint64_t period;
	/* how hot memory is now; none: that was not asked */
	const struct hot_node *nodes;
	size_t node_count;
	/*
	 * The least memory of all CXL nodes together that has half of their sampled loads; and how
	 * much DRAM was sampled less than half as often as the coldest of that, with what is in use
	 * and was never sampled, which .unseen_dram_GiB has alone (NAN: not known). Samples are
	 * demand loads: DRAM that is read by prefetchers, written, or used by devices may be hot
	 * nevertheless. NAN: there is none of the one or of the other, or samples are too few to
	 * tell, or no loads.
	 */
	double hot_cxl_GiB, colder_dram_GiB, unseen_dram_GiB;
	uint64_t coolings, left_out; /* see struct hot_heat */
};

/* Adds an interval to a run, which is initially all zero but for .time; rows are not touched. */
void hot_report_add(struct hot_report *run, const struct hot_report *interval);

/* What does not follow from .colder_dram_GiB. */
#define HOT_UNSEEN_CAVEAT                                                                          \
	"Samples are demand loads: memory that is prefetched, written or used by devices may be "  \
	"hot without them."

#define HOT_LINE_BYTES 64 /* that a load brings */

static inline double hot_seconds(const struct hot_report *report)
{
	return (double)report->ns / 1e9;
}

double hot_cost_pct(const struct hot_report *report); /* of a CPU */

/* The part of the time that the event had its counter, on all CPUs; NAN: not known. */
double hot_running_pct(const struct hot_report *report);

/* "counted", or "estimated" of tagged ops; "": rates are not known. */
const char *hot_rates(const struct hot_report *report);

/* Reads that were counted, of MEMORY_CXL or MEMORY_DRAM. */
double hot_counted_MBps(const struct hot_report *report, enum hot_memory memory);

/* Events a second; NAN: samples do not say how many there were, or not of all CPUs. */
double hot_per_s(const struct hot_report *report, const struct hot_row *row,
		 enum hot_memory memory);

/* The same in MB/s; NAN: or they are no loads. */
double hot_MBps(const struct hot_report *report, const struct hot_row *row, enum hot_memory memory);

/* The part of what ports have counted that is seen in the samples of a row; NAN: not known. */
double hot_share_pct(const struct hot_report *report, const struct hot_row *row);

/* percent 100: the longest. NAN: not known. */
double hot_latency(const struct hot_report *report, const struct hot_row *row,
		   enum hot_memory memory, unsigned percent);

/* The names of these: "cxl_p50_ns", by memory (CXL, DRAM) and percentile (50, 90, 99, 100). */
extern const char *const hot_latency_names[2][4];

/* What a row is of, in a line: "1001 reader0 //anon 0x7f1000000000 node 1". Returns text. */
#define HOT_TITLE_SIZE (4 * NAMES_TEXT_SIZE)
const char *hot_row_title(const struct hot_report *report, const struct hot_row *row,
			  char text[HOT_TITLE_SIZE]);

/* How a node's histogram is drawn. */
struct hot_histogram {
	size_t used; /* buckets, up to the last one that is not empty */
	size_t most; /* ranges in any */
};

struct hot_histogram hot_histogram_of(const struct heat_node *heat);

/* Samples with a latency, of MEMORY_CXL or MEMORY_DRAM. */
uint64_t hot_timed_samples(const struct hot_report *report, const struct hot_row *row,
			   enum hot_memory memory);

/* Samples of one kind of memory, of the event that says how many, or else how long. */
uint64_t hot_samples(const struct hot_report *report, const struct hot_row *row,
		     enum hot_memory memory);

#endif
