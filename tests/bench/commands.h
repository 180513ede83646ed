/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements of cxlmon-bench. Each prints one JSON object on standard output. */
#ifndef CXLMON_BENCH_COMMANDS_H
#define CXLMON_BENCH_COMMANDS_H

#include <jansson.h>

#include "subject.h"

/* Prints and frees a result. */
void print_result(json_t *result);

/* Sorts count values, at least one, and returns the value at this permille. */
uint64_t sorted_permille(uint64_t *values, size_t count, unsigned permille);
/* Sorts values, and returns their statistics: {"p10", "p50", "p99", "p999", "max", "mean"}. */
json_t *distribution(uint64_t *values, size_t count);

/* Allocates as calloc() does, and ends the process if there is no memory. */
void *allocate(size_t count, size_t size);

/* Counts a sample's register accesses by kind, and the fewest possible: accesses.c. */
void run_accesses(const struct bench_options *options, size_t samples);

/* Run samples, decoding or bare loops (bare.h), for a tool that counts instructions: cost.c. */
void run_samples(const struct bench_options *options, size_t samples);
void run_decode(const struct bench_options *options, size_t samples);
void run_bare(const struct bench_options *options, size_t samples);
/* Measures the times of samples, their decoding and bare loops, in turn. */
void run_compare(const struct bench_options *options, size_t samples);

/* Measure how late samples are, or sleeps without samples: rate.c. */
void run_rate(const struct bench_options *options, size_t samples);
void run_sleeps(const struct bench_options *options, size_t samples);

/* Measure the cost of formatting samples: formats.c. */
void run_csv(const struct bench_options *options, size_t samples);
void run_json(const struct bench_options *options, size_t samples);

/* Samples and writes, as cxlmon does while it runs, until a signal ends it: watch.c. */
void run_watch(const struct bench_options *options, size_t samples);

/* Work on all CPUs in rounds of an interval, without a monitor and with each: neighbour.c. */
void run_spin(const struct bench_options *options, size_t rounds);
void run_stream(const struct bench_options *options, size_t rounds);
void run_chase(const struct bench_options *options, size_t rounds);
void run_requests(const struct bench_options *options, size_t rounds);
void run_faults(const struct bench_options *options, size_t rounds);

#endif
