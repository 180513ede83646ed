/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values of one sample. A row is a part of the machine: a CPU, a port, a socket, the system. A
 * column is a metric. Rows of events follow. A maker (a view, or a recording) sets rows, columns,
 * and the inputs (counted numbers) of each cell. It then computes each row by table_compute().
 * Outputs only read values.
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

/* The part of the machine that a row is about. */
struct place {
	enum row_kind kind;
	int socket; /* -1: does not apply */
	int port;   /* number of the port or L3 domain; -1: does not apply */
	int cpu;    /* -1: does not apply */
	/* PCI address of the place's CXL device: "0000:35:00.0"; "": unknown. Not owned */
	const char *pci;
	const char *memdev; /* name of this device: "mem0"; "": unknown. Not owned */
	int node;	    /* NUMA node of the place, or of its device; -1: unknown */
	/* NULL: unknown, or the table is from another machine. Not owned */
	const struct cxl_device *device;
	/* kind of part that .port numbers: "ccm", TABLE_DOMAIN; NULL: CXL ports. Not owned */
	const char *port_name;
	/* name of the resctrl group; NULL: the row is not about a group. Not owned */
	const char *group;
};

/* Returns .memdev or, if that is empty, .pci. "": both are empty. */
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

	double interval_s; /* seconds that the row's shortest count covers; NAN: none is known */
	/* percent of its time in which the row's most multiplexed event was counted; NAN: none */
	double counted_pct;
	struct value *values; /* one per column */

	const struct event *event; /* NULL: a row of metrics; otherwise .values are unknown */
	const struct unit *unit;   /* events only: unit that counts, or the first of several */
	bool summed; /* events only: the count is a sum over all units of this type in the place */
	/* events only: events in the interval, and per second; NAN: unknown */
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
 * Returns true if rows of this kind can have the metric. A row of a device can have every metric of
 * ports.
 */
bool row_can_have(const struct row *row, const struct metric *metric);

#define COLUMN_FORMULAS 15 /* most formulas of a column */

/* Formulas; not owned. */
struct formula_list {
	const struct formula *items[COLUMN_FORMULAS];
	size_t count;
};

#define UNMEASURED_WHY_SIZE 96

/* A column: its metric, and facts about its values. */
struct column {
	const struct metric *metric;
	struct formula_list formulas; /* all formulas that some cell of the column may use */
	/* user-defined metric: .named[i] is the index of metric->program->metrics[i]'s column */
	size_t named[FORMULA_METRICS];
	size_t source_of; /* index of the column whose source it shows; SIZE_MAX: none */
	bool never_known; /* nothing on this machine can measure the metric */
	char why[UNMEASURED_WHY_SIZE]; /* reason for .never_known, for people; "": none */
	/* a message at the start of the run gives the reason */
	bool told;
};

/* A table. Owns its arrays; metrics, formulas and devices belong to others. */
struct table {
	/* short name of the processor: "spr". Not owned */
	const char *model;
	const struct memory_layout *memory; /* the machine's; NULL: unknown. Not owned */
	/* host of the rows, if tables of several hosts are shown; NULL: a single host. Not owned */
	const char *host;
	int host_width; /* width of the longest .host, in columns of a terminal */
	struct column *columns;
	size_t column_count; /* number of shown columns, which come first */
	size_t named_count;  /* number of the other columns, which only formulas name */
	struct row *rows;    /* rows of metrics, finest first, system last; then rows of events */
	size_t row_count;    /* number of all rows */
	size_t event_rows;   /* number of rows of events */
	/* by row of metrics and column; then unknown values, which all rows of events share */
	struct value *values;
	struct inputs *inputs;		 /* by row of metrics and column: table_inputs() */
	struct input_value *input_items; /* the items of all .inputs */
	/* columns of the read latencies of CXL, local DRAM and remote DRAM; SIZE_MAX: not shown */
	size_t latencies[3];
	struct marks marks;	/* marks that were found since the previous sample */
	struct tallies tallies; /* errors and events of devices; empty if no source counts them */
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
 * Allocates .values, all unknown, in place of earlier ones, and sets row.values. Rows and columns
 * must exist. Returns 0 or -ENOMEM. Freed by table_free(), also after failure.
 */
int table_make_values(struct table *table);

/* Returns the array of unknown values that all rows of events share. */
static inline struct value *table_unknown(const struct table *table)
{
	return table->values + table_metric_rows(table) * table_all_columns(table);
}

/* Returns the length of .input_items: each cell has room for any formula of its column. */
size_t table_input_count(const struct table *table);

/*
 * Allocates .inputs and .input_items, without formulas, in place of earlier ones. Rows and columns,
 * with their formulas, must exist. Returns 0 or -ENOMEM. Freed by table_free(), also after failure.
 */
int table_make_inputs(struct table *table);

/* Frees all arrays, and zeroes the table. A table that is only partly made is allowed. */
void table_free(struct table *table);

/* Returns the index of the shown column of the metric with this name; SIZE_MAX: none, or NULL. */
size_t table_find(const struct table *table, const char *metric);

/* Returns the index of the row of the whole system; SIZE_MAX: none. */
size_t table_system_row(const struct table *table);

/* Returns the heading of a column; NULL: its metric has none, or the column is .never_known. */
const char *table_heading(const struct table *table, size_t column);

/* Sets column.source_of of all columns, and table.latencies. All columns must exist. */
void table_link_columns(struct table *table);

/*
 * Computes the value of a cell from its inputs. The columns that its formula names must have been
 * computed.
 */
void table_compute_cell(struct table *table, size_t row, size_t column);

/* A maker's function: sets the inputs of a cell, and computes it by table_compute_cell(). */
typedef void table_computer(void *maker, struct table *table, size_t row, size_t column);

/*
 * Computes a row of metrics: calls compute(maker, table, row, column) for each built-in metric,
 * then for each user-defined one that is shown. Sets the texts of columns that show a source.
 *
 * If DRAM reads may have raised the CXL latency, marks it as .scaled and .raised, and returns DRAM
 * reads per CXL read. Otherwise returns 0.
 */
double table_compute(struct table *table, size_t row, table_computer *compute, void *maker);

#endif
