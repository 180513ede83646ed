/* SPDX-License-Identifier: BSD-3-Clause */
/* What sampled loads say of an interval, or of a run, for printers, the screen and recordings. */
#ifndef CXLMON_PROCESS_REPORT_H
#define CXLMON_PROCESS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/load_sample.h"
#include "process/latencies.h"
#include "process/names.h"

/* Hashes what is sampled: the finalizer of MurmurHash3. */
static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
	uint64_t h = a * UINT64_C(0x9e3779b97f4a7c15) ^ b;

	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 33;
}

/* Samples that would need more rows are counted in .others. */
#define PROCESS_ROWS_MOST 4096

enum read_memory { MEMORY_CXL, MEMORY_DRAM, MEMORY_UNKNOWN, READ_MEMORIES };

enum row_time { TIME_INTERVAL, TIME_RUN, ROW_TIMES };

struct read_count {
	uint64_t samples; /* of the event that counts */
	uint64_t events;  /* the sum of their periods */
	uint64_t timed;	  /* samples of the event that takes time, which may be the same */
};

struct row_key {
	uint64_t a, b; /* by process and page: its serial; by mapping and cgroup: a name; ... */
};

struct process_row {
	struct row_key key;
	unsigned pid;	  /* 0: not of a process */
	uint32_t command; /* the process's name, a number of struct process_names */
	uint32_t name;	  /* of the mapping or cgroup, likewise */
	uint32_t function;
	uint32_t cgroup;  /* of the process, if process_table.cgroups */
	uid_t owner;	  /* likewise, see process_ops.owner */
	int node, cpu;	  /* -1: not known, or of several */
	uint64_t address; /* of a page */
	struct read_count counts[ROW_TIMES][READ_MEMORIES];
	/* from MEMORY_CXL and MEMORY_DRAM; NULL: no read was timed, see process_row_latencies() */
	struct latencies *latencies[ROW_TIMES][2];
};

struct process_rows {
	struct process_row **at; /* in no order */
	size_t count;
	uint32_t *slots;	   /* numbers of rows + 1 by hash, open addressing */
	struct process_row all;	   /* the sum of all samples */
	struct process_row others; /* of those in no row */
};

/* 0 or -ENOMEM. Freed by process_rows_free(), also after failure. */
int process_rows_init(struct process_rows *rows);
void process_rows_free(struct process_rows *rows);

/* The row of this key, which may be a new one, or where there is no room for it, that of the
 * others.
 */
struct process_row *process_rows_find(struct process_rows *rows, const struct row_key *key);

/*
 * Rows with samples in that time: those with the most from CXL memory first, then by those from
 * DRAM. out has room for rows->count. Returns how many.
 */
size_t process_rows_sort(const struct process_rows *rows, enum row_time time,
			 const struct process_row **out);

/* Keeps the names of all rows in the next sweep. */
void process_rows_use_names(const struct process_rows *rows, struct process_names *names);

/* Begins the next interval. Where there are many rows, those that were idle are given up. */
void process_rows_next(struct process_rows *rows);

/* Frees what it points to, not the row. */
void process_row_free(struct process_row *row);

uint64_t process_row_samples(const struct process_row *row, enum row_time time);

/* Adds a timed read from MEMORY_CXL or MEMORY_DRAM; weight: the reads that it stands for. */
void process_row_add_latency(struct process_row *row, enum row_time time, enum read_memory memory,
			     double ns, uint64_t weight);

/* Returns how long reads took; an empty histogram if none was timed. */
const struct latencies *process_row_latencies(const struct process_row *row, enum row_time time,
					      enum read_memory memory);

/* For which samples of the event that counts stand; without them, samples of the other one. */
uint64_t process_row_events(const struct process_row *row, enum row_time time,
			    enum read_memory memory);

/* Adds what a row has of its interval or run to another one. */
void process_row_add(struct process_row *to, enum row_time to_time, const struct process_row *from,
		     enum row_time from_time);

