/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/perf/perf_ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Copies bytes from a place on, which may continue at the beginning of the ring. */
static void copy_bytes(const struct perf_ring *ring, uint64_t place, uint8_t *out, size_t count)
{
	const uint64_t at = place & (ring->size - 1);
	const uint64_t straight = ring->size - at < count ? ring->size - at : count;

	memcpy(out, ring->data + at, straight);
	memcpy(out + straight, ring->data, count - straight);
}

/* Returns the size of the record at the tail; 0: it is invalid. */
static size_t record_size(const struct perf_ring *ring)
{
	const uint64_t there = ring->head - ring->tail;
	struct perf_event_header header;

	if (there < sizeof(header) || there > ring->size)
		return 0;
	copy_bytes(ring, ring->tail, (uint8_t *)&header, sizeof(header));
	return header.size >= sizeof(header) && header.size <= there &&
			       header.size % sizeof(uint64_t) == 0
		       ? header.size
		       : 0;
}

int perf_ring_next(struct perf_ring *ring, void *buffer, size_t room, size_t *size)
{
	if (ring->head == ring->tail)
		return 0;
	*size = record_size(ring);
	if (!*size) {
		ring->tail = ring->head;
		return -EBADMSG;
	}
	copy_bytes(ring, ring->tail, buffer, *size <= room ? *size : room);
	ring->tail += *size;
	return *size <= room ? 1 : -E2BIG;
}

#define RING_PAGES_MOST 128

uint64_t perf_ring_last(const struct perf_ring *ring)
{
	uint64_t last;

	copy_bytes(ring, ring->tail - sizeof(last), (uint8_t *)&last, sizeof(last));
	return last;
}

size_t perf_ring_pages(size_t cpus, size_t bytes)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t pages = RING_PAGES_MOST;

	while (pages > PERF_RING_PAGES_LEAST && cpus * (pages + 1) * page > bytes)
		pages /= 2;
	return pages;
}

int perf_mapping_open(int fd, size_t pages, struct perf_mapping *out)
{
	const size_t bytes = (pages + 1) * (size_t)sysconf(_SC_PAGESIZE);
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	*out = (struct perf_mapping){.page = NULL};
	if (map == MAP_FAILED)
		return -errno;
	*out = (struct perf_mapping){.page = map, .bytes = bytes};
	return 0;
}

void perf_mapping_close(struct perf_mapping *mapping)
{
	if (mapping->page)
		munmap(mapping->page, mapping->bytes);
	mapping->page = NULL;
}

struct perf_ring perf_mapping_begin(const struct perf_mapping *mapping)
{
	const struct perf_event_mmap_page *page = mapping->page;
	const size_t page_size = (size_t)sysconf(_SC_PAGESIZE);

	return (struct perf_ring){
		.data = (const uint8_t *)mapping->page + page_size,
		.size = mapping->bytes - page_size,
		/* the kernel moves it after writing the data before it */
		.head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE),
		.tail = page->data_tail,
	};
}

void perf_mapping_end(const struct perf_mapping *mapping, const struct perf_ring *ring)
{
	struct perf_event_mmap_page *page = mapping->page;

	__atomic_store_n(&page->data_tail, ring->tail, __ATOMIC_RELEASE);
}
