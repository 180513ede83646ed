/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between cxlmon serve and its HTTP server, a separate process. The server gets
 * expositions through a pipe, and answers with one byte when it serves.
 */
#ifndef CXLMON_SHOW_HTTP_MESSAGE_H
#define CXLMON_SHOW_HTTP_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#define HTTP_PROGRAM "cxlmon-http"

/* Descriptors of the server, besides standard error. */
enum {
	HTTP_TEXTS = STDIN_FILENO,  /* messages; the server ends at the end of this file */
	HTTP_READY = STDOUT_FILENO, /* gets one byte, and is closed */
	HTTP_LISTENER = STDERR_FILENO + 1,
};

/* Texts that are served. */
enum exposition {
	EXPOSITION_OPENMETRICS, /* application/openmetrics-text; version=1.0.0 */
	EXPOSITION_PAGE,	/* text/html for people: see show/serve/serving.c */
	/* number of expositions that are sent; the others are made from them */
	EXPOSITION_SENT,
	/* text/plain; version=0.0.4; made from OpenMetrics, see output/prometheus.h */
	EXPOSITION_PROMETHEUS = EXPOSITION_SENT,
	EXPOSITION_COUNT,
};

/*
 * Head of a text, which replaces the last text of its exposition. When samples stop, the text is
 * served with other bytes from stale_from to stale_to; these bytes follow the text.
 */
struct message {
	uint64_t interval_ns; /* time between samples */
	uint32_t exposition;  /* below EXPOSITION_SENT */
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

/* Number of intervals, each at least 1 s, without a sample until the latest one is stale. */
#define MESSAGE_STALE_INTERVALS UINT64_C(3)

/* A hundred times the exposition of eight sockets with all metrics. */
#define MESSAGE_MAX_BYTES (UINT32_C(128) << 20)

#ifdef CXLMON_STATIC
/* main() of the server in a static program. */
int http_main(void);
#endif

#endif
