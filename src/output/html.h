/* SPDX-License-Identifier: BSD-3-Clause */
/* HTML output: escaped texts, and numbers with their digits in groups: "12 345.6". */
#ifndef CXLMON_HTML_H
#define CXLMON_HTML_H

#include <stdio.h>

/* Escapes text for elements, and for attributes in double quotes. */
void html_text(FILE *out, const char *text);

/*
 * Prints format; "%t" is replaced by an escaped text, "%%" by a percent sign. There are no other
 * conversions.
 */
void html_print(FILE *out, const char *format, ...);

/* For the largest double with NUMBER_MAX_DECIMALS. */
#define NUMBER_SIZE	    1024
#define NUMBER_MAX_DECIMALS 9

/* Between groups of three digits: a narrow no-break space. */
#define NUMBER_SEPARATOR "\u202f"

/* Groups the digits before the point, in the same way in every locale. Returns text. */
const char *number_grouped(double value, unsigned decimals, char text[NUMBER_SIZE]);

/* A grouped number, and a cell of a table with one; nothing for NAN. */
void html_number(FILE *out, double value, unsigned decimals);
void html_cell(FILE *out, const char *name, double value, unsigned decimals);

#endif
