/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Libraries that are loaded with dlopen(), only by runs that need them, and the commands that
 * install packages. A static program contains these libraries, and loads nothing.
 */
#ifndef CXLMON_BASE_LIBRARY_H
#define CXLMON_BASE_LIBRARY_H

#include <stddef.h>

#include "base/error.h"

/* A function or variable of a library. */
struct library_symbol {
	const char *name;
	size_t offset; /* offset of its pointer in the caller's struct of pointers */
	void *linked;  /* LIBRARY_LINKED(name) */
};

/* Address of a symbol in a static program (CXLMON_STATIC is defined); NULL in other programs. */
#ifdef CXLMON_STATIC
#define LIBRARY_LINKED(symbol) ((void *)&(symbol))
#else
#define LIBRARY_LINKED(symbol) NULL
#endif

struct library {
	const char *soname;  /* for dlopen(): "libelf.so.1" */
	const char *package; /* name of its package in Debian */
	const char *what;    /* description in a message: "the screen library" */
	const struct library_symbol *symbols;
	size_t count; /* number of symbols */
};

/*
 * Loads the library, and writes the address of each symbol to its offset in *out, a struct of
 * pointers. The library stays loaded. Returns 0. If the library or a symbol is missing, returns
 * -ELIBACC (ERROR_FAILED), with the command that installs the library as the hint.
 */
int library_load(const struct library *library, void *out, struct error *err);

/*
 * Writes the command that installs a package: "sudo dnf install ncurses-libs". debian is the
 * package's name in Debian. root/etc/os-release names the system. If the system, or its name for
 * the package, is unknown, writes "". Returns command.
 */
const char *package_command(const char *root, const char *debian, char command[ERROR_COMMAND_SIZE]);

#endif
