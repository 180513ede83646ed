/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results of sampled loads, in an interval or in a run, for printers, the screen and recordings:
 * rows of samples, the hotness of memory, and a report of both.
 */
#ifndef CXLMON_PROCESS_REPORT_H
#define CXLMON_PROCESS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/load_sample.h"
#include "process/latencies.h"
#include "process/names.h"
#include "process/row.h"

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
	BY_USER,    /* cxlmon top has the kinds up to here */
	BY_RESCTRL, /* cxlmon who has the kinds up to here */
	BY_MAPPING,
	BY_FUNCTION,
	BY_NODE,
	BY_CPU,
	BY_PAGE,
	ROW_BYS
};

/* Names of enum row_by, as users give them to --by, and as output names kinds of rows. */
extern const char *const row_by_names[ROW_BYS];

/* Tells if rows are cgroups, or named by them. */
static inline bool row_by_cgroups(enum row_by by)
{
	return by == BY_CGROUP || by == BY_CONTAINER || by == BY_VM;
}

/* Most rows in a set; samples of further rows are counted in sampled_rows.others. */
#define SAMPLED_ROWS_MOST 4096

/* Kinds of memory that a sample has read. */
enum read_memory { MEMORY_CXL, MEMORY_DRAM, MEMORY_UNKNOWN, READ_MEMORIES };

/* Times of sums: the present interval, and the run so far. */
enum row_time { TIME_INTERVAL, TIME_RUN, ROW_TIMES };

/*
 * Samples of up to two events: one counts reads, one measures their latencies; one event may do
 * both.
 */
struct read_count {
	uint64_t samples; /* samples of the counting event */
	uint64_t events;  /* sum of their periods: the events that they stand for */
	uint64_t timed;	  /* samples of the timing event */
};

/* Identity of a row, made by row_set.c, such as the process's serial and an address. */
struct row_key {
	uint64_t a, b;
};

/* The sums of samples with one key. Names are numbers: sampling copies no text. */
struct sampled_row {
	struct row_key key;
	unsigned pid;	   /* 0: the row is not of one process */
	uint32_t command;  /* number of the process's name in struct process_names */
	uint32_t name;	   /* number of the mapping's or group's name */
	uint32_t function; /* number of the function's name */
	uint32_t cgroup;   /* number of its cgroup's path, if process_table.cgroups is set */
	uid_t owner;	   /* see process_ops.owner; OWNER_UNKNOWN: not of one process */
	int node, cpu;	   /* -1: unknown, or several */
	uint64_t address;  /* address of the page; 0: the row is not of one page */
	struct read_count counts[ROW_TIMES][READ_MEMORIES];
	/* latencies of reads from MEMORY_CXL and MEMORY_DRAM; NULL: none was timed */
	struct latencies *latencies[ROW_TIMES][2];
};

struct sampled_rows {
	struct sampled_row **at; /* unordered */
	size_t count;
	uint32_t *slots;	   /* numbers of rows + 1 by hash, open addressing */
	struct sampled_row all;	   /* sum of all samples */
	struct sampled_row others; /* sum of the samples in no row */
};

/* Makes an empty set of rows. 0 or -ENOMEM. Freed by sampled_rows_free(), even after failure. */
int sampled_rows_init(struct sampled_rows *rows);
void sampled_rows_free(struct sampled_rows *rows);

/*
 * Returns the row of this key. If there is none, adds a row in which only the key is set, and all
 * else is 0. If there is no room or memory, returns &rows->others. Valid until sampled_rows_next().
 */
struct sampled_row *sampled_rows_find(struct sampled_rows *rows, const struct row_key *key);

/*
 * Lists the rows with samples in that time in out, which has room for rows->count: most events from
 * CXL memory first, then from DRAM. Returns their number.
 */
size_t sampled_rows_sort(const struct sampled_rows *rows, enum row_time time,
			 const struct sampled_row **out);

/* Marks the names of all rows, so that process_names_sweep() keeps them. */
void sampled_rows_use_names(const struct sampled_rows *rows, struct process_names *names);

/*
 * Begins the next interval. If the rows are more than three quarters of SAMPLED_ROWS_MOST, adds
 * rows without samples in the last interval to .others, and frees these rows.
 */
void sampled_rows_next(struct sampled_rows *rows);

