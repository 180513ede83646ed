/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints HTML: escaped strings, numbers with their digits in groups ("12 345.6"), templates,
 * tables.
 */
#ifndef CXLMON_SHOW_PAGE_HTML_H
#define CXLMON_SHOW_PAGE_HTML_H

#include <stdio.h>

/* Defines a constant string with the contents of a file in src. The Makefile lists these files. */
#define HTML_EMBED(name, file)                                                                     \
	__asm__(".pushsection .rodata\n"                                                           \
		".global " #name "\n" #name ":\n"                                                  \
		".incbin \"src/" file "\"\n"                                                       \
		".byte 0\n"                                                                        \
		".popsection");                                                                    \
	extern const char name[]

/* Prints text escaped for elements, and for attributes in double quotes. */
void html_text(FILE *out, const char *text);

/*
 * Prints as fprintf(), but escapes each string (%s). The other conversions are %d, %u, %zu, %g with
 * a precision, and %%.
 */
__attribute__((format(printf, 2, 3))) void html_print(FILE *out, const char *format, ...);

/* Prints the replacement of {name} in a template. context: as passed to html_fill(). */
typedef void html_put(const char *name, const void *context, FILE *out);

/* Prints a template, in which put() replaces each {name}. */
void html_fill(const char *template, html_put *put, const void *context, FILE *out);

/*
 * Begins a table that scrolls by itself. headings end with NULL. The caller ends it with
 * "</table></div>\n".
 */
void html_table(const char *label, const char *class_name, const char *const *headings, FILE *out);

/*
 * Begins the rows of a metric in a table, under a heading. The caller ends them with "</tbody>\n".
 */
void html_table_group(const char *name, const char *heading, const char *unit, FILE *out);

/* Room for the largest double with NUMBER_MAX_DECIMALS. */
#define NUMBER_SIZE	    1024
#define NUMBER_MAX_DECIMALS 9

/* Separator of groups of three digits: a narrow no-break space. */
#define NUMBER_SEPARATOR "\u202f"

/*
 * Writes a number, with the digits before the point in groups, in the same way in every locale.
 * Returns text.
 */
const char *number_grouped(double value, unsigned decimals, char text[NUMBER_SIZE]);

/* Print a grouped number, and a cell of a table with it. Unknown numbers (NAN) are empty. */
void html_number(FILE *out, double value, unsigned decimals);
void html_cell(FILE *out, const char *name, double value, unsigned decimals);

#endif
