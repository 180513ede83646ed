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

/* Descriptors that the server has at its start. It also has standard error. */
enum {
	HTTP_TEXTS = STDIN_FILENO,	   /* pipe with messages; the server ends when it ends */
	HTTP_READY = STDOUT_FILENO,	   /* pipe for one byte when the server is ready */
	HTTP_LISTENER = STDERR_FILENO + 1, /* listening socket */
};

/* Expositions: kinds of texts that are served. */
enum exposition {
	EXPOSITION_OPENMETRICS, /* application/openmetrics-text; version=1.0.0 */
	EXPOSITION_PAGE,	/* text/html for people: see show/serve/serving_private.h */
	EXPOSITION_SENT,	/* number of expositions that are sent as messages */
	/* text/plain; version=0.0.4, which the server makes: see output/prometheus.h */
	EXPOSITION_PROMETHEUS = EXPOSITION_SENT,
	EXPOSITION_COUNT,
};

/*
 * Head of a message. The text and stale_size further bytes follow. The text replaces the previous
 * one of its exposition. If no message follows in time, the text becomes stale: the further bytes
 * replace its bytes from stale_from to stale_to.
 */
struct message {
	uint64_t interval_ns;	       /* interval of samples */
	uint32_t exposition;	       /* enum exposition, below EXPOSITION_SENT */
	uint32_t size;		       /* bytes of the text */
	uint32_t stale_from, stale_to; /* offsets in the text; stale_to is not included */
	uint32_t stale_size;
	uint32_t unused; /* always 0 */
};

/* Returns the number of bytes that follow the head. */
static inline size_t message_bytes(const struct message *head)
{
	return (size_t)head->size + head->stale_size;
}

/* A text is stale after this many intervals, each at least 1 s, without a message. */
#define MESSAGE_STALE_INTERVALS UINT64_C(3)

/* Most bytes of a text: a hundred times the text of eight sockets with all metrics. */
#define MESSAGE_MAX_BYTES (UINT32_C(128) << 20)

#ifdef CXLMON_STATIC
/* Runs the server: its main() in a static program. Returns the exit status. */
int http_main(void);
#endif

#endif
