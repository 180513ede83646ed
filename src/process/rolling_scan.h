/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A continuous scan of a machine's processes, and of their memory by NUMA node. Each update reads
 * the memory of a few processes, and takes at most SCAN_MEMORY_SHARE of one CPU. The memory of
 * processes that read CXL memory is read more often.
 */
#ifndef CXLMON_PROCESS_ROLLING_SCAN_H
#define CXLMON_PROCESS_ROLLING_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/number.h"
#include "platform/clock.h"
#include "process/identity.h"
#include "process/scan.h"
#include "uncore/devices/cxl_nodes.h"

#define SCAN_MEMORY_SHARE 0.01		 /* part of one CPU that reading memory may use */
#define SCAN_ASIDE_SHARE  0.003		 /* the same part, if rolling_scan.aside */
#define SCAN_LIST_NS	  NS_PER_S	 /* time between two lists of processes */
#define SCAN_ASIDE_NS	  (2 * NS_PER_S) /* the same time, if rolling_scan.aside */
#define SCAN_FRESH_NS	  NS_PER_S	 /* least time between readings of a process */
#define SCAN_FIRST_NS	  (NS_PER_S / 4) /* first and highest rolling_scan.allowed_ns */
#define SCAN_PROCESS_NS	  (2 * NS_PER_S) /* time limit for the memory of one process */
/*
 * Weights of the time since a process was read. The process with the longest weighted time is read
 * next.
 */
#define SCAN_NEW_TURNS	  8 /* factor for a process whose memory was never read */
#define SCAN_READER_TURNS 4 /* factor for a process with .reads */
/* Divisor for a process without memory, whose pid may belong to another process by now. */
#define SCAN_EMPTY_TURNS 10

struct scanned_process {
	struct process_identity is;
	bool runs_vm; /* the process is the emulator of a virtual machine */
	/* set by the caller: the process has read CXL memory lately */
	bool reads;

	/* time of the first listing, on the platform's clock */
	uint64_t listed_ns;
	/* time of the last reading, on the platform's clock; 0: not read yet */
	uint64_t read_ns;
	enum memory_state state;
	struct process_memory memory; /* valid if memory_is_known(.state); else all zero */
};

/* Initially {0}, except members that the caller sets. */
struct rolling_scan {
	/* set by the caller; pointers are not owned */
	struct platform *platform;
	const struct cxl_nodes *nodes; /* nodes of CXL memory */
	bool aside;		       /* uses less CPU time, because nobody looks at the scan */
	/* called between mappings while memory is read; returns 0; NULL: none */
	int (*meanwhile)(void *context);
	void *context; /* passed to .meanwhile */

	/* results */
	struct scanned_process *at; /* ascending by pid */
	size_t count;
	/* node of each element of process_memory.bytes; CXL nodes come first */
	unsigned numbers[SCAN_NODES_MOST];
	size_t number_count;

	/* private */
	bool begun, listed;
	uint64_t listed_ns, updated_ns;
	double allowed_ns; /* time left for reading memory; negative: too much was used */
};

/*
 * Lists the processes if the last list is old (SCAN_LIST_NS), and reads the memory of as many as
 * time allows. Pointers into .at become invalid. Returns 0 or -ENOMEM. *scan is freed by
 * rolling_scan_free(), even after failure.
 */
int rolling_scan_update(struct rolling_scan *scan);
void rolling_scan_free(struct rolling_scan *scan);

/*
 * Checks if another process has the pid of *process, an element of .at. If so, describes the other
 * process in *process.
 */
void rolling_scan_check(const struct rolling_scan *scan, struct scanned_process *process);

/* Returns the listed process with this pid, valid until the next update; NULL: there is none. */
struct scanned_process *rolling_scan_find(const struct rolling_scan *scan, unsigned pid);

#endif