/* How hot the memory of a node is, in ranges of 2 MiB. */

#define HEAT_RANGE_SHIFT  21
#define HEAT_PARTS	  3  /* 50, 90 and 99 % of the events of a node */
#define HEAT_BUCKETS	  16 /* ranges with 1, 2 or 3, 4 to 7, ... samples */
#define REPORT_NODES_MOST 64 /* that are shown */

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

struct reported_node {
	struct heat_node heat;
	bool cxl;
	double used_GiB; /* NAN: not known */
};

/* GiB of a node that are used and were not sampled; NAN: not known. */
double report_unseen_GiB(const struct reported_node *node);

struct process_report {
	enum row_time time;
	const char *by; /* what rows are of: "process" */
	const struct process_names *names;
	const struct load_event *event; /* that says how many; else how long */
	uint64_t wall_ns;		/* end, since 1970 in UTC */
	uint64_t ns;			/* that it covers */
	uint64_t missed;		/* deadlines in it */
	const struct process_row *all, *others;
	const struct process_row *const *rows; /* those with most from CXL memory first */
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
	const struct reported_node *nodes;
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
	uint64_t coolings, left_out; /* see struct heat_table */
};

/* Adds an interval to a run, which is initially all zero but for .time; rows are not touched. */
void process_report_add(struct process_report *run, const struct process_report *interval);

/* What does not follow from .colder_dram_GiB. */
#define UNSEEN_CAVEAT                                                                              \
	"Samples are demand loads: memory that is prefetched, written or used by devices may be "  \
	"hot without them."

#define LOAD_LINE_BYTES 64 /* that a load brings */

static inline double report_seconds(const struct process_report *report)
{
	return (double)report->ns / 1e9;
}

double report_cost_pct(const struct process_report *report); /* of a CPU */

/* The part of the time that the event had its counter, on all CPUs; NAN: not known. */
double report_running_pct(const struct process_report *report);

/* "counted", or "estimated" of tagged ops; "": rates are not known. */
const char *report_rates(const struct process_report *report);

/* Reads that were counted, of MEMORY_CXL or MEMORY_DRAM. */
double report_counted_MBps(const struct process_report *report, enum read_memory memory);

/* Events a second; NAN: samples do not say how many there were, or not of all CPUs. */
double report_per_s(const struct process_report *report, const struct process_row *row,
		    enum read_memory memory);

/* The same in MB/s; NAN: or they are no loads. */
double report_MBps(const struct process_report *report, const struct process_row *row,
		   enum read_memory memory);

/* The part of what ports have counted that is seen in the samples of a row; NAN: not known. */
double report_share_pct(const struct process_report *report, const struct process_row *row);

/* percent 100: the longest. NAN: not known. */
double report_latency(const struct process_report *report, const struct process_row *row,
		      enum read_memory memory, unsigned percent);

/* The names of these: "cxl_p50_ns", by memory (CXL, DRAM) and percentile (50, 90, 99, 100). */
extern const char *const report_latency_names[2][4];

/* What a row is of, in a line: "1001 reader0 //anon 0x7f1000000000 node 1". Returns text. */
#define ROW_TITLE_SIZE (4 * NAMES_TEXT_SIZE)
const char *report_row_title(const struct process_report *report, const struct process_row *row,
			     char text[ROW_TITLE_SIZE]);

/* How a node's histogram is drawn. */
struct heat_histogram {
	size_t used; /* buckets, up to the last one that is not empty */
	size_t most; /* ranges in any */
};

struct heat_histogram heat_histogram_of(const struct heat_node *heat);

/* Samples with a latency, of MEMORY_CXL or MEMORY_DRAM. */
uint64_t report_timed_samples(const struct process_report *report, const struct process_row *row,
			      enum read_memory memory);

/* Samples of one kind of memory, of the event that says how many, or else how long. */
uint64_t report_samples(const struct process_report *report, const struct process_row *row,
			enum read_memory memory);

#endif
