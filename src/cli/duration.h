/* SPDX-License-Identifier: BSD-3-Clause */
/* Durations and counts, as they are typed and said. */
#ifndef CXLMON_DURATION_H
#define CXLMON_DURATION_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/error.h"

#define DURATION_SIZE 96

/* "16 minutes 40 seconds", "1 day", "1 minute 0.5 seconds". Returns text. */
const char *duration_words(uint64_t ns, char text[DURATION_SIZE]);

/* "0", "1.5", "500ms", "100us", "1m": in nanoseconds. False: anything else. */
bool duration_parse(const char *text, double *ns);

#define EXPECTED_TIME "expected seconds such as 1 or 0.5, or 500ms, 100us or 1m"

/* The same, from 100 us to a year. EXIT_USAGE. */
int interval_parse(const char *text, uint64_t *ns, struct error *err);
/* COUNT: a whole number from 1. EXIT_USAGE. */
int count_parse(const char *text, uint64_t *count, struct error *err);

#endif
