/* SPDX-License-Identifier: BSD-3-Clause */
#include "text_output.h"

#include "unit.h"

void text_output_open(struct sink *sink, const struct format *format, const struct table *table)
{
	*sink = (struct sink){.format = format, .table = table, .out = text_open()};
	ck_assert_int_eq(format->begin(sink), 0);
}

const char *text_output_close(struct sink *sink)
{
	if (sink->format->end)
		sink->format->end(sink);
	return text_close(sink->out);
}

void text_output_assert(struct sink *sink, const char *expected)
{
	ck_assert_str_eq(text_output_close(sink), expected);
}
