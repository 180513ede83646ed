/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two helper processes that find names of functions, see functions.h: their messages, and the
 * functions that they run. A file has a number, given by cxlmon-opener. Private to this folder.
 */
#ifndef CXLMON_PROCESS_SYMBOLS_PRIVATE_H
#define CXLMON_PROCESS_SYMBOLS_PRIVATE_H

#include <stdio.h>

#include "base/coder.h"
#include "base/share.h"
#include "process/elf_symbols.h"
#include "process/functions.h"

/* symbol_messages.c: messages between the processes, and their codes for linux/run/packet.h. */

#define SYMBOL_FILES_MOST 4096	     /* numbers of files are lower */
#define SYMBOL_KERNEL	  0	     /* number of the kernel, whose offsets are addresses */
#define SYMBOL_NO_FILE	  UINT32_MAX /* in place of a number: the file has none */

/* Limits for a file; a file that needs more is skipped. */
#define SYMBOL_OPEN_SECONDS 5			  /* time to open it */
#define SYMBOL_READ_SECONDS 10			  /* time to read it */
#define SYMBOL_CPU_SECONDS  2			  /* CPU time to read it */
#define SYMBOL_READ_BYTES   (UINT64_C(512) << 20) /* address space of the reading process */

struct symbol_place {
	uint64_t offset; /* offset in the file */
	uint32_t file;	 /* number of the file, or SYMBOL_NO_FILE */
};

/* Identity of a process's mapping: all members together, because each of them is reused. */
struct symbol_mapping {
	uint64_t serial; /* process_entry.serial of the process */
	uint64_t start;
	/* time on CLOCK_MONOTONIC when the mapping was made, or first seen */
	uint64_t since_ns;
};

/* A question of the run to cxlmon-opener: which function is at .place? */
struct symbol_question {
	struct symbol_place place;
	/* members from here on are only sent for SYMBOL_NO_FILE */
	struct symbol_mapping mapping;
	unsigned pid;
	uint32_t user; /* process_entry.owner of the process */
	/* time on CLOCK_MONOTONIC when the process was first seen; 0: unknown */
	uint64_t pid_since_ns;
	uint64_t end, inode;	    /* end of the mapping; inode of its file */
	char path[NAMES_TEXT_SIZE]; /* path of its file */
};

enum symbol_state {
	SYMBOLS_READ, /* the file was read, and .place has its number */
	/* the file cannot be opened, was replaced, or is not an ELF file */
	SYMBOLS_NONE,
	/* opening or reading the file takes too long, or too much memory */
	SYMBOLS_SKIPPED,
	SYMBOLS_NO_ROOM, /* no room for further files */
};

/* The answer of cxlmon-symbols to the run. */
struct symbol_answer {
	struct symbol_place place;     /* with the file's number, if SYMBOLS_READ */
	struct symbol_mapping mapping; /* mapping of the question */
	enum symbol_state state;
	char function[NAMES_TEXT_SIZE]; /* "": unknown */
};

/*
 * A message of cxlmon-opener to cxlmon-symbols. A descriptor may come with it: a socket, from which
 * an open file is received, with a struct symbol_opened.
 * - .debug 0, without descriptor: a question. If .state is SYMBOLS_READ, the file was read earlier,
 *   and cxlmon-symbols answers with the function at .place. Otherwise it answers with .state.
 * - .debug 0, with descriptor: a question. cxlmon-symbols first reads the file.
 * - .debug 1: the reply to symbol_reply.wanted. The file has the debugging information; without
 *   descriptor, it is missing.
 */
struct symbol_delivery {
	struct symbol_place place;
	struct symbol_mapping mapping;
	enum symbol_state state;
	uint32_t user; /* symbol_question.user */
	bool debug;
};

/* Properties that tell files apart. Users can choose all except the time of the last change. */
struct file_identity {
	uint64_t device, inode, bytes;
	int64_t changed_ns; /* time of the last change, UTC since 1970 */
};

/*
 * A message of a child process of cxlmon-opener. A file that is to be read follows with an equal
 * message, which cxlmon-opener leaves in the socket for cxlmon-symbols.
 */
struct symbol_opened {
	struct file_identity identity;
	bool opened; /* false: the file cannot be opened */
};

