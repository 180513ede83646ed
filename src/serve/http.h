/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Serves expositions over HTTP, in threads of its own. A request is answered with text that was
 * formatted before: it reads no registers, and the sampler never waits for it. The cost of slow,
 * many or malformed clients is bounded: connections idle for ten seconds are closed, and beyond 512
 * connections clients wait in the kernel's queue. The threads run at nice 10, below the sampler.
 */
#ifndef CXLMON_HTTP_H
#define CXLMON_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "output/openmetrics.h"
#include "platform/error.h"

struct http;

/* EXIT_FAILED, also if libmicrohttpd cannot be loaded. Freed by http_free(). */
int http_new(struct http **out, struct error *err);

/*
 * Starts the threads, which own the listener from now on, also after failure. The calling thread is
 * kicked (see linux/signals.h) if the server fails; signals that are blocked in it are blocked in
 * the server's threads, too.
 */
int http_start(struct http *http, int listener, struct error *err);

/* Ends the threads and cuts off unfinished responses. NULL does nothing. */
void http_free(struct http *http);

/*
 * Serves this text from now on, and takes ownership (free()); responses that have begun finish with
 * the previous text. Before the first text, /metrics returns 503. To be called from one thread.
 */
void http_publish(struct http *http, enum exposition exposition, char *text, size_t size);

/* Whether the server has failed. */
bool http_failed(const struct http *http);

#endif
