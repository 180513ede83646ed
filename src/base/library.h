/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Libraries that are loaded only by runs that need them, and the commands that install them on
 * each Linux distribution.
 *
 * If they were linked as others are, ncurses and libelf would add 0.35 ms of processor time to the
 * 1.25 ms of each start, 0.35 MB to the 5.6 MB of a monitor, and packages of 1.4 MB to those that
 * each machine needs (x86-64, glibc 2.36).
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

/*
 * The address of a symbol in a static program (CXLMON_STATIC is defined), which includes the
 * library; NULL in other programs.
 */
#ifdef CXLMON_STATIC
#define LIBRARY_LINKED(symbol) ((void *)&(symbol))
#else
#define LIBRARY_LINKED(symbol) NULL
#endif

struct library {
	const char *soname;  /* identifies the ABI */
	const char *package; /* name of its package in Debian */
	const char *what;    /* description in a message: "the screen library" */
	const struct library_symbol *symbols;
	size_t count; /* number of symbols */
};

/*
 * Loads the library, and writes the address of each symbol to its offset in *out, a struct of
 * pointers. The library stays loaded. Returns 0, or -ELIBACC (ERROR_FAILED) if the library or a
 * symbol is missing; the hint is the command that installs it.
 */
int library_load(const struct library *library, void *out, struct error *err);

/*
 * Writes the command that installs a package, given by its name in Debian, on the system that
 * root/etc/os-release names: "sudo dnf install ncurses-libs". Writes "" if the system, or the
 * package's name on it, is unknown. Returns command.
 */
const char *package_command(const char *root, const char *debian, char command[ERROR_COMMAND_SIZE]);

#endif
