/* SPDX-License-Identifier: BSD-3-Clause */
/* HTML: escaped strings, numbers with their digits in groups ("12 345.6"), templates, tables. */
#ifndef CXLMON_SHOW_PAGE_HTML_H
#define CXLMON_SHOW_PAGE_HTML_H

#include <stdio.h>

/* Defines a string with the contents of a file in src; the Makefile lists these files. */
#define HTML_EMBED(name, file)                                                                     \
	__asm__(".pushsection .rodata\n"                                                           \
		".global " #name "\n" #name ":\n"                                                  \
		".incbin \"src/" file "\"\n"                                                       \
		".byte 0\n"                                                                        \
		".popsection");                                                                    \
	extern const char name[]

/* Escapes text for elements, and for attributes in double quotes. */
void html_text(FILE *out, const char *text);

/*
 * Prints as fprintf(), but escapes each string (%s). The other conversions are %d, %u, %zu, %g with
 * a precision, and %%.
 */
__attribute__((format(printf, 2, 3))) void html_print(FILE *out, const char *format, ...);

/* Prints the replacement of {name} in a template. */
typedef void html_put(const char *name, const void *context, FILE *out);

void html_fill(const char *template, html_put *put, const void *context, FILE *out);

/*
 * Begins a table that scrolls by itself, with these headings, which end with NULL; it ends with
 * "</table></div>\n".
 */
void html_table(const char *label, const char *class_name, const char *const *headings, FILE *out);

/* Begins the rows of a metric, under the heading that users know; they end with "</tbody>\n". */
void html_table_group(const char *name, const char *heading, const char *unit, FILE *out);

/* Room for the largest double with NUMBER_MAX_DECIMALS. */
#define NUMBER_SIZE	    1024
#define NUMBER_MAX_DECIMALS 9

/* Separator of groups of three digits: a narrow no-break space. */
#define NUMBER_SEPARATOR "\u202f"

/* Groups the digits before the point, in the same way in every locale. Returns text. */
const char *number_grouped(double value, unsigned decimals, char text[NUMBER_SIZE]);

/* Write a grouped number, and a cell of a table with one; nothing for NAN. */
void html_number(FILE *out, double value, unsigned decimals);
void html_cell(FILE *out, const char *name, double value, unsigned decimals);

#endif