/* Frees the row's members, but not the row. */
void sampled_row_free(struct sampled_row *row);

/* Returns the number of a row's samples, of both events and all kinds of memory. */
uint64_t sampled_row_samples(const struct sampled_row *row, enum row_time time);

/*
 * Adds the latency of a timed read from MEMORY_CXL or MEMORY_DRAM; weight: the reads that it stands
 * for. Drops it if memory is short.
 */
void sampled_row_add_latency(struct sampled_row *row, enum row_time time, enum read_memory memory,
			     double ns, uint64_t weight);

/* Returns the latencies of reads from MEMORY_CXL or MEMORY_DRAM; empty if none was timed. */
const struct latencies *sampled_row_latencies(const struct sampled_row *row, enum row_time time,
					      enum read_memory memory);

/*
 * Returns the events that samples of the counting event stand for; without such samples, the
 * number of timed samples.
 */
uint64_t sampled_row_events(const struct sampled_row *row, enum row_time time,
			    enum read_memory memory);

/* Adds the samples and latencies of a row in one time to those of another row. */
void sampled_row_add(struct sampled_row *to, enum row_time to_time, const struct sampled_row *from,
		     enum row_time from_time);

/* Hotness of a node's memory, in ranges of 2 MiB. */

#define HEAT_RANGE_SHIFT  21
#define HEAT_PARTS	  3  /* 50, 90 and 99 % of a node's events */
#define HEAT_BUCKETS	  16 /* ranges with 1, 2 or 3, 4 to 7, ... samples */
#define REPORT_NODES_MOST 64 /* most nodes in a report */

struct heat_node {
	int node;
	size_t ranges;		      /* ranges with samples */
	size_t parts[HEAT_PARTS];     /* number of hottest ranges with each part of the events */
	uint64_t least[HEAT_PARTS];   /* events of the coldest of these ranges */
	size_t buckets[HEAT_BUCKETS]; /* ranges by samples; the last one has no upper limit */
};

extern const unsigned heat_percents[HEAT_PARTS]; /* 50, 90, 99 */

/* Converts a number of ranges to GiB. */
static inline double heat_GiB(size_t ranges)
{
	return (double)ranges / (1 << (30 - HEAT_RANGE_SHIFT));
}

struct reported_node {
	struct heat_node heat;
	bool cxl;	 /* has CXL memory */
	double used_GiB; /* memory in use; NAN: unknown */
};

/* Returns GiB of a node that are in use and were never sampled; NAN: unknown. */
double report_unseen_GiB(const struct reported_node *node);

/* The report of an interval or a run. Pointers are not owned. */
struct process_report {
	enum row_time time;
	const char *by;			   /* kind of rows, such as "process" */
	const struct process_names *names; /* names of the rows */
	/* the event that counts reads; without one, the event that times them */
	const struct load_event *event;
	uint64_t wall_ns;			/* end, UTC since 1970 */
	uint64_t ns;				/* duration */
	uint64_t missed;			/* missed deadlines */
	const struct sampled_row *all, *others; /* sums of all samples, and of those in no row */
	const struct sampled_row *const *rows;	/* most reads from CXL memory first */
	size_t count;				/* rows */
	bool timed;				/* latencies were measured */
	/* MB of CXL memory and DRAM that ports have read, counted; NAN: unknown */
	double counted_MB[2];
	uint64_t lost, throttled; /* see struct sampler */
	double records_lost;	  /* see struct sampler; NAN: unknown */
	struct event_times times; /* counter times of the counting event, on all CPUs */
	size_t unsampled;	  /* CPUs that were not sampled all the time: see struct sampler */
	uint64_t cost_ns;	  /* CPU time of sampling; the kernel's part is estimated */
	uint64_t period;	  /* present sampling period of .event */
	/* present hotness of memory by node */
	const struct reported_node *nodes;
	size_t node_count; /* 0: hotness was not computed for this report */
	/*
	 * hot_cxl_GiB: size of the hottest CXL memory that has half of all sampled loads from CXL
	 * memory.
	 * colder_dram_GiB: DRAM whose ranges have less than half the events of the coldest range of
	 * that CXL memory, and all DRAM in use that was never sampled.
	 * unseen_dram_GiB: DRAM in use that was never sampled.
	 * Samples are demand loads: DRAM that is read by prefetchers, written, or used by devices
	 * may be hot nevertheless. NAN: unknown, because one kind of memory has no samples, the
	 * coldest range of the CXL memory has too few, some CPU was not sampled, or the events are
	 * not loads.
	 */
	double hot_cxl_GiB, colder_dram_GiB, unseen_dram_GiB;
	uint64_t coolings, left_out; /* see struct heat_table */
};

