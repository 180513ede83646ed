/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of sampled loads in an interval or a run, for printers, the screen and recordings. */
#ifndef CXLMON_PROCESS_REPORT_H
#define CXLMON_PROCESS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/load_sample.h"
#include "process/latencies.h"
#include "process/names.h"

/* Hashes a pair of values by the finalizer of MurmurHash3. */
static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
	uint64_t h = a * UINT64_C(0x9e3779b97f4a7c15) ^ b;

	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 33;
}

/* Kinds of rows: processes, groups of them, and parts of their reads. */
enum row_by {
	BY_PROCESS,
	BY_CGROUP,
	BY_CONTAINER,
	BY_VM,
	BY_USER,    /* the last kind of top */
	BY_RESCTRL, /* the last kind of who */
	BY_MAPPING,
	BY_FUNCTION,
	BY_NODE,
	BY_CPU,
	BY_PAGE,
	ROW_BYS
};

/* Names of enum row_by, as in --by and in scopes of rows. */
extern const char *const row_by_names[ROW_BYS];

/* Tells if rows are cgroups, or named by them. */
static inline bool row_by_cgroups(enum row_by by)
{
	return by == BY_CGROUP || by == BY_CONTAINER || by == BY_VM;
}

/* Limit of rows; further samples are counted in .others. */
#define PROCESS_ROWS_MOST 4096

enum read_memory { MEMORY_CXL, MEMORY_DRAM, MEMORY_UNKNOWN, READ_MEMORIES };

enum row_time { TIME_INTERVAL, TIME_RUN, ROW_TIMES };

struct read_count {
	uint64_t samples; /* samples of the counting event */
	uint64_t events;  /* sum of their periods */
	/* samples of the timing event, which may be the same event */
	uint64_t timed;
};

struct row_key {
	/* key made by row_set.c, such as the process's serial and an address */
	uint64_t a, b;
};

struct process_row {
	struct row_key key;
	unsigned pid;	  /* 0: not a process */
	uint32_t command; /* number of the process's name in struct process_names */
	uint32_t name;	  /* number of the mapping's or group's name */
	uint32_t function;
	uint32_t cgroup;  /* its cgroup, if process_table.cgroups is set */
	uid_t owner;	  /* see process_ops.owner */
	int node, cpu;	  /* -1: unknown, or several */
	uint64_t address; /* page's address */
	struct read_count counts[ROW_TIMES][READ_MEMORIES];
	/*
	 * reads from MEMORY_CXL and MEMORY_DRAM; NULL: none was timed, see process_row_latencies()
	 */
	struct latencies *latencies[ROW_TIMES][2];
};

struct process_rows {
	struct process_row **at; /* unordered */
	size_t count;
	uint32_t *slots;	   /* numbers of rows + 1 by hash, open addressing */
	struct process_row all;	   /* sum of all samples */
	struct process_row others; /* sum of the samples in no row */
};

/* 0 or -ENOMEM. Freed by process_rows_free(), also after failure. */
int process_rows_init(struct process_rows *rows);
void process_rows_free(struct process_rows *rows);

/* Returns the row of this key, which may be new, or .others if it has no room. */
struct process_row *process_rows_find(struct process_rows *rows, const struct row_key *key);

/*
 * Lists rows with samples in that time: those with most from CXL memory first, then by those from
 * DRAM. out has room for rows->count. Returns their number.
 */
size_t process_rows_sort(const struct process_rows *rows, enum row_time time,
			 const struct process_row **out);

/* Keeps the names of all rows in the next sweep. */
void process_rows_use_names(const struct process_rows *rows, struct process_names *names);

/* Begins the next interval. If there are many rows, idle ones are given up. */
void process_rows_next(struct process_rows *rows);

/* Frees the row's members, but not the row. */
void process_row_free(struct process_row *row);

uint64_t process_row_samples(const struct process_row *row, enum row_time time);

/* Adds a timed read from MEMORY_CXL or MEMORY_DRAM; weight: the reads that it stands for. */
void process_row_add_latency(struct process_row *row, enum row_time time, enum read_memory memory,
			     double ns, uint64_t weight);

/* Returns a latency histogram, which is empty if no read was timed. */
const struct latencies *process_row_latencies(const struct process_row *row, enum row_time time,
					      enum read_memory memory);

/*
 * Returns the events that samples of the counting event stand for; without such samples, the
 * number of timed samples.
 */
uint64_t process_row_events(const struct process_row *row, enum row_time time,
			    enum read_memory memory);

/* Adds a row's interval or run to another row. */
void process_row_add(struct process_row *to, enum row_time to_time, const struct process_row *from,
		     enum row_time from_time);

/* Hotness of a node's memory, in ranges of 2 MiB. */

#define HEAT_RANGE_SHIFT  21
#define HEAT_PARTS	  3  /* 50, 90 and 99 % of a node's events */
#define HEAT_BUCKETS	  16 /* ranges with 1, 2 or 3, 4 to 7, ... samples */
#define REPORT_NODES_MOST 64 /* nodes shown */

struct heat_node {
	int node;
	size_t ranges;		      /* ranges seen */
	size_t parts[HEAT_PARTS];     /* fewest ranges with each part of the events */
	uint64_t least[HEAT_PARTS];   /* events of the coldest range of each part */
	size_t buckets[HEAT_BUCKETS]; /* ranges by samples; the last one is open */
};

