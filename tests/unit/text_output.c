/* SPDX-License-Identifier: BSD-3-Clause */
#include "text_output.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

void text_output_open(struct text_output *o, const struct format *format, const struct table *table)
{
	*o = (struct text_output){.sink = {.format = format, .table = table}};
	o->sink.out = open_memstream(&o->text, &o->length);
	ck_assert_int_eq(format->begin(&o->sink), 0);
}

void text_output_close(struct text_output *o)
{
	if (o->sink.format->end)
		o->sink.format->end(&o->sink);
	ck_assert_int_eq(fclose(o->sink.out), 0);
	ck_assert_uint_eq(o->length, strlen(o->text));
}

void text_output_assert(struct text_output *o, const char *expected)
{
	text_output_close(o);
	ck_assert_str_eq(o->text, expected);
	free(o->text);
}
