/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans of a machine's processes, for the nodes of their memory. The kernel walks page tables for
 * this, which takes long if there is much memory, so that scans have time limits. A scan cannot be
 * interrupted within a mapping.
 */
#ifndef CXLMON_PROCESS_SCAN_H
#define CXLMON_PROCESS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/process.h"

struct platform;

/* Results of reading a process's memory. */
enum memory_state {
	MEMORY_UNREAD,	/* not read yet */
	MEMORY_COUNTED, /* all bytes are known */
	/* time ran out: the process has at least these bytes */
	MEMORY_PARTIAL,
	MEMORY_LATE,	/* no time was left to read it */
	MEMORY_REFUSED, /* the kernel refuses access */
	MEMORY_UNCLEAR, /* the kernel's file is not as expected */
	/* the process has ended, or the kernel has no NUMA support */
	MEMORY_NONE
};

/* Converts a return value of process_ops.memory. -ETIME, from its go_on(), is MEMORY_PARTIAL. */
enum memory_state memory_state_of(int rc);

/* Tells if bytes are known, perhaps as lower limits. */
static inline bool memory_is_known(enum memory_state state)
{
	return state == MEMORY_COUNTED || state == MEMORY_PARTIAL;
}

/*
 * Most nodes in .bytes; further nodes count only in .cxl and .dram. Two sockets of four nodes, with
 * eight CXL devices each, have 24.
 */
#define SCAN_NODES_MOST 32

/* Memory of a process, or of several: bytes by node. */
struct process_memory {
	double cxl, dram;		 /* bytes on CXL nodes, and on all others; NAN: unknown */
	bool partial;			 /* bytes are lower limits */
	uint64_t bytes[SCAN_NODES_MOST]; /* bytes on each of rolling_scan.numbers */
};

/* The reading of a process's memory, by a whole scan (below) or a rolling one (rolling_scan.h). */
struct memory_reading {
	/* set by the caller */
	struct platform *platform;
	uint64_t until_ns; /* time limit, on the platform's clock */
	/* called between mappings; a value other than 0 ends the reading; never NULL */
	int (*go_on)(void *context);
	void *context; /* passed to .go_on */

	/* value of .go_on() that ended the reading, whose result is invalid; 0: none */
	int stopped;
};

/* Sets a process's bytes on each node, by its number; they are valid if memory_is_known(). */
enum memory_state memory_reading_take(struct memory_reading *reading, unsigned pid,
				      uint64_t bytes[NUMA_NODES_MOST]);

struct scanned_memory {
	const struct listed_process *process;
	uint64_t started; /* see struct process_identity; 0: unknown */
	enum memory_state state;
	/* NUMA_NODES_MOST numbers of bytes, by node; valid if memory_is_known(.state) */
	const uint64_t *bytes;
};

/* A scan of all processes that have memory, which excludes kernel threads and zombies. */
struct whole_scan {
	/* set by the caller; no function is NULL */
	struct platform *platform;
	uint64_t begun_ns, until_ns; /* beginning and limit, on the platform's clock */
	/* called before reading a process and between mappings; any value but 0 ends the scan */
	int (*go_on)(void *context);
	bool (*wants)(void *context, unsigned pid); /* false: the process is left out */
	/*
	 * Called for each process, in the order of reading, even if no time was left to read it.
	 * *memory is valid during the call. Returns 0, or a negative errno, which ends the scan.
	 */
	int (*visit)(void *context, const struct scanned_memory *memory);
	void *context; /* passed to the functions above */

	/* results */
	size_t seen;	/* processes with memory that are wanted */
	size_t refused; /* processes hidden by hidepid=1, which are not in .seen */
};

/*
 * Reads the memory of all processes, the largest first, so that a lack of time leaves out the
 * smallest. After half of the time, the order is: each owner's largest process, each owner's
 * second largest, and so on, so that one user's many processes do not leave out other users. A
 * process gets at most half of the remaining time. Returns 0, -ENOMEM, or the value of .go_on() or
 * .visit() that ended the scan.
 */
int whole_scan_take(struct whole_scan *scan);

#endif