extern const unsigned heat_percents[HEAT_PARTS];

static inline double heat_GiB(size_t ranges)
{
	return (double)ranges / (1 << (30 - HEAT_RANGE_SHIFT));
}

struct reported_node {
	struct heat_node heat;
	bool cxl;
	double used_GiB; /* NAN: unknown */
};

/* Returns GiB of a node that are used and were not sampled; NAN: unknown. */
double report_unseen_GiB(const struct reported_node *node);

struct process_report {
	enum row_time time;
	const char *by; /* row type, such as "process" */
	const struct process_names *names;
	/* the event that counts reads; without one, the event that times them */
	const struct load_event *event;
	uint64_t wall_ns; /* end, UTC since 1970 */
	uint64_t ns;	  /* duration */
	uint64_t missed;  /* missed deadlines */
	const struct process_row *all, *others;
	const struct process_row *const *rows; /* most reads from CXL memory first */
	size_t count;
	bool timed; /* latencies were measured */
	/* counted reads from CXL memory and DRAM; NAN: unknown */
	double counted_MB[2];
	uint64_t lost, throttled; /* see struct sampler */
	double records_lost;	  /* see struct sampler; NAN: unknown */
	struct event_times times; /* counter times of the counting event, on all CPUs */
	/* CPUs that the event did not sample in some interval: see struct sampler */
	size_t unsampled;
	uint64_t cost_ns; /* CPU time; the kernel's part is estimated */
	uint64_t period;
	/* current hotness of memory; none: not computed for this report */
	const struct reported_node *nodes;
	size_t node_count;
	/*
	 * hot_cxl_GiB: least memory, over all CXL nodes, with half of these nodes' sampled loads.
	 * colder_dram_GiB: DRAM sampled less than half as often as the coldest range of that
	 * memory, with all DRAM in use that was never sampled.
	 * unseen_dram_GiB: only the latter part; NAN: unknown.
	 * Samples are demand loads: DRAM that is read by prefetchers, written, or used by devices
	 * may be hot nevertheless. NAN: one kind of memory has no samples, CXL memory has too few,
	 * some CPU was not sampled, or the events are not loads.
	 */
	double hot_cxl_GiB, colder_dram_GiB, unseen_dram_GiB;
	uint64_t coolings, left_out; /* see struct heat_table */
};

/* Adds an interval to a run, which is initially all zero except for .time. Rows are not touched. */
void process_report_add(struct process_report *run, const struct process_report *interval);

/* Caveat shown with .colder_dram_GiB. */
#define UNSEEN_CAVEAT                                                                              \
	"Samples are demand loads: memory that is prefetched, written or used by devices may be "  \
	"hot without them."

#define LOAD_LINE_BYTES 64 /* bytes that a load brings */

static inline double report_seconds(const struct process_report *report)
{
	return (double)report->ns / 1e9;
}

double report_cost_pct(const struct process_report *report); /* percent of a CPU */

/* Returns the percentage of time that the event had its counter, on all CPUs; NAN: unknown. */
double report_running_pct(const struct process_report *report);

/* Returns "counted", or "estimated" if ops are tagged; "": rates are unknown. */
const char *report_rates(const struct process_report *report);

/* Returns the counted reads from MEMORY_CXL or MEMORY_DRAM. */
double report_counted_MBps(const struct process_report *report, enum read_memory memory);

/* Returns events per second; NAN: samples do not count events, or lack some CPUs. */
double report_per_s(const struct process_report *report, const struct process_row *row,
		    enum read_memory memory);

/* Returns report_per_s() in MB/s; NAN also if the events are not loads. */
double report_MBps(const struct process_report *report, const struct process_row *row,
		   enum read_memory memory);

/* Returns the reads of a row in percent of the counted CXL reads; NAN: unknown. */
double report_share_pct(const struct process_report *report, const struct process_row *row);

/* Returns a percentile of latencies; 100: the highest latency. NAN: unknown. */
double report_latency(const struct process_report *report, const struct process_row *row,
		      enum read_memory memory, unsigned percent);

/*
 * Names of latencies, such as "cxl_p50_ns", by memory (CXL, DRAM) and percentile (50, 90, 99,
 * 100).
 */
extern const char *const report_latency_names[2][4];

/*
 * Describes a row in one line: "1001 reader0 //anon 0x7f1000000000 node 1". Returns a pointer into
 * text.
 */
#define ROW_TITLE_SIZE (4 * NAMES_TEXT_SIZE)
const char *report_row_title(const struct process_report *report, const struct process_row *row,
			     char text[ROW_TITLE_SIZE]);

/* Extent of a node's histogram, for drawing. */
struct heat_histogram {
	size_t used; /* buckets up to the last one that is not empty */
	size_t most; /* ranges in the fullest bucket */
};

struct heat_histogram heat_histogram_of(const struct heat_node *heat);

/* Returns the number of latencies measured, of MEMORY_CXL or MEMORY_DRAM. */
uint64_t report_timed_samples(const struct process_report *report, const struct process_row *row,
			      enum read_memory memory);

/* Returns samples of one kind of memory, taken by the first event. */
uint64_t report_samples(const struct process_report *report, const struct process_row *row,
			enum read_memory memory);

#endif
