/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/http_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

/* The ABI that microhttpd.h describes from 0.9.42 on. */
#define LIBRARY "libmicrohttpd.so.12"

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
#define HTTP_ROW(name) {"MHD_" #name, offsetof(struct http_library, name)},
	HTTP_FUNCTIONS(HTTP_ROW)
#undef HTTP_ROW
};

static int failed(struct error *err)
{
	const char *why = dlerror();

	error_set(err, EXIT_FAILED, -ELIBACC,
		  "the library for HTTP can't be loaded: %s; sudo apt install libmicrohttpd12",
		  why ? why : LIBRARY);
	error_mend(err, "sudo apt install libmicrohttpd12");
	return -ELIBACC;
}

int http_library_load(struct http_library *out, struct error *err)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return failed(err);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *function = dlsym(library, functions[i].name);

		if (!function)
			return failed(err);
		/* ISO C has no cast from an object to a function; POSIX says it may be copied */
		memcpy((char *)out + functions[i].offset, &function, sizeof(function));
	}
	return 0;
}
