/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Libraries that are loaded with dlopen() only by runs that need them. A static program (the macro
 * CXLMON_STATIC) has them within.
 */
#ifndef CXLMON_SHARED_LIBRARY_H
#define CXLMON_SHARED_LIBRARY_H

#include <stddef.h>

#include "platform/error.h"

/* A function or variable, and the offset in a struct at which its address is stored. */
struct library_symbol {
	const char *name;
	size_t offset;
	void *linked; /* its address in a static program */
};

#ifdef CXLMON_STATIC
#define LIBRARY_LINKED(symbol) ((void *)&(symbol))
#else
#define LIBRARY_LINKED(symbol) NULL
#endif

struct library {
	const char *file;    /* soname, which identifies the ABI */
	const char *what;    /* description, for messages */
	const char *package; /* Debian package */
	const struct library_symbol *symbols;
	size_t count;
};

/* Fills the struct at out. The library stays loaded. EXIT_FAILED, with a hint that installs it. */
int library_load(const struct library *library, void *out, struct error *err);

#endif
