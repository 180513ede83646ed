/* SPDX-License-Identifier: BSD-3-Clause */
/* Responses of libmicrohttpd are reference counted: one may be sent to many, and replaced. */
#include "serve/http.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "linux/signals.h"
#include "serve/http_library.h"
#include "serve/http_route.h"

#define THREAD_COUNT	  2U
#define MAX_CONNECTIONS	  512U
#define IDLE_TIMEOUT_S	  10U
#define CONNECTION_BYTES  ((size_t)8 << 10) /* for a request and the response header */
#define THREAD_STACK_SIZE ((size_t)256 << 10)
#define NICENESS	  10
#define EXPOSITION_COUNT  2
#define PAGE_COUNT	  (PAGE_METHOD_NOT_ALLOWED + 1)

struct http {
	struct http_library mhd;
	struct MHD_Daemon *daemon;
	int listener;
	pthread_t owner;
	atomic_bool failed;
	struct MHD_Response *pages[PAGE_COUNT]; /* [PAGE_METRICS]: no sample yet */
	/* expositions; locked for a short time by the server's threads and the publisher */
	pthread_mutex_t lock;
	struct MHD_Response *expositions[EXPOSITION_COUNT];
};

static const char *const exposition_types[EXPOSITION_COUNT] = {
	[EXPOSITION_OPENMETRICS] = "application/openmetrics-text; version=1.0.0; charset=utf-8",
	[EXPOSITION_PROMETHEUS] = "text/plain; version=0.0.4; charset=utf-8",
};

#define PLAIN "text/plain; charset=utf-8"

static const struct {
	unsigned status;
	const char *type;
	const char *text;
} page_table[PAGE_COUNT] = {
	[PAGE_INDEX] =
		{MHD_HTTP_OK, "text/html; charset=utf-8",
		 "<!DOCTYPE html>\n<html lang=\"en\"><head><title>cxlmon</title></head><body>\n"
		 "<h1>cxlmon " CXLMON_VERSION "</h1>\n"
		 "<p>CXL memory of this machine, for Prometheus: "
		 "<a href=\"/metrics\">/metrics</a></p>\n"
		 "</body></html>\n"},
	[PAGE_METRICS] = {MHD_HTTP_SERVICE_UNAVAILABLE, PLAIN, "There is no sample yet.\n"},
	[PAGE_HEALTHY] = {MHD_HTTP_OK, PLAIN, "cxlmon is healthy.\n"},
	[PAGE_NOT_FOUND] = {MHD_HTTP_NOT_FOUND, PLAIN, "Not found: see /metrics.\n"},
	[PAGE_METHOD_NOT_ALLOWED] = {MHD_HTTP_METHOD_NOT_ALLOWED, PLAIN, "Expected GET or HEAD.\n"},
};

/* Takes ownership of the text if MHD_RESPMEM_MUST_FREE. */
static struct MHD_Response *make_response(const struct http_library *mhd, size_t size, void *text,
					  enum MHD_ResponseMemoryMode mode, const char *type)
{
	struct MHD_Response *response = mhd->create_response_from_buffer(size, text, mode);

	if (!response && mode == MHD_RESPMEM_MUST_FREE)
		free(text);
	if (response &&
	    mhd->add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type) == MHD_NO) {
		mhd->destroy_response(response);
		return NULL;
	}
	return response;
}

