/* SPDX-License-Identifier: BSD-3-Clause */
/* Responses of libmicrohttpd are reference counted: one may be sent to many, and replaced. */
#include "show/http/http_private.h"

#include <errno.h>
#include <limits.h>
#include <microhttpd.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/number.h"
#include "linux/kernel/clock.h"
#include "show/http/message.h"

#define CONNECTION_BYTES ((size_t)8 << 10) /* memory for a request and the response header */
#define PAGE_COUNT	 (PAGE_FOREIGN_HOST + 1)
/*
 * Share of connections that may be closing: an eighth. libmicrohttpd notices the close only when it
 * runs.
 */
#define ONE_IN_CLOSING 8U
#define CLIENT_COUNT   (SERVER_MAX_CONNECTIONS + SERVER_MAX_CONNECTIONS / ONE_IN_CLOSING)
/* Descriptors for standard files, the listener, texts, epoll, and the library's brief use. */
#define OWN_FILES 16U
#define CHECK_MS  1000 /* time between checks of the deadline */

struct client {
	int fd; /* -1: unused */
	struct in6_addr address;
	uint64_t since_ns; /* clock_monotonic() of the connection or its last answer */
	bool closing;
};

struct server {
	struct MHD_Daemon *daemon;
	int epoll;		      /* epoll of the daemon */
	bool loopback;		      /* the listener's address is a loopback address */
	char name[HOST_NAME_MAX + 1]; /* this machine's name; empty: unknown */
	/* limit of clients that are not being closed, at most SERVER_MAX_CONNECTIONS */
	unsigned most_clients;
	unsigned most_connections; /* limit of connections, at most CLIENT_COUNT */
	struct client clients[CLIENT_COUNT];
	/* fixed answers, by page; PAGE_INDEX and PAGE_METRICS: no sample yet */
	struct MHD_Response *pages[PAGE_COUNT];
	struct texts texts;
	uint64_t published_ns; /* clock_monotonic() of the last text; 0: never */
	uint64_t stale_ns;     /* time after which a text is stale */
};

#define PLAIN "text/plain; charset=utf-8"
#define HTML  "text/html; charset=utf-8"

static const struct {
	unsigned status;
	const char *type;
	const char *text;
} page_table[PAGE_COUNT] = {
	[PAGE_INDEX] = {MHD_HTTP_OK, HTML,
			"<!DOCTYPE html>\n<html lang=\"en\"><head><title>cxlmon</title>"
			"<meta http-equiv=\"refresh\" content=\"1\"></head><body>\n"
			"<p>There is no sample yet. For Prometheus: "
			"<a href=\"/metrics\">/metrics</a></p>\n"
			"</body></html>\n"},
	[PAGE_METRICS] = {MHD_HTTP_SERVICE_UNAVAILABLE, PLAIN, "There is no sample yet.\n"},
	[PAGE_HEALTHY] = {MHD_HTTP_OK, PLAIN, "cxlmon is healthy.\n"},
	[PAGE_STALE] = {MHD_HTTP_SERVICE_UNAVAILABLE, PLAIN,
			"cxlmon has stopped taking samples.\n"},
	[PAGE_NOT_FOUND] = {MHD_HTTP_NOT_FOUND, PLAIN, "Not found: see /metrics.\n"},
	[PAGE_METHOD_NOT_ALLOWED] = {MHD_HTTP_METHOD_NOT_ALLOWED, PLAIN, "Expected GET or HEAD.\n"},
	[PAGE_FOREIGN_HOST] = {MHD_HTTP_FORBIDDEN, PLAIN,
			       "cxlmon listens on a loopback address, and answers only requests to "
			       "an address, localhost or this machine's host name: the Host header "
			       "has another name.\n"},
};

