/* SPDX-License-Identifier: BSD-3-Clause */
/* The text that an output format writes. */
#ifndef CXLMON_TEST_TEXT_OUTPUT_H
#define CXLMON_TEST_TEXT_OUTPUT_H

#include "output/sink.h"

/* Opens an output of text, and begins it. */
void text_output_open(struct sink *sink, const struct format *format, const struct table *table);

/* Ends the output. Returns its text, which is freed when the test has ended. */
const char *text_output_close(struct sink *sink);

/* Ends the output, and asserts its text. */
void text_output_assert(struct sink *sink, const char *expected);

#endif
