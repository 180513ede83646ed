/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/load/load_private.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "linux/memory/nodes.h"

#define MIB		(UINT64_C(1) << 20)
#define CACHE_UNKNOWN	(64 * MIB) /* if the kernel does not report it */
#define TIMES_THE_CACHE 12	   /* then the chase, on a part of it, hardly ever hits */
#define LEAST		(256 * MIB)
#define PAGES_AT_ONCE	1024

static int free_bytes(int node, uint64_t *bytes, struct error *err)
{
	const int rc = numa_free_bytes(node, bytes);

	return rc ? error_set(err, ERROR_FAILED, rc, "node %d: does not exist, or has no memory",
			      node)
		  : 0;
}

static uint64_t cache_bytes(void)
{
#ifdef _SC_LEVEL3_CACHE_SIZE
	const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#else
	const long bytes = 0;
#endif

	return bytes > 0 ? (uint64_t)bytes : CACHE_UNKNOWN;
}

static uint64_t whole_pages(uint64_t bytes)
{
	return bytes / PLACEMENT_HUGE_PAGE * PLACEMENT_HUGE_PAGE;
}

int placement_size(int node, uint64_t *bytes, struct error *err)
{
	const uint64_t cache = cache_bytes(), wanted = TIMES_THE_CACHE * cache;
	uint64_t free;
	const int rc = free_bytes(node, &free, err);

	if (rc)
		return rc;
	*bytes = whole_pages(wanted > LEAST ? wanted : LEAST);
	if (*bytes > free / 2)
		*bytes = whole_pages(free / 2);
	if (*bytes < 2 * cache)
		return error_set(err, ERROR_FAILED, -ENOMEM,
				 "node %d: too little memory is free (%" PRIu64 " MiB): half of it "
				 "must be twice as large as the last-level cache (%" PRIu64 " MiB)",
				 node, free / MIB, cache / MIB);
	return 0;
}

static int reserve_memory(struct placement *out, int node, uint64_t bytes)
{
	void *map = mmap(NULL, bytes + PLACEMENT_HUGE_PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (map == MAP_FAILED)
		return -errno;
	const uintptr_t first = (uintptr_t)map + PLACEMENT_HUGE_PAGE - 1;
	*out = (struct placement){
		.base = (char *)map +
			(first / PLACEMENT_HUGE_PAGE * PLACEMENT_HUGE_PAGE - (uintptr_t)map),
		.bytes = bytes,
		.map = map,
		.map_bytes = bytes + PLACEMENT_HUGE_PAGE,
	};
	madvise(out->base, bytes, MADV_HUGEPAGE); /* failure leaves small pages, which suffice */
	madvise(map, out->map_bytes, MADV_DONTDUMP);
	madvise(map, out->map_bytes, MADV_DONTFORK);
	const int rc = numa_bind(out->base, bytes, node);
	return rc == -ENOSYS ? 0 : rc; /* there is only one node */
}

int placement_reserve(struct placement *placement, int node, uint64_t bytes, struct error *err)
{
	uint64_t free;
	int rc = free_bytes(node, &free, err);

	*placement = (struct placement){.base = NULL};
	if (rc)
		return rc;
	bytes = whole_pages(bytes + PLACEMENT_HUGE_PAGE - 1);
	if (bytes > free)
		return error_set(err, ERROR_FAILED, -ENOMEM,
				 "node %d: %" PRIu64 " MiB are free, but %" PRIu64 " MiB are "
				 "needed",
				 node, free / MIB, bytes / MIB);
	rc = reserve_memory(placement, node, bytes);
	if (!rc)
		return 0;
	placement_free(placement);
	return error_set(err, rc == -EPERM ? ERROR_PERMISSION : ERROR_FAILED, rc,
			 "node %d: %" PRIu64 " MiB cannot be bound to it: %s%s", node, bytes / MIB,
			 strerror(-rc),
			 rc == -EPERM ? "; containers need the capability SYS_NICE for mbind" : "");
}

int placement_verify(const struct placement *placement, int node, struct error *err)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = placement->bytes / page;
	void *at[PAGES_AT_ONCE];
	int nodes[PAGES_AT_ONCE];

	for (size_t done = 0; done < pages;) {
		size_t count = 0;

		for (; count < PAGES_AT_ONCE && done < pages; count++)
			at[count] = placement->base + done++ * page;
		const int rc = numa_nodes_of(at, count, nodes);
		if (rc == -ENOSYS)
			return 0;
		if (rc)
			return error_set(err, ERROR_FAILED, rc,
					 "node %d: the kernel does not report the nodes of pages: "
					 "%s",
					 node, strerror(-rc));
		for (size_t i = 0; i < count; i++)
			if (nodes[i] < 0)
				return error_set(err, ERROR_FAILED, nodes[i],
						 "node %d: the node of a page is unknown: %s", node,
						 strerror(-nodes[i]));
			else if (nodes[i] != node)
				return error_set(err, ERROR_FAILED, -EXDEV,
						 "node %d: a page that was bound to it is on node "
						 "%d",
						 node, nodes[i]);
	}
	return 0;
}

void placement_free(struct placement *placement)
{
	if (placement->map)
		munmap(placement->map, placement->map_bytes);
	*placement = (struct placement){.base = NULL};
}
