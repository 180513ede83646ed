/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Private header of cxlmon-http, the HTTP server of cxlmon serve: a process that receives texts
 * ("expositions": see message.h) and serves them.
 */
#ifndef CXLMON_SHOW_HTTP_HTTP_PRIVATE_H
#define CXLMON_SHOW_HTTP_HTTP_PRIVATE_H

#include <netinet/in.h>
#include <stdbool.h>

#include "base/error.h"
#include "show/http/message.h"

/*
 * server.c: serves texts over HTTP, in one thread that never waits for a client.
 *
 * Slow clients do not delay others. A connection waits since its beginning or its latest answer. It
 * is closed when it has waited for SERVER_DEADLINE_S. If an address has more than
 * SERVER_MAX_PER_ADDRESS connections, or all addresses have more than SERVER_MAX_CONNECTIONS, the
 * connection among these that has waited longest is closed. The server raises the limit of open
 * files (RLIMIT_NOFILE). If that remains too low, both numbers of connections are lower.
 *
 * On a loopback address, a request must have a single Host, which is local: see
 * http_host_is_local(). A request of HTTP/1.0 may also have none.
 */

#define SERVER_MAX_CONNECTIONS 512U
/* Three quarters, because all scrapers may come through one proxy; a quarter is left to others. */
#define SERVER_MAX_PER_ADDRESS 384U
#define SERVER_DEADLINE_S      10U /* as Prometheus' default scrape_timeout */

struct server;

/*
 * Makes a server on a listening socket, which it owns, also after an error. Returns 0 or a negative
 * errno (ERROR_FAILED). Freed by server_free().
 */
int server_new(int listener, struct server **out, struct error *err);

/*
 * Serves a text from now on, and frees it later: see texts_replace(). Before the first text,
 * /metrics returns 503. If no text comes for MESSAGE_STALE_INTERVALS, the latest is served in its
 * stale form (see struct message), and /-/healthy returns 503.
 */
void server_publish(struct server *server, const struct message *head, char *text);

/*
 * Waits until the server has work or fd is readable, at most one second. Returns 0 or a
 * negative errno.
 */
int server_wait(struct server *server, int fd);

/* Does the pending work, without waiting. */
void server_run(struct server *server);

/* Closes all connections and the listening socket, and frees the server. NULL does nothing. */
void server_free(struct server *server);

/*
 * http_texts.c: the texts that are served. Other forms of a text (Prometheus' format, stale,
 * compressed) are made when they are first requested.
 */

struct MHD_Response;

/* A text in one form. */
struct form {
	struct MHD_Response *plain; /* NULL: not made */
	const char *bytes;	    /* the text, owned by .plain */
	size_t size;
	struct MHD_Response *gzip; /* NULL: not made */
};

/* All texts, in all forms. Initially {0}; freed by texts_free(). */
struct texts {
	struct message heads[EXPOSITION_SENT];	/* heads of the latest messages */
	struct form forms[2][EXPOSITION_COUNT]; /* [0]: as sent; [1]: stale */
};

/*
 * Makes a response of content type `type`, freed by response_free(); NULL: out of memory. owned:
 * the response owns the text, also if NULL is returned.
 */
struct MHD_Response *response_new(size_t size, char *text, bool owned, const char *type);
void response_free(struct MHD_Response *response); /* NULL does nothing */

/*
 * Replaces the text of an exposition, and owns text from now on. Responses that have begun end with
 * the previous text. If memory runs out, the previous text stays.
 */
void texts_replace(struct texts *texts, const struct message *head, char *text);

/*
 * Returns a response, owned by texts and valid until texts_replace(); NULL: there is no text yet,
 * or out of memory. gzip: compressed, unless memory runs out.
 */
struct MHD_Response *texts_find(struct texts *texts, enum exposition exposition, bool stale,
				bool gzip);

void texts_free(struct texts *texts);

/* http_route.c: chooses answers to requests, without the HTTP library. */

/* Answers to requests. */
enum page {
	PAGE_INDEX,		 /* / */
	PAGE_METRICS,		 /* /metrics */
	PAGE_HEALTHY,		 /* /-/healthy */
	PAGE_STALE,		 /* /-/healthy, if the latest text is stale */
	PAGE_NOT_FOUND,		 /* any other path */
	PAGE_METHOD_NOT_ALLOWED, /* neither GET nor HEAD */
	PAGE_FOREIGN_HOST,	 /* any path, if the Host is not local */
};

/* Returns the answer to a request, but not PAGE_STALE or PAGE_FOREIGN_HOST. path: without query. */
enum page http_route(const char *method, const char *path);

#define HTTP_HOST_SIZE 320 /* a host name of 255 characters, and a port */

/*
 * Returns the path of a request's target, and sets *absolute. If the target is absolute,
 * "http://host/path" (RFC 9112, 3.2.2), also sets host, which replaces the Host header ("": too
 * long).
 */
const char *http_target_path(const char *target, char host[HTTP_HOST_SIZE], bool *absolute);

/*
 * Returns true if a Host header is local: any IP address, localhost, this machine's name, or NULL
 * (no header). own: the machine's name, whose first label is also accepted. Other names are refused
 * against DNS rebinding: a web page's name may resolve to a loopback address, so that the page
 * could read the texts.
 */
bool http_host_is_local(const char *host, const char *own);

/*
 * Returns the exposition for an Accept header (NULL: none). Chooses OpenMetrics if the header names
 * it, without a version or with 1.0.0, and does not prefer plain text; else Prometheus' format.
 *
 * Source: RFC 9110, 12.5.1; headers that Prometheus 2 and 3 send.
 */
enum exposition http_negotiate(const char *accept);

/* Returns an address as IPv6. An IPv4 address is mapped into IPv6: RFC 4291, 2.5.5.2. */
struct in6_addr address_of(const struct sockaddr *address);

/* Returns true if a listening socket's address is ::1, or in 127.0.0.0/8 (also mapped). */
bool is_on_loopback(int listener);

/* Returns true if an Accept-Encoding header (NULL: none) allows gzip: RFC 9110, 12.5.3. */
bool http_accepts_gzip(const char *accept_encoding);

/* http_incoming.c: reads messages, and checks them: an attacker may control the sender. */

/* A message that is being read. Initially {0}; freed by incoming_free(). */
struct incoming {
	struct message head;
	size_t head_got; /* bytes of .head read so far */
	char *text;	 /* NULL: the head is incomplete */
	size_t text_got; /* bytes of .text read so far */
};

/*
 * Reads from fd, which must be non-blocking. Returns:
 * 1: a message is complete, in *head and *text. The caller frees *text.
 * 0: the message is incomplete, and nothing more can be read now.
 * -EPIPE: the sender has ended. -EBADMSG: the head is invalid. -ENOMEM.
 */
int incoming_next(struct incoming *in, int fd, struct message *head, char **text);

void incoming_free(struct incoming *in);

#endif
