/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers, times and strings, formatted in the same way in every table and every output for
 * programs.
 */
#ifndef CXLMON_OUTPUT_FIELDS_H
#define CXLMON_OUTPUT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "table/table.h"

#define FIELD_INTERVAL_DECIMALS 6

/*
 * Writes a number right-aligned in a column of a table; "-" if it is unknown. width includes a
 * blank before the number. format is for printf() of the decimals and the number: "%.*f", or
 * "~%.*f" for an estimate. A number that is too wide shifts the rest of its line.
 */
void field_column(FILE *out, double number, int width, const char *format, unsigned decimals);

/*
 * Writes a count in a column: "30.0 G", with an SI prefix from 1000 on; "~30.0 G" for an estimate.
 * A count with a prefix has one decimal.
 */
void field_count(FILE *out, double number, int width, unsigned decimals, bool estimate);

/* The format of a metric's numbers in a table: hardware events are in millions per second. */
struct field_unit {
	const char *text; /* "MB/s"; "": the metric has no unit */
	double factor;	  /* numbers are multiplied by it */
	unsigned decimals;
};
struct field_unit field_unit(const struct metric *metric);

/*
 * Writes a metric's number in a column, in the unit of field_unit(). A user-defined metric may have
 * any size: if it is a rate, its number has an SI prefix from 1000 on. If it has neither a unit nor
 * stated decimals, its number has such a prefix and three significant digits.
 */
void field_value(FILE *out, const struct metric *metric, double number, int width, bool estimate);

/* Returns the larger of a width and the columns that a string takes on a terminal. */
int field_width(int width, const char *text);

#define FIELD_TIME_SIZE 48

/* Writes an RFC 3339 time in UTC, with microseconds. Returns text. */
const char *field_time_text(char text[FIELD_TIME_SIZE], uint64_t wall_ns);

/* Writes the local time of day for tables: "10:00:00.000". Returns text. */
const char *field_clock_text(char text[FIELD_TIME_SIZE], uint64_t wall_ns);

/* A row of named fields: one function writes it as CSV, as CSV's header, and as a JSON object. */
enum field_style { FIELDS_NAMES, FIELDS_CSV, FIELDS_JSON };

struct fields {
	FILE *out;
	enum field_style style;
	bool follows; /* the next field follows another one */
	bool blank;   /* the next fields have no value: they are empty, or null */
};

/*
 * Write brackets around the next fields, in JSON only. name is NULL for an element of an array,
 * here and for the fields below.
 */
void fields_open(struct fields *f, const char *name, char bracket);
void fields_close(struct fields *f, char bracket);

/*
 * Write a field. Unknown values are empty, or null in JSON: numbers that are not finite, indices
 * below 0, and in JSON empty strings. A share is a percentage with four significant digits.
 */
void fields_number(struct fields *f, const char *name, double number, unsigned decimals);
void fields_index(struct fields *f, const char *name, int index);
void fields_share(struct fields *f, const char *name, double pct);
void fields_count(struct fields *f, const char *name, uint64_t count);
void fields_text(struct fields *f, const char *name, const char *text);
void fields_time(struct fields *f, const char *name, uint64_t wall_ns);

/* Writes the first fields of a row: time, interval_s, and missed (deadlines). */
void fields_interval(struct fields *f, uint64_t wall_ns, double interval_s, double missed);

/* Rows as formats show them. */

/* Returns the width of the longest location, at least 7. */
int location_width(const struct table *table);

/*
 * Writes the fields from socket to counted_pct, in the order of CSV. row may be NULL if the style
 * is FIELDS_NAMES.
 */
void out_row(struct fields *f, const struct table *table, const struct row *row);

#endif
