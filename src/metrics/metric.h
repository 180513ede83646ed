/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of metrics, in the order of outputs. The row of a metric has its CSV column, JSON key,
 * OpenMetrics name and heading. New metrics are only added at the end of their group.
 */
#ifndef CXLMON_METRICS_METRIC_H
#define CXLMON_METRICS_METRIC_H

#include <stdbool.h>
#include <stddef.h>

struct program;

/* Scopes of rows, from the finest, as --per takes them. */
enum scope {
	SCOPE_CPU,
	SCOPE_PORT, /* CXL ports; also devices, nodes, L3 domains and groups */
	SCOPE_SOCKET,
	SCOPE_SYSTEM,
	SCOPE_COUNT,
};

extern const char *const scope_names[SCOPE_COUNT]; /* "cpu", "port", "socket", "system" */

/* Kinds of rows, in the order of their scopes. */
enum row_kind {
	ROW_CPU,
	ROW_PORT,   /* CXL port, or another part of a socket: model.port_name */
	ROW_DEVICE, /* CXL device whose port is unknown */
	ROW_NODE,   /* NUMA node */
	ROW_DOMAIN, /* L3 domain */
	ROW_GROUP,  /* resctrl control or monitoring group */
	ROW_SOCKET,
	ROW_SYSTEM,
	ROW_KINDS
};

extern const enum scope row_scopes[ROW_KINDS]; /* scope of each kind */
/* the kind of rows with the same name as the scope, such as ROW_PORT for SCOPE_PORT */
extern const enum row_kind scope_rows[SCOPE_COUNT];

enum metric_kind {
	METRIC_NUMBER,
	METRIC_SOURCE, /* text: the source of the metric named in .of */
	METRIC_CPU,    /* text: the number of the row's CPU; only with --per=cpu */
	METRIC_GROUP,  /* text: the name of the row's resctrl group */
};

/* The source of a metric's numbers: counters, or a source of src/sources. */
enum source_id {
	SOURCE_UNITS,	/* counters of the uncore and of CXL devices */
	SOURCE_CORES,	/* counters of CPUs: no unit of the uncore is needed */
	SOURCE_NODES,	/* memory of NUMA nodes; .number is an enum kernel_stat */
	SOURCE_DEVICES, /* links and errors of CXL devices; .number is an enum kernel_stat */
	SOURCE_HEALTH,	/* health that CXL devices report; .number is an enum kernel_stat */
	SOURCE_REGIONS, /* bytes by region of memory; .number is an enum memory_region */
	SOURCE_GROUPS,	/* resctrl groups; only in rows of groups */
	SOURCE_IDS
};

/*
 * A metric as an OpenMetrics family, in base units. A rate is exposed as a counter, from which
 * Prometheus computes rates.
 */
struct family {
	const char
		*name; /* without the prefix "cxlmon_": "cxl_mem_read_bytes"; NULL: not exposed */
	const char *unit; /* the end of the name: bytes, seconds, ratio or hertz; NULL: none */
	const char *help;
	double factor; /* base units per unit of the metric */
	bool counter;  /* a counter; false: a gauge */
};

struct metric {
	const char *name;  /* the name of its column and its formulas, with its unit at the end */
	const char *group; /* its metric group, as --metrics takes it */
	enum metric_kind kind;
	/*
	 * Kinds of rows that can have the metric: a sum of 1 << enum row_kind. If devices are among
	 * them, and sockets or the system too, rows of devices have the metric only on a machine
	 * without ports; otherwise sums would count a device twice.
	 */
	unsigned rows;
	const char *of; /* METRIC_SOURCE: the name of the metric whose source it is */
	bool extra;	/* only some processors have it: no message reports its absence */
	bool remote;	/* about other sockets: impossible on a machine with a single socket */
	enum source_id source;
	unsigned number; /* selects one of the source's numbers; 0: counted, or there is only one */
	/*
	 * The name of a metric of traffic, such as "cxl_mem_read_MBps": this metric is that traffic
	 * as a percentage of the link's rate, and uses that metric's formulas. NULL: this metric is
	 * not a share of a rate.
	 */
	const char *share_of;
	unsigned decimals;   /* METRIC_NUMBER: decimals in CSV */
	const char *heading; /* its name for people; NULL: not in the table on a terminal */
	const char *unit;    /* short name of its unit, below the heading */
	const char *help;
	struct family family;
	/* formula of a user-defined metric; NULL: a built-in metric */
	const struct program *program;
};