static const char *request_header(struct MHD_Connection *connection, const char *name)
{
	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static bool is_stale(const struct server *server)
{
	return server->published_ns && clock_monotonic() - server->published_ns > server->stale_ns;
}

/* Responds with an exposition. page: the answer if there is no sample yet. */
static enum MHD_Result respond_exposition(struct server *server, struct MHD_Connection *connection,
					  enum exposition which, enum page page)
{
	const bool gzip =
		http_accepts_gzip(request_header(connection, MHD_HTTP_HEADER_ACCEPT_ENCODING));
	struct MHD_Response *found = texts_find(&server->texts, which, is_stale(server), gzip);

	if (found)
		return MHD_queue_response(connection, MHD_HTTP_OK, found);
	return MHD_queue_response(connection, page_table[page].status, server->pages[page]);
}

/* Host headers of a request. */
struct hosts {
	const char *own;
	unsigned count, local;
};

static enum MHD_Result count_host(void *context, enum MHD_ValueKind kind, const char *name,
				  const char *value)
{
	struct hosts *hosts = context;

	(void)kind;
	if (!strcasecmp(name, MHD_HTTP_HEADER_HOST)) {
		hosts->count++;
		hosts->local += http_host_is_local(value, hosts->own);
	}
	return MHD_YES;
}

/*
 * Returns whether the request's host is local. host: the host of an absolute target, which replaces
 * the header; else NULL. Source: RFC 9112, 3.2.
 */
static bool is_called_locally(const struct server *server, struct MHD_Connection *connection,
			      const char *version, const char *host)
{
	struct hosts hosts = {.own = server->name};

	if (host)
		return http_host_is_local(host, server->name);
	MHD_get_connection_values(connection, MHD_HEADER_KIND, count_host, &hosts);
	return hosts.count ? hosts.count == 1 && hosts.local : !strcmp(version, "HTTP/1.0");
}

static enum page route_request(const struct server *server, struct MHD_Connection *connection,
			       const char *method, const char *version, const char *target)
{
	char host[HTTP_HOST_SIZE];
	bool absolute;
	const char *path = http_target_path(target, host, &absolute);

	if (server->loopback &&
	    !is_called_locally(server, connection, version, absolute ? host : NULL))
		return PAGE_FOREIGN_HOST;
	return http_route(method, path);
}

/* Leaves escapes such as %00 as they are: no path has a character that must be escaped. */
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text)
{
	(void)context;
	(void)connection;
	return strlen(text);
}

/*
 * Responds to a request. The library calls it after the headers, and again after the body. A
 * response to the first call closes the connection; requests with a body get it, because no body is
 * read.
 */
static enum MHD_Result respond_to_request(void *context, struct MHD_Connection *connection,
					  const char *path, const char *method, const char *version,
					  const char *body, size_t *body_size, void **state)
{
	static const char seen;
	struct server *server = context;
	enum page page = route_request(server, connection, method, version, path);

	(void)body;
	(void)body_size;
	const char *length = request_header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
	const bool has_body = request_header(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING) ||
			      (length && strcmp(length, "0"));

	if (!*state && page != PAGE_METHOD_NOT_ALLOWED && !has_body) {
		*state = (void *)&seen;
		return MHD_YES;
	}
	if (page == PAGE_METRICS)
		return respond_exposition(
			server, connection,
			http_negotiate(request_header(connection, MHD_HTTP_HEADER_ACCEPT)), page);
	if (page == PAGE_INDEX)
		return respond_exposition(server, connection, EXPOSITION_PAGE, page);
	if (page == PAGE_HEALTHY && is_stale(server))
		page = PAGE_STALE;
	return MHD_queue_response(connection, page_table[page].status, server->pages[page]);
}

/* Ends the connection; libmicrohttpd closes the socket when it sees the end. */
static void close_client(struct client *client)
{
	client->closing = true;
	shutdown(client->fd, SHUT_RDWR);
}

/* Closes the oldest connection of an address (NULL: any) if it has more than the limit. */
static void close_oldest(struct server *server, const struct in6_addr *address, unsigned limit)
{
	struct client *oldest = NULL;
	unsigned count = 0;

	for (size_t i = 0; i < CLIENT_COUNT; i++) {
		struct client *client = &server->clients[i];

		if (client->fd < 0 || client->closing ||
		    (address && memcmp(&client->address, address, sizeof(*address)) != 0))
			continue;
		count++;
		if (!oldest || client->since_ns < oldest->since_ns)
			oldest = client;
	}
	if (count > limit)
		close_client(oldest);
}

static void close_late(struct server *server)
{
	const uint64_t now = clock_monotonic();

	for (size_t i = 0; i < CLIENT_COUNT; i++) {
		struct client *client = &server->clients[i];

		if (client->fd >= 0 && !client->closing &&
		    now - client->since_ns >= SERVER_DEADLINE_S * NS_PER_S)
			close_client(client);
	}
}

static void add_client(struct server *server, struct MHD_Connection *connection, void **out)
{
	struct client *client = server->clients;

	while (client < server->clients + CLIENT_COUNT && client->fd >= 0)
		client++;
	if (client == server->clients + CLIENT_COUNT)
		return; /* never happens: the daemon accepts no more */
	*client = (struct client){
		.fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
			      ->connect_fd,
		.address = address_of(
			MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
				->client_addr),
		.since_ns = clock_monotonic(),
	};
	*out = client;
	close_oldest(server, &client->address,
		     server->most_clients * SERVER_MAX_PER_ADDRESS / SERVER_MAX_CONNECTIONS);
	close_oldest(server, NULL, server->most_clients);
}

