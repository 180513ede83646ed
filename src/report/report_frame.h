/* SPDX-License-Identifier: BSD-3-Clause */
/* What is around the contents of every page, and the facts at its head. */
#ifndef CXLMON_REPORT_FRAME_H
#define CXLMON_REPORT_FRAME_H

#include <stdint.h>
#include <stdio.h>

#include "record/recording.h"

/* Up to the text of the title, which is printed next; then up to the contents; then their end. */
void frame_begin(FILE *out);
void frame_begin_contents(FILE *out);
void frame_end(FILE *out);

/* "2026-11-22 07:05:28 UTC" of ns since 1970. */
void frame_time(uint64_t ns, FILE *out);

/* An entry of the list of facts. */
void frame_fact(const char *name, const char *value, FILE *out);

/* With as many decimals as nine digits leave; no zeros at the end. */
#define FRAME_SECONDS_SIZE 1100
const char *frame_seconds(double seconds, char text[FRAME_SECONDS_SIZE]);

/* Of --sim; NULL: it is no recording of a simulated processor. */
const char *frame_simulated(const struct recording_info *about);

#endif
