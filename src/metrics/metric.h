/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of metrics, in the order of outputs. A metric has a CSV column, a JSON key, an
 * OpenMetrics name and a heading. Add new metrics only at the end of their group.
 */
#ifndef CXLMON_METRICS_METRIC_H
#define CXLMON_METRICS_METRIC_H

#include <stdbool.h>
#include <stddef.h>

struct program;

/* Scopes of rows, from fine to coarse: the values of --per. */
enum scope {
	SCOPE_CPU,
	SCOPE_PORT, /* CXL ports, devices, NUMA nodes, L3 domains and resctrl groups */
	SCOPE_SOCKET,
	SCOPE_SYSTEM,
	SCOPE_COUNT,
};

extern const char *const scope_names[SCOPE_COUNT]; /* "cpu", "port", "socket", "system" */

/* Kinds of rows, in the order of their scopes. */
enum row_kind {
	ROW_CPU,
	ROW_PORT,   /* CXL port, or the part of a socket that model.port_name names */
	ROW_DEVICE, /* CXL device whose port is unknown */
	ROW_NODE,   /* NUMA node */
	ROW_DOMAIN, /* L3 domain */
	ROW_GROUP,  /* resctrl control or monitoring group */
	ROW_SOCKET,
	ROW_SYSTEM,
	ROW_KINDS
};

extern const enum scope row_scopes[ROW_KINDS];	    /* scope of each kind of rows */
extern const enum row_kind scope_rows[SCOPE_COUNT]; /* kind of rows with the scope's name */

enum metric_kind {
	METRIC_NUMBER,
	METRIC_SOURCE, /* text: source of the numbers of another metric (.of) */
	METRIC_CPU,    /* text: the number of the row's CPU; only with --per=cpu */
	METRIC_GROUP,  /* text: the name of the row's resctrl group */
};

/* The source of a metric's numbers: hardware counters, or a source of src/sources. */
enum source_id {
	SOURCE_UNITS,	/* counters of the uncore and of CXL devices */
	SOURCE_CORES,	/* counters of CPUs */
	SOURCE_NODES,	/* memory of NUMA nodes; metric.number is an enum kernel_stat */
	SOURCE_DEVICES, /* links and errors of CXL devices; metric.number is an enum kernel_stat */
	SOURCE_HEALTH,	/* health that CXL devices report; metric.number is an enum kernel_stat */
	SOURCE_REGIONS, /* bytes by region of memory; metric.number is an enum memory_region */
	SOURCE_GROUPS,	/* resctrl groups; only in rows of groups */
	SOURCE_IDS
};

/*
 * A metric as an OpenMetrics family, in base units. A rate is a counter there: a rate in MB/s is a
 * number of bytes.
 */
struct family {
	const char
		*name; /* without the prefix "cxlmon_": "cxl_mem_read_bytes"; NULL: not exposed */
	const char *unit; /* base unit that ends .name: "bytes", "seconds"; NULL: none */
	const char *help;
	double factor; /* base units in one unit of the metric: 1e6 for MB/s */
	bool counter;  /* a counter; false: a gauge */
};

struct metric {
	const char *name;  /* name of its column, which ends with its unit: "cxl_mem_read_MBps" */
	const char *group; /* its metric group, a value of --metrics: "cxl" */
	enum metric_kind kind;
	/*
	 * Kinds of rows that can have the metric: a sum of 1 << enum row_kind. If ROW_SOCKET or
	 * ROW_SYSTEM is set, ROW_DEVICE is ignored on a machine with ports: sums over ports would
	 * have such a device twice.
	 */
	unsigned rows;
	const char *of; /* METRIC_SOURCE: name of the metric whose source is shown */
	bool extra;	/* only some processors have it: no message reports its absence */
	bool remote;	/* about other sockets: unknown on a machine with one socket */
	enum source_id source;
	unsigned number; /* selects a number of .source: see enum source_id; 0: it has only one */
	/*
	 * Only for a percentage of the link's rate: name of the metric that is divided by this
	 * rate, such as "cxl_mem_read_MBps". Both metrics have the same formulas. NULL: another
	 * metric.
	 */
	const char *share_of;
	unsigned decimals;   /* METRIC_NUMBER: decimals in CSV */
	const char *heading; /* name for people; NULL: not in the table on a terminal */
	const char *unit;    /* short name of the unit, below the heading: "MB/s"; NULL: none */
	const char *help;
	struct family family;
	/* formula of a user-defined metric; NULL: a built-in metric */
	const struct program *program;
};

