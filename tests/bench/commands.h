/* SPDX-License-Identifier: BSD-3-Clause */
/* What cxlmon-bench measures, a function each. All print one JSON object on standard output. */
#ifndef CXLMON_BENCH_COMMANDS_H
#define CXLMON_BENCH_COMMANDS_H

#include <jansson.h>

#include "subject.h"

/* Prints and frees it. */
void print_result(json_t *result);

/* Sorts them; there is at least one. */
uint64_t sorted_permille(uint64_t *values, size_t count, unsigned permille);
/* Statistics of values as {"p10", "p50", "p99", "p999", "max", "mean"}; sorts them. */
json_t *distribution(uint64_t *values, size_t count);

/* calloc() that ends the process where there is no memory. */
void *allocate(size_t count, size_t size);

/* accesses.c: how many registers a sample touches, by kind, and how many it must. */
void run_accesses(const struct bench_options *options, size_t samples);

/* cost.c: samples, or bare loops, one an interval, under a tool that counts instructions; */
void run_samples(const struct bench_options *options, size_t samples);
void run_decode(const struct bench_options *options, size_t samples);
void run_bare(const struct bench_options *options, size_t samples);
/* and the time of each, alternately. */
void run_compare(const struct bench_options *options, size_t samples);

/* rate.c: how late samples are, or sleeps alone. */
void run_rate(const struct bench_options *options, size_t samples);
void run_sleeps(const struct bench_options *options, size_t samples);

/* formats.c: what formatting of samples costs. */
void run_csv(const struct bench_options *options, size_t samples);
void run_json(const struct bench_options *options, size_t samples);

/* watch.c: what cxlmon does all the time it runs, until a signal ends it. */
void run_watch(const struct bench_options *options, size_t samples);

/* neighbour.c: work on all CPUs in turns of an interval, alone and beside each monitor. */
void run_spin(const struct bench_options *options, size_t rounds);
void run_stream(const struct bench_options *options, size_t rounds);
void run_chase(const struct bench_options *options, size_t rounds);
void run_requests(const struct bench_options *options, size_t rounds);
void run_faults(const struct bench_options *options, size_t rounds);

#endif
