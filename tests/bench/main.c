/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-bench [--sim=SPEC | --root=DIR] [--metrics=LIST] [--interval=NS] [--step=NS] [--still]
 *              [--perf] [--frozen] [--slow] [--beside=PID]... MEASURE COUNT
 *
 * Measures the sampling path in process; run by tests/bench/run.
 */
#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

static void run_nothing(const struct bench_options *options, size_t samples)
{
	(void)options;
	(void)samples;
	print_result(json_object());
}

static const struct {
	const char *name;
	void (*run)(const struct bench_options *options, size_t samples);
} measures[] = {
	{"accesses", run_accesses}, {"samples", run_samples}, {"bare", run_bare},
	{"compare", run_compare},   {"rate", run_rate},	      {"sleeps", run_sleeps},
	{"csv", run_csv},	    {"json", run_json},	      {"nothing", run_nothing},
	{"decode", run_decode},	    {"watch", run_watch},     {"spin", run_spin},
	{"stream", run_stream},	    {"chase", run_chase},     {"requests", run_requests},
	{"faults", run_faults},
};

#define MEASURES (sizeof(measures) / sizeof(measures[0]))

static int compare_numbers(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

uint64_t sorted_permille(uint64_t *values, size_t count, unsigned permille)
{
	qsort(values, count, sizeof(*values), compare_numbers);
	return values[(count - 1) * permille / 1000];
}

json_t *distribution(uint64_t *values, size_t count)
{
	uint64_t sum = 0;

	if (!count)
		return json_null();
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	const json_int_t max = (json_int_t)sorted_permille(values, count, 1000);
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:f}", "p10",
			 (json_int_t)values[(count - 1) / 10], "p50",
			 (json_int_t)values[(count - 1) / 2], "p99",
			 (json_int_t)values[(count - 1) * 99 / 100], "p999",
			 (json_int_t)values[(count - 1) * 999 / 1000], "max", max, "mean",
			 (double)sum / (double)count);
}

void print_result(json_t *result)
{
	if (!result || json_dumpf(result, stdout, JSON_COMPACT) || puts("") == EOF)
		errx(1, "the result cannot be printed");
	json_decref(result);
	fflush(stdout);
}

void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count + 1, size);

	if (!memory)
		errx(1, "out of memory");
	return memory;
}

static void take_option(int option, struct bench_options *options)
{
	switch (option) {
	case 's':
		options->sim = optarg;
		break;
	case 'r':
		options->root = optarg;
		break;
	case 'm':
		options->metrics = optarg;
		break;
	case 'i':
		options->interval_ns = strtoull(optarg, NULL, 10);
		break;
	case 't':
		options->step_ns = strtoull(optarg, NULL, 10);
		break;
	case 'f':
		options->frozen = true;
		break;
	case 'H':
		options->slow = true;
		break;
	case 'S':
		options->still = true;
		break;
	case 'P':
		options->perf = true;
		break;
	case 'b':
		if (options->beside_count == BENCH_BESIDE)
			errx(2, "at most %d monitors", BENCH_BESIDE);
		options->beside[options->beside_count++] = (pid_t)strtoul(optarg, NULL, 10);
		break;
	default:
		exit(2);
	}
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"sim", required_argument, NULL, 's'},
		{"root", required_argument, NULL, 'r'},
		{"metrics", required_argument, NULL, 'm'},
		{"interval", required_argument, NULL, 'i'},
		{"step", required_argument, NULL, 't'},
		{"frozen", no_argument, NULL, 'f'},
		{"slow", no_argument, NULL, 'H'},
		{"still", no_argument, NULL, 'S'},
		{"perf", no_argument, NULL, 'P'},
		{"beside", required_argument, NULL, 'b'},
		{NULL, 0, NULL, 0},
	};
	struct bench_options chosen = {
		.root = "/", .metrics = "cxl,latency,dram", .interval_ns = 1000000000};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		take_option(option, &chosen);
	for (size_t i = 0; optind + 2 == argc && i < MEASURES; i++) {
		if (strcmp(argv[optind], measures[i].name) != 0)
			continue;
		measures[i].run(&chosen, strtoull(argv[optind + 1], NULL, 10));
		return 0;
	}
	errx(2, "usage: cxlmon-bench [--sim=SPEC | --root=DIR] [--metrics=LIST] [--interval=NS] "
		"[--step=NS] [--slow] [--still] [--perf] [--frozen] [--beside=PID]... MEASURE "
		"COUNT");
}
