/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of code addresses: what the processes of symbol_process.h have answered, and what
 * they were asked. Memory is bounded: answers are forgotten, and asked for again, where there are
 * too many.
 */
#ifndef CXLMON_PROBE_HOT_FUNCTIONS_H
#define CXLMON_PROBE_HOT_FUNCTIONS_H

#include "probe/hot/processes.h"
#include "probe/hot/symbol_process.h"

/* The kernel is the file without inode and name. */
struct function_file {
	uint64_t inode;
	uint32_t name; /* of the mapping; with the inode, one file */
	uid_t owner;   /* of the process that it was first seen in */
};

struct function_place {
	struct function_file file;
	uint64_t offset;
	uint32_t function; /* name */
	enum { PLACE_FREE, PLACE_ASKED, PLACE_KNOWN } state;
};

struct hot_functions {
	struct hot_names *names;	/* not owned */
	struct symbol_process *process; /* likewise */
	bool ended;			/* there are no more answers */
	struct function_file *files;	/* by the number of struct symbol_place */
	size_t file_count;
	struct function_place *places; /* open addressing */
	size_t place_count;
	uint64_t left_out; /* samples of further files */
};

/* 0 or -ENOMEM. Freed by hot_functions_free(), also after failure. */
int hot_functions_init(struct hot_functions *functions, struct hot_names *names,
		       struct symbol_process *process);
void hot_functions_free(struct hot_functions *functions);

/*
 * The name of the function whose code is at this address; HOT_NAME_UNKNOWN: it has none. mapping:
 * that has the code; NULL: it is the kernel's. False: not known yet, to be asked again after
 * hot_functions_take().
 */
bool hot_functions_find(struct hot_functions *functions, const struct hot_process *process,
			const struct hot_mapping *mapping, uint64_t ip, uint32_t *function);

/* Takes the answers that are there; waits up to so many ms for one. Whether there was any. */
bool hot_functions_take(struct hot_functions *functions, int wait_ms);

#endif