static const char *header(const struct http *http, struct MHD_Connection *connection,
			  const char *name)
{
	return http->mhd.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result respond_metrics(struct http *http, struct MHD_Connection *connection)
{
	const enum exposition which =
		http_negotiate(header(http, connection, MHD_HTTP_HEADER_ACCEPT));
	enum MHD_Result result;

	pthread_mutex_lock(&http->lock);
	if (http->expositions[which])
		result =
			http->mhd.queue_response(connection, MHD_HTTP_OK, http->expositions[which]);
	else
		result = http->mhd.queue_response(connection, page_table[PAGE_METRICS].status,
						  http->pages[PAGE_METRICS]);
	pthread_mutex_unlock(&http->lock);
	return result;
}

static bool has_body(const struct http *http, struct MHD_Connection *connection)
{
	const char *length = header(http, connection, MHD_HTTP_HEADER_CONTENT_LENGTH);

	return header(http, connection, MHD_HTTP_HEADER_TRANSFER_ENCODING) ||
	       (length && strcmp(length, "0"));
}

/*
 * The library calls it after the headers, and again after the body. A response to the first call
 * closes the connection: requests with a body are answered so, since no body is read.
 */
static enum MHD_Result respond(void *context, struct MHD_Connection *connection, const char *path,
			       const char *method, const char *version, const char *body,
			       size_t *body_size, void **state)
{
	static const char seen;
	struct http *http = context;
	const enum page page = http_route(method, path);

	(void)version;
	(void)body;
	(void)body_size;
	if (!*state && page != PAGE_METHOD_NOT_ALLOWED && !has_body(http, connection)) {
		*state = (void *)&seen;
		return MHD_YES;
	}
	if (page == PAGE_METRICS)
		return respond_metrics(http, connection);
	return http->mhd.queue_response(connection, page_table[page].status, http->pages[page]);
}

/*
 * By default the library aborts, which would leave registers programmed. Instead its thread sleeps
 * here, and the run ends in order.
 */
static void on_panic(void *context, const char *file, unsigned line, const char *reason)
{
	struct http *http = context;

	(void)file;
	(void)line;
	(void)reason;
	atomic_store(&http->failed, true);
	signals_kick(http->owner);
	for (;;)
		sleep(1);
}

static void destroy(struct http *http)
{
	for (size_t i = 0; i < PAGE_COUNT; i++)
		if (http->pages[i])
			http->mhd.destroy_response(http->pages[i]);
	for (size_t i = 0; i < EXPOSITION_COUNT; i++)
		if (http->expositions[i])
			http->mhd.destroy_response(http->expositions[i]);
	pthread_mutex_destroy(&http->lock);
	free(http);
}

static int make_pages(struct http *http)
{
	for (size_t i = 0; i < PAGE_COUNT; i++) {
		http->pages[i] = make_response(&http->mhd, strlen(page_table[i].text),
					       (void *)page_table[i].text, MHD_RESPMEM_PERSISTENT,
					       page_table[i].type);
		if (!http->pages[i])
			return -ENOMEM;
	}
	/* RFC 9110, 15.5.6 */
	return http->mhd.add_response_header(http->pages[PAGE_METHOD_NOT_ALLOWED],
					     MHD_HTTP_HEADER_ALLOW, "GET, HEAD") == MHD_NO
		       ? -ENOMEM
		       : 0;
}

/* On Linux a thread has its own nice value, inherited by threads that it starts. */
static void *start_daemon(void *context)
{
	struct http *http = context;

	setpriority(PRIO_PROCESS, (id_t)gettid(), NICENESS);
	http->daemon = http->mhd.start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, respond, http,
		MHD_OPTION_LISTEN_SOCKET, http->listener, MHD_OPTION_THREAD_POOL_SIZE, THREAD_COUNT,
		MHD_OPTION_CONNECTION_LIMIT, MAX_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
		IDLE_TIMEOUT_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_BYTES,
		MHD_OPTION_THREAD_STACK_SIZE, THREAD_STACK_SIZE, MHD_OPTION_END);
	return NULL;
}

int http_new(struct http **out, struct error *err)
{
	struct http *http = calloc(1, sizeof(*http));

	if (!http)
		return error_no_memory(err);
	int rc = http_library_load(&http->mhd, err);
	if (rc) {
		free(http);
		return rc;
	}
	pthread_mutex_init(&http->lock, NULL);
	rc = make_pages(http);
	if (rc) {
		http_free(http);
		return error_set(err, EXIT_FAILED, rc, "out of memory");
	}
	*out = http;
	return 0;
}

int http_start(struct http *http, int listener, struct error *err)
{
	pthread_t thread;

	http->listener = listener;
	http->owner = pthread_self();
	http->mhd.set_panic_func(on_panic, http);
	const int rc = -pthread_create(&thread, NULL, start_daemon, http);
	if (rc)
		close(listener);
	else
		pthread_join(thread, NULL); /* the library closes the listener */
	if (http->daemon)
		return 0;
	return error_set(err, EXIT_FAILED, rc ? rc : -EAGAIN,
			 "the threads of the HTTP server can't be started");
}

/* A failed server is not freed: waiting for its threads would never end. */
void http_free(struct http *http)
{
	if (!http || atomic_load(&http->failed))
		return;
	if (http->daemon)
		http->mhd.stop_daemon(http->daemon);
	destroy(http);
}

/* With a timeout: a thread that has failed may hold it forever, and the writer must end. */
static int lock(struct http *http)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	return pthread_mutex_timedlock(&http->lock, &until);
}

void http_publish(struct http *http, enum exposition exposition, char *text, size_t size)
{
	struct MHD_Response *fresh = make_response(&http->mhd, size, text, MHD_RESPMEM_MUST_FREE,
						   exposition_types[exposition]);
	struct MHD_Response *stale;

	if (!fresh)
		return;
	if (lock(http)) {
		http->mhd.destroy_response(fresh);
		return;
	}
	stale = http->expositions[exposition];
	http->expositions[exposition] = fresh;
	pthread_mutex_unlock(&http->lock);
	if (stale)
		http->mhd.destroy_response(stale);
}

bool http_failed(const struct http *http)
{
	return atomic_load(&http->failed);
}
