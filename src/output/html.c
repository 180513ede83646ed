/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/html.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#define GROUP 3 /* digits */

static const char *entity(char character)
{
	switch (character) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	case '\n':
	case '\t':
		return NULL;
	default: /* no control character may be in a page, nor written as an entity */
		return iscntrl((unsigned char)character) ? "?" : NULL;
	}
}

void html_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		const char *escaped = entity(*text);

		if (escaped)
			fputs(escaped, out);
		else
			putc(*text, out);
	}
}

void html_print(FILE *out, const char *format, ...)
{
	va_list texts;

	va_start(texts, format);
	for (const char *at = format; *at; at++) {
		if (!strncmp(at, "%t", 2)) {
			html_text(out, va_arg(texts, const char *));
			at++;
		} else {
			at += !strncmp(at, "%%", 2);
			putc(*at, out);
		}
	}
	va_end(texts);
}

const char *number_grouped(double value, unsigned decimals, char text[NUMBER_SIZE])
{
	char plain[NUMBER_SIZE / 2];
	size_t used = 0;

	if (decimals > NUMBER_MAX_DECIMALS)
		decimals = NUMBER_MAX_DECIMALS;
	snprintf(plain, sizeof(plain), "%.*f", (int)decimals, value);
	const char *digits = plain + (*plain == '-');
	const size_t whole = strspn(digits, "0123456789");

	for (const char *at = plain; *at; at++) {
		const size_t left = at < digits + whole ? (size_t)(digits + whole - at) : 0;

		if (at > digits && left && left % GROUP == 0)
			used += (size_t)snprintf(text + used, NUMBER_SIZE - used, "%s",
						 NUMBER_SEPARATOR);
		text[used++] = *at;
	}
	text[used] = '\0';
	return text;
}

void html_number(FILE *out, double value, unsigned decimals)
{
	char text[NUMBER_SIZE];

	if (!isnan(value))
		fputs(number_grouped(value, decimals, text), out);
}

void html_cell(FILE *out, const char *name, double value, unsigned decimals)
{
	html_print(out, "<td data-of=\"%t\">", name);
	html_number(out, value, decimals);
	fputs("</td>", out);
}
