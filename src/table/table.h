/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values of one sample: a row for each CPU, port, socket and so on, and for the system, and a
 * column for each metric; then rows of events. A maker (a view, or a recording) sets rows, columns
 * and inputs, then computes each row by table_compute(). Outputs read values, and do not know the
 * maker.
 */
#ifndef CXLMON_TABLE_H
#define CXLMON_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "formula/formulas.h"
#include "formula/value.h"
#include "metrics/metric.h"
#include "platform/memory.h"
#include "table/mark.h"
#include "table/tally.h"

struct cxl_device;
struct event;
struct unit;

#define TABLE_DOMAIN	"domain" /* value of place.port_name for L3 domains */
#define GROUP_NAME_SIZE 128	 /* bytes of the longest place.group, with NUL */

/* The part of the machine that a row is about. place_compare() compares places of two tables. */
struct place {
	enum row_kind kind;
	int socket; /* -1: does not apply */
	int port;   /* number of the port or L3 domain; -1: does not apply */
	int cpu;    /* -1: does not apply */
	/* PCI address of the device at a port: "0000:35:00.0"; empty: unknown */
	const char *pci;
	const char *memdev; /* name of the device, "mem0"; empty: unknown */
	int node;	    /* the row's NUMA node, or its device's; -1: unknown */
	/* NULL: unknown, or the table is from another machine. Not owned */
	const struct cxl_device *device;
	/* name of the part that .port numbers: "ccm", TABLE_DOMAIN; NULL: a port */
	const char *port_name;
	/* name of resctrl's group of tasks; NULL: the row is not about a group. Not owned */
	const char *group;
};

/* Returns the device's name, "mem0", or its PCI address if the name is unknown; "": both are. */
static inline const char *place_device_name(const struct place *place)
{
	return *place->memdev ? place->memdev : place->pci;
}

/* Returns true if a place is a port, or a device whose port is unknown. */
static inline bool place_is_of_port(const struct place *place)
{
	return place->kind == ROW_PORT || place->kind == ROW_DEVICE;
}

/* A row: its place, and the values of each column or the numbers of one event. */
struct row {
	struct place place;

	double interval_s; /* seconds of the row's shortest count; NAN: nothing was counted */
	/* smallest % of its time for which a count was counted; NAN: there is none */
	double counted_pct;
	struct value *values; /* one per column */

	const struct event *event; /* NULL: a row of metrics. An event's row has no known values */
	const struct unit *unit;   /* events only: its unit, or the first of several */
	bool summed; /* events only: summed over the units of that type in the row's scope */
	/* events only: count in the interval, and per second; NAN: unknown */
	double count, per_s;
};

/* A row of the system without any known value. */
extern const struct row row_unknown;

/* Returns the scope of a row, by the kind of its place. */
static inline enum scope row_scope(const struct row *row)
{
	return row_scopes[row->place.kind];
}

/*
 * Returns true if rows of this kind can have values of a metric. A device can have those of a port.
 */
bool row_can_have(const struct row *row, const struct metric *metric);

#define COLUMN_FORMULAS 15 /* most formulas that the cells of a column use */

/* Formulas; not owned. */
struct formula_list {
	const struct formula *items[COLUMN_FORMULAS];
	size_t count;
};

#define UNMEASURED_WHY_SIZE 96

/* A column: its metric, and facts about its values. */
struct column {
	const struct metric *metric;
	struct formula_list formulas; /* all formulas that its cells may use */
	/* indices of the columns that its formula names, in their order */
	size_t named[FORMULA_METRICS];
	size_t source_of; /* index of the column whose source it shows; SIZE_MAX: none */
	bool never_known; /* nothing on this machine can fill it */
	char why[UNMEASURED_WHY_SIZE]; /* reason for .never_known, for people; "": none is given */
	/* the reason is given at the start of a run */
	bool told;
};

/* A table, which owns its arrays, but not metrics, formulas and devices. */
struct table {
	/* short name of the processor: "spr". Not owned */
	const char *model;
	const struct memory_layout *memory; /* the machine's; NULL: unknown. Not owned */
	/* name of the rows' host if a table shows several hosts in turn; NULL: one. Not owned */
	const char *host;
	int host_width; /* columns of a terminal that the longest name of a host takes */
	struct column *columns;
	size_t column_count; /* number of shown columns, which come first */
	size_t named_count;  /* columns after these, which only formulas name */
	struct row *rows;    /* rows of metrics, finest first, system last; then rows of events */
	size_t row_count;
	size_t event_rows; /* rows of events among them */
	/* by row of metrics and column; then one row of unknown values, for all rows of events */
	struct value *values;
	struct inputs *inputs;		 /* see table_inputs() */
	struct input_value *input_items; /* the items of all .inputs */
	/*
	 * indices of the columns of the latencies of CXL, local and remote DRAM; SIZE_MAX: not
	 * shown
	 */
	size_t latencies[3];
	struct marks marks;	/* events since the previous sample */
	struct tallies tallies; /* errors and events of devices; empty if no source has any */
};

/* Returns the number of all columns, shown or not. */
static inline size_t table_all_columns(const struct table *table)
{
	return table->column_count + table->named_count;
}

/* Returns the number of rows of metrics, which come first. */
static inline size_t table_metric_rows(const struct table *table)
{
	return table->row_count - table->event_rows;
}

/* Returns the inputs of a cell in a row of metrics. */
static inline struct inputs *table_inputs(const struct table *table, size_t row, size_t column)
{
	return &table->inputs[row * table_all_columns(table) + column];
}

/*
 * Allocates .values, all unknown, and sets the rows' .values; rows and columns must exist. All rows
 * of events share one array. Returns 0 or -ENOMEM; table_free() frees either way.
 */
int table_make_values(struct table *table);

/* Returns the array of unknown values that all rows of events share. */
static inline struct value *table_unknown(const struct table *table)
{
	return table->values + table_metric_rows(table) * table_all_columns(table);
}

/*
 * Returns the number of inputs that table_make_inputs() allocates, enough for any formula of each
 * cell.
 */
size_t table_input_count(const struct table *table);

/*
 * Allocates .inputs and .input_items; rows and columns must exist. Returns 0 or -ENOMEM;
 * table_free() frees either way.
 */
int table_make_inputs(struct table *table);

/* Frees the arrays, even of a table that is only partly made, and zeroes the table. */
void table_free(struct table *table);

/* Returns the index of a metric's shown column; SIZE_MAX: there is none, or metric is NULL. */
size_t table_find(const struct table *table, const char *metric);

/* Returns a column's heading for people. NULL: its metric has none, or it is .never_known. */
const char *table_heading(const struct table *table, size_t column);

/* Sets .source_of of all columns, and .latencies of the table; all columns must exist. */
void table_link_columns(struct table *table);

/*
 * Computes a cell from its inputs, and from the columns that its formula names: compute them first.
 */
void table_compute_cell(struct table *table, size_t row, size_t column);

/*
 * A maker's function: sets a cell's inputs and value, as table_compute_cell() does. maker is passed
 * through by table_compute().
 */
typedef void table_computer(void *maker, struct table *table, size_t row, size_t column);

/*
 * Computes a row of metrics. Calls compute() for each column: first for built-in metrics, then for
 * shown user-defined ones. In between, marks the CXL latency as an estimate (.scaled, .raised) if
 * reads of DRAM may have raised it. Finally sets the texts of columns that show a source. Returns
 * DRAM reads per CXL read if the latency was marked, otherwise 0.
 */
double table_compute(struct table *table, size_t row, table_computer *compute, void *maker);

#endif
