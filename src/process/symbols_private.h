/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes that find names of functions, for files of this folder: see functions.h. */
#ifndef CXLMON_PROCESS_SYMBOLS_PRIVATE_H
#define CXLMON_PROCESS_SYMBOLS_PRIVATE_H

#include <stdio.h>

#include "base/share.h"
#include "process/elf_symbols.h"
#include "process/functions.h"

/* Messages between them. */

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
	uint64_t serial; /* of the process: struct process_entry */
	uint64_t start;
	uint64_t since_ns; /* when it was made, or seen first, by CLOCK_MONOTONIC */
};

struct symbol_question {
	struct symbol_place place;
	struct symbol_mapping mapping;
	/* of a file without a number */
	unsigned pid;
	uint32_t user;	       /* whose process it is: struct process_entry.owner */
	uint64_t pid_since_ns; /* when the process was seen first, likewise; 0: not known */
	uint64_t end, inode;   /* of the mapping */
	char path[NAMES_TEXT_SIZE];
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
	char function[NAMES_TEXT_SIZE]; /* "": not known */
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

/* symbol_process.c: the run's end. */

/* False: not now, there are too many questions. */
bool symbol_process_ask(struct symbol_process *process, const struct symbol_question *question);

/*
 * The next answer, in any order; for each question there is one. Waits up to so many ms. 1, 0: none
 * yet; -ECHILD: there will be no more.
 */
int symbol_process_next(struct symbol_process *process, int wait_ms, struct symbol_answer *out);

/*
 * symbol_opener.c: cxlmon-opener: gives files numbers, and opens each once, for cxlmon-symbols.
 * Several at once, but one of each user, so that nobody's files make others wait.
 */

/* Until there is an end of the questions, or of cxlmon-symbols. */
void symbol_opener_run(int questions, int symbols);

/*
 * symbol_files.c: the file that a process has mapped. A path does not say which one that is: it
 * leads elsewhere in another mount namespace, and to another file once that is replaced, whose
 * inode may be that of the old one.
 */

/*
 * Opens the kernel's link to the file of that mapping, which needs CAP_CHECKPOINT_RESTORE; else its
 * path, if the file has not changed since it was mapped, or the program of the process. Each must
 * have the mapping's inode. -1: it is not there, or is not an ELF file.
 */
int mapped_file_open(const struct symbol_question *question, struct file_identity *out);

/* Opens debugging information where distributions install it. -1: it is not there. */
int debug_file_open(const struct elf_build_id *id);

/* Files by what they are, and their numbers. */

struct known_file {
	struct file_identity identity;
	enum symbol_state state; /* SYMBOLS_NO_ROOM, also at first: it is read if it is asked for */
};

struct known_files {
	struct known_file at[SYMBOL_FILES_MOST]; /* by number; the first one is the kernel */
	uint32_t count;
	struct share share; /* parts of users */
};

/* 0 or -ENOMEM. Freed by known_files_free(), also after failure. */
int known_files_init(struct known_files *files);
void known_files_free(struct known_files *files);

/* The number of a file. SYMBOL_NO_FILE: it is not known, or to be read. */
uint32_t known_files_find(const struct known_files *files, const struct file_identity *identity);

/*
 * The number of a file, which gets one if it has none. user: who asks for it. SYMBOL_NO_FILE: this
 * user has no room for another.
 */
uint32_t known_files_add(struct known_files *files, const struct file_identity *identity,
			 uint32_t user);

/*
 * symbol_reader.c: cxlmon-symbols: reads the files of strangers, each in a child process, whose
 * table of functions it checks; and answers what functions are at which places.
 */

/* kernel: its list of functions; NULL: there is none. Until there is an end of what is to be read.
 */
void symbol_reader_run(const struct elf_library *library, FILE *kernel, int opener, int answers);

#endif
