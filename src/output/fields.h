/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formats numbers, times and texts, in the same way in every output for programs. Unknown numbers
 * are written as the text unknown (empty, or null).
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

/*
 * A text as a field of CSV, quoted if needed. One that a spreadsheet would take for a formula gets
 * an apostrophe in front.
 */
void field_text(FILE *out, const char *text);

/* A string of JSON; null where it is empty, which is unknown, as in CSV. text is UTF-8. */
void field_json_text(FILE *out, const char *text);

#endif
