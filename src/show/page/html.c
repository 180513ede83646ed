/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/page/html.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"

#define GROUP	  3  /* digits */
#define NAME_SIZE 16 /* for a part of a template */

static const char *entity_of(char character)
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
	default:
		return NULL;
	}
}

void html_text(FILE *out, const char *text)
{
	while (*text) {
		const char *entity = entity_of(*text);
		const size_t bytes =
			*text == '\n' || *text == '\t' ? 1 : text_printable_bytes(text);

		/* a page is UTF-8 without control characters, and without entities of them */
		if (entity || !bytes)
			fputs(entity ? entity : "?", out);
		else
			fwrite(text, 1, bytes, out);
		text += bytes ? bytes : 1;
	}
}

static void put_conversion(FILE *out, const char *conversion, va_list *values)
{
	switch (conversion[strlen(conversion) - 1]) {
	case 's':
		html_text(out, va_arg(*values, const char *));
		break;
	case 'd':
		fprintf(out, conversion, va_arg(*values, int));
		break;
	case 'u':
		if (conversion[1] == 'z')
			fprintf(out, conversion, va_arg(*values, size_t));
		else
			fprintf(out, conversion, va_arg(*values, unsigned));
		break;
	case 'g':
		fprintf(out, conversion, va_arg(*values, double));
		break;
	default:
		putc('%', out);
	}
}

void html_print(FILE *out, const char *format, ...)
{
	char conversion[8];
	va_list values;

	va_start(values, format);
	for (const char *at = format; *at;) {
		const size_t plain = strcspn(at, "%");

		fwrite(at, 1, plain, out);
		at += plain;
		if (!*at)
			break;
		const size_t length = 2 + strcspn(at + 1, "sdug%");
		snprintf(conversion, sizeof(conversion), "%.*s", (int)length, at);
		put_conversion(out, conversion, &values);
		at += length;
	}
	va_end(values);
}

void html_fill(const char *template, html_put *put, const void *context, FILE *out)
{
	char name[NAME_SIZE];

	for (const char *at = template; *at;) {
		const size_t plain = strcspn(at, "{"), length = strcspn(at + plain, "}");

		fwrite(at, 1, plain, out);
		at += plain;
		if (!*at)
			break;
		snprintf(name, sizeof(name), "%.*s", (int)length - 1, at + 1);
		put(name, context, out);
		at += length + 1;
	}
}

void html_table(const char *label, const char *class_name, const char *const *headings, FILE *out)
{
	/* the keyboard can also scroll it */
	html_print(out,
		   "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		   "aria-label=\"%s\"><table class=\"%s\">\n<thead><tr>",
		   label, class_name);
	for (; *headings; headings++)
		html_print(out, "<th scope=\"col\">%s</th>", *headings);
	fputs("</tr></thead>\n", out);
}

void html_table_group(const char *name, const char *heading, const char *unit, unsigned columns,
		      FILE *out)
{
	html_print(out,
		   "<tbody data-metric=\"%s\"><tr class=\"group\"><th colspan=\"%u\" "
		   "scope=\"rowgroup\">%s <small>%s</small></th></tr>\n",
		   name, columns, heading, unit);
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

void html_three_digits(FILE *out, double value)
{
	html_number(out, value, value >= 100 || value == 0 ? 0 : value >= 10 ? 1 : 2);
}

void html_cell(FILE *out, const char *name, double value, unsigned decimals)
{
	html_print(out, "<td data-of=\"%s\">", name);
	html_number(out, value, decimals);
	fputs("</td>", out);
}
