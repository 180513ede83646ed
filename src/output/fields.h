/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How numbers and times are written, so that they are the same to the last digit in every output
 * for programs. What is not known is written as the caller has it: nothing, or null.
 */
#ifndef CXLMON_FIELDS_H
#define CXLMON_FIELDS_H

#include <stdint.h>
#include <stdio.h>

#define FIELD_INTERVAL_DECIMALS 6
#define FIELD_RATE_DECIMALS	3 /* of an event */

void field_number(FILE *out, double number, unsigned decimals, const char *unknown);

/* From 0 on; below, it does not apply. */
void field_index(FILE *out, int index, const char *unknown);

/* A share in percent, with four digits that count. */
void field_share(FILE *out, double pct, const char *unknown);

/* RFC 3339 in UTC, with microseconds */
void field_time(FILE *out, uint64_t wall_ns);

#endif
