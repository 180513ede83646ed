/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formats numbers with fitting units. No text is wider than its kind's width, whatever the number.
 * NAN is a dash.
 */
#ifndef CXLMON_SCALE_H
#define CXLMON_SCALE_H

#include <stdint.h>

#define SCALE_SIZE	16 /* bytes of the longest text */
#define BANDWIDTH_WIDTH 10 /* of "12.34 GB/s", which is padded to it */
#define LATENCY_WIDTH	7  /* "1234 ns" */
#define PERCENT_WIDTH	6  /* "100.0%" */
#define RATE_WIDTH	7  /* "12.5k/s" */
#define NUMBER_WIDTH	5  /* "1.234" */
#define FREQUENCY_WIDTH 9  /* "3.200 GHz" */
#define MEMORY_WIDTH	9  /* "128.0 GiB" */

struct scaled_text {
	char text[SCALE_SIZE];
};

/* MB/s as B/s to TB/s, four significant digits, BANDWIDTH_WIDTH wide. */
struct scaled_text scale_bandwidth(double MBps);
/* ns: "320 ns", "12.3 us" */
struct scaled_text scale_latency(double ns);
/* "0.3%" */
struct scaled_text scale_percent(double pct);
/* A rate: "0/s", "12.5k/s"; "<.001/s" is more than 0 */
struct scaled_text scale_rate(double per_s);
/* A ratio, or clocks, four significant digits: "1.234", "40.00" */
struct scaled_text scale_number(double number);
/* MHz: "3.200 GHz" */
struct scaled_text scale_frequency(double MHz);
/* MiB as MiB to PiB, four significant digits: "128.0 GiB" */
struct scaled_text scale_memory(double MiB);
/* "100 us", "1 s", "1.5 s" */
struct scaled_text scale_interval(uint64_t ns);

#endif
