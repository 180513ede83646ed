/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans of a machine's processes: on which nodes their memory is. The kernel walks page tables for
 * that, which takes long for much memory, so that scans have limits of time. It cannot be
 * interrupted within a mapping.
 */
#ifndef CXLMON_PROCESS_SCAN_H
#define CXLMON_PROCESS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/process.h"

struct platform;

enum memory_state {
	MEMORY_UNREAD, /* not yet */
	MEMORY_COUNTED,
	MEMORY_PARTIAL, /* time ran out: it has at least these bytes */
	MEMORY_LATE,	/* no time was left for it */
	MEMORY_REFUSED, /* the kernel refuses access */
	MEMORY_UNCLEAR, /* the kernel's file is not as expected */
	MEMORY_NONE	/* it has ended, or the kernel has no NUMA support */
};

/* By what process_ops.memory has returned. */
enum memory_state memory_state_of(int rc);

static inline bool memory_is_known(enum memory_state state)
{
	return state == MEMORY_COUNTED || state == MEMORY_PARTIAL;
}

/* The reading of a process's memory, for both kinds of scans. */
struct memory_reading {
	struct platform *platform;
	uint64_t until_ns; /* on its clock */
	/* Called between mappings. Not 0: ends the reading, whose result is of no use then. */
	int (*go_on)(void *context);
	void *context;
	int stopped; /* return value of .meanwhile() */
};

enum memory_state memory_reading_take(struct memory_reading *reading, unsigned pid,
				      uint64_t bytes[NUMA_NODES_MOST]);

struct scanned_memory {
	const struct listed_process *process;
	uint64_t started; /* see struct process_identity; 0: unknown */
	enum memory_state state;
	const uint64_t *bytes; /* by node, below NUMA_NODES_MOST; if counted, or partial */
};

/* A scan of all processes that have memory: neither kernel threads nor zombies. */
struct whole_scan {
	/* set by the caller */
	struct platform *platform;
	uint64_t begun_ns, until_ns; /* on the platform's clock */
	/* Called before each process and between mappings. Not 0: ends the scan, which returns it.
	 */
	int (*go_on)(void *context);
	bool (*wants)(void *context, unsigned pid); /* false: the process is left out */
	/* Called for each process, in the order of reading; what it gets is valid until it returns.
	 * 0 or a negative errno, which ends the scan. */
	int (*visit)(void *context, const struct scanned_memory *memory);
	void *context;

	size_t seen;	/* processes with memory */
	size_t refused; /* further processes, hidden by hidepid=1 */
};

/*
 * Reads the memory of all, the largest first, so that a lack of time leaves out the smallest; from
 * half of the time on, of each owner's largest first, of each owner's second largest then, and so
 * on, so that a user's many processes do not leave out those of others. None has more than half of
 * the time that is left. 0, a negative errno, or what .go_on() or .visit() returned.
 */
int whole_scan_take(struct whole_scan *scan);

#endif
