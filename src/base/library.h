/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Libraries that are loaded only by runs that need them, and the commands that install them:
 * commands and packages have other names on each system.
 *
 * Linked as others are, ncurses and libelf would add 0.35 ms of processor time to the 1.25 ms of
 * each start, 0.35 MB to the 5.6 MB of a monitor, and packages of 1.4 MB to those that each machine
 * needs (x86-64, glibc 2.36).
 */
#ifndef CXLMON_BASE_LIBRARY_H
#define CXLMON_BASE_LIBRARY_H

#include <stddef.h>

#include "base/error.h"

/* A function or variable of a library, and the offset in a struct that receives its address. */
struct library_symbol {
	const char *name;
	size_t offset;
	void *linked; /* its LIBRARY_LINKED() */
};

/*
 * The address of a symbol in a static program (the macro CXLMON_STATIC), which includes the
 * library.
 */
#ifdef CXLMON_STATIC
#define LIBRARY_LINKED(symbol) ((void *)&(symbol))
#else
#define LIBRARY_LINKED(symbol) NULL
#endif

struct library {
	const char *soname;  /* identifies the ABI */
	const char *package; /* name in Debian */
	const char *what;    /* description in a message: "the screen library" */
	const struct library_symbol *symbols;
	size_t count;
};

/*
 * Loads the library, and fills the struct. The library stays loaded. ERROR_FAILED; the error has
 * the command that installs it.
 */
int library_load(const struct library *library, void *out, struct error *err);

/*
 * Writes the command that installs a Debian package on the system that root/etc/os-release names:
 * "sudo dnf install ncurses-libs". "" if it is unknown. Returns command.
 */
const char *package_command(const char *root, const char *debian, char command[ERROR_COMMAND_SIZE]);

#endif
