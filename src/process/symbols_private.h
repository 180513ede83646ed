/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two processes that find names of functions (functions.h): their messages, and the functions
 * that they run. Private to this folder.
 */
#ifndef CXLMON_PROCESS_SYMBOLS_PRIVATE_H
#define CXLMON_PROCESS_SYMBOLS_PRIVATE_H

#include <stdio.h>

#include "base/share.h"
#include "process/elf_symbols.h"
#include "process/functions.h"

/* Messages between them. */

#define SYMBOL_FILES_MOST 4096	     /* file numbers are below */
#define SYMBOL_KERNEL	  0	     /* number of the kernel, whose offsets are addresses */
#define SYMBOL_NO_FILE	  UINT32_MAX /* instead of a number */

/* Limits for a file; a file that needs more is skipped. */
#define SYMBOL_OPEN_SECONDS 5
#define SYMBOL_READ_SECONDS 10
#define SYMBOL_CPU_SECONDS  2
#define SYMBOL_READ_BYTES   (UINT64_C(512) << 20) /* address space of the reading process */

struct symbol_place {
	uint64_t offset; /* offset in the file */
	uint32_t file;	 /* SYMBOL_NO_FILE: not numbered yet */
};

/* Identity of a mapping of a process: all three together, because each of them is reused. */
struct symbol_mapping {
	uint64_t serial; /* struct process_entry.serial */
	uint64_t start;
	/* time on CLOCK_MONOTONIC when it was made, or first seen */
	uint64_t since_ns;
};

/* A question of the run to cxlmon-opener: which function is at the place. */
struct symbol_question {
	struct symbol_place place;
	/* members from here on are only for a file without a number */
	struct symbol_mapping mapping;
	unsigned pid;
	uint32_t user; /* owner of the process: struct process_entry.owner */
	/* time on CLOCK_MONOTONIC when the process was first seen; 0: unknown */
	uint64_t pid_since_ns;
	uint64_t end, inode; /* end and inode of the mapping */
	char path[NAMES_TEXT_SIZE];
};

enum symbol_state {
	SYMBOLS_READ, /* the place has the file's number */
	/* the file cannot be opened, was replaced, or is not an ELF file */
	SYMBOLS_NONE,
	/* opening or reading takes too long, or too much memory */
	SYMBOLS_SKIPPED,
	SYMBOLS_NO_ROOM, /* no room for further files */
};

/* The answer of cxlmon-symbols to the run. */
struct symbol_answer {
	struct symbol_place place; /* with the file's number, if SYMBOLS_READ */
	struct symbol_mapping mapping;
	enum symbol_state state;
	char function[NAMES_TEXT_SIZE]; /* "": unknown */
};

/*
 * A question that cxlmon-opener passes to cxlmon-symbols. If the state is SYMBOLS_READ, the answer
 * is the function of the place; else it is the state. A descriptor with the message passes on a
 * file, to be read first: it is a socket that contains a struct symbol_opened and the file.
 */
struct symbol_delivery {
	struct symbol_place place;
	struct symbol_mapping mapping;
	enum symbol_state state;
	uint32_t user; /* user of the question */
	/* 1: the message is about the file's debugging information; no descriptor: there is none */
	uint8_t debug;
};

/* Properties that tell files apart. No user can choose the time of the last change. */
struct file_identity {
	uint64_t device, inode, bytes;
	int64_t changed_ns; /* time of the last change, UTC since 1970 */
};

/* The message of the child process that has opened a file; the file comes with it. */
struct symbol_opened {
	struct file_identity identity;
	uint8_t opened; /* 0: no file comes with the message */
};

/* The reply of cxlmon-symbols to cxlmon-opener for each file. */
struct symbol_reply {
	uint32_t file;
	enum symbol_state state;
	struct elf_build_id wanted; /* build id of the debugging information wanted; size 0: none */
};

/* symbol_process.c: the run's side. */

/*
 * Asks a question without waiting. Returns false if it was not sent: too many wait, or the
 * processes have ended.
 */
bool symbol_process_ask(struct symbol_process *process, const struct symbol_question *question);

/*
 * Takes the next answer, and waits up to wait_ms for it. Each question gets one answer, in any
 * order. 1: *out is set; 0: none has come yet; -ECHILD: no more will come.
 */
int symbol_process_next(struct symbol_process *process, int wait_ms, struct symbol_answer *out);

/*
 * symbol_opener.c: cxlmon-opener, which numbers files, and opens each once for cxlmon-symbols.
 * Several are opened at once, but only one per user, so that nobody's files delay other users.
 */

/*
 * Runs cxlmon-opener until the questions, or cxlmon-symbols, end. questions: pipe of struct
 * symbol_question; symbols: socket of struct symbol_delivery and struct symbol_reply.
 */
void symbol_opener_run(int questions, int symbols);

/*
 * symbol_files.c: opens the file of a mapping. A path is not enough: in another mount namespace it
 * leads to another file, as it does if the file was replaced; and inodes are reused.
 */

/*
 * Opens the file of a question's mapping: by the kernel's link to it, which needs
 * CAP_CHECKPOINT_RESTORE; else by its path, if the file has not changed since it was mapped; else
 * as the program of the process. The file must have the mapping's inode. Returns a descriptor; -1:
 * the file is missing, or not an ELF file.
 */
int mapped_file_open(const struct symbol_question *question, struct file_identity *out);

/*
 * Opens debugging information below /usr/lib/debug, in which distributions install it. Returns a
 * descriptor; -1: it is missing.
 */
int debug_file_open(const struct elf_build_id *id);

/* Identities of files, and their numbers. */

struct known_file {
	struct file_identity identity;
	enum symbol_state state; /* initially SYMBOLS_NO_ROOM: it is to be read when asked for */
};

/* Initially all zero. */
struct known_files {
	struct known_file at[SYMBOL_FILES_MOST]; /* files by number; [SYMBOL_KERNEL]: the kernel */
	uint32_t count;				 /* numbers in use */
	struct share share;			 /* shares of users */
};

/* Begins with only the kernel. 0 or -ENOMEM. Freed by known_files_free(), even after failure. */
int known_files_init(struct known_files *files);
void known_files_free(struct known_files *files);

/* Returns a file's number; SYMBOL_NO_FILE: it has none, or is still to be read. */
uint32_t known_files_find(const struct known_files *files, const struct file_identity *identity);

/*
 * Returns a file's number, and gives it one if it has none. user: the user who asks, in whose share
 * a new number counts. SYMBOL_NO_FILE: the share has no room.
 */
uint32_t known_files_add(struct known_files *files, const struct file_identity *identity,
			 uint32_t user);

/*
 * symbol_reader.c: cxlmon-symbols, which reads strangers' files, each in a child process whose
 * table of functions it checks, and answers which functions are at which places.
 */

/*
 * Runs cxlmon-symbols until its input ends. kernel: the kernel's list of functions; NULL: none.
 * opener: socket to cxlmon-opener; answers: pipe of struct symbol_answer to the run.
 */
void symbol_reader_run(const struct elf_library *library, FILE *kernel, int opener, int answers);

#endif
