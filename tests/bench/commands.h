/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements of cxlmon-bench, one function each. All print one JSON object on standard output. */
#ifndef CXLMON_BENCH_COMMANDS_H
#define CXLMON_BENCH_COMMANDS_H

#include <jansson.h>

#include "subject.h"

/* Prints and frees a result. */
void print_result(json_t *result);

/* Sorts values, and returns one of their permilles; there is at least one value. */
uint64_t sorted_permille(uint64_t *values, size_t count, unsigned permille);
/* Returns statistics of values as {"p10", "p50", "p99", "p999", "max", "mean"}; sorts them. */
json_t *distribution(uint64_t *values, size_t count);

/* Allocates as calloc() does, and ends the process if there is no memory. */
void *allocate(size_t count, size_t size);

/* Counts the registers that a sample accesses, by kind, and those that it must: accesses.c. */
void run_accesses(const struct bench_options *options, size_t samples);

/* Runs samples, or bare loops, one per interval, under a tool that counts instructions: cost.c. */
void run_samples(const struct bench_options *options, size_t samples);
void run_decode(const struct bench_options *options, size_t samples);
void run_bare(const struct bench_options *options, size_t samples);
/* Measures the time of each, alternately. */
void run_compare(const struct bench_options *options, size_t samples);

/* Measures how late samples, or only sleeps, are: rate.c. */
void run_rate(const struct bench_options *options, size_t samples);
void run_sleeps(const struct bench_options *options, size_t samples);

/* Measures the cost of formatting samples: formats.c. */
void run_csv(const struct bench_options *options, size_t samples);
void run_json(const struct bench_options *options, size_t samples);

/* Does all that cxlmon does while it runs, until a signal ends it: watch.c. */
void run_watch(const struct bench_options *options, size_t samples);

/* Works on all CPUs in turns of an interval, without monitors and with each: neighbour.c. */
void run_spin(const struct bench_options *options, size_t rounds);
void run_stream(const struct bench_options *options, size_t rounds);
void run_chase(const struct bench_options *options, size_t rounds);
void run_requests(const struct bench_options *options, size_t rounds);
void run_faults(const struct bench_options *options, size_t rounds);

#endif
