/* SPDX-License-Identifier: BSD-3-Clause */
/* libmicrohttpd counts who uses an answer, so that one may be sent to many, and be replaced. */
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

#define THREADS		 2U
#define MOST_CONNECTIONS 512U
#define IDLE_SECONDS	 10U
#define CONNECTION_BYTES ((size_t)8 << 10) /* for a request, and the head of its answer */
#define THREAD_STACK	 ((size_t)256 << 10)
#define NICENESS	 10
#define EXPOSITION_COUNT 2
#define PAGE_COUNT	 (PAGE_METHOD + 1)

struct http {
	struct http_library mhd;
	struct MHD_Daemon *daemon;
	int listener;
	pthread_t owner;
	atomic_bool broken;
	struct MHD_Response *pages[PAGE_COUNT]; /* of PAGE_METRICS: there is none yet */
	/* what is held shortly, by those who answer and the one who publishes */
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
	[PAGE_METHOD] = {MHD_HTTP_METHOD_NOT_ALLOWED, PLAIN, "Expected GET or HEAD.\n"},
};

/* A text of malloc() (MHD_RESPMEM_MUST_FREE) is taken over. */
static struct MHD_Response *make_answer(const struct http_library *mhd, size_t size, void *text,
					enum MHD_ResponseMemoryMode mode, const char *type)
{
	struct MHD_Response *answer = mhd->create_response_from_buffer(size, text, mode);

	if (!answer && mode == MHD_RESPMEM_MUST_FREE)
		free(text);
	if (answer &&
	    mhd->add_response_header(answer, MHD_HTTP_HEADER_CONTENT_TYPE, type) == MHD_NO) {
		mhd->destroy_response(answer);
		return NULL;
	}
	return answer;
}

static const char *header(const struct http *http, struct MHD_Connection *connection,
			  const char *name)
{
	return http->mhd.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result answer_metrics(struct http *http, struct MHD_Connection *connection)
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
 * The library calls it once the headers are there, and again when the body is. An answer to the
 * first call ends the connection: right for those that would send us a body, which nobody reads.
 */
static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *path,
			      const char *method, const char *version, const char *body,
			      size_t *body_size, void **state)
{
	static const char seen;
	struct http *http = context;
	const enum page page = http_route(method, path);

	(void)version;
	(void)body;
	(void)body_size;
	if (!*state && page != PAGE_METHOD && !has_body(http, connection)) {
		*state = (void *)&seen;
		return MHD_YES;
	}
	if (page == PAGE_METRICS)
		return answer_metrics(http, connection);
	return http->mhd.queue_response(connection, page_table[page].status, http->pages[page]);
}

/*
 * The library would end the process, with registers programmed. Its thread stays here instead, and
 * all others end as they should.
 */
static void on_panic(void *context, const char *file, unsigned line, const char *reason)
{
	struct http *http = context;

	(void)file;
	(void)line;
	(void)reason;
	atomic_store(&http->broken, true);
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
		http->pages[i] = make_answer(&http->mhd, strlen(page_table[i].text),
					     (void *)page_table[i].text, MHD_RESPMEM_PERSISTENT,
					     page_table[i].type);
		if (!http->pages[i])
			return -ENOMEM;
	}
	/* RFC 9110, 15.5.6 */
	return http->mhd.add_response_header(http->pages[PAGE_METHOD], MHD_HTTP_HEADER_ALLOW,
					     "GET, HEAD") == MHD_NO
		       ? -ENOMEM
		       : 0;
}

/* A thread of Linux has a niceness of its own, and passes it on to those that it starts. */
static void *start_daemon(void *context)
{
	struct http *http = context;

	setpriority(PRIO_PROCESS, (id_t)gettid(), NICENESS);
	http->daemon = http->mhd.start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, http,
		MHD_OPTION_LISTEN_SOCKET, http->listener, MHD_OPTION_THREAD_POOL_SIZE, THREADS,
		MHD_OPTION_CONNECTION_LIMIT, MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
		IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_BYTES,
		MHD_OPTION_THREAD_STACK_SIZE, THREAD_STACK, MHD_OPTION_END);
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

/* One that broke is left as it is: who would wait for its threads would wait for ever. */
void http_free(struct http *http)
{
	if (!http || atomic_load(&http->broken))
		return;
	if (http->daemon)
		http->mhd.stop_daemon(http->daemon);
	destroy(http);
}

/* Who holds it for a second has broken, and keeps it for ever: the writer has an end to come to. */
static int lock(struct http *http)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	return pthread_mutex_timedlock(&http->lock, &until);
}

void http_publish(struct http *http, enum exposition exposition, char *text, size_t size)
{
	struct MHD_Response *fresh = make_answer(&http->mhd, size, text, MHD_RESPMEM_MUST_FREE,
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

bool http_broken(const struct http *http)
{
	return atomic_load(&http->broken);
}