/* The reply of cxlmon-symbols to cxlmon-opener about a file. */
struct symbol_reply {
	uint32_t file;
	enum symbol_state state; /* state of the file, if .wanted.size is 0 */
	/* build id of debugging information that is read before .state is known; .size 0: none */
	struct elf_build_id wanted;
};

void symbol_code_question(struct coder *c, struct symbol_question *question);
void symbol_code_answer(struct coder *c, struct symbol_answer *answer);
void symbol_code_delivery(struct coder *c, struct symbol_delivery *delivery);
void symbol_code_opened(struct coder *c, struct symbol_opened *opened);
void symbol_code_reply(struct coder *c, struct symbol_reply *reply);

/* symbol_process.c: the run's side. */

/*
 * Sends a question without waiting. Returns false if it was not sent: too many questions wait, or
 * the processes have ended.
 */
bool symbol_process_ask(struct symbol_process *process, const struct symbol_question *question);

/*
 * Takes the next answer, for which it waits up to wait_ms. Each question gets one answer; answers
 * come in any order. Returns 1: *out is set; 0: no answer has come; -ECHILD: no more answers will
 * come.
 */
int symbol_process_next(struct symbol_process *process, int wait_ms, struct symbol_answer *out);

/*
 * symbol_opener.c: cxlmon-opener, which numbers files, and opens each once for cxlmon-symbols. It
 * opens one file per user at a time, so that one user's files do not delay other users.
 */

/*
 * Runs cxlmon-opener until the run or cxlmon-symbols ends. questions: socket of struct
 * symbol_question. symbols: socket of struct symbol_delivery and struct symbol_reply.
 */
void symbol_opener_run(int questions, int symbols);

/*
 * symbol_files.c: opens the file of a mapping. A path may lead to another file, in another mount
 * namespace or after the file was replaced. An inode may be reused.
 */

/*
 * Opens the file of a question's mapping. The file must have the mapping's inode. Three ways are
 * tried in this order:
 * - the kernel's link to the mapped file, which needs CAP_CHECKPOINT_RESTORE
 * - the path below the process's root, if the file has not changed since it was mapped
 * - the program of the process
 *
 * If the process has ended, only the path below this machine's root is tried. Returns a descriptor,
 * which the caller closes. -1: the file is missing, or not an ELF file.
 */
int mapped_file_open(const struct symbol_question *question, struct file_identity *out);

/*
 * Opens installed debugging information, in /usr/lib/debug. Returns a descriptor, which the caller
 * closes; -1: the information is missing.
 */
int debug_file_open(const struct elf_build_id *id);

/* Identities of files, and their numbers. */

struct known_file {
	struct file_identity identity;
	/* SYMBOLS_NO_ROOM: a new file, or room was short; the next question about it has it read */
	enum symbol_state state;
};

/* Initially all zero. */
struct known_files {
	struct known_file at[SYMBOL_FILES_MOST]; /* files by number; [SYMBOL_KERNEL]: the kernel */
	uint32_t count;				 /* numbers in use */
	struct share share;			 /* shares of users */
};

/* Adds only the kernel. 0 or -ENOMEM. Freed by known_files_free(), even after failure. */
int known_files_init(struct known_files *files);
void known_files_free(struct known_files *files);

/* Returns a file's number. SYMBOL_NO_FILE: the file has no number, or is still to be read. */
uint32_t known_files_find(const struct known_files *files, const struct file_identity *identity);

/*
 * Returns a file's number, which may be new. user: the user in whose share a new number counts.
 * SYMBOL_NO_FILE: the share has no room for a new number.
 */
uint32_t known_files_add(struct known_files *files, const struct file_identity *identity,
			 uint32_t user);

/*
 * symbol_reader.c: cxlmon-symbols, which reads files and answers questions. It reads each file in a
 * child process, and checks the table of functions that the child has written.
 */

/*
 * Runs cxlmon-symbols until cxlmon-opener ends. kernel: the kernel's list of functions; NULL: none.
 * opener: socket to cxlmon-opener. answers: socket of struct symbol_answer to the run.
 */
void symbol_reader_run(const struct elf_library *library, FILE *kernel, int opener, int answers);

#endif
