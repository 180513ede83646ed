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

/* A text follows, which replaces the last one of its exposition. */
struct message {
	uint16_t exposition;  /* enum exposition */
	uint16_t stale;	      /* 1: the text that is served when no sample comes any more; else 0 */
	uint32_t size;	      /* of the text, bytes */
	uint64_t interval_ns; /* from one sample to the next */
};

/* Without a sample for so many intervals, of a second at least, the latest one is stale. */
#define MESSAGE_STALE_INTERVALS UINT64_C(3)

/* A hundred times the exposition of eight sockets with all metrics. */
#define MESSAGE_MAX_BYTES (UINT32_C(128) << 20)

#ifdef CXLMON_STATIC
/* The main() of the server, which is in the same file. */
int http_main(void);
#endif

#endif
