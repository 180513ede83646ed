/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as text, for people and for programs. */
#ifndef CXLMON_COMPARE_OUTPUT_H
#define CXLMON_COMPARE_OUTPUT_H

#include <jansson.h>
#include <stdio.h>

#include "compare/comparison.h"

#define COMPARE_SCHEMA 1

/* A line for each metric and row, those first whose means differ; what only one has; the method. */
void compare_table(const struct comparison *comparison, FILE *out);

/* A row for each metric, row and statistic. */
void compare_csv(const struct comparison *comparison, FILE *out);

/* One object. NULL: out of memory. */
json_t *compare_json(const struct comparison *comparison);

/* An HTML page like that of a report, with both recordings in each chart. */
void compare_page(const struct comparison *comparison, FILE *out);

/* "metric hbm_read_MBps", "socket 1": what only one of the recordings has. Returns text. */
#define LONE_SIZE 512
const char *compare_lone(const struct lone *lone, char text[LONE_SIZE]);

#endif
