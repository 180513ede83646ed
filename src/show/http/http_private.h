/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Private header of the HTTP server of cxlmon serve, a process of its own: the server, the texts
 * that it serves, routes, and messages from cxlmon serve.
 */
#ifndef CXLMON_SHOW_HTTP_HTTP_PRIVATE_H
#define CXLMON_SHOW_HTTP_HTTP_PRIVATE_H

#include <netinet/in.h>
#include <stdbool.h>

#include "base/error.h"
#include "show/http/message.h"

/*
 * server.c: serves expositions over HTTP, in one thread that never waits for a client. A request is
 * answered with text that was formatted before.
 *
 * A slow client does not delay others. After it connects or gets an answer, it has
 * SERVER_DEADLINE_S until the next answer is sent, whatever it sends meanwhile. If one address has
 * more than SERVER_MAX_PER_ADDRESS connections, or all have more than SERVER_MAX_CONNECTIONS, the
 * connection that has waited longest is closed. So slow clients displace each other, and a request
 * that is sent at once is answered at once. The limit of open files (RLIMIT_NOFILE) is raised as
 * far as allowed; if it has no room for so many connections, both numbers are lower.
 *
 * On a loopback address, only requests with a single local Host (see http_host_is_local()) are
 * answered, and requests of HTTP/1.0 without a Host.
 */

#define SERVER_MAX_CONNECTIONS 512U
/*
 * A quarter is left to other addresses. The limit is not lower, because all scrapers may come
 * through one proxy.
 */
#define SERVER_MAX_PER_ADDRESS 384U
/* seconds; as long as Prometheus waits by default: scrape_timeout */
#define SERVER_DEADLINE_S 10U

struct server;

/*
 * Makes a server on a listening socket, which is closed after an error, else by server_free().
 * Returns 0 or a negative errno, ERROR_FAILED.
 */
int server_new(int listener, struct server **out, struct error *err);

/*
 * Serves text from now on, and frees it later; see texts_replace(). Before the first text, /metrics
 * returns 503. If no text comes for MESSAGE_STALE_INTERVALS, the latest is served in its stale
 * form, and /-/healthy returns 503.
 */
void server_publish(struct server *server, const struct message *head, char *text);

/*
 * Waits, for a second at most, until there is something to do, or fd is readable. Returns 0 or a
 * negative errno.
 */
int server_wait(struct server *server, int fd);

/* Does the pending work, without waiting. */
void server_run(struct server *server);

/* Closes all connections, and frees the server; NULL does nothing. */
void server_free(struct server *server);

/*
 * http_texts.c: the texts that are served. Other forms of them (Prometheus' format, stale,
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
	struct message heads[EXPOSITION_SENT];	/* heads of the texts as sent */
	struct form forms[2][EXPOSITION_COUNT]; /* by staleness (1: stale) and exposition */
};

/*
 * Makes a response of content type `type`, freed by response_free(); NULL: out of memory. owned:
 * the text is freed with the response, or now if none can be made.
 */
struct MHD_Response *response_new(size_t size, char *text, bool owned, const char *type);
void response_free(struct MHD_Response *response); /* NULL does nothing */

/*
 * Replaces the text of an exposition, and frees it later (free()). Responses that have begun finish
 * with the previous text, which also stays if memory runs out.
 */
void texts_replace(struct texts *texts, const struct message *head, char *text);

/*
 * Returns a response, owned by texts and valid until texts_replace(). gzip: compressed, if
 * possible. NULL: there is no text yet, or out of memory.
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
	PAGE_STALE,		 /* /-/healthy, if the latest sample is stale */
	PAGE_NOT_FOUND,		 /* any other path */
	PAGE_METHOD_NOT_ALLOWED, /* neither GET nor HEAD */
	PAGE_FOREIGN_HOST,	 /* any path, if the Host is not local */
};

/*
 * Returns the answer by method and path, which has no query; never PAGE_STALE or PAGE_FOREIGN_HOST.
 */
enum page http_route(const char *method, const char *path);

#define HTTP_HOST_SIZE 320 /* a host name of 255 characters, and a port */

/*
 * Returns the path of a request's target. If the target is absolute, "http://host/path" (RFC 9112,
 * 3.2.2), sets *absolute, and host, which replaces the Host header ("": too long). Otherwise host
 * is unchanged.
 */
const char *http_target_path(const char *target, char host[HTTP_HOST_SIZE], bool *absolute);

/*
 * Returns true if a Host header is local: an address, localhost, this machine's name, or NULL
 * (none). own: the machine's name, whose first label also counts. Any other name may be a web
 * page's, whose DNS server has answered with a loopback address (DNS rebinding): the page could
 * then read what is served.
 */
bool http_host_is_local(const char *host, const char *own);

/*
 * Returns the exposition for an Accept header (NULL: none): OpenMetrics if it is accepted, in
 * version 1.0.0 or any, and not less preferred than plain text; else Prometheus' format.
 *
 * Source: RFC 9110, 12.5.1; what Prometheus 2 and 3 send.
 */
enum exposition http_negotiate(const char *accept);

/* Returns an IPv6 address, or an IPv4 address mapped into IPv6: RFC 4291, 2.5.5.2. */
struct in6_addr address_of(const struct sockaddr *address);

/*
 * Returns true if a listening socket's address is ::1, or in 127.0.0.0/8, mapped into IPv6 or not.
 */
bool is_on_loopback(int listener);

/* Returns true if an Accept-Encoding header (NULL: none) allows gzip: RFC 9110, 12.5.3. */
bool http_accepts_gzip(const char *accept_encoding);

/* http_incoming.c: reads messages of cxlmon serve, which an attacker may have taken over. */

/* A message that is being read. Initially {0}; freed by incoming_free(). */
struct incoming {
	struct message head;
	size_t head_got;
	char *text; /* NULL: the head is incomplete */
	size_t text_got;
};

/*
 * Reads from fd, which must be non-blocking. Returns 1 if a message is complete, in *head and
 * *text, which the caller frees; 0 if not yet; -EPIPE: the sender has ended; -EBADMSG: it has sent
 * a head that no run sends; -ENOMEM.
 */
int incoming_next(struct incoming *in, int fd, struct message *head, char **text);

void incoming_free(struct incoming *in);

#endif
