/* SPDX-License-Identifier: BSD-3-Clause */
/* A result for people to read. */
#ifndef CXLMON_SELFTEST_RESULT_TEXT_H
#define CXLMON_SELFTEST_RESULT_TEXT_H

#include <stdio.h>

#include "selftest/result.h"

#define SELFTEST_NAME_SIZE 96

/* "node 2 (mem0, socket 0 port 0)"; returns text. */
const char *selftest_node_name(const struct selftest_node *node, char text[SELFTEST_NAME_SIZE]);

/* "agrees", "off by -50.0 %", and what else is to be said; returns text. */
#define SELFTEST_VERDICT_SIZE 128
const char *selftest_verdict(const struct selftest_line *line, char text[SELFTEST_VERDICT_SIZE]);

void selftest_print(const struct selftest_result *result, FILE *out);

#endif
