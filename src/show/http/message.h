/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between cxlmon serve and its HTTP server, a separate process. The server gets texts
 * through one pipe, and writes one byte to another when it is ready.
 */
#ifndef CXLMON_SHOW_HTTP_MESSAGE_H
#define CXLMON_SHOW_HTTP_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#define HTTP_PROGRAM "cxlmon-http"

/* Descriptors that the server has at its start, besides standard error. */
enum {
	HTTP_TEXTS = STDIN_FILENO, /* pipe with messages; the server ends at its end */
	/* pipe that gets one byte when the server is ready, and is closed then */
	HTTP_READY = STDOUT_FILENO,
	HTTP_LISTENER = STDERR_FILENO + 1, /* listening socket */
};

/* Expositions: the texts that are served, by type. */
enum exposition {
	EXPOSITION_OPENMETRICS, /* application/openmetrics-text; version=1.0.0 */
	EXPOSITION_PAGE,	/* text/html for people: see show/serve/serving.c */
	/* number of expositions that are sent as messages; the others are made from these */
	EXPOSITION_SENT,
	/* text/plain; version=0.0.4; made from OpenMetrics, see output/prometheus.h */
	EXPOSITION_PROMETHEUS = EXPOSITION_SENT,
	EXPOSITION_COUNT,
};

/*
 * Head of a message, which replaces the last text of its exposition. The text and stale_size bytes
 * follow. If samples stop, the text is served with these bytes in place of its bytes from
 * stale_from to stale_to.
 */
struct message {
	uint64_t interval_ns; /* interval of samples */
	uint32_t exposition;  /* enum exposition, below EXPOSITION_SENT */
	uint32_t size;	      /* bytes of the text */
	uint32_t stale_from, stale_to;
	uint32_t stale_size; /* bytes that follow the text */
	uint32_t unused;     /* always 0 */
};

/* Returns the number of bytes that follow the head. */
static inline size_t message_bytes(const struct message *head)
{
	return (size_t)head->size + head->stale_size;
}

/* Number of intervals (each at least 1 s) without a text after which the latest is stale. */
#define MESSAGE_STALE_INTERVALS UINT64_C(3)

/* Most bytes of a text: a hundred times the exposition of eight sockets with all metrics. */
#define MESSAGE_MAX_BYTES (UINT32_C(128) << 20)

#ifdef CXLMON_STATIC
/* Runs as the server does: its main() in a static program. */
int http_main(void);
#endif

#endif
