/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The metrics, one row each. CSV columns, JSON keys, OpenMetrics names and the table's headings
 * come from here, in this order within a group. New columns are only added at the end of their
 * group.
 */
#ifndef CXLMON_METRICS_METRIC_H
#define CXLMON_METRICS_METRIC_H

#include <stdbool.h>
#include <stddef.h>

struct program;

/* Scopes of rows, from the finest, as --per takes them. */
enum scope {
	SCOPE_CPU,
	SCOPE_PORT, /* CXL ports, and kinds of rows without a scope of their own */
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
	ROW_GROUP,  /* group of tasks of resctrl */
	ROW_SOCKET,
	ROW_SYSTEM,
	ROW_KINDS
};

extern const enum scope row_scopes[ROW_KINDS];
extern const enum row_kind scope_rows[SCOPE_COUNT]; /* kind of rows that the scope is named after */

enum metric_kind {
	METRIC_NUMBER,
	METRIC_SOURCE, /* text: the source of the metric named in .of */
	METRIC_CPU,    /* text: the number of the row's CPU; only with --per=cpu */
	METRIC_GROUP,  /* text: the name of the row's group of tasks */
};

/* Source of a metric's numbers: counters, then the sources of src/sources. */
enum source_id {
	SOURCE_UNITS,	/* counters of the uncore and of CXL devices */
	SOURCE_CORES,	/* counters of CPUs: no unit of the uncore is needed */
	SOURCE_NODES,	/* memory of NUMA nodes; .number is an enum kernel_stat */
	SOURCE_DEVICES, /* links and errors of CXL devices; .number is an enum kernel_stat */
	SOURCE_HEALTH,	/* health that CXL devices report; .number is an enum kernel_stat */
	SOURCE_REGIONS, /* bytes by region of memory; .number is an enum memory_region */
	SOURCE_GROUPS,	/* groups of tasks of resctrl; only their rows have it */
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
	double factor; /* from the metric's unit to the base unit */
	bool counter;  /* a counter; false: a gauge */
};

struct metric {
	const char *name;  /* with its unit: a column, and a formula's .metric */
	const char *group; /* as --metrics takes it */
	enum metric_kind kind;
	/*
	 * 1 << row_kind of rows that can have it. ROW_DEVICE is for counts of devices without a
	 * known port. If sums also have the metric, only machines without ports have such rows,
	 * because they would count twice.
	 */
	unsigned rows;
	const char *of; /* METRIC_SOURCE: the metric whose source it is */
	bool extra;	/* only on some processors; others report nothing about it */
	bool remote;	/* about other sockets: impossible on a machine with a single one */
	enum source_id source;
	unsigned number; /* number of the source; 0: a formula, or the source's only number */
	/*
	 * The metric whose share of the link's rate it is: it has the same formulas. NULL: it is
	 * not a share.
	 */
	const char *share_of;
	unsigned decimals;   /* METRIC_NUMBER: decimals in CSV */
	const char *heading; /* its name for people; NULL: not in the table */
	const char *unit;    /* short name below the heading */
	const char *help;
	struct family family;
	/* formula of a user-defined metric, which may name other columns. NULL: a built-in
	 * metric */
	const struct program *program;
};

/* Table of the built-in metrics; ends with a row whose name is NULL. */
extern const struct metric metric_table[];

/* The groups of a run without -m. */
#define METRIC_DEFAULTS "cxl,latency,dram"
bool metric_is_default(const struct metric *metric);

/* Returns the title for people: its heading, or its name if it has none. */
const char *metric_title(const struct metric *metric);

/*
 * Returns true if its numbers are sums of bits, which have no order, and so neither mean nor
 * maximum.
 */
bool metric_is_state(const struct metric *metric);

/* Returns true if counters of units or CPUs yield it, by a formula. */
static inline bool metric_is_counted(const struct metric *metric)
{
	return metric->source <= SOURCE_CORES;
}

/* Returns true if the kernel yields it, or a part of it, even if no unit counts. */
bool metric_is_of_kernel(const struct metric *metric);

/* Returns the name under which formulas have it. */
const char *metric_formulas(const struct metric *metric);

/*
 * Returns the scopes of rows that can have the metric, 1 << scope each, without NUMA nodes and L3
 * domains.
 */
unsigned metric_scopes(const struct metric *metric);

/* Returns the .rows of a metric for scopes, 1 << scope each. */
unsigned metric_rows(unsigned scopes);

/* Finds the metric of this name. NULL: none. */
const struct metric *metric_by_name(const char *name);

/* Lists every group once: "cxl, latency, dram, ...". */
void metric_group_names(char *text, size_t size);

/*
 * Units of user-defined metrics: units in ends of names, units of numbers in formulas, and
 * checks of a formula's dimension.
 */

#define DIMENSION_TEXT_SIZE 48

/* Powers of bytes and of seconds; events, clocks and shares are plain numbers. */
struct dimension {
	int bytes, seconds;
};

struct metric_unit {
	const char *name; /* as unit= takes it, and under a column of the table: "MB/s" */
	const char *end;  /* ending of a metric's name: "_MBps" */
	struct dimension dimension;
	int exponent;	   /* power of ten of bytes, seconds or plain numbers */
	unsigned decimals; /* decimals in CSV, unless the metric states them */
	/* OpenMetrics: unit at the end of the family's name, and if metadata state it */
	const char *base;
	bool base_is_unit;
};

struct number_unit {
	const char *name; /* name after a number: "bytes", "ns" */
	struct dimension dimension;
	int exponent;
	double factor;
};

/*
 * Find a unit by its name, a metric's unit by the end of its name, and the unit of a number. NULL:
 * none.
 */
const struct metric_unit *metric_unit_named(const char *name);
const struct metric_unit *metric_unit_of(const char *metric_name);
const struct number_unit *number_unit_find(const char *name, size_t length);

/* Lists the units: "MB/s, GB/s, ..." */
void metric_unit_names(char *text, size_t size);

double power_of_10(int exponent);
bool dimension_equal(struct dimension a, struct dimension b);
/* Writes a dimension: "bytes/s", "1/s", "s", "a plain number". Returns text, or a constant. */
const char *dimension_text(struct dimension dimension, char text[DIMENSION_TEXT_SIZE]);

#endif
