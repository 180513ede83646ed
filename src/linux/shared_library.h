/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that are loaded by those runs alone that need them. */
#ifndef CXLMON_SHARED_LIBRARY_H
#define CXLMON_SHARED_LIBRARY_H

#include <stddef.h>

#include "platform/error.h"

/* A function or variable of it, and where in a struct its address belongs. */
struct library_symbol {
	const char *name;
	size_t offset;
};

struct library {
	const char *file;    /* its soname, which is an ABI */
	const char *what;    /* it is, for messages */
	const char *package; /* that has it, in Debian */
	const struct library_symbol *symbols;
	size_t count;
};

/* It stays loaded. EXIT_FAILED, with the command that installs it. */
int library_load(const struct library *library, void *out, struct error *err);

#endif
