/* SPDX-License-Identifier: BSD-3-Clause */
/* Private header of the HTTP server: the server, routes, texts, and messages of cxlmon serve. */
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
 * connection that has waited longest is closed: slow clients displace each other, and a request
 * that is sent at once is answered at once. The limit of open files (RLIMIT_NOFILE) is raised as
 * far as allowed; if it has no room for so many connections, both numbers are lower.
 *
 * A listener on a loopback address answers only requests with a single Host that is local, see
 * http_host_is_local(), and requests of HTTP/1.0 without a Host.
 */

#define SERVER_MAX_CONNECTIONS 512U
/*
 * A quarter is left to other addresses. The limit is not lower, because all scrapers may come
 * through one proxy.
 */
#define SERVER_MAX_PER_ADDRESS 384U
/* as long as Prometheus waits by default: scrape_timeout */
#define SERVER_DEADLINE_S 10U

struct server;

/* Makes a server on a listening socket, which it owns from now on, also after an error. */
int server_new(int listener, struct server **out, struct error *err);

/*
 * Serves this text from now on, and takes ownership (free()); responses that have begun finish with
 * the previous text. Before the first text, /metrics returns 503. When the latest text is stale,
 * its stale form is served instead, and /-/healthy returns 503.
 */
void server_publish(struct server *server, const struct message *head, char *text);

/* Waits until there is something to do, or fd is readable. Returns 0 or a negative errno. */
int server_wait(struct server *server, int fd);

/* Does the pending work, without waiting. */
void server_run(struct server *server);

void server_free(struct server *server);

/*
 * http_texts.c: texts that are served. Their other forms (Prometheus' format, stale and compressed
 * texts) are made when they are first asked for.
 */

struct MHD_Response;

/* A text in one form. */
struct form {
	struct MHD_Response *plain; /* NULL: not made */
	const char *bytes;	    /* owned by plain */
	size_t size;
	struct MHD_Response *gzip; /* NULL: not made */
};

/* Initially {0}; freed by texts_free(). */
struct texts {
	struct message heads[EXPOSITION_SENT];
	struct form forms[2][EXPOSITION_COUNT]; /* [1]: served when stale */
};

/*
 * Makes a response, owned by the caller; NULL: out of memory. owned: the text is freed with the
 * response, also if none could be made.
 */
struct MHD_Response *response_new(size_t size, char *text, bool owned, const char *type);
void response_free(struct MHD_Response *response); /* NULL does nothing */

/*
 * Replaces the text and takes ownership (free()); responses that have begun finish with the last
 * text.
 */
void texts_replace(struct texts *texts, const struct message *head, char *text);

/* Returns a response, still owned by the texts; NULL: no text yet, or out of memory. */
struct MHD_Response *texts_find(struct texts *texts, enum exposition exposition, bool stale,
				bool gzip);

void texts_free(struct texts *texts);

/* http_route.c: routes requests; does not depend on the HTTP library */

enum page {
	PAGE_INDEX,		 /* / */
	PAGE_METRICS,		 /* /metrics */
	PAGE_HEALTHY,		 /* /-/healthy */
	PAGE_STALE,		 /* the same, if no sample has come for long */
	PAGE_NOT_FOUND,		 /* any other path */
	PAGE_METHOD_NOT_ALLOWED, /* neither GET nor HEAD */
	PAGE_FOREIGN_HOST,	 /* any path, if the host's name is not this machine's */
};

/* Chooses the page. path: without the query. */
enum page http_route(const char *method, const char *path);

#define HTTP_HOST_SIZE 320 /* a host name of 255 characters, and a port */

/*
 * Returns the path of a request's target. In absolute form (RFC 9112, 3.2.2), "http://host/path",
 * it sets host, which replaces the Host header; "" if it is too long. Otherwise host is not
 * changed.
 */
const char *http_target_path(const char *target, char host[HTTP_HOST_SIZE], bool *absolute);

/*
 * Returns whether a Host header (NULL: none) is an address, localhost, or this machine's name. own:
 * its host name; the first label of it also counts. Any other name may be a web page's, whose DNS
 * server has answered with a loopback address (DNS rebinding): the page could then read what is
 * served.
 */
bool http_host_is_local(const char *host, const char *own);

/*
 * Selects the exposition by the Accept header (NULL: none): OpenMetrics if it is accepted, in
 * version 1.0.0 or any, and not less preferred than plain text; else the older format.
 *
 * Source: RFC 9110, 12.5.1; what Prometheus 2 and 3 send.
 */
enum exposition http_negotiate(const char *accept);

/* Returns the address; IPv4 is mapped into IPv6: RFC 4291, 2.5.5.2. */
struct in6_addr address_of(const struct sockaddr *address);

/* Returns whether a listener's address is in 127.0.0.0/8, also mapped into IPv6, or ::1. */
bool is_on_loopback(int listener);

/* Returns whether the Accept-Encoding header (NULL: none) allows gzip: RFC 9110, 12.5.3. */
bool http_accepts_gzip(const char *accept_encoding);

/*
 * http_incoming.c: messages of cxlmon serve, which an attacker may have taken over; no read blocks
 */

/* A message that is being read. Initially {0}; freed by incoming_free(). */
struct incoming {
	struct message head;
	size_t head_got;
	char *text; /* NULL: the head is incomplete */
	size_t text_got;
};

/*
 * Reads more. 1: a message is complete, in *head and *text, which the caller frees; 0: not yet;
 * -EPIPE: the sender has ended; -EBADMSG: it has sent a head that no run sends; -ENOMEM.
 */
int incoming_next(struct incoming *in, int fd, struct message *head, char **text);

void incoming_free(struct incoming *in);

#endif
