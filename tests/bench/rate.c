/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <time.h>

#include "commands.h"
#include "linux/kernel/clock.h"

void run_rate(const struct bench_options *options, size_t samples)
{
	uint64_t *late = allocate(samples, sizeof(*late)), *skew = allocate(samples, sizeof(*skew));
	uint64_t *frozen = allocate(samples, sizeof(*frozen)), missed = 0;
	struct subject s;

	subject_open(&s, options);
	clock_set_timerslack(); /* as in the monitor */
	tap_watch(&s.tap);
	for (size_t i = 0; i < samples; i++) {
		subject_wait(&s);
		late[i] = s.tap.late_ns;
		tap_forget(&s.tap);
		subject_sample(&s);
		skew[i] = s.tap.last_ns - s.tap.first_ns;
		const struct sample *sample = subject_decode(&s);
		missed += sample->missed;
		frozen[i] = sample->frozen_ns;
	}
	tap_off(&s.tap);
	print_result(json_pack("{s:I, s:o, s:o, s:o}", "missed", (json_int_t)missed, "late_ns",
			       distribution(late, samples), "frozen_ns",
			       distribution(frozen, samples), "skew_ns",
			       distribution(skew, samples)));
	subject_close(&s);
	free(late);
	free(skew);
	free(frozen);
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / 1000000000),
				 .tv_nsec = (long)(ns % 1000000000)};
}

/* Measures sleeps with the smallest timer slack. */
void run_sleeps(const struct bench_options *options, size_t samples)
{
	uint64_t *late = allocate(samples, sizeof(*late));
	uint64_t deadline = clock_monotonic(), missed = 0;

	clock_set_timerslack();
	for (size_t i = 0; i < samples; i++) {
		deadline += options->interval_ns;
		const struct timespec until = timespec_of(deadline);
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
		late[i] = clock_monotonic() - deadline;
		missed += late[i] >= options->interval_ns;
	}
	print_result(json_pack("{s:I, s:o}", "missed", (json_int_t)missed, "late_ns",
			       distribution(late, samples)));
	free(late);
}
