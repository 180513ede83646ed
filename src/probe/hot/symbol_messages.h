/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between the processes of symbol_process.h. */
#ifndef CXLMON_PROBE_HOT_SYMBOL_MESSAGES_H
#define CXLMON_PROBE_HOT_SYMBOL_MESSAGES_H

#include "probe/hot/elf_symbols.h"
#include "probe/hot/report.h"

#define SYMBOL_FILES_MOST 4096 /* numbers of files are below */
#define SYMBOL_KERNEL	  0    /* the number of the kernel, whose offsets are addresses */
#define SYMBOL_NO_FILE	  UINT32_MAX

/* Limits of a file; one that needs more is skipped. */
#define SYMBOL_OPEN_SECONDS 5
#define SYMBOL_READ_SECONDS 10
#define SYMBOL_CPU_SECONDS  2
#define SYMBOL_READ_BYTES   (UINT64_C(512) << 20) /* addresses of the process that reads it */

struct symbol_place {
	uint64_t offset; /* in the file */
	uint32_t file;	 /* number; SYMBOL_NO_FILE: it has none yet */
};

/* A mapping of a process, which only these three together name: each is used again. */
struct symbol_mapping {
	uint64_t serial; /* of the process: struct hot_process */
	uint64_t start;
	uint64_t since_ns; /* when it was made, or seen first, by CLOCK_MONOTONIC */
};

struct symbol_question {
	struct symbol_place place;
	struct symbol_mapping mapping;
	/* of a file without a number */
	unsigned pid;
	uint32_t user;	       /* whose process it is: struct hot_process.owner */
	uint64_t pid_since_ns; /* when the process was seen first, likewise; 0: not known */
	uint64_t end, inode;   /* of the mapping */
	char path[HOT_NAME_SIZE];
};

enum symbol_state {
	SYMBOLS_READ,	 /* the place has the number of the file */
	SYMBOLS_NONE,	 /* the file cannot be opened, is another one now, or is no ELF file */
	SYMBOLS_SKIPPED, /* it takes too long to open or to read, or too much memory */
	SYMBOLS_NO_ROOM, /* for further files */
};

struct symbol_answer {
	struct symbol_place place;
	struct symbol_mapping mapping;
	enum symbol_state state;
	char function[HOT_NAME_SIZE]; /* "": not known */
};

/*
 * A question that cxlmon-opener passes to cxlmon-symbols, to be answered by the function of the
 * place, or by a state that is not SYMBOLS_READ. With a descriptor, a socket: the file is in it,
 * behind a struct symbol_opened, and is read first.
 */
struct symbol_delivery {
	struct symbol_place place;
	struct symbol_mapping mapping;
	enum symbol_state state;
	uint32_t user; /* of the question */
	uint8_t debug; /* 1: the debugging information of a file that was read; without one: none */
};

/* The properties that tell files apart: no user can set the time of the last change. */
struct file_identity {
	uint64_t device, inode, bytes;
	int64_t changed_ns; /* since 1970 */
};

/* The message of the child that has opened a file, with which the file comes. */
struct symbol_opened {
	struct file_identity identity;
	uint8_t opened; /* 0: no file comes with it */
};

/* The reply of cxlmon-symbols to cxlmon-opener for each file. */
struct symbol_reply {
	uint32_t file;
	enum symbol_state state;
	struct elf_build_id wanted; /* debugging information; of no size: none */
};

#endif
