/* SPDX-License-Identifier: BSD-3-Clause */
/* Text tables of who, hot and top: a lead (pid and user), columns of numbers, and a name. */
#ifndef CXLMON_PROCESS_SHEET_H
#define CXLMON_PROCESS_SHEET_H

#include <stddef.h>
#include <stdio.h>

#include "process/report.h"

#define SHEET_COLUMNS_MOST 80
#define SHEET_LEAD_WIDTH   16		  /* characters that sheet_put_lead() prints */
#define SHEET_PROCESS	   "    PID USER" /* title of the lead of a process */

/* A column, with its number in the current row. */
struct sheet_column {
	char title[16];
	const char *unit;
	int width;	    /* characters, including the blank before the column */
	unsigned rank;	    /* 0: always shown; columns of the highest rank are left out first */
	const char *format; /* printf format of .decimals and .number; NULL: "%.*f" */
	unsigned decimals;
	double number; /* NAN: unknown */
};

/* The columns of a row; initially {0} except for .lead and .width. */
struct sheet {
	int lead;     /* characters before the columns */
	size_t width; /* characters in a line */
	struct sheet_column at[SHEET_COLUMNS_MOST];
	size_t count;
};

/* Appends copies of columns; drops those for which there is no room. */
void sheet_add(struct sheet *sheet, const struct sheet_column *columns, size_t count);

/* Leaves out columns, one rank at a time, until the rest fits, with room for a short name. */
void sheet_fit(struct sheet *sheet);

/*
 * Prints a line of titles, and one of units. above, below: text in place of the lead of each; noun:
 * the title of names, in the second line.
 */
void sheet_put_header(const struct sheet *sheet, FILE *out, const char *above, const char *below,
		      const char *noun);

/* Titles of names, by enum row_by up to BY_RESCTRL. */
extern const char *const sheet_nouns[];

/* Prints a lead: a process's pid and user; or a group's number of processes, with user "". */
void sheet_put_lead(FILE *out, unsigned number, const char *user);

/* Prints the numbers of all columns; returns the width of these in characters. */
int sheet_put_numbers(const struct sheet *sheet, FILE *out);

/* Prints the numbers, as much of a name as fits, and the end of the line. */
void sheet_put_line(const struct sheet *sheet, FILE *out, const char *name);

#endif