/*
 * Adds the numbers of an interval to those of a run, which is initially all zero except for .time
 * and the three GiB, which are NAN. Rows are not touched.
 */
void process_report_add(struct process_report *run, const struct process_report *interval);

/* Caveat shown with .colder_dram_GiB. */
#define UNSEEN_CAVEAT                                                                              \
	"Samples are demand loads: memory that is prefetched, written or used by devices may be "  \
	"hot without them."

#define LOAD_LINE_BYTES 64 /* bytes that a load brings from memory */

/* Functions below that take a row use its samples in report->time. */

static inline double report_seconds(const struct process_report *report)
{
	return (double)report->ns / 1e9;
}

/* Returns the cost of sampling in percent of a CPU. */
double report_cost_pct(const struct process_report *report);

/* Returns the percentage of time that the event was counted, over all CPUs; NAN: unknown. */
double report_running_pct(const struct process_report *report);

/*
 * Returns the kind of the report's rates: "counted"; "estimated", because only randomly tagged
 * operations are sampled; "": unknown, because no event counts or some CPU was not sampled.
 */
const char *report_rates(const struct process_report *report);

/* Returns the MB/s that ports counted, read from MEMORY_CXL or MEMORY_DRAM; NAN: unknown. */
double report_counted_MBps(const struct process_report *report, enum read_memory memory);

/* Returns events per second; NAN: report_rates() is "". */
double report_per_s(const struct process_report *report, const struct sampled_row *row,
		    enum read_memory memory);

/* Returns loads in MB/s; NAN: report_rates() is "", or the events are not loads. */
double report_MBps(const struct process_report *report, const struct sampled_row *row,
		   enum read_memory memory);

/* Returns the sampled CXL reads of a row in percent of those that ports counted; NAN: unknown. */
double report_share_pct(const struct process_report *report, const struct sampled_row *row);

/*
 * Returns a percentile of the latencies of reads from MEMORY_CXL or MEMORY_DRAM, in ns. NAN: too
 * few were measured, see latencies_percentile(). percent 100: the highest latency; NAN: none.
 */
double report_latency(const struct process_report *report, const struct sampled_row *row,
		      enum read_memory memory, unsigned percent);

/* Makes the row that is shown; its names belong to report->names. */
void report_row(const struct process_report *report, const struct sampled_row *from,
		struct process_row *out);

/* A column of reads, such as "cxl_p50_ns", in outputs for programs and on pages. */
struct read_column {
	const char *name;
	size_t at;	   /* offset in struct row_reads */
	bool is_count;	   /* the member is a number of samples, a uint64_t; false: a double */
	unsigned decimals; /* decimals for programs; READ_SHARE: as fields_share() writes */
	int brief;	   /* decimals on pages; -1: not shown there */
};

#define READ_SHARE   100
#define READ_COLUMNS 16

extern const struct read_column read_columns[READ_COLUMNS];

/* Returns the number in a column; NAN: unknown. */
double read_column_number(const struct read_column *column, const struct row_reads *reads);

/*
 * Describes a row in one line: "1001 reader0 //anon 0x7f1000000000 node 1". Returns a pointer into
 * text, but not to its beginning.
 */
#define ROW_TITLE_SIZE (4 * NAMES_TEXT_SIZE)
const char *report_row_title(const struct process_report *report, const struct sampled_row *row,
			     char text[ROW_TITLE_SIZE]);

/* Extent of a node's histogram, for drawing. */
struct heat_histogram {
	size_t used; /* buckets up to the last one that is not empty */
	size_t most; /* ranges in the fullest bucket */
};

struct heat_histogram heat_histogram_of(const struct heat_node *heat);

/* Returns the number of samples of the counting event, of one kind of memory. */
uint64_t report_samples(const struct process_report *report, const struct sampled_row *row,
			enum read_memory memory);

#endif
