/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A seccomp filter for perf events: only those of the run are started and stopped. It allows all
 * other calls; load_filter() allows no other ioctl() of perf events.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "linux/rights.h"
#include "linux/rights_private.h"

#define FD	0 /* arguments of ioctl() */
#define REQUEST 1

static int compare(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

/* Events that were opened one after the other have consecutive descriptors. */
static void allow_events(struct bpf_code *code, const int *sorted, size_t count)
{
	size_t i = 0;

	while (i < count && sorted[i] < 0)
		i++;
	while (i < count) {
		struct bpf_range range = {(uint32_t)sorted[i], (uint32_t)sorted[i]};

		for (i++; i < count && sorted[i] <= (int)range.last + 1; i++)
			range.last = (uint32_t)sorted[i];
		bpf_finish_within(code, &range, BPF_ALLOW);
	}
	bpf_finish(code, BPF_DENY);
}

static void assemble(struct bpf_code *code, const int *sorted, size_t count)
{
	bpf_load(code, BPF_SYSTEM_CALL);
	bpf_compare(code, BPF_JEQ, __NR_ioctl, 1, 0);
	bpf_finish(code, BPF_ALLOW);
	bpf_load(code, BPF_ARGUMENT_LOW(REQUEST));
	bpf_compare(code, BPF_JEQ, PERF_EVENT_IOC_ENABLE, 2, 0);
	bpf_compare(code, BPF_JEQ, PERF_EVENT_IOC_DISABLE, 1, 0);
	bpf_finish(code, BPF_ALLOW);
	bpf_load(code, BPF_ARGUMENT_LOW(FD));
	allow_events(code, sorted, count);
}

int rights_filter_perf(const int *events, size_t count)
{
	struct bpf_code *code = calloc(1, sizeof(*code));
	int *sorted = calloc(count, sizeof(*sorted));
	int rc = -ENOMEM;

	if (code && sorted) {
		memcpy(sorted, events, count * sizeof(*sorted));
		qsort(sorted, count, sizeof(*sorted), compare);
		assemble(code, sorted, count);
		rc = bpf_install(code);
	}
	free(sorted);
	free(code);
	return rc;
}