/* Table of the built-in metrics; ends with a row whose name is NULL. */
extern const struct metric metric_table[];

/* The metric groups of a run without --metrics. */
#define METRIC_DEFAULTS "cxl,latency,dram"
/* Returns true if METRIC_DEFAULTS has the metric's group. */
bool metric_is_default(const struct metric *metric);

/* Returns the metric's name for people: its heading or, if it has none, its name. */
const char *metric_title(const struct metric *metric);

/*
 * Returns true if the metric's number is a set of bits (states of a device), which has neither a
 * mean nor a maximum.
 */
bool metric_is_state(const struct metric *metric);

/* Returns true if a formula computes the metric from counters of units or CPUs. */
static inline bool metric_is_counted(const struct metric *metric)
{
	return metric->source <= SOURCE_CORES;
}

/*
 * Returns true if the metric needs a number that the kernel reports: metric_is_counted() is false,
 * or the metric is a share of a link's rate.
 */
bool metric_is_of_kernel(const struct metric *metric);

/* Returns the name in .metric of the metric's formulas: .share_of or, if it is NULL, .name. */
const char *metric_formulas(const struct metric *metric);

/* Returns the scopes of .rows, without ROW_NODE and ROW_DOMAIN: a sum of 1 << enum scope. */
unsigned metric_scopes(const struct metric *metric);

/* Converts a sum of 1 << enum scope to a sum of 1 << enum row_kind, by scope_rows. */
unsigned metric_rows(unsigned scopes);

/* Returns the built-in metric of this name; NULL: none. */
const struct metric *metric_by_name(const char *name);

/* Writes the names of the metric groups, cut to size bytes: "cxl, latency, dram, ...". */
void metric_group_names(char *text, size_t size);

/* Units of measure in user-defined metrics: units of metrics, and of numbers in formulas. */

#define DIMENSION_TEXT_SIZE 48

/* Powers of bytes and of seconds: {1, -1} for MB/s, {0, 0} for events, clocks and shares. */
struct dimension {
	int bytes, seconds;
};

/* A unit of a metric: 10^exponent base units, 10^6 bytes/s for MB/s. */
struct metric_unit {
	const char *name; /* a value of unit=, and the text under a heading: "MB/s" */
	const char *end;  /* ending of a metric's name: "_MBps" */
	struct dimension dimension;
	int exponent;
	unsigned decimals; /* decimals in CSV of a metric without decimals= */
	/* base unit, which ends the name of the OpenMetrics family: "bytes_per_second" */
	const char *base;
	bool base_is_unit; /* OpenMetrics also states .base in a # UNIT line */
};

/* A unit of a number in a formula: factor x 10^exponent base units, 1024 x 10^0 for "KiB". */
struct number_unit {
	const char *name; /* name after a number: "bytes", "ns" */
	struct dimension dimension;
	int exponent;
	double factor;
};

/* Returns the unit with this .name, such as "MB/s"; NULL: none. */
const struct metric_unit *metric_unit_named(const char *name);
/* Returns the unit with the longest .end that ends the name of a metric; NULL: none. */
const struct metric_unit *metric_unit_of(const char *metric_name);
/* Returns the unit of numbers with the name in the first length bytes of name; NULL: none. */
const struct number_unit *number_unit_find(const char *name, size_t length);

/* Writes the names of the units of metrics, cut to size bytes: "MB/s, GB/s, ...". */
void metric_unit_names(char *text, size_t size);

double power_of_10(int exponent);
bool dimension_equal(struct dimension a, struct dimension b);
/* Returns a dimension in words: "bytes/s", "1/s", "s", "a plain number". May use text for it. */
const char *dimension_text(struct dimension dimension, char text[DIMENSION_TEXT_SIZE]);

#endif
