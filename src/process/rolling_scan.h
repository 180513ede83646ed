/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A continuous scan of a machine's processes, and of the nodes of their memory. Each update reads
 * the memory of a few processes, for at most SCAN_MEMORY_SHARE of the time. Processes that read CXL
 * memory have their turn more often.
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
#define SCAN_ASIDE_SHARE  0.003		 /* part of one CPU, if .aside */
#define SCAN_LIST_NS	  NS_PER_S	 /* time between listings */
#define SCAN_ASIDE_NS	  (2 * NS_PER_S) /* time between listings, if .aside */
#define SCAN_FRESH_NS	  NS_PER_S	 /* least time between readings of a process */
#define SCAN_FIRST_NS	  (NS_PER_S / 4) /* .allowed_ns at the start, and its maximum */
#define SCAN_PROCESS_NS	  (2 * NS_PER_S) /* time limit for the memory of one process */
/* Factors of a process's waiting time; the process with the greatest product is read next. */
#define SCAN_NEW_TURNS	  8 /* memory was never read */
#define SCAN_READER_TURNS 4 /* CXL memory was read lately */
/*
 * Divisor of the waiting time of processes without memory. They are also read, because another
 * process may have their pid by now.
 */
#define SCAN_EMPTY_TURNS 10

struct scanned_process {
	struct process_identity is;
	bool runs_vm; /* emulator of a virtual machine */
	/* set by the caller: the process has read CXL memory lately */
	bool reads;

	/* time of the first listing, on the platform's clock */
	uint64_t listed_ns;
	/* time of the last reading, on the platform's clock; 0: not read yet */
	uint64_t read_ns;
	enum memory_state state;
	struct process_memory memory; /* valid if counted or partial; otherwise all zero */
};

/* Initially {0} except for the members that the caller sets; these are not owned. */
struct rolling_scan {
	/* set by the caller */
	struct platform *platform;
	const struct cxl_nodes *nodes; /* nodes of CXL memory */
	bool aside;		       /* nobody looks at the scan, which then uses less time */
	/* called between mappings while memory is read; must return 0; NULL: none */
	int (*meanwhile)(void *context);
	void *context; /* passed to .meanwhile */

	/* results */
	struct scanned_process *at; /* ascending by pid */
	size_t count;
	unsigned numbers[SCAN_NODES_MOST]; /* numbers of nodes, CXL nodes first */
	size_t number_count;

	/* private */
	bool begun, listed;
	uint64_t listed_ns, updated_ns;
	double allowed_ns; /* time left for reading memory; negative: overdrawn */
};

/*
 * Lists the processes, if the list is older than SCAN_LIST_NS (SCAN_ASIDE_NS, if .aside), and reads
 * the memory of as many as time allows. Pointers into .at become invalid. 0 or -ENOMEM. Freed by
 * rolling_scan_free(), even after failure.
 */
int rolling_scan_update(struct rolling_scan *scan);
void rolling_scan_free(struct rolling_scan *scan);

/* Replaces *process, an element of .at, by the process that now has its pid, if another has. */
void rolling_scan_check(const struct rolling_scan *scan, struct scanned_process *process);

/* Returns the listed process with this pid, valid until the next update; NULL: there is none. */
struct scanned_process *rolling_scan_find(const struct rolling_scan *scan, unsigned pid);

#endif
