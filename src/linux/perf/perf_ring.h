/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ring buffer to which the kernel writes records of a perf event. Its bytes are not trusted: an
 * impossible record ends the reading.
 *
 * Source: perf_event_open(2), include/uapi/linux/perf_event.h.
 */
#ifndef CXLMON_LINUX_PERF_PERF_RING_H
#define CXLMON_LINUX_PERF_PERF_RING_H

#include <stddef.h>
#include <stdint.h>

/* The records of a ring at one moment. .head and .tail count bytes since the ring was mapped. */
struct perf_ring {
	const uint8_t *data; /* not owned */
	uint64_t size;	     /* bytes; a power of 2 */
	uint64_t head, tail; /* end of the last record, and start of the next one to read */
};

/*
 * Copies the next record to a buffer of room bytes, sets *size to the record's size, and moves
 * .tail to its end. Returns:
 *
 * - 1: the record was copied
 * - 0: no record is left
 * - -E2BIG: the record is longer than room; only its first room bytes were copied
 * - -EBADMSG: the bytes are not a record; .tail was moved to .head
 */
int perf_ring_next(struct perf_ring *ring, void *buffer, size_t room, size_t *size);

/*
 * Returns the last 8 bytes of the record that the last perf_ring_next() passed, also with -E2BIG.
 */
uint64_t perf_ring_last(const struct perf_ring *ring);

/* The mapped ring of a descriptor. */
struct perf_mapping {
	void *page; /* struct perf_event_mmap_page, then the ring; NULL: none */
	size_t bytes;
};

/*
 * Returns the number of pages for each CPU's ring: the largest power of 2 from
 * PERF_RING_PAGES_LEAST to 128 with which the rings of all CPUs fit into `bytes`, with one more
 * page in front of each ring. If no number fits, returns PERF_RING_PAGES_LEAST.
 *
 * A ring of 128 pages holds the samples of some 4500 loads. Without CAP_IPC_LOCK a user may have
 * kernel.perf_event_mlock_kb (516 KiB: 1 + 128 pages) on each CPU.
 */
#define PERF_RING_PAGES_LEAST 4
size_t perf_ring_pages(size_t cpus, size_t bytes);

/* Maps the ring of an event's descriptor. pages is a power of 2. Returns 0 or a negative errno. */
int perf_mapping_open(int fd, size_t pages, struct perf_mapping *out);
void perf_mapping_close(struct perf_mapping *mapping); /* does nothing if it is not mapped */

/* Returns the ring with all records that the kernel has written until now. */
struct perf_ring perf_mapping_begin(const struct perf_mapping *mapping);
/* Lets the kernel overwrite the records before ring->tail, which were read. */
void perf_mapping_end(const struct perf_mapping *mapping, const struct perf_ring *ring);

#endif
