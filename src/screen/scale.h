/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats finite numbers with fitting units. No text is wider than its kind's width. */
#ifndef CXLMON_SCALE_H
#define CXLMON_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#define SCALE_SIZE	24 /* bytes of the longest text */
#define BANDWIDTH_WIDTH 10 /* of "12.34 GB/s" */
#define LATENCY_WIDTH	7  /* "1234 ns" */
#define PERCENT_WIDTH	6  /* "100.0%" */
#define RATE_WIDTH	7  /* "12.5k/s" */
#define FREQUENCY_WIDTH 9  /* "3.200 GHz" */
#define MEMORY_WIDTH	9  /* "128.0 GiB" */
#define OTHER_WIDTH	13 /* "99.99 Gxxxxxx" */

struct scaled_text {
	char text[SCALE_SIZE];
};

/*
 * MB/s as B/s to TB/s, or B/s to TiB/s, with the unit and the decimals of like, the largest of a
 * column.
 */
struct scaled_text scale_bandwidth(double MBps, double like, bool binary);
/* ns: "320 ns", "12.3 us" */
struct scaled_text scale_latency(double ns);
/* "0.3%" */
struct scaled_text scale_percent(double pct);
/* A rate: "0/s", "12.5k/s"; "<.001/s" is more than 0 */
struct scaled_text scale_rate(double per_s);
/* "1.234", "23.36 Gxyz", or whole: "16 lanes"; units are cut after six characters */
struct scaled_text scale_other(double number, const char *unit, bool whole);
/* MHz: "3.200 GHz" */
struct scaled_text scale_frequency(double MHz);
/* MiB as MiB to PiB, four significant digits: "128.0 GiB" */
struct scaled_text scale_memory(double MiB);
/* "4.5 s", "60 s", "59 min", "3 h" */
struct scaled_text scale_duration(double seconds);
/* "100 us", "1 s", "1.5 s" */
struct scaled_text scale_interval(uint64_t ns);

#endif
