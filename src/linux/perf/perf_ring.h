/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ring buffer that the kernel writes records of a perf event to. Its bytes are not trusted:
 * what can't be a record ends the reading.
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
 * Copies the next record to a buffer of room bytes, and moves tail behind it. 1; 0: there is none
 * left. -E2BIG: it has no room: its first bytes are copied. -EBADMSG: what is there is no record;
 * tail is at the head.
 */
int perf_ring_next(struct perf_ring *ring, void *buffer, size_t room, size_t *size);

/* The last 8 bytes of the record that perf_ring_next() has passed. */
uint64_t perf_ring_last(const struct perf_ring *ring);

/* A ring of a descriptor. */
struct perf_mapping {
	void *page; /* struct perf_event_mmap_page, then the ring; NULL: none */
	size_t bytes;
};

/*
 * Pages of each ring, where each CPU has one, and all may take so many bytes: a power of 2.
 *
 * Without CAP_IPC_LOCK a user may have kernel.perf_event_mlock_kb (516 KiB: 1 + 128 pages) on each
 * CPU, which is what perf takes, too: it has the samples of some 4500 loads. The page in front of
 * each ring counts; rings of very many CPUs have the fewest pages nevertheless.
 */
#define PERF_RING_PAGES_LEAST 4
size_t perf_ring_pages(size_t cpus, size_t bytes);

/* pages is a power of 2. 0 or a negative errno. */
int perf_mapping_open(int fd, size_t pages, struct perf_mapping *out);
void perf_mapping_close(struct perf_mapping *mapping);

/* The ring with what the kernel has written until now. */
struct perf_ring perf_mapping_begin(const struct perf_mapping *mapping);
/* From here on the kernel may overwrite what was read. */
void perf_mapping_end(const struct perf_mapping *mapping, const struct perf_ring *ring);

#endif
