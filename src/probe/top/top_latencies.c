/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/top/top_latencies.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Latencies of one process, or of its guest, from one kind of memory. */
struct latency_sum {
	unsigned pid;
	enum read_memory memory;
	uint64_t serial; /* process_entry.serial of the process; higher is later */
	size_t at, size; /* its part of .coded */
};

static void free_interval(struct latency_interval *interval)
{
	free(interval->sums);
	bytes_free(&interval->coded);
}

void top_latencies_free(struct top_latencies *latencies)
{
	for (size_t i = 0; i < latencies->count; i++)
		free_interval(&latencies->intervals[i]);
	latencies->count = 0;
}

uint64_t top_latencies_ns(const struct top_latencies *latencies)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < latencies->count; i++)
		ns += latencies->intervals[i].ns;
	return ns;
}

static void add_sum(struct latency_interval *interval, const struct sampled_row *row,
		    enum read_memory memory)
{
	struct latencies latencies = *sampled_row_latencies(row, TIME_INTERVAL, memory);
	const size_t at = interval->coded.size;

	if (!latencies.count)
		return;
	latencies_code(&(struct coder){.out = &interval->coded}, &latencies);
	interval->sums[interval->sum_count++] =
		(struct latency_sum){.pid = row->pid,
				     .memory = memory,
				     .serial = row->key.a,
				     .at = at,
				     .size = interval->coded.size - at};
}

static int by_pid(const void *a, const void *b)
{
	const struct latency_sum *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static int make_interval(const struct process_report *report, struct latency_interval *out)
{
	*out = (struct latency_interval){
		.ns = report->ns,
		.sums = calloc(2 * report->count + 1, sizeof(*out->sums)),
	};
	for (size_t i = 0; out->sums && i < report->count; i++)
		for (enum read_memory m = MEMORY_CXL; m <= MEMORY_DRAM; m++)
			add_sum(out, report->rows[i], m);
	if (!out->sums || out->coded.failed) {
		free_interval(out);
		return -ENOMEM;
	}
	qsort(out->sums, out->sum_count, sizeof(*out->sums), by_pid);
	return 0;
}

static void drop_oldest(struct top_latencies *latencies)
{
	free_interval(&latencies->intervals[0]);
	latencies->count--;
	memmove(&latencies->intervals[0], &latencies->intervals[1],
		latencies->count * sizeof(latencies->intervals[0]));
}

int top_latencies_add(struct top_latencies *latencies, const struct process_report *report)
{
	struct latency_interval made;
	const int rc = make_interval(report, &made);

	if (rc)
		return rc;
	if (latencies->count == TOP_LATENCIES_MOST)
		drop_oldest(latencies);
	latencies->intervals[latencies->count++] = made;
	while (top_latencies_ns(latencies) - latencies->intervals[0].ns >= TOP_LATENCIES_NS)
		drop_oldest(latencies);
	return 0;
}

/* Returns the first sum of a process, or its place if it has none. */
static const struct latency_sum *find_process(const struct latency_interval *interval, unsigned pid)
{
	size_t low = 0, high = interval->sum_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (interval->sums[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return &interval->sums[low];
}

static uint64_t last_serial(const struct top_latencies *latencies, unsigned pid)
{
	uint64_t serial = 0;

	for (size_t i = 0; i < latencies->count; i++) {
		const struct latency_interval *interval = &latencies->intervals[i];
		const struct latency_sum *end = interval->sums + interval->sum_count;

		for (const struct latency_sum *s = find_process(interval, pid);
		     s < end && s->pid == pid; s++)
			serial = s->serial > serial ? s->serial : serial;
	}
	return serial;
}

void top_latencies_sum(const struct top_latencies *latencies, unsigned pid, enum read_memory memory,
		       struct latencies *out)
{
	const uint64_t serial = last_serial(latencies, pid);

	for (size_t i = 0; i < latencies->count; i++) {
		const struct latency_interval *interval = &latencies->intervals[i];
		const struct latency_sum *end = interval->sums + interval->sum_count;

		for (const struct latency_sum *s = find_process(interval, pid);
		     s < end && s->pid == pid; s++)
			if (s->memory == memory && s->serial == serial)
				latencies_code(&(struct coder){.at = interval->coded.data + s->at,
							       .left = s->size},
					       out);
	}
}
