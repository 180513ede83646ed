/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints HTML: escaped strings, numbers with groups of digits ("12 345.6"), templates and tables.
 */
#ifndef CXLMON_SHOW_PAGE_HTML_H
#define CXLMON_SHOW_PAGE_HTML_H

#include <stdio.h>

/* Defines a string constant with the contents of a file in src, which the Makefile must list. */
#define HTML_EMBED(name, file)                                                                     \
	__asm__(".pushsection .rodata\n"                                                           \
		".global " #name "\n" #name ":\n"                                                  \
		".incbin \"src/" file "\"\n"                                                       \
		".byte 0\n"                                                                        \
		".popsection");                                                                    \
	extern const char name[]

/* Prints text, escaped for elements and for attributes in double quotes. */
void html_text(FILE *out, const char *text);

/*
 * Prints as fprintf() does, but escapes each string (%s). Other allowed conversions are %d, %u,
 * %zu, %g with a precision, and %%.
 */
__attribute__((format(printf, 2, 3))) void html_print(FILE *out, const char *format, ...);

/* Prints the text that replaces {name} in a template. context: as passed to html_fill(). */
typedef void html_put(const char *name, const void *context, FILE *out);

/* Prints a template, in which put() replaces each {name}. */
void html_fill(const char *template, html_put *put, const void *context, FILE *out);

/*
 * Begins a table, which scrolls if it is too wide. headings: names of columns, NULL after the last.
 * The caller ends the table with "</table></div>\n".
 */
void html_table(const char *label, const char *class_name, const char *const *headings, FILE *out);

/*
 * Begins rows of one metric under a heading, which spans the table's columns. The caller ends them
 * with "</tbody>\n".
 */
void html_table_group(const char *name, const char *heading, const char *unit, unsigned columns,
		      FILE *out);

/* Room for the largest double with NUMBER_MAX_DECIMALS. */
#define NUMBER_SIZE	    1024
#define NUMBER_MAX_DECIMALS 9

/* Separator of groups of three digits: a narrow no-break space. */
#define NUMBER_SEPARATOR "\u202f"

/*
 * Writes a number with groups of digits before the point, in every locale in the same way. Returns
 * text.
 */
const char *number_grouped(double value, unsigned decimals, char text[NUMBER_SIZE]);

/* Prints a number as number_grouped() does; nothing for NAN. */
void html_number(FILE *out, double value, unsigned decimals);
/* Prints a number with at least three digits, at most two of them decimals; 0 as "0". */
void html_three_digits(FILE *out, double value);
/* Prints a cell of a table with a number. name: attribute data-of of the cell. */
void html_cell(FILE *out, const char *name, double value, unsigned decimals);

#endif
