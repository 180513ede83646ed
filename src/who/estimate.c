/* SPDX-License-Identifier: BSD-3-Clause */
#include "who/estimate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* CPU time that a process has used on a CPU as far as we know. */
static bool counts(const struct who_thread *thread)
{
	return thread->ran && thread->cpu < WHO_CPUS_MOST;
}

static double share_of(const struct who_scan *scan, const struct who_process *process,
		       const uint64_t *ran, who_cpu_reads *reads, const void *context)
{
	double sum = 0;

	if (!process->threads_known)
		return NAN;
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct who_thread *thread = &scan->threads[process->first_thread + i];

		if (counts(thread))
			sum += reads(context, thread->cpu) * (double)thread->ran /
			       (double)ran[thread->cpu];
	}
	return sum;
}

int who_estimate(struct who_scan *scan, who_cpu_reads *reads, const void *context)
{
	uint64_t *ran = calloc(WHO_CPUS_MOST, sizeof(*ran));

	if (!ran)
		return -ENOMEM;
	for (size_t p = 0; p < scan->count; p++) {
		const struct who_process *process = &scan->processes[p];

		for (size_t i = 0; process->threads_known && i < process->thread_count; i++) {
			const struct who_thread *thread = &scan->threads[process->first_thread + i];

			if (counts(thread))
				ran[thread->cpu] += thread->ran;
		}
	}
	for (size_t p = 0; p < scan->count; p++)
		scan->processes[p].cpu_MBps =
			share_of(scan, &scan->processes[p], ran, reads, context);
	free(ran);
	return 0;
}
