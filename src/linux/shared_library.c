/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/shared_library.h"

#include <errno.h>
#include <string.h>
#ifndef CXLMON_STATIC
#include <dlfcn.h>

#include "linux/packages.h"
#endif

/* ISO C has no cast from an object to a function; POSIX says it may be copied. */
static void store(const struct library_symbol *symbol, void *address, void *out)
{
	memcpy((char *)out + symbol->offset, &address, sizeof(address));
}

#ifdef CXLMON_STATIC

int library_load(const struct library *library, void *out, struct error *err)
{
	for (size_t i = 0; i < library->count; i++) {
		if (!library->symbols[i].linked)
			return error_set(err, EXIT_FAILED, -ELIBACC,
					 "this static program does not have %s", library->what);
		store(&library->symbols[i], library->symbols[i].linked, out);
	}
	return 0;
}

#else

static int failed(const struct library *library, struct error *err)
{
	const char *why = dlerror();
	char command[ERROR_COMMAND_SIZE];

	package_command("/", library->package, command);
	error_set(err, EXIT_FAILED, -ELIBACC, "cannot load %s: %s; to install it: %s",
		  library->what, why ? why : library->file, *command ? command : library->file);
	error_hint(err, command);
	return -ELIBACC;
}

int library_load(const struct library *library, void *out, struct error *err)
{
	void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return failed(library, err);
	for (size_t i = 0; i < library->count; i++) {
		void *address = dlsym(handle, library->symbols[i].name);

		if (!address)
			return failed(library, err);
		store(&library->symbols[i], address, out);
	}
	return 0;
}

#endif
