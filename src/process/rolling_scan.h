/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A scan without an end: the processes of a machine, and on which nodes their memory is. The memory
 * of a few is read at a time: of those that read CXL memory more often than of others, and in all
 * for SCAN_MEMORY_SHARE of the time at most.
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

#define SCAN_NODES_MOST	  16   /* whose memory is known apart; further ones are in the sums alone */
#define SCAN_MEMORY_SHARE 0.01 /* of a CPU */
#define SCAN_ASIDE_SHARE  0.003		 /* likewise, if .aside */
#define SCAN_LIST_NS	  NS_PER_S	 /* between two listings */
#define SCAN_ASIDE_NS	  (2 * NS_PER_S) /* likewise, if .aside */
#define SCAN_FRESH_NS	  NS_PER_S	 /* memory is not read again so soon */
#define SCAN_FIRST_NS	  (NS_PER_S / 4) /* that the first reading may take at once */
#define SCAN_PROCESS_NS	  (2 * NS_PER_S) /* that the memory of one process may take */
/* Turns in one of another process: where memory was never read, and of one that reads CXL memory.
 */
#define SCAN_NEW_TURNS	  8
#define SCAN_READER_TURNS 4
/* Turns of another process in one of a pid without memory, which may be used again. */
#define SCAN_EMPTY_TURNS 10

struct scanned_process {
	struct process_identity is;
	bool runs_vm; /* it is the emulator of a virtual machine */
	bool reads;   /* set by the caller: it has read CXL memory lately */

	uint64_t listed_ns; /* since when it is known, by the platform's clock */
	uint64_t read_ns;   /* when its memory was read, likewise; 0: not yet */
	enum memory_state state;
	uint64_t cxl, dram; /* bytes on watched nodes, and on others; if counted, or partial */
	uint64_t bytes[SCAN_NODES_MOST]; /* on each of rolling_scan.numbers */
};

struct rolling_scan {
	/* set by the caller */
	struct platform *platform;
	const struct cxl_nodes *nodes; /* whose memory is CXL memory */
	bool aside;		       /* something else is looked at: it takes less time */
	/* called between mappings while memory is read; returns 0; NULL: nothing is */
	int (*meanwhile)(void *context);
	void *context;

	struct scanned_process *at; /* by pid, ascending */
	size_t count;
	unsigned numbers[SCAN_NODES_MOST]; /* nodes: the watched ones first */
	size_t number_count;
	bool begun, listed;
	uint64_t listed_ns, updated_ns;
	double allowed_ns; /* that reading memory may take; negative: it took more */
};

/*
 * Lists the processes, and reads the memory of some. 0 or -ENOMEM. Freed by rolling_scan_free(),
 * also after failure.
 */
int rolling_scan_update(struct rolling_scan *scan);
void rolling_scan_free(struct rolling_scan *scan);

/* Forgets a process that has ended if another one has its pid by now: that takes its place. */
void rolling_scan_check(const struct rolling_scan *scan, struct scanned_process *process);

/* NULL: there is none, as far as is known. */
struct scanned_process *rolling_scan_find(const struct rolling_scan *scan, unsigned pid);

#endif
