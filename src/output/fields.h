/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formats numbers and times, with the same digits in every output for programs. Unknown values are
 * written as the text unknown (empty, or null).
 */
#ifndef CXLMON_FIELDS_H
#define CXLMON_FIELDS_H

#include <stdint.h>
#include <stdio.h>

#define FIELD_INTERVAL_DECIMALS 6
#define FIELD_RATE_DECIMALS	3 /* of event rates */

void field_number(FILE *out, double number, unsigned decimals, const char *unknown);

/* Negative: does not apply, written as unknown. */
void field_index(FILE *out, int index, const char *unknown);

/* A percentage, with four significant digits. */
void field_share(FILE *out, double pct, const char *unknown);

/* RFC 3339 in UTC, with microseconds */
void field_time(FILE *out, uint64_t wall_ns);

#endif
