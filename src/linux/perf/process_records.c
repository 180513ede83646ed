/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/perf/process_records.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "linux/perf/perf.h"

int process_records_open(struct process_records *records, struct platform *p,
			 const struct perf_target *target, enum load_mappings mappings)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PROCESS_RECORD_TYPE,
		.read_format = records->says_lost ? PERF_FORMAT_LOST : 0,
		.disabled = true,
		.sample_id_all = true,
		.use_clockid = true,
		.clockid = CLOCK_MONOTONIC,
		.comm = true,
		.task = true,
		.mmap = mappings != MAPPINGS_NONE,
		.mmap_data = mappings == MAPPINGS_ALL,
		.mmap2 = mappings != MAPPINGS_NONE,
	};

	if (array_room(&records->rings, records->count, 1, sizeof(*records->rings)))
		return -ENOMEM;
	const int fd = linux_perf_open_attr(p, &attr, target);
	if (fd < 0)
		return fd;
	records->rings[records->count++] = (struct process_ring){.fd = fd};
	return 0;
}

int process_records_map(struct process_records *records)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t pages = page < PROCESS_RING_BYTES ? PROCESS_RING_BYTES / page : 1;
	int rc = 0;

	for (size_t i = 0; !rc && i < records->count; i++)
		rc = perf_mapping_open(records->rings[i].fd, pages, &records->rings[i].mapping);
	return rc;
}

void process_records_unmap(struct process_records *records)
{
	for (size_t i = 0; i < records->count; i++)
		perf_mapping_close(&records->rings[i].mapping);
}

int process_records_enable(const struct process_records *records, struct platform *p, bool on)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < records->count; i++)
		rc = linux_perf_enable(p, records->rings[i].fd, on);
	return rc;
}

void process_records_close(struct process_records *records)
{
	process_records_unmap(records);
	for (size_t i = 0; i < records->count; i++)
		close(records->rings[i].fd);
	free(records->rings);
	free(records->found);
}

void process_records_begin(struct process_records *records)
{
	for (size_t i = 0; i < records->count; i++)
		records->rings[i].ring = perf_mapping_begin(&records->rings[i].mapping);
}

/* read(2) has counted what was lost, if the kernel says that there. */
static void take_lost(struct process_records *records, const struct sample_record *record)
{
	if (record->kind == RECORD_LOST && !records->says_lost)
		records->lost += record->lost;
}

static bool decode(struct process_records *records, const uint8_t *buffer, size_t size,
		   struct sample_record *out)
{
	const struct sample_layout layout = {.counter = false};

	if (sample_record_decode(buffer, size, &layout, out) && out->kind != RECORD_SAMPLE)
		return true;
	records->malformed++;
	return false;
}

/* Finds the records of a ring, which stay there until they were visited. */
static void find_records(struct process_records *records, struct process_ring *from,
			 uint8_t *buffer)
{
	struct perf_ring *ring = &from->ring;
	struct found_record found = {.ring = from, .tail = ring->tail};
	struct sample_record record;
	size_t size;
	int rc;

	for (; (rc = perf_ring_next(ring, buffer, SAMPLE_RECORD_MOST, &size)) > 0;
	     found.tail = ring->tail) {
		if (!decode(records, buffer, size, &record))
			continue;
		take_lost(records, &record);
		found.time_ns = record.time_ns;
		if (array_room(&records->found, records->found_count, 1, sizeof(found)))
			return;
		records->found[records->found_count++] = found;
	}
	records->malformed += rc != 0;
}

static int compare_time(const void *a, const void *b)
{
	const struct found_record *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	/* the order of one ring */
	return x->tail < y->tail ? -1 : x->tail > y->tail;
}

/* A process is started on one CPU, and starts others on another. */
void process_records_visit(struct process_records *records, uint8_t *buffer, sample_visitor *visit,
			   void *context)
{
	struct sample_record record;
	size_t size;

	records->found_count = 0;
	for (size_t i = 0; i < records->count; i++)
		find_records(records, &records->rings[i], buffer);
	if (records->found_count)
		qsort(records->found, records->found_count, sizeof(*records->found), compare_time);
	for (size_t i = 0; i < records->found_count; i++) {
		struct perf_ring ring = records->found[i].ring->ring;

		ring.tail = records->found[i].tail;
		if (perf_ring_next(&ring, buffer, SAMPLE_RECORD_MOST, &size) > 0 &&
		    decode(records, buffer, size, &record))
			visit(context, &record);
	}
	for (size_t i = 0; i < records->count; i++)
		perf_mapping_end(&records->rings[i].mapping, &records->rings[i].ring);
}

void process_records_update(struct process_records *records)
{
	struct {
		uint64_t count, lost;
	} now;

	for (size_t i = 0; records->says_lost && i < records->count; i++) {
		struct process_ring *ring = &records->rings[i];

		if (read(ring->fd, &now, sizeof(now)) != (ssize_t)sizeof(now))
			continue;
		records->lost += now.lost - ring->lost;
		ring->lost = now.lost;
	}
}
