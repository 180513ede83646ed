/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How cxlmon serve and its HTTP server, a process of its own, speak with each other: the server
 * gets expositions through a pipe, and answers with one byte when it serves.
 */
#ifndef CXLMON_SHOW_HTTP_MESSAGE_H
#define CXLMON_SHOW_HTTP_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#define HTTP_PROGRAM "cxlmon-http"

/* The server's files, besides standard error. */
enum {
	HTTP_TEXTS = STDIN_FILENO,  /* messages; at its end, the server ends */
	HTTP_READY = STDOUT_FILENO, /* gets one byte, and is closed */
	HTTP_LISTENER = STDERR_FILENO + 1,
};

/* Texts that are served. */
enum exposition {
	EXPOSITION_OPENMETRICS, /* application/openmetrics-text; version=1.0.0 */
	EXPOSITION_PAGE,	/* text/html, for people: see show/serve/serving.c */
	EXPOSITION_SENT,	/* the others are made of those that are sent */
	/* text/plain; version=0.0.4; of OpenMetrics, see output/prometheus.h */
	EXPOSITION_PROMETHEUS = EXPOSITION_SENT,
	EXPOSITION_COUNT,
};

/*
 * A text follows, which replaces the last one of its exposition. When no sample comes any more, the
 * text is served with other bytes from stale_from to stale_to: they follow the text.
 */
struct message {
	uint64_t interval_ns; /* from one sample to the next */
	uint32_t exposition;  /* below EXPOSITION_SENT */
	uint32_t size;	      /* bytes of the text */
	uint32_t stale_from, stale_to;
	uint32_t stale_size; /* bytes that follow the text */
	uint32_t unused;     /* 0 */
};

/* Bytes that follow the head. */
static inline size_t message_bytes(const struct message *head)
{
	return (size_t)head->size + head->stale_size;
}

/* Without a sample for so many intervals, of a second at least, the latest one is stale. */
#define MESSAGE_STALE_INTERVALS UINT64_C(3)

/* A hundred times the exposition of eight sockets with all metrics. */
#define MESSAGE_MAX_BYTES (UINT32_C(128) << 20)

#ifdef CXLMON_STATIC
/* The main() of the server, which is in the same file. */
int http_main(void);
#endif

#endif
