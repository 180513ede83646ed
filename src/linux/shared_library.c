/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/shared_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static int failed(const struct library *library, struct error *err)
{
	const char *why = dlerror();
	char command[ERROR_COMMAND_SIZE];

	snprintf(command, sizeof(command), "sudo apt install %s", library->package);
	error_set(err, EXIT_FAILED, -ELIBACC, "cannot load %s: %s; to install it: %s",
		  library->what, why ? why : library->file, command);
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
		/* ISO C has no cast from an object to a function; POSIX says it may be copied */
		memcpy((char *)out + library->symbols[i].offset, &address, sizeof(address));
	}
	return 0;
}
