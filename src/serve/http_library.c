/* SPDX-License-Identifier: BSD-3-Clause */
#include "serve/http_library.h"

#include <stddef.h>

#include "linux/shared_library.h"

static const struct library_symbol symbols[] = {
#define HTTP_ROW(name) {"MHD_" #name, offsetof(struct http_library, name)},
	HTTP_FUNCTIONS(HTTP_ROW)
#undef HTTP_ROW
};

int http_library_load(struct http_library *out, struct error *err)
{
	static const struct library library = {
		.file = "libmicrohttpd.so.12", /* what microhttpd.h describes from 0.9.42 on */
		.what = "the HTTP library",
		.package = "libmicrohttpd12",
		.symbols = symbols,
		.count = sizeof(symbols) / sizeof(symbols[0]),
	};

	return library_load(&library, out, err);
}
