/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/perf/sampler_private.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "linux/kernel/clock.h"
#include "linux/perf/perf.h"

#define NAME_RING_PAGES	    16		      /* names, starts and ends of 500 processes */
#define MAPPING_RINGS_BYTES ((size_t)8 << 20) /* for all CPUs: each reading goes through them */

#define NS_PER_RECORD (UINT64_C(100000000) / PROCESS_RECORDS_MOST)
#define LOST_BYTES    24 /* bytes of a record of losses, without the part that sample_id_all adds */

/* The longest record: a mapping, whose name has PATH_MAX bytes with its NUL. */
#define PROCESS_RECORD_MOST (72 + PATH_MAX + 8)

static int open_ring(struct process_records *records, struct platform *p,
		     const struct perf_target *target, enum load_mappings mappings)
{
	const bool names = mappings == MAPPINGS_NONE;
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
		.comm = names,
		.task = names,
		.mmap = !names,
		.mmap_data = mappings == MAPPINGS_ALL,
		.mmap2 = !names,
	};

	if (array_room(&records->rings, records->count, 1, sizeof(*records->rings)))
		return -ENOMEM;
	const int fd = linux_perf_open_attr(p, &attr, target);
	if (fd < 0)
		return fd;
	records->rings[records->count++] = (struct process_ring){.fd = fd, .mappings = !names};
	return 0;
}

int process_records_open(struct process_records *records, struct platform *p,
			 const struct perf_target *target, enum load_mappings mappings)
{
	const int rc = open_ring(records, p, target, MAPPINGS_NONE);

	return rc || mappings == MAPPINGS_NONE ? rc : open_ring(records, p, target, mappings);
}

int process_records_map(struct process_records *records, size_t most)
{
	/* half of all rings, if there are any */
	const size_t of_mappings = perf_ring_pages(records->count / 2, MAPPING_RINGS_BYTES);
	int rc = 0;

	for (size_t i = 0; !rc && i < records->count; i++) {
		struct process_ring *ring = &records->rings[i];
		const size_t pages = ring->mappings ? of_mappings : NAME_RING_PAGES;

		rc = perf_mapping_open(ring->fd, pages < most ? pages : most, &ring->mapping);
	}
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

static bool is_record(int next)
{
	return next == 1 || next == -E2BIG;
}

/* Adds the losses in a record, if read(2) does not count them. */
static void take_lost(struct process_records *records, const struct sample_record *record)
{
	if (record->kind == RECORD_PROCESS_LOST && !records->says_lost)
		records->lost += record->lost;
}

static bool decode_record(struct process_records *records, const uint8_t *buffer, size_t size,
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

static size_t count_records(struct perf_ring ring)
{
	struct perf_event_header header;
	size_t size, count = 0;

	while (is_record(perf_ring_next(&ring, &header, sizeof(header), &size)))
		count++;
	return count;
}

/* Finds the records of a ring that may be taken; they stay in the ring until they were visited. */
static void find_records(struct process_records *records, struct process_ring *from)
{
	struct perf_event_header header;
	size_t size;

	for (size_t i = 0; i < from->allowed; i++) {
		struct found_record *found = &records->found[records->found_count++];

		*found = (struct found_record){.ring = from, .tail = from->ring.tail};
		perf_ring_next(&from->ring, &header, sizeof(header), &size);
		found->time_ns = perf_ring_last(&from->ring);
	}
}

/* Allows more records as time passes. */
static void refill_budget(struct process_records *records)
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

static bool wants_more(const struct process_ring *ring, bool mappings)
{
	return ring->mappings == mappings && ring->allowed < ring->records;
}

static size_t count_wanting(const struct process_records *records, bool mappings)
{
	size_t count = 0;

	for (size_t i = 0; i < records->count; i++)
		count += wants_more(&records->rings[i], mappings);
	return count;
}

/* Allows each CPU an equal share; unused parts go to others. Returns the part that nobody needs. */
static size_t allow_records(struct process_records *records, bool mappings, size_t room)
{
	size_t wanting, each;

	while ((wanting = count_wanting(records, mappings)) && (each = room / wanting)) {
		for (size_t i = 0; i < records->count; i++) {
			struct process_ring *ring = &records->rings[i];
			const size_t more = ring->records - ring->allowed;

			if (!wants_more(ring, mappings))
				continue;
			ring->allowed += more < each ? more : each;
			room -= more < each ? more : each;
		}
	}
	for (size_t i = 0; room && i < records->count; i++) {
		struct process_ring *ring = &records->rings[(records->first + i) % records->count];

		room -= wants_more(ring, mappings);
		ring->allowed += wants_more(ring, mappings);
	}
	return room;
}

/* Allows records of names first: without a name, a process and its mappings are lost. */
static void allow_all(struct process_records *records)
{
	size_t mappings = 0;

	for (size_t i = 0; i < records->count; i++) {
		struct process_ring *ring = &records->rings[i];

		ring->allowed = 0;
		ring->records = count_records(ring->ring);
		mappings += ring->mappings ? ring->records : 0;
	}
	const size_t kept = mappings < records->room / 4 ? mappings : records->room / 4;

	allow_records(records, true, kept + allow_records(records, false, records->room - kept));
	records->first = (records->first + 1) % records->count;
}

/* Consecutive dropped records of a process. */
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

static void drop_record(struct process_records *records, struct dropped *dropped, unsigned pid)
{
	if (pid != dropped->pid)
		end_dropped(dropped);
	dropped->pid = pid;
	dropped->count++;
	records->lost++;
}

/*
 * Drops the remaining records. A record of a process begins with a u32 pid; a record of losses is
 * not one.
 */
static void drop_rest(struct process_records *records, struct perf_ring *ring,
		      sample_visitor *visit, void *context)
{
	struct dropped dropped = {.visit = visit, .context = context};
	struct perf_event_header header;
	uint8_t start[LOST_BYTES] = {0};
	struct sample_record record;
	uint32_t pid;
	size_t size;
	int rc;

	while (is_record(rc = perf_ring_next(ring, start, sizeof(start), &size))) {
		memcpy(&header, start, sizeof(header));
		memcpy(&pid, start + sizeof(header), sizeof(pid));
		if (header.type != PERF_RECORD_LOST) {
			drop_record(records, &dropped, pid);
		} else if (decode_record(records, start, size < LOST_BYTES ? size : LOST_BYTES,
					 &record)) {
			take_lost(records, &record);
			visit(context, &record);
		}
	}
	end_dropped(&dropped);
	records->malformed += rc < 0;
}

/* Tells if the kernel has lost more records since the last call. */
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
 * Finds losses. The kernel reports lost records only with the next record that it keeps, which may
 * come after samples that need the lost ones. A ring that has room for any record has lost none.
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
	/* by place within one ring */
	return x->tail < y->tail ? -1 : x->tail > y->tail;
}

/*
 * Visits records in the order of time: a process may be started on one CPU, and start others on
 * another.
 */
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
		if (perf_ring_next(&ring, buffer, SAMPLE_RECORD_MOST, &size) <= 0 ||
		    !decode_record(records, buffer, size, &record))
			continue;
		take_lost(records, &record);
		visit(context, &record);
	}
}

void process_records_visit(struct process_records *records, uint8_t *buffer, sample_visitor *visit,
			   void *context)
{
	if (!records->count)
		return;
	refill_budget(records);
	look_for_losses(records);
	allow_all(records);
	records->found_count = 0;
	for (size_t i = 0; i < records->count; i++)
		find_records(records, &records->rings[i]);
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
