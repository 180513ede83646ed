/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "bare.h"
#include "commands.h"
#include "linux/kernel/clock.h"

#define WARM_UP 4 /* samples, in which every group counts once */

static void warm_up(struct subject *s)
{
	for (unsigned i = 0; i < WARM_UP; i++) {
		subject_wait(s);
		subject_sample(s);
	}
}

void run_samples(const struct bench_options *options, size_t samples)
{
	struct subject s;

	subject_open(&s, options);
	for (size_t i = 0; i < samples && subject_wait(&s); i++)
		subject_sample(&s);
	print_result(json_object());
	subject_close(&s);
}

void run_decode(const struct bench_options *options, size_t samples)
{
	struct subject s;

	subject_open(&s, options);
	for (size_t i = 0; i < samples && subject_wait(&s); i++) {
		subject_sample(&s);
		subject_decode(&s);
	}
	print_result(json_object());
	subject_close(&s);
}

void run_bare(const struct bench_options *options, size_t samples)
{
	struct bare bare = {0};
	struct subject s;

	subject_open(&s, options);
	subject_wait(&s);
	bare_take(&bare, &s);
	for (size_t i = 0; i < samples && subject_pause(&s); i++)
		bare_run(&bare);
	print_result(json_object());
	bare_free(&bare);
	subject_close(&s);
}

/* Alternates both, so that other work of the machine disturbs them alike. */
void run_compare(const struct bench_options *options, size_t samples)
{
	json_t *pairs = json_array();
	struct bare bare = {0};
	struct subject s;

	subject_open(&s, options);
	warm_up(&s);
	subject_wait(&s);
	bare_take(&bare, &s);
	for (size_t i = 0; i < samples && subject_wait(&s); i++) {
		uint64_t start = clock_monotonic();
		subject_sample(&s);
		const uint64_t sampled = clock_monotonic() - start;
		subject_decode(&s);

		subject_pause(&s);
		start = clock_monotonic();
		bare_run(&bare);
		const uint64_t looped = clock_monotonic() - start;
		json_array_append_new(pairs,
				      json_pack("[I, I]", (json_int_t)sampled, (json_int_t)looped));
	}
	print_result(json_pack("{s:o, s:I, s:I}", "pairs_ns", pairs, "accesses",
			       (json_int_t)bare.count, "counters",
			       (json_int_t)s.plan.counter_count));
	bare_free(&bare);
	subject_close(&s);
}
