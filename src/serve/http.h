/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expositions over HTTP, from threads of its own. A request is answered with bytes that are there
 * already: it formats nothing, reads no register, and waits for nobody who samples. Clients that
 * are slow, many or malformed cost bounded memory, and their own time: connections that are idle
 * for ten seconds are closed, and beyond 512 of them others wait in the kernel's queue. The threads
 * give way (nice 10) to those that sample.
 */
#ifndef CXLMON_HTTP_H
#define CXLMON_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "output/openmetrics.h"
#include "platform/error.h"

struct http;

/* EXIT_FAILED, also where libmicrohttpd can't be loaded. Freed by http_free(). */
int http_new(struct http **out, struct error *err);

/*
 * Starts its threads. The listener becomes theirs, also after failure. The caller's thread is the
 * one to nudge (see signals.h) should the server break; the signals that it holds are held in the
 * server's threads as well.
 */
int http_start(struct http *http, int listener, struct error *err);

/* Ends its threads; answers that are on their way are cut off. NULL does nothing. */
void http_free(struct http *http);

/*
 * Shows this text (of malloc(), and taken over) from now on; whoever is being sent the one before
 * gets all of that. Until there is one, /metrics answers 503. From one thread.
 */
void http_publish(struct http *http, enum exposition exposition, char *text, size_t size);

/* The server can't go on. */
bool http_broken(const struct http *http);

#endif
