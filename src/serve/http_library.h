/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libmicrohttpd, loaded only by cxlmon serve. Debian's needs GnuTLS, whose initialization would
 * cost every other run 2 ms and 2.5 MiB; and cxlmon runs where neither is installed.
 */
#ifndef CXLMON_HTTP_LIBRARY_H
#define CXLMON_HTTP_LIBRARY_H

#include <microhttpd.h>

#include "platform/error.h"

#define HTTP_FUNCTIONS(X)                                                                          \
	X(start_daemon)                                                                            \
	X(stop_daemon)                                                                             \
	X(set_panic_func)                                                                          \
	X(lookup_connection_value)                                                                 \
	X(create_response_from_buffer)                                                             \
	X(add_response_header)                                                                     \
	X(queue_response)                                                                          \
	X(destroy_response)

/* Named without MHD_, with the types of <microhttpd.h>. */
struct http_library {
#define HTTP_MEMBER(name) __typeof__(&MHD_##name) name;
	HTTP_FUNCTIONS(HTTP_MEMBER)
#undef HTTP_MEMBER
};

/* Stays loaded. EXIT_FAILED; the error has the command that installs it. */
int http_library_load(struct http_library *out, struct error *err);

#endif
