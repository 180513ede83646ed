/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as text, for people and for programs. */
#ifndef CXLMON_COMPARE_PRINT_H
#define CXLMON_COMPARE_PRINT_H

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
#define UNMATCHED_SIZE 512
const char *compare_unmatched(const struct unmatched *unmatched, char text[UNMATCHED_SIZE]);

/* Numbers for people: short whatever a recording has. Unknown ones are "". */
#define COMPARED_NUMBER_SIZE 48

/* Each returns text. */
const char *compared_value(double value, unsigned decimals, char text[COMPARED_NUMBER_SIZE]);
/* With its sign; 0 has none. */
const char *compared_signed(double value, unsigned decimals, char text[COMPARED_NUMBER_SIZE]);
/* "+5.00" */
const char *compared_pct(double pct, char text[COMPARED_NUMBER_SIZE]);
/* "0.012", "< 0.001" */
const char *compared_p(double p, char text[COMPARED_NUMBER_SIZE]);

#endif
