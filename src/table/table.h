/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of one sample: a row for each CPU, port, socket and the system, and a column for each
 * metric; then rows of events. A maker sets rows, columns and inputs, then computes each row with
 * table_compute(). Readers print, draw or sum values, and do not know the maker.
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

#define TABLE_DOMAIN	"domain" /* place.port_name of L3 domains */
#define GROUP_NAME_SIZE 128	 /* most bytes of place.group, with its NUL */

/* The place about which a row has numbers. Places of two tables are compared by place_compare(). */
struct place {
	enum row_kind kind;
	int socket; /* -1: does not apply */
	int port;   /* number of the port or L3 domain; -1: does not apply */
	int cpu;    /* -1: does not apply */
	/* PCI address of the device at a port: "0000:35:00.0"; empty: unknown */
	const char *pci;
	const char *memdev; /* name of the device, "mem0"; empty: unknown */
	int node;	    /* the node of a NUMA node's row, otherwise the device's; -1: unknown */
	const struct cxl_device *device; /* NULL: unknown, or of another machine. Not owned */
	/* NULL: a port; otherwise the name of the numbered part: "ccm", TABLE_DOMAIN */
	const char *port_name;
	const char *group; /* name of a group of tasks; NULL: not a group. Not owned */
};

/* Returns "mem0", or the PCI address if the name is unknown. */
static inline const char *place_device_name(const struct place *place)
{
	return *place->memdev ? place->memdev : place->pci;
}

/* Returns true if a place is a port, or a device whose port is unknown. */
static inline bool place_is_of_port(const struct place *place)
{
	return place->kind == ROW_PORT || place->kind == ROW_DEVICE;
}

struct row {
	struct place place;

	double interval_s; /* shortest time of any count of the row; NAN: nothing counted */
	/* smallest share of it for which a count of the row was counted; NAN: nothing counted */
	double counted_pct;
	struct value *values; /* per column */

	const struct event
		*event; /* NULL: a row of metrics. In a row of an event values are unknown */
	const struct unit *unit; /* unit that counts the event, or the first of several */
	bool summed;		 /* sum over the units of that type in the row's scope */
	double count, per_s;	 /* numbers for the whole interval; NAN: unknown */
};

/* A row of the system without any known value. */
extern const struct row row_unknown;

static inline enum scope row_scope(const struct row *row)
{
	return row_scopes[row->place.kind];
}

/*
 * Returns true if a row can have values of a metric. A device can have all values that a port can.
 */
bool row_can_have(const struct row *row, const struct metric *metric);

#define COLUMN_FORMULAS 15 /* the most formulas that the cells of a column use */

struct formula_list {
	const struct formula *items[COLUMN_FORMULAS];
	size_t count;
};

#define UNMEASURED_WHY_SIZE 96

struct column {
	const struct metric *metric;
	struct formula_list formulas;  /* formulas that its cells may use */
	size_t named[FORMULA_METRICS]; /* columns that its formula names, in their order */
	size_t source_of;	       /* column whose source it shows; SIZE_MAX: none */
	bool never_known;	       /* nothing on this machine can fill it */
	char why[UNMEASURED_WHY_SIZE]; /* reason for .never_known; empty: none is to be given */
	bool told;		       /* the reason is given at the start of a run */
};

/* Owns its arrays, but not metrics, formulas and devices. */
struct table {
	const char *model;		    /* short name of the processor: "spr". Not owned */
	const struct memory_layout *memory; /* the machine's; NULL: unknown. Not owned */
	struct column *columns;
	size_t column_count; /* shown columns */
	size_t named_count;  /* columns after these that only formulas name */
	/* rows of metrics, the finest first, the system last; then rows of events */
	struct row *rows;
	size_t row_count;
	size_t event_rows;		 /* rows of events among them */
	struct value *values;		 /* by row and column */
	struct inputs *inputs;		 /* by row of metrics and column */
	struct input_value *input_items; /* items of .inputs */
	/* shown columns of the latencies of CXL, local and remote DRAM; SIZE_MAX: none */
	size_t latencies[3];
	struct marks marks;	/* events since the previous sample */
	struct tallies tallies; /* errors and events of devices; empty if no source has them */
};

/* Returns the number of shown columns and named ones. */
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
 * Makes unknown values for the rows of metrics, which must exist with their columns, and one array
 * for all rows of events. -ENOMEM.
 */
int table_make_values(struct table *table);

/* Returns the values of rows of events. */
static inline struct value *table_unknown(const struct table *table)
{
	return table->values + table_metric_rows(table) * table_all_columns(table);
}

/* Returns the most inputs of all cells in rows of metrics, by the formulas of columns. */
size_t table_input_count(const struct table *table);

/* Makes room for these inputs. -ENOMEM. */
int table_make_inputs(struct table *table);

/* Frees the arrays, also of a table that is only partly made. */
void table_free(struct table *table);

/* Returns the index of a metric's shown column; SIZE_MAX: no such column, or name is NULL. */
size_t table_find(const struct table *table, const char *metric);

/*
 * Returns the heading of a column. NULL: it is not in the table for people, or nothing can fill it.
 */
const char *table_heading(const struct table *table, size_t column);

/* Sets columns' .source_of, and .latencies; all columns must exist. */
void table_link_columns(struct table *table);

/* Computes the value of a cell from its inputs. */
void table_compute_cell(struct table *table, size_t row, size_t column);

/* Computes the value of a cell, as table_compute_cell() does. */
typedef void table_computer(void *maker, struct table *table, size_t row, size_t column);

/*
 * Computes the values of a row of metrics: first numbers, by compute(); marks the CXL latency as an
 * estimate if reads of DRAM may have raised it; then computes columns whose formulas name others,
 * and sets the sources' texts. Returns reads of DRAM per CXL read if the latency was marked,
 * otherwise 0.
 */
double table_compute(struct table *table, size_t row, table_computer *compute, void *maker);

#endif
