/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/perf/process_records.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "linux/clock.h"
#include "linux/perf/perf.h"

#define NS_PER_RECORD (UINT64_C(100000000) / PROCESS_RECORDS_MOST)
#define LOST_BYTES    24 /* of a record of what was lost, without what sample_id_all adds */

/* Bytes that a record has at most: a mapping, whose name has PATH_MAX with its NUL. */
#define PROCESS_RECORD_MOST (72 + PATH_MAX + 8)

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
}

void process_records_begin(struct process_records *records)
{
	for (size_t i = 0; i < records->count; i++)
		records->rings[i].ring = perf_mapping_begin(&records->rings[i].mapping);
}

/* read(2) has counted what was lost, if the kernel says that there. */
static void take_lost(struct process_records *records, const struct sample_record *record)
{
	if (record->kind == RECORD_PROCESS_LOST && !records->says_lost)
		records->lost += record->lost;
}

static bool decode(struct process_records *records, const uint8_t *buffer, size_t size,
		   struct sample_record *out)
{
	const struct sample_layout layout = {.counter = false};

	if (sample_record_decode(buffer, size, &layout, out) && out->kind != RECORD_SAMPLE) {
		if (out->kind == RECORD_LOST)
			out->kind = RECORD_PROCESS_LOST;
		return true;
	}
	records->malformed++;
	return false;
}

/* Finds up to so many records of a ring, which stay there until they were visited. */
static void find_records(struct process_records *records, struct process_ring *from, size_t most,
			 uint8_t *buffer)
{
	struct perf_ring *ring = &from->ring;
	struct found_record found = {.ring = from, .tail = ring->tail};
	struct sample_record record;
	size_t size;
	int rc = 0;

	for (; most && (rc = perf_ring_next(ring, buffer, SAMPLE_RECORD_MOST, &size)) > 0;
	     found.tail = ring->tail) {
		if (!decode(records, buffer, size, &record))
			continue;
		take_lost(records, &record);
		found.time_ns = record.time_ns;
		records->found[records->found_count++] = found;
		most--;
	}
	records->malformed += rc < 0;
}

/* Records may be taken again as time passes. */
static void refill(struct process_records *records)
{
	const uint64_t now_ns = clock_monotonic();
	const uint64_t more =
		now_ns > records->refilled_ns ? (now_ns - records->refilled_ns) / NS_PER_RECORD : 0;

	if (!more)
		return;
	records->room = more < PROCESS_RECORDS_MOST - records->room ? records->room + more
								    : PROCESS_RECORDS_MOST;
	records->refilled_ns = now_ns;
}

/* reserved: records of each ring that comes later. */
static void find_in_rings(struct process_records *records, size_t reserved, uint8_t *buffer)
{
	const size_t count = records->count;

	for (size_t i = 0; i < count; i++) {
		const size_t left = records->room - records->found_count;
		const size_t others = reserved * (count - 1 - i);

		if (left > others)
			find_records(records, &records->rings[(records->first + i) % count],
				     left - others, buffer);
	}
}

/* Records of a process that are dropped, one after the other. */
struct dropped {
	unsigned pid; /* 0: there are none */
	uint64_t count;
	sample_visitor *visit;
	void *context;
};

static void end_dropped(struct dropped *dropped)
{
	if (dropped->pid)
		dropped->visit(dropped->context,
			       &(struct sample_record){.kind = RECORD_PROCESS_LOST,
						       .pid = dropped->pid,
						       .lost = dropped->count});
	dropped->pid = 0;
	dropped->count = 0;
}

static void drop(struct process_records *records, struct dropped *dropped, unsigned pid)
{
	if (pid != dropped->pid)
		end_dropped(dropped);
	dropped->pid = pid;
	dropped->count++;
	records->lost++;
}

/* Records of processes begin with a u32 pid. One of what the kernel has lost is not of a process.
 */
static void drop_rest(struct process_records *records, struct perf_ring *ring,
		      sample_visitor *visit, void *context)
{
	struct dropped dropped = {.visit = visit, .context = context};
	struct perf_event_header header;
	uint8_t start[LOST_BYTES];
	struct sample_record record;
	uint32_t pid;
	size_t size;
	int rc;

	while ((rc = perf_ring_next(ring, start, sizeof(start), &size)) && rc != -EBADMSG) {
		memcpy(&header, start, sizeof(header));
		memcpy(&pid, start + sizeof(header), sizeof(pid));
		if (header.type != PERF_RECORD_LOST) {
			drop(records, &dropped, pid);
		} else if (decode(records, start, size < LOST_BYTES ? size : LOST_BYTES, &record)) {
			take_lost(records, &record);
			visit(context, &record);
		}
	}
	end_dropped(&dropped);
	records->malformed += rc < 0;
}

/* Whether the kernel has lost more since the last time. */
static bool read_lost(struct process_records *records, struct process_ring *ring)
{
	struct {
		uint64_t count, lost;
	} now;

	if (!records->says_lost || read(ring->fd, &now, sizeof(now)) != (ssize_t)sizeof(now))
		return false;
	const uint64_t more = now.lost - ring->lost;
	records->lost += more;
	ring->lost = now.lost;
	return more;
}

/*
 * The kernel says that it has lost records only with the next one that it keeps, which may come
 * after samples that need what was lost. In a ring that has room for any record it has lost none.
 */
static void look_for_losses(struct process_records *records)
{
	for (size_t i = 0; i < records->count; i++) {
		struct process_ring *ring = &records->rings[i];
		const uint64_t used = ring->ring.head - ring->ring.tail;

		if (used + PROCESS_RECORD_MOST > ring->ring.size)
			records->untold |= read_lost(records, ring);
	}
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
static void visit_found(struct process_records *records, uint8_t *buffer, sample_visitor *visit,
			void *context)
{
	struct sample_record record;
	size_t size;

	if (records->found_count)
		qsort(records->found, records->found_count, sizeof(*records->found), compare_time);
	for (size_t i = 0; i < records->found_count; i++) {
		struct perf_ring ring = records->found[i].ring->ring;

		ring.tail = records->found[i].tail;
		if (perf_ring_next(&ring, buffer, SAMPLE_RECORD_MOST, &size) > 0 &&
		    decode(records, buffer, size, &record))
			visit(context, &record);
	}
}

void process_records_visit(struct process_records *records, uint8_t *buffer, sample_visitor *visit,
			   void *context)
{
	if (!records->count)
		return;
	refill(records);
	look_for_losses(records);
	records->found_count = 0;
	find_in_rings(records, records->room / 2 / records->count, buffer);
	find_in_rings(records, 0, buffer);
	records->first = (records->first + 1) % records->count;
	records->room -= records->found_count;
	visit_found(records, buffer, visit, context);
	for (size_t i = 0; i < records->count; i++) {
		struct process_ring *ring = &records->rings[i];

		drop_rest(records, &ring->ring, visit, context);
		perf_mapping_end(&ring->mapping, &ring->ring);
	}
	if (records->untold)
		visit(context, &(struct sample_record){.kind = RECORD_PROCESS_LOST});
	records->untold = false;
}

void process_records_update(struct process_records *records)
{
	for (size_t i = 0; i < records->count; i++)
		records->untold |= read_lost(records, &records->rings[i]);
}
