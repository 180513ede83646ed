/* SPDX-License-Identifier: BSD-3-Clause */
/* The text that an output format writes, as a string. */
#ifndef CXLMON_TEST_TEXT_OUTPUT_H
#define CXLMON_TEST_TEXT_OUTPUT_H

#include "output/sink.h"

struct text_output {
	struct sink sink;
	char *text; /* complete after text_output_close() */
	size_t length;
};

/* Opens an output in memory, and begins it. */
void text_output_open(struct text_output *o, const struct format *format,
		      const struct table *table);

/* Ends the output; the caller frees .text. */
void text_output_close(struct text_output *o);

/* Ends the output, asserts its bytes, and frees .text. */
void text_output_assert(struct text_output *o, const char *expected);

#endif
