/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers, times and strings, formatted in the same way in all tables and machine formats. */
#ifndef CXLMON_OUTPUT_FIELDS_H
#define CXLMON_OUTPUT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "table/table.h"

#define FIELD_INTERVAL_DECIMALS 6 /* decimals of interval_s */

/*
 * Writes a number right-aligned in a column of a table; "-" if it is not finite. width includes a
 * blank before the number; a wider number shifts the rest of its line. format is for printf() of
 * decimals and number: "%.*f", or "~%.*f" for an estimate.
 */
void field_column(FILE *out, double number, int width, const char *format, unsigned decimals);

/*
 * Writes a count in a column as field_column() does. A count below 1000 has `decimals` decimals. A
 * larger one has one decimal and an SI prefix: "30.0 G", or "~30.0 G" if estimate is true.
 */
void field_count(FILE *out, double number, int width, unsigned decimals, bool estimate);

/* Format of a metric's numbers in a table. */
struct field_unit {
	const char *text; /* unit to be shown, "MB/s"; "": none */
	double factor;	  /* factor from the metric's unit to the one shown */
	unsigned decimals;
};
/* Returns a metric's format: hardware events in millions per second, others in their unit. */
struct field_unit field_unit(const struct metric *metric);

/*
 * Writes a metric's number in a column, in the unit of field_unit(). estimate: with "~" in front.
 *
 * A user-defined metric can have numbers of any size. If its unit is 1/s, they are written as by
 * field_count(). If it has neither a unit nor a number of decimals, they have three significant
 * digits and, from 1000 on, an SI prefix.
 */
void field_value(FILE *out, const struct metric *metric, double number, int width, bool estimate);

/* Returns the columns that a string takes on a terminal, but at least width. */
int field_width(int width, const char *text);

#define FIELD_TIME_SIZE 48

/* Writes ns since 1970 as an RFC 3339 time in UTC with microseconds. Returns text. */
const char *field_time_text(char text[FIELD_TIME_SIZE], uint64_t wall_ns);

/* Writes ns since 1970 as the local time of day, for tables: "10:00:00.000". Returns text. */
const char *field_clock_text(char text[FIELD_TIME_SIZE], uint64_t wall_ns);

/* Styles in which the same calls write a row of named fields. FIELDS_NAMES: header of CSV. */
enum field_style { FIELDS_NAMES, FIELDS_CSV, FIELDS_JSON };

/* A row that is being written. The caller sets .out and .style, and writes the end of the line. */
struct fields {
	FILE *out;
	enum field_style style;
	bool follows; /* the next field is not the first */
	bool blank;   /* the caller wants the next fields to be unknown */
};

/*
 * Write an opening bracket, '{' or '[', and the closing one, '}' or ']'. For FIELDS_JSON only. name
 * is NULL for an element of an array, here and in the functions below.
 */
void fields_open(struct fields *f, const char *name, char bracket);
void fields_close(struct fields *f, char bracket);

/*
 * Write a field. A value is unknown if it is a number that is not finite, an index below 0, or an
 * empty string. Unknown values are empty in CSV, and null in JSON. A share is a percentage with
 * four significant digits. A time is as in field_time_text().
 */
void fields_number(struct fields *f, const char *name, double number, unsigned decimals);
void fields_index(struct fields *f, const char *name, int index);
void fields_share(struct fields *f, const char *name, double pct);
void fields_count(struct fields *f, const char *name, uint64_t count);
void fields_text(struct fields *f, const char *name, const char *text);
void fields_time(struct fields *f, const char *name, uint64_t wall_ns);

/* Writes the first fields of a row: time, interval_s, and missed (deadlines). */
void fields_interval(struct fields *f, uint64_t wall_ns, double interval_s, double missed);

/* Rows of a table. */

/* Returns the columns that the table's longest location() takes on a terminal, at least 7. */
int location_width(const struct table *table);

/*
 * Writes the fields of a row: its place (socket, port, ...), its event if the table has rows of
 * events, its metrics, and counted_pct. For FIELDS_NAMES, row is &row_unknown.
 */
void out_row(struct fields *f, const struct table *table, const struct row *row);

#endif