/* Notes a new or ended connection. *socket_context: the client. */
static void on_connection(void *context, struct MHD_Connection *connection, void **socket_context,
			  enum MHD_ConnectionNotificationCode code)
{
	struct client *client = *socket_context;

	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		add_client(context, connection, socket_context);
	else if (client)
		client->fd = -1;
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state,
			 enum MHD_RequestTerminationCode code)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct client *client = info ? info->socket_context : NULL;

	(void)context;
	(void)state;
	if (client && code == MHD_REQUEST_TERMINATED_COMPLETED_OK)
		client->since_ns = clock_monotonic();
}

/* Ends without a core dump, which abort() would leave. */
static void on_panic(void *context, const char *file, unsigned line, const char *reason)
{
	(void)context;
	(void)file;
	(void)line;
	(void)reason;
	_exit(EXIT_FAILURE);
}

static int make_pages(struct server *server)
{
	for (size_t i = 0; i < PAGE_COUNT; i++) {
		server->pages[i] =
			response_new(strlen(page_table[i].text), (char *)page_table[i].text, false,
				     page_table[i].type);
		if (!server->pages[i])
			return -ENOMEM;
	}
	/* RFC 9110, 15.5.6 */
	return MHD_add_response_header(server->pages[PAGE_METHOD_NOT_ALLOWED],
				       MHD_HTTP_HEADER_ALLOW, "GET, HEAD") == MHD_NO
		       ? -ENOMEM
		       : 0;
}

static int start_daemon(struct server *server, int listener)
{
	MHD_set_panic_func(on_panic, NULL);
	server->daemon = MHD_start_daemon(
		MHD_USE_EPOLL, 0, NULL, NULL, respond_to_request, server, MHD_OPTION_LISTEN_SOCKET,
		listener, MHD_OPTION_CONNECTION_LIMIT, server->most_connections,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_BYTES, MHD_OPTION_NOTIFY_CONNECTION,
		on_connection, server, MHD_OPTION_NOTIFY_COMPLETED, on_completed, NULL,
		MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_END);
	if (!server->daemon) {
		close(listener);
		return -EAGAIN;
	}
	server->epoll = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
	return 0;
}

/*
 * Sets the limits of connections by the limit of open files. If that is too low even for the least,
 * some accepts fail.
 */
static void choose_limits(struct server *server)
{
	struct rlimit files;
	rlim_t room = CLIENT_COUNT;

	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
		room = files.rlim_max > OWN_FILES + ONE_IN_CLOSING ? files.rlim_max - OWN_FILES
								   : ONE_IN_CLOSING;
	}
	server->most_connections = room < CLIENT_COUNT ? (unsigned)room : CLIENT_COUNT;
	server->most_clients = server->most_connections -
			       (server->most_connections + ONE_IN_CLOSING) / (ONE_IN_CLOSING + 1);
}

int server_new(int listener, struct server **out, struct error *err)
{
	struct server *server = calloc(1, sizeof(*server));

	if (!server) {
		close(listener);
		return error_no_memory(err);
	}
	for (size_t i = 0; i < CLIENT_COUNT; i++)
		server->clients[i].fd = -1;
	choose_limits(server);
	server->loopback = is_on_loopback(listener);
	if (gethostname(server->name, sizeof(server->name) - 1))
		server->name[0] = '\0';
	int rc = start_daemon(server, listener);
	if (!rc)
		rc = make_pages(server);
	if (rc) {
		server_free(server);
		return error_set(err, ERROR_FAILED, rc, "the HTTP server cannot be started: %s",
				 strerror(-rc));
	}
	*out = server;
	return 0;
}

void server_free(struct server *server)
{
	if (!server)
		return;
	if (server->daemon)
		MHD_stop_daemon(server->daemon);
	for (size_t i = 0; i < PAGE_COUNT; i++)
		response_free(server->pages[i]);
	texts_free(&server->texts);
	free(server);
}

void server_publish(struct server *server, const struct message *head, char *text)
{
	server->published_ns = clock_monotonic();
	server->stale_ns = MESSAGE_STALE_INTERVALS *
			   (head->interval_ns > NS_PER_S ? head->interval_ns : NS_PER_S);
	texts_replace(&server->texts, head, text);
}

int server_wait(struct server *server, int fd)
{
	struct pollfd files[] = {{.fd = fd, .events = POLLIN},
				 {.fd = server->epoll, .events = POLLIN}};
	MHD_UNSIGNED_LONG_LONG soon;
	int ms = CHECK_MS;

	if (MHD_get_timeout(server->daemon, &soon) == MHD_YES && soon < CHECK_MS)
		ms = (int)soon;
	return poll(files, 2, ms) < 0 && errno != EINTR ? -errno : 0;
}

void server_run(struct server *server)
{
	close_late(server);
	MHD_run(server->daemon);
}
