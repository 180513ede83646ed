/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/html.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

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
