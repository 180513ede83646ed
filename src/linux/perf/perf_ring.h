/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ring buffer that the kernel writes records of a perf event to. Its bytes are not trusted: an
 * impossible record ends the reading.
 *
 * Source: perf_event_open(2), include/uapi/linux/perf_event.h.
 */
#ifndef CXLMON_LINUX_PERF_PERF_RING_H
#define CXLMON_LINUX_PERF_PERF_RING_H

#include <stddef.h>
#include <stdint.h>

struct perf_ring {
	const uint8_t *data;
	uint64_t size;	     /* bytes; a power of 2 */
	uint64_t head, tail; /* as in struct perf_event_mmap_page */
};

/*
 * Copies the next record to a buffer of room bytes, and moves .tail to its end. 1; 0: no record is
 * left. -E2BIG: the record is too long: its first bytes are copied. -EBADMSG: the bytes are not a
 * record; .tail is then at the head.
 */
int perf_ring_next(struct perf_ring *ring, void *buffer, size_t room, size_t *size);

/* Returns the last 8 bytes of the record that perf_ring_next() has passed. */
uint64_t perf_ring_last(const struct perf_ring *ring);

/* The mapped ring of a descriptor. */
struct perf_mapping {
	void *page; /* struct perf_event_mmap_page, then the ring; NULL: none */
	size_t bytes;
};

/*
 * Returns the pages of each ring, of which each CPU has one, and which take at most so many bytes
 * in all: a power of 2.
 *
 * Without CAP_IPC_LOCK a user may have kernel.perf_event_mlock_kb (516 KiB: 1 + 128 pages) on each
 * CPU, which perf also takes: this holds the samples of some 4500 loads. The limit includes the
 * page in front of each ring; with very many CPUs rings have PERF_RING_PAGES_LEAST pages
 * nevertheless.
 */
#define PERF_RING_PAGES_LEAST 4
size_t perf_ring_pages(size_t cpus, size_t bytes);

/* Maps a ring. pages is a power of 2. 0 or a negative errno. */
int perf_mapping_open(int fd, size_t pages, struct perf_mapping *out);
void perf_mapping_close(struct perf_mapping *mapping);

/* Returns the ring with all that the kernel has written until now. */
struct perf_ring perf_mapping_begin(const struct perf_mapping *mapping);
/* Lets the kernel overwrite the records that were read. */
void perf_mapping_end(const struct perf_mapping *mapping, const struct perf_ring *ring);

#endif