/* Table of the built-in metrics; ends with a row whose name is NULL. */
extern const struct metric metric_table[];

/* The metric groups of a run without -m. */
#define METRIC_DEFAULTS "cxl,latency,dram"
/* Returns true if the metric's group is one of these. */
bool metric_is_default(const struct metric *metric);

/* Returns the metric's name for people: its heading or, if it has none, its name. */
const char *metric_title(const struct metric *metric);

/*
 * Returns true if the metric's numbers are sums of bits (states of a device), which have neither a
 * mean nor a maximum.
 */
bool metric_is_state(const struct metric *metric);

/* Returns true if counters of units or CPUs yield the metric, by a formula. */
static inline bool metric_is_counted(const struct metric *metric)
{
	return metric->source <= SOURCE_CORES;
}

/*
 * Returns true if the metric needs a source after SOURCE_CORES, usually files of the kernel: for
 * its number or, if it is a share of a link's rate, for that rate.
 */
bool metric_is_of_kernel(const struct metric *metric);

/*
 * Returns the name by which formulas refer to the metric (formula.metric): .share_of or, if that is
 * NULL, .name.
 */
const char *metric_formulas(const struct metric *metric);

/*
 * Returns the scopes of rows that can have the metric, a sum of 1 << enum scope; ignores ROW_NODE
 * and ROW_DOMAIN.
 */
unsigned metric_scopes(const struct metric *metric);

/*
 * Converts scopes, a sum of 1 << enum scope, to the kinds of rows with the same names (scope_rows):
 * a sum of 1 << enum row_kind.
 */
unsigned metric_rows(unsigned scopes);

/* Returns the built-in metric of this name; NULL: none. */
const struct metric *metric_by_name(const char *name);

/* Writes the name of every metric group once, cut to size: "cxl, latency, dram, ...". */
void metric_group_names(char *text, size_t size);

/*
 * Units of measure, for user-defined metrics. A metric's name may end with a struct metric_unit, a
 * number in a formula may be followed by a struct number_unit, and both have a dimension.
 */

#define DIMENSION_TEXT_SIZE 48

/* Powers of bytes and of seconds: {1, -1} for MB/s, {0, 0} for events, clocks and shares. */
struct dimension {
	int bytes, seconds;
};

struct metric_unit {
	const char *name; /* as unit= takes it, and under a column of the table: "MB/s" */
	const char *end;  /* ending of a metric's name: "_MBps" */
	struct dimension dimension;
	int exponent;	   /* the unit is 10^exponent base units: 6 for MB/s */
	unsigned decimals; /* decimals in CSV, unless the metric gives them */
	/* base unit, at the end of the family's name in OpenMetrics: "bytes_per_second" */
	const char *base;
	bool base_is_unit; /* metadata of OpenMetrics state .base as the unit */
};

/* A unit of numbers in formulas: factor x 10^exponent base units, such as 1024 x 10^0 for "KiB". */
struct number_unit {
	const char *name; /* name after a number: "bytes", "ns" */
	struct dimension dimension;
	int exponent;
	double factor;
};

/* Returns the unit whose .name is name, such as "MB/s". NULL: none. */
const struct metric_unit *metric_unit_named(const char *name);
/* Returns the unit with the longest .end at the end of a metric's name. NULL: none. */
const struct metric_unit *metric_unit_of(const char *metric_name);
/* Returns the unit of numbers whose name is the first length characters of name. NULL: none. */
const struct number_unit *number_unit_find(const char *name, size_t length);

/* Writes the names of the units of metrics, cut to size: "MB/s, GB/s, ...". */
void metric_unit_names(char *text, size_t size);

double power_of_10(int exponent);
bool dimension_equal(struct dimension a, struct dimension b);
/* Returns a dimension in words, in text or a constant: "bytes/s", "1/s", "s", "a plain number". */
const char *dimension_text(struct dimension dimension, char text[DIMENSION_TEXT_SIZE]);

#endif
