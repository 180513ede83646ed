/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to the HTTP server: the server, routes, texts, and messages of cxlmon serve. */
#ifndef CXLMON_SHOW_HTTP_HTTP_PRIVATE_H
#define CXLMON_SHOW_HTTP_HTTP_PRIVATE_H

#include <netinet/in.h>
#include <stdbool.h>

#include "base/error.h"
#include "show/http/message.h"

/*
 * server.c: serves expositions over HTTP, in one thread that waits for nobody. A request is
 * answered with text that was formatted before.
 *
 * A client may take its time, but not from others. From the moment it connects or has got its last
 * answer, it has SERVER_DEADLINE_S until the next answer is sent, whatever it sends meanwhile.
 * Where one address has more than SERVER_MAX_PER_ADDRESS connections, or all have more than
 * SERVER_MAX_CONNECTIONS, the one that has waited longest is closed: those who send slowly displace
 * each other, and a request that is sent at once is answered at once. Where the limit of open files
 * (RLIMIT_NOFILE), which is raised as far as allowed, has no room for so many, both are fewer.
 *
 * A listener on a loopback address answers only requests whose only Host is local, see
 * http_host_is_local(), and those of HTTP/1.0 that have none.
 */

#define SERVER_MAX_CONNECTIONS 512U
/*
 * A quarter is left to other addresses. Not fewer, since all scrapers may come through one proxy.
 */
#define SERVER_MAX_PER_ADDRESS 384U
/* as long as Prometheus waits by default: scrape_timeout */
#define SERVER_DEADLINE_S 10U

struct server;

/* Serves on a listening socket, which it owns from now on, also after an error. */
int server_new(int listener, struct server **out, struct error *err);

/*
 * Serves this text from now on, and takes ownership (free()); responses that have begun finish with
 * the previous text. Before the first text, /metrics returns 503. When the latest is stale, the
 * text for that is served instead, and /-/healthy returns 503.
 */
void server_publish(struct server *server, const struct message *head, char *text);

/* Waits until there is something to do, or fd is readable. 0 or a negative errno. */
int server_wait(struct server *server, int fd);

/* Does what there is to do. */
void server_run(struct server *server);

void server_free(struct server *server);

/*
 * http_texts.c: texts that are served. Their other forms, which are Prometheus' format, those that
 * are stale and those that are compressed, are made when they are first asked for.
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
 * Makes a response, owned by the caller: NULL: out of memory. If owned, the text is freed with it,
 * also if it is not made.
 */
struct MHD_Response *response_new(size_t size, char *text, bool owned, const char *type);
void response_free(struct MHD_Response *response); /* NULL does nothing */

/* Replaces the text and takes ownership (free()); responses that have begun finish with the last.
 */
void texts_replace(struct texts *texts, const struct message *head, char *text);

/* Response that remains owned by the texts; NULL: none has come, or memory is short. */
struct MHD_Response *texts_find(struct texts *texts, enum exposition exposition, bool stale,
				bool gzip);

void texts_free(struct texts *texts);

/* http_route.c: routes requests; does not depend on the HTTP library */

enum page {
	PAGE_INDEX,		 /* / */
	PAGE_METRICS,		 /* /metrics */
	PAGE_HEALTHY,		 /* /-/healthy */
	PAGE_STALE,		 /* the same, where no sample has come for long */
	PAGE_NOT_FOUND,		 /* any other path */
	PAGE_METHOD_NOT_ALLOWED, /* neither GET nor HEAD */
	PAGE_FOREIGN_HOST,	 /* any path, by a name that is not this machine's */
};

/* path is without the query. */
enum page http_route(const char *method, const char *path);

#define HTTP_HOST_SIZE 320 /* a host name of 255 characters, and a port */

/*
 * Returns the path of a request's target. In absolute form (RFC 9112, 3.2.2), "http://host/path",
 * it sets host, which replaces the Host header; "" if it is too long. Otherwise host is not
 * changed.
 */
const char *http_target_path(const char *target, char host[HTTP_HOST_SIZE], bool *absolute);

/*
 * Whether a Host header (NULL: none) is an address, localhost, or this machine's name (own: its
 * host name; or the first label of that). Any other name may be a web page's, whose DNS server has
 * answered with a loopback address (DNS rebinding): the page could then read what is served.
 */
bool http_host_is_local(const char *host, const char *own);

/*
 * Selects the exposition by the Accept header (NULL: none): OpenMetrics if it is accepted, in
 * version 1.0.0 or any, and not less preferred than plain text; else the older format.
 *
 * Source: RFC 9110, 12.5.1; what Prometheus 2 and 3 send.
 */
enum exposition http_negotiate(const char *accept);

/* IPv4 as IPv6 has it: RFC 4291, 2.5.5.2. */
struct in6_addr address_of(const struct sockaddr *address);

/* 127.0.0.0/8, also as IPv6 has it, or ::1. */
bool is_on_loopback(int listener);

/* Whether the Accept-Encoding header (NULL: none) allows gzip: RFC 9110, 12.5.3. */
bool http_accepts_gzip(const char *accept_encoding);

/* http_incoming.c: messages of cxlmon serve, which may have been taken over; no read blocks */

/* A message that is being read. Initially {0}; freed by incoming_free(). */
struct incoming {
	struct message head;
	size_t head_got;
	char *text; /* NULL: still the head */
	size_t text_got;
};

/*
 * Reads on. 1: a message is whole: *head and *text with all its bytes, which the caller frees; 0:
 * not yet; -EPIPE: the sender has ended; -EBADMSG: it has sent a head that no run sends; -ENOMEM.
 */
int incoming_next(struct incoming *in, int fd, struct message *head, char **text);

void incoming_free(struct incoming *in);

#endif
