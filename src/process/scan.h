/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans that find how much memory each process has on each NUMA node. The kernel walks page tables
 * for this, and takes long if a process has much memory. So scans have time limits. A limit takes
 * effect between two mappings.
 */
#ifndef CXLMON_PROCESS_SCAN_H
#define CXLMON_PROCESS_SCAN_H

#include <math.h>
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

/* Converts a return value of process_ops.memory; -ETIME becomes MEMORY_PARTIAL. */
enum memory_state memory_state_of(int rc);

/* Tells if the bytes of a process are known, at least as lower limits. */
static inline bool memory_is_known(enum memory_state state)
{
	return state == MEMORY_COUNTED || state == MEMORY_PARTIAL;
}

/*
 * Most nodes in process_memory.bytes; further nodes count only in .cxl and .dram. Two sockets of
 * four nodes, with eight CXL devices each, have 24 nodes.
 */
#define SCAN_NODES_MOST 32

/* Memory of a process, or of several. */
struct process_memory {
	/* bytes on CXL nodes (who: on watched nodes), and on all others; NAN: unknown */
	double cxl, dram;
	bool partial; /* bytes are lower limits */
	/* bytes on each node: see rolling_scan.numbers; in rows of who, on each watched node */
	uint64_t bytes[SCAN_NODES_MOST];
};

/*
 * Returns bytes as a percentage of memory on all nodes. NAN: there is none, or only a lower limit
 * is known.
 */
static inline double memory_share_pct(const struct process_memory *memory, double bytes)
{
	return memory->partial ? NAN : 100 * bytes / (memory->cxl + memory->dram);
}

/* The reading of a process's memory. */
struct memory_reading {
	/* set by the caller */
	struct platform *platform;
	uint64_t until_ns; /* time limit, on the platform's clock */
	/* called between mappings; a value other than 0 ends the reading; never NULL */
	int (*go_on)(void *context);
	void *context; /* passed to .go_on */

	/* value by which .go_on() has ended the reading, which makes the result invalid; 0: none */
	int stopped;
};

/*
 * Reads a process's memory: bytes by node number. They are valid if memory_is_known() of the
 * returned state.
 */
enum memory_state memory_reading_take(struct memory_reading *reading, unsigned pid,
				      uint64_t bytes[NUMA_NODES_MOST]);

struct scanned_memory {
	const struct listed_process *process;
	uint64_t started; /* see struct process_identity; 0: unknown */
	enum memory_state state;
	/* NUMA_NODES_MOST numbers of bytes, by node; valid if memory_is_known(.state) */
	const uint64_t *bytes;
};

/* A scan of all processes with memory: neither kernel threads nor zombies. */
struct whole_scan {
	/* set by the caller; no function is NULL */
	struct platform *platform;
	uint64_t begun_ns, until_ns; /* beginning and limit, on the platform's clock */
	/* called before reading a process and between mappings; any value but 0 ends the scan */
	int (*go_on)(void *context);
	bool (*wants)(void *context, unsigned pid); /* false: the process is left out */
	/*
	 * Called once for each wanted process; if no time was left to read its memory, with
	 * MEMORY_LATE. *memory is valid during the call. Returns 0; a negative errno ends the scan.
	 */
	int (*visit)(void *context, const struct scanned_memory *memory);
	void *context; /* passed to the functions above */

	/* results */
	size_t seen;	/* wanted processes with memory */
	size_t refused; /* wanted processes hidden by hidepid=1; not in .seen */
};

/*
 * Reads the memory of all wanted processes, each in at most half of the remaining time.
 * - In the first half of the time, the largest process comes first: if time runs out, the smallest
 *   ones are left out.
 * - Then comes each owner's largest process, each owner's second largest, and so on: one user's
 *   many processes do not leave out other users.
 *
 * Returns 0, -ENOMEM, or the value by which .go_on() or .visit() ended the scan.
 */
int whole_scan_take(struct whole_scan *scan);

#endif
