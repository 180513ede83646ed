/* SPDX-License-Identifier: BSD-3-Clause */
/* HTML output with escaped texts. */
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

#endif
