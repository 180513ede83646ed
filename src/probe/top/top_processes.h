/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes of a machine, and how much of their memory is on which node. For that the kernel
 * walks the page tables of a process, so it is read of a few processes at a time: of those that
 * read CXL memory more often than of others, and in all for TOP_MEMORY_SHARE of the time at most.
 */
#ifndef CXLMON_PROBE_TOP_TOP_PROCESSES_H
#define CXLMON_PROBE_TOP_TOP_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/number.h"
#include "platform/clock.h"
#include "platform/process.h"
#include "uncore/devices/cxl_nodes.h"

#define TOP_NODES_MOST	 16   /* whose memory is known apart; further ones are in the sums alone */
#define TOP_CGROUP_SIZE	 256  /* a longer path is cut off */
#define TOP_MEMORY_SHARE 0.01 /* of a CPU */
#define TOP_LIST_NS	 NS_PER_S	/* between two listings */
#define TOP_FRESH_NS	 NS_PER_S	/* memory is not read again so soon */
#define TOP_FIRST_NS	 (NS_PER_S / 4) /* that the first reading may take at once */
#define TOP_PROCESS_NS	 (2 * NS_PER_S) /* that the memory of one process may take */
/* Turns in one of another process: where memory was never read, and of one that reads CXL memory.
 */
#define TOP_NEW_TURNS	 8
#define TOP_READER_TURNS 4
/* Turns of another process in one of a pid without memory, which may be used again. */
#define TOP_EMPTY_TURNS 10

struct top_process {
	unsigned pid;
	uint64_t started; /* clock ticks since boot: with .pid it names one process */
	uid_t uid;
	char name[PROCESS_NAME_SIZE]; /* printable() */
	char user[PROCESS_USER_SIZE]; /* likewise; the number where it has no name */
	char cgroup[TOP_CGROUP_SIZE]; /* path in their file system, likewise; "": not known */
	uint64_t resident;	      /* bytes; 0: it is a thread of the kernel, or has ended */
	bool ended;		      /* so it was found: the next one of its pid is another */
	bool runs_vm;		      /* it is the emulator of a virtual machine */
	bool reads;		      /* set by the caller: it has read CXL memory lately */

	uint64_t listed_ns; /* since when it is known, by the platform's clock */
	uint64_t read_ns;   /* when its memory was read, likewise; 0: not yet */
	bool known;	    /* else that was refused, or not understood */
	bool partial;	    /* there was no time for all of it: it has at least these bytes */
	uint64_t cxl, dram; /* bytes on watched nodes, and on others */
	uint64_t bytes[TOP_NODES_MOST]; /* on each of top_processes.numbers */
};

struct top_processes {
	/* set by the caller */
	struct platform *platform;
	const struct cxl_nodes *nodes; /* whose memory is CXL memory */
	/* called now and then while memory is read, with context; NULL: nothing is */
	void (*meanwhile)(void *context);
	void *context;

	struct top_process *at; /* by pid, ascending */
	size_t count;
	unsigned numbers[TOP_NODES_MOST]; /* nodes: the watched ones first */
	size_t number_count;
	bool begun, listed;
	uint64_t listed_ns, updated_ns;
	double allowed_ns; /* that reading memory may take; negative: it took more */
};

/*
 * Lists the processes, and reads the memory of some. 0 or -ENOMEM. Freed by top_processes_free(),
 * also after failure.
 */
int top_processes_update(struct top_processes *processes);
void top_processes_free(struct top_processes *processes);

/* Forgets a process that has ended if another one has its pid by now: that takes its place. */
void top_processes_check(const struct top_processes *processes, struct top_process *process);

/* NULL: there is none, as far as is known. */
struct top_process *top_processes_find(const struct top_processes *processes, unsigned pid);

#endif
