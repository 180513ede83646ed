/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of functions by their place in a file. Programs and libraries are read by libelf, and the
 * kernel's functions from its list. The files belong to strangers: a process without rights reads
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

/* Limits per file: functions, executable segments, and bytes kept of a name. */
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
 * libelf's functions, with the names and types of <libelf.h>. They are loaded with dlopen() only
 * by runs that need them; a static program (macro CXLMON_STATIC) is linked with libelf.
 */
struct elf_library {
#define ELF_MEMBER(name) __typeof__(&name) name;
	ELF_LIBRARY_FUNCTIONS(ELF_MEMBER)
#undef ELF_MEMBER
};

/*
 * Loads libelf, which stays loaded. ERROR_FAILED: it is missing; the error names the command that
 * installs it.
 */
int elf_library_load(struct elf_library *out, struct error *err);

struct elf_function {
	uint64_t start, end; /* addresses as in the file; end is exclusive */
	size_t name;	     /* offset in .names */
};

/* An executable segment. */
struct elf_segment {
	/* offset and bytes in the file; address in memory before relocation */
	uint64_t offset, bytes, address;
};

/*
 * Size limit of a build id, which matches a stripped file with its debugging information: a SHA-1
 * has 20 bytes.
 */
#define ELF_BUILD_ID_MOST 32

struct elf_build_id {
	uint8_t size; /* 0: there is none */
	uint8_t bytes[ELF_BUILD_ID_MOST];
};

struct elf_symbols {
	struct elf_function *functions; /* ascending by address, without overlaps */
	size_t count;
	char *names; /* NUL-terminated names, one after another */
	size_t names_size;
	struct elf_segment *segments;
	size_t segment_count;
	bool stripped; /* .symtab has no functions: they are from .dynsym */
	struct elf_build_id build_id;
};

/*
 * Reads the functions of an open file: those in .symtab or, if it has none, in .dynsym. 0;
 * -ENOEXEC: not an ELF file; -E2BIG: a limit above is exceeded; -ENOMEM. Freed by
 * elf_symbols_free(), even after failure.
 */
int elf_symbols_read(const struct elf_library *library, int fd, struct elf_symbols *out);

/*
 * Replaces a file's functions by those of its debugging information, an open file. 0, or a negative
 * errno, which leaves symbols unchanged: -EBADMSG: the build ids differ; -ENODATA: it has no
 * functions; else as elf_symbols_read().
 */
int elf_symbols_read_debug(const struct elf_library *library, int fd, struct elf_symbols *symbols);

/*
 * Reads the kernel's functions from a list in the form of /proc/kallsyms. Their addresses are also
 * their offsets. There are none if the kernel hides addresses. 0, -E2BIG or -ENOMEM. Freed by
 * elf_symbols_free(), even after failure.
 */
int elf_symbols_read_kernel(FILE *in, struct elf_symbols *out);

void elf_symbols_free(struct elf_symbols *symbols);

/*
 * Returns the name of the function whose code is at this offset in the file; NULL: there is none.
 * The name is a part of symbols.
 */
const char *elf_symbols_find(const struct elf_symbols *symbols, uint64_t offset);

/*
 * elf_table.c: a file's functions in one piece of memory, by which one process passes them to
 * another. The writer has read a stranger's file, and may be under that stranger's control: the
 * reader copies the table first, and then checks the copy.
 */

/*
 * Writes symbols to room: bytes that are all zero, aligned to 8. 0, or -E2BIG: symbols do not fit,
 * and nothing was written.
 */
int elf_table_write(const struct elf_symbols *symbols, void *room, size_t bytes);

struct elf_table {
	struct elf_symbols symbols; /* in .memory; never passed to elf_symbols_free() */
	void *memory;		    /* private copy, which child processes do not inherit */
	size_t bytes;		    /* size of .memory */
};

/*
 * Copies a table from room, and checks the copy. -ENODATA: nothing was written, or not all;
 * -EBADMSG: elf_table_write() cannot have written it; -ENOMEM. Freed by elf_table_free(), even
 * after failure.
 */
int elf_table_read(const void *room, size_t bytes, struct elf_table *out);

void elf_table_free(struct elf_table *table);

#endif
