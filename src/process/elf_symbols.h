/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of functions by their offset in a file. libelf reads programs and libraries; the kernel's
 * functions come from /proc/kallsyms. A file may belong to any user, and may be malicious. So a
 * process without rights reads it.
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

#define ELF_FUNCTIONS_MOST 4000000 /* most functions of a file */
#define ELF_SEGMENTS_MOST  1024	   /* most executable segments of a file */
#define ELF_NAME_MOST	   255	   /* most bytes of a name; a longer one is cut off */

/* Calls X() with the name of each member of struct elf_library. */
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
 * Pointers to libelf's functions, with their names and types. They come from dlopen() or, in a
 * static program (macro CXLMON_STATIC), from the linker.
 */
struct elf_library {
#define ELF_MEMBER(name) __typeof__(&name) name;
	ELF_LIBRARY_FUNCTIONS(ELF_MEMBER)
#undef ELF_MEMBER
};

/*
 * Loads libelf, which stays loaded. Returns 0, or -ELIBACC (ERROR_FAILED): libelf is missing; *err
 * names the command that installs it.
 */
int elf_library_load(struct elf_library *out, struct error *err);

struct elf_function {
	uint64_t start, end; /* addresses before relocation; end is exclusive */
	size_t name;	     /* offset in elf_symbols.names */
};

/* An executable segment. */
struct elf_segment {
	/* offset and size in the file; address of the first byte before relocation */
	uint64_t offset, bytes, address;
};

/* Most bytes of a build id; a SHA-1 has 20. A longer id is ignored. */
#define ELF_BUILD_ID_MOST 32

/* The id that a file shares with its debugging information. */
struct elf_build_id {
	uint8_t size; /* bytes of the id; 0: the file has none */
	uint8_t bytes[ELF_BUILD_ID_MOST];
};

struct elf_symbols {
	struct elf_function *functions; /* ascending by address, without overlaps */
	size_t count;
	char *names; /* NUL-terminated names, one after another */
	size_t names_size;
	struct elf_segment *segments;
	size_t segment_count;
	bool stripped; /* .symtab has no functions, so that .dynsym was read */
	struct elf_build_id build_id;
};

/*
 * Reads the functions of an open file from .symtab. If .symtab has none, reads .dynsym. fd stays
 * open. *out is freed by elf_symbols_free(), even after failure. Returns 0 or a negative errno:
 * - -ENOEXEC: fd is not an ELF file
 * - -E2BIG: the file has too many functions or segments
 * - -ENOMEM
 */
int elf_symbols_read(const struct elf_library *library, int fd, struct elf_symbols *out);

/*
 * Replaces a file's functions by those in .symtab of its debugging information. fd: the open file
 * with this information. After a failure *symbols is unchanged. Returns 0, an error of
 * elf_symbols_read(), or:
 * - -EBADMSG: fd does not have the build id of *symbols
 * - -ENODATA: .symtab of fd has no functions
 */
int elf_symbols_read_debug(const struct elf_library *library, int fd, struct elf_symbols *symbols);

/*
 * Reads the kernel's functions from a list in the form of /proc/kallsyms. An offset in *out is an
 * address. If the kernel hides addresses, reads no function. Returns 0, -E2BIG (too many functions)
 * or -ENOMEM. *out is freed by elf_symbols_free(), even after failure.
 */
int elf_symbols_read_kernel(FILE *in, struct elf_symbols *out);

void elf_symbols_free(struct elf_symbols *symbols);

/*
 * Returns the name of the function at an offset in the file; NULL: no function is there. The name
 * points into symbols->names.
 */
const char *elf_symbols_find(const struct elf_symbols *symbols, uint64_t offset);

/*
 * elf_table.c: a table is a struct elf_symbols in one piece of shared memory. A child process
 * writes the table after it has read a file, and its parent reads the table. A malicious file may
 * control the child. So the parent copies the table, and then checks the copy.
 */

/*
 * Writes a table to room, which is all zero and 8-byte aligned. bytes: size of room. Returns 0, or
 * -E2BIG: the table does not fit, and room is unchanged.
 */
int elf_table_write(const struct elf_symbols *symbols, void *room, size_t bytes);

struct elf_table {
	struct elf_symbols symbols; /* points into .memory: not freed by elf_symbols_free() */
	void *memory;		    /* private copy, which child processes do not inherit */
	size_t bytes;		    /* size of .memory */
};

/*
 * Copies a table from room, and checks the copy. bytes: size of room. *out is freed by
 * elf_table_free(), even after failure. Returns 0 or a negative errno:
 * - -ENODATA: the writer has not finished
 * - -EBADMSG: the table is invalid
 * - -ENOMEM
 */
int elf_table_read(const void *room, size_t bytes, struct elf_table *out);

void elf_table_free(struct elf_table *table);

#endif
