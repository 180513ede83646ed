/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts in HTML, none of which can end an element or an attribute. */
#ifndef CXLMON_HTML_H
#define CXLMON_HTML_H

#include <stdio.h>

/* For the inside of elements, and of attributes in double quotes. */
void html_text(FILE *out, const char *text);

/*
 * Prints format, in which "%t" stands for a text that is escaped, and "%%" for a percent sign;
 * nothing else is known behind a percent sign.
 */
void html_print(FILE *out, const char *format, ...);

#endif
