/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of the functions of a program, by libelf, which is loaded only where they are asked for;
 * and those of the kernel, by its list. Files are of strangers: a process without rights reads
 * them.
 */
#ifndef CXLMON_PROCESS_ELF_SYMBOLS_H
#define CXLMON_PROCESS_ELF_SYMBOLS_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* Limits of a file: functions, and parts that are executed; and bytes of a name that are kept. */
#define ELF_FUNCTIONS_MOST 4000000
#define ELF_SEGMENTS_MOST  1024
#define ELF_NAME_MOST	   255

#define ELF_LIBRARY_FUNCTIONS(X)                                                                   \
	X(elf_version)                                                                             \
	X(elf_begin)                                                                               \
	X(elf_end)                                                                                 \
	X(elf_kind)                                                                                \
	X(elf_getphdrnum)                                                                          \
	X(gelf_getphdr)                                                                            \
	X(elf_nextscn)                                                                             \
	X(elf_getscn)                                                                              \
	X(gelf_getshdr)                                                                            \
	X(elf_getdata)                                                                             \
	X(gelf_getsym)                                                                             \
	X(gelf_getnote)

/*
 * libelf, loaded with dlopen() only by runs that need it; a static program (the macro
 * CXLMON_STATIC) has it within. With the names and types of <libelf.h>.
 */
struct elf_library {
#define ELF_MEMBER(name) __typeof__(&name) name;
	ELF_LIBRARY_FUNCTIONS(ELF_MEMBER)
#undef ELF_MEMBER
};

/* Stays loaded. ERROR_FAILED; the error has the command that installs it. */
int elf_library_load(struct elf_library *out, struct error *err);

struct elf_function {
	uint64_t start, end; /* addresses as in the file */
	size_t name;	     /* where it is in .names */
};

struct elf_segment {
	uint64_t offset, bytes, address; /* in the file; in memory, before it is moved */
};

/* By which a stripped file and its debugging information are known: sha1 has 20 bytes. */
#define ELF_BUILD_ID_MOST 32

struct elf_build_id {
	uint8_t size; /* 0: there is none */
	uint8_t bytes[ELF_BUILD_ID_MOST];
};

struct elf_symbols {
	struct elf_function *functions; /* by address */
	size_t count;
	char *names;
	size_t names_size;
	struct elf_segment *segments;
	size_t segment_count;
	bool stripped; /* of .symtab */
	struct elf_build_id build_id;
};

/*
 * Those of .symtab, and of .dynsym where that was stripped. 0, -ENOEXEC: it is no ELF file, -E2BIG
 * or -ENOMEM. Freed by elf_symbols_free(), also after failure.
 */
int elf_symbols_read(const struct elf_library *library, int fd, struct elf_symbols *out);

/*
 * Takes the functions of a file's debugging information in the place of those that it has itself,
 * if it is that file's. 0 or a negative errno: symbols are as they were.
 */
int elf_symbols_read_debug(const struct elf_library *library, int fd, struct elf_symbols *symbols);

/*
 * Functions in the form of /proc/kallsyms, whose addresses are their offsets: likewise. None where
 * it hides addresses.
 */
int elf_symbols_read_kernel(FILE *in, struct elf_symbols *out);

void elf_symbols_free(struct elf_symbols *symbols);

/* The function whose code is at this offset in the file. NULL: not known. */
const char *elf_symbols_find(const struct elf_symbols *symbols, uint64_t offset);

/*
 * elf_table.c: functions of a file in one piece of memory, in which one process leaves them to
 * another. Who wrote them has read the file of a stranger, and may be in that one's hands: who
 * takes them copies them first, and then checks the copy.
 */

/* 0, or -E2BIG: there is no room for them in so many bytes. room: all zero, aligned to 8. */
int elf_table_write(const struct elf_symbols *symbols, void *room, size_t bytes);

struct elf_table {
	struct elf_symbols symbols; /* not to be freed by elf_symbols_free() */
	void *memory;		    /* that has them, which a child process does not inherit */
	size_t bytes;		    /* that it takes */
};

/*
 * -ENODATA: nothing was written, or not to its end; -EBADMSG: it is not as elf_table_write() leaves
 * it; -ENOMEM. Freed by elf_table_free(), also after failure.
 */
int elf_table_read(const void *room, size_t bytes, struct elf_table *out);

void elf_table_free(struct elf_table *table);

#endif
