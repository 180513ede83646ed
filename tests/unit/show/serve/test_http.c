/* SPDX-License-Identifier: BSD-3-Clause */
/* The server, a separate process, tested through a socket. */
#include "show/serve/serving.h"
#include "show/serve/serving_private.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "show/serve/listener.h"
#include "sim_monitor.h"
#include "unit.h"

static struct http_process http;
static struct listen_address address;
static struct error err;
static char answer[1 << 16];

static void start(void)
{
	char name[LISTENER_NAME_SIZE];

	ck_assert_int_eq(listener_parse("127.0.0.1:0", &address, &err), 0);
	const int fd = listener_open(&address, &err);
	ck_assert_msg(fd >= 0, "%s", err.text);
	listener_name(fd, name);
	ck_assert_int_eq(listener_parse(name, &address, &err), 0);
	ck_assert_msg(!http_process_start(fd, &http, &err), "%s", err.text);
}

static void stop(void)
{
	http_process_stop(&http);
}

static void publish(enum exposition exposition, const char *text)
{
	const struct message head = {.exposition = exposition, .size = (uint32_t)strlen(text)};

	http_process_publish(&http, &head, text);
}

static int client(void)
{
	const int fd = socket(AF_INET, SOCK_STREAM, 0);

	ck_assert_int_eq(connect(fd, (struct sockaddr *)&address.address, address.size), 0);
	return fd;
}

static void put(int fd, const char *text)
{
	ck_assert_int_eq(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* Reads until the server closes. */
static const char *get_rest(int fd)
{
	size_t size = 0;
	ssize_t got;

	while ((got = recv(fd, answer + size, sizeof(answer) - 1 - size, 0)) > 0)
		size += (size_t)got;
	answer[size] = '\0';
	close(fd);
	return answer;
}

static const char *ask(const char *request)
{
	const int fd = client();

	put(fd, request);
	return get_rest(fd);
}

#define REQUEST(method, path, headers)                                                             \
	method " " path " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" headers "\r\n"

#define OLDER "\r\n\r\n# HELP a_total A\n# TYPE a_total counter\na_total 1\n"

static const struct {
	const char *request, *status, *part;
} cases[] = {
	{REQUEST("GET", "/", ""), "HTTP/1.1 200 ",
	 "\r\nContent-Type: text/html; charset=utf-8\r\n"},
	{REQUEST("GET", "/", ""), "HTTP/1.1 200 ", "\r\n\r\n<p>page"},
	{REQUEST("GET", "/-/healthy", ""), "HTTP/1.1 200 ", "\r\n\r\ncxlmon is healthy.\n"},
	{REQUEST("GET", "/metrics?x=1", ""), "HTTP/1.1 200 ", OLDER},
	{REQUEST("GET", "/metrics", ""), "HTTP/1.1 200 ",
	 "\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"},
	{REQUEST("GET", "/metrics", "Accept: application/openmetrics-text\r\n"), "HTTP/1.1 200 ",
	 "\r\nContent-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"},
	{REQUEST("GET", "/metrics", "Accept: application/openmetrics-text\r\n"), "HTTP/1.1 200 ",
	 "\r\n\r\n# HELP a A\n# TYPE a counter\na_total 1\n# EOF\n"},
	{REQUEST("GET", "/metric", ""), "HTTP/1.1 404 ", "see /metrics"},
	{REQUEST("PUT", "/metrics", ""), "HTTP/1.1 405 ", "\r\nAllow: GET, HEAD\r\n"},
	{REQUEST("POST", "/", "Content-Length: 1000000000000\r\n"), "HTTP/1.1 405 ", ""},
	{REQUEST("GET", "/metrics", "Content-Length: 1000000000000\r\n"), "HTTP/1.1 200 ", ""},
	{"GET / HTTP/1.0\r\n\r\n", "HTTP/1.", " 200 OK"},
	/* an absolute target: its host counts, not the header's */
	{REQUEST("GET", "http://localhost:1/metrics?x", ""), "HTTP/1.1 200 ", OLDER},
	{REQUEST("GET", "HTTP://127.0.0.1", ""), "HTTP/1.1 200 ", "\r\n\r\n<p>page"},
	{REQUEST("GET", "http://evil.example/metrics", ""), "HTTP/1.1 403 ", "another name"},
	{REQUEST("GET", "http:///metrics", ""), "HTTP/1.1 403 ", ""},
	{REQUEST("GET", "https://localhost/metrics", ""), "HTTP/1.1 404 ", ""},
	{REQUEST("GET", "/%00", ""), "HTTP/1.1 404 ", ""},
	{REQUEST("GET", "/metrics%00x", ""), "HTTP/1.1 404 ", ""},
};

FIXTURE(start, stop)

TEST_LOOP(test_each_request_has_its_answer, COUNT_OF(cases))
{
	publish(EXPOSITION_OPENMETRICS, "# HELP a A\n# TYPE a counter\na_total 1\n# EOF\n");
	publish(EXPOSITION_PAGE, "<p>page\n");
	ask(cases[_i].request);
	ck_assert_msg(!strncmp(answer, cases[_i].status, strlen(cases[_i].status)), "%s", answer);
	assert_contains(answer, cases[_i].part);
}

#define GZIPPED REQUEST("GET", "/metrics", "Accept-Encoding: gzip\r\n")

/*
 * The request comes twice, because the later answer reuses the earlier one's; then there is another
 * text.
 */
TEST(test_who_accepts_gzip_gets_the_same_text_compressed)
{
	char text[5000], plain[sizeof(text) + 1];

	for (unsigned k = 0; k < 4; k++) {
		memset(text, 'a' + (int)(k / 2), sizeof(text) - 1);
		text[sizeof(text) - 1] = '\0';
		if (k % 2 == 0)
			publish(EXPOSITION_OPENMETRICS, text);
		ask(GZIPPED);
		assert_contains(answer, "\r\nContent-Encoding: gzip\r\n");
		assert_contains(answer, "\r\nVary: Accept, Accept-Encoding\r\n");
		char *body = strstr(answer, "\r\n\r\n") + 4;
		z_stream stream = {.next_in = (Bytef *)body,
				   .avail_in = 200,
				   .next_out = (Bytef *)plain,
				   .avail_out = sizeof(plain)};
		ck_assert_int_eq(inflateInit2(&stream, MAX_WBITS + 16), Z_OK);
		ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
		ck_assert_uint_eq(stream.total_out, strlen(text));
		ck_assert_mem_eq(plain, text, strlen(text));
		inflateEnd(&stream);
		ask(REQUEST("GET", "/metrics", ""));
		assert_lacks(answer, "Content-Encoding");
		assert_contains(answer, text);
	}
}

/* The text is as old as if the run had stopped: the three seconds are those of its clock. */
TEST_LOOP(test_a_text_that_is_stale_has_other_bytes, 2)
{
	static const char text[] = "up 1\nread 2\n# EOF\nup 0\n";
	const struct message head = {.exposition = _i ? EXPOSITION_PAGE : EXPOSITION_OPENMETRICS,
				     .size = 18,
				     .stale_to = 12,
				     .stale_size = 5};
	const char *request = _i ? REQUEST("GET", "/", "") : REQUEST("GET", "/metrics", "");

	http_process_publish(&http, &head, text);
	assert_contains(ask(request),
			_i ? "\r\n\r\nup 1\nread 2\n# EOF\n" : "\r\n\r\nup 1\nread 2\n");
	while (!strstr(ask(REQUEST("GET", "/-/healthy", "")), " 503 "))
		usleep(10000);
	ask(request);
	ck_assert_str_eq(strstr(answer, "\r\n\r\n") + 4, _i ? "up 0\n# EOF\n" : "up 0\n");
}

TEST(test_head_has_the_length_and_no_text)
{
	publish(EXPOSITION_OPENMETRICS, "older\n");
	ask(REQUEST("HEAD", "/metrics", ""));
	assert_contains(answer, "HTTP/1.1 200 ");
	assert_contains(answer, "\r\nContent-Length: 6\r\n");
	assert_lacks(answer, "older");
}

TEST(test_before_the_first_sample_there_are_no_metrics)
{
	ask(REQUEST("GET", "/metrics", ""));
	assert_contains(answer, "HTTP/1.1 503 ");
	ask(REQUEST("GET", "/-/healthy", ""));
	assert_contains(answer, "HTTP/1.1 200 ");
}

TEST(test_a_connection_sees_each_new_text)
{
	static const char request[] = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
	const int fd = client();
	char text[32];

	for (unsigned i = 0; i < 10; i++) {
		ssize_t got = 0;

		snprintf(text, sizeof(text), "text %u\n", i);
		publish(EXPOSITION_OPENMETRICS, text);
		put(fd, request);
		answer[0] = '\0';
		while (!strstr(answer, text)) {
			const ssize_t n =
				recv(fd, answer + got, sizeof(answer) - 1 - (size_t)got, 0);
			ck_assert_int_gt(n, 0);
			got += n;
			answer[got] = '\0';
		}
		assert_contains(answer, "HTTP/1.1 200 ");
	}
	close(fd);
}

/* The text is more than the socket holds, so that its end is sent when it was already replaced. */
TEST(test_a_slow_client_gets_all_of_the_text_that_it_asked_for)
{
	enum { SIZE = 16 << 20 };
	const struct message big = {.exposition = EXPOSITION_OPENMETRICS, .size = SIZE};
	char *text = malloc(SIZE);
	size_t got = 0, head = 0;
	siginfo_t info;
	ssize_t n;

	memset(text, 'a', SIZE);
	/* a server that is stopped gets it in several parts */
	ck_assert_int_eq(kill(http.pid, SIGSTOP), 0);
	ck_assert_int_eq(waitid(P_PID, (id_t)http.pid, &info, WSTOPPED | WNOWAIT), 0);
	http_process_publish(&http, &big, text);
	free(text);
	ck_assert_ptr_nonnull(http.rest);
	ck_assert_int_eq(kill(http.pid, SIGCONT), 0);
	while (http.rest)
		publish(EXPOSITION_PAGE, "x");
	const int fd = client(); /* connects only now, because the server waits only briefly for a
				    request */
	put(fd, REQUEST("GET", "/metrics", ""));
	got = (size_t)recv(fd, answer, sizeof(answer) - 1, 0);
	answer[got] = '\0';
	head = (size_t)(strstr(answer, "\r\n\r\n") + 4 - answer);
	for (unsigned i = 0; i < 3; i++)
		publish(EXPOSITION_OPENMETRICS, "b");
	while ((n = recv(fd, answer, sizeof(answer), 0)) > 0) {
		ck_assert_ptr_null(memchr(answer, 'b', (size_t)n));
		got += (size_t)n;
	}
	ck_assert_uint_eq(got, head + SIZE);
	close(fd);
}

static const char *const malformed[] = {
	"\r\n\r\n\r\n",
	"GARBAGE\r\n\r\n",
	"GET\r\n\r\n",
	"GET /metrics\r\n\r\n",
	"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", /* the beginning of TLS */
	"GET /metrics HTTP/9.9\r\n\r\n",
	"GET /metrics HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
	"GET /metrics HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
	"GET /metrics HTTP/1.1\r\n: x\r\n\r\n",
	"GET /%00%ff%zz HTTP/1.1\r\n\r\n",
};

TEST_LOOP(test_whatever_is_sent_others_are_answered, COUNT_OF(malformed))
{
	const int fd = client(), silent = client();

	publish(EXPOSITION_OPENMETRICS, "older\n");
	put(fd, malformed[_i]);
	ask(REQUEST("GET", "/metrics", ""));
	assert_contains(answer, "\r\n\r\nolder\n");
	ck_assert(!http_process_failed(&http));
	close(fd);
	close(silent);
}

TEST(test_a_head_that_is_too_long_is_refused)
{
	const int fd = client();
	char line[1000];

	memset(line, 'x', sizeof(line));
	memcpy(line, "x: ", 3);
	memcpy(line + sizeof(line) - 2, "\r\n", 2);
	put(fd, "GET /metrics HTTP/1.1\r\n");
	for (unsigned i = 0; i < 100; i++)
		send(fd, line, sizeof(line), MSG_NOSIGNAL);
	get_rest(fd);
	assert_lacks(answer, " 200 ");
	assert_lacks(answer, " 503 ");
}

/* Texts with a run's samples. */

static struct sim_monitor m;
static struct serving *serving;

static void stop_serving(void)
{
	serving_free(serving);
	serving = NULL;
}

/* Takes the address from "serving http://127.0.0.1:40000/metrics". */
static void take_address(void *context, enum log_level level, const char *text)
{
	char name[LISTENER_NAME_SIZE];

	(void)context;
	if (level != LEVEL_NOTE)
		return;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text + strlen("serving http://"), "/"),
		 text + strlen("serving http://"));
	ck_assert_int_eq(listener_parse(name, &address, &err), 0);
}

/* Serves a sample of an hour, so that it does not become stale meanwhile. */
static void serve_a_sample(void)
{
	static const struct recording_info info = {.processor = "P", .interval_ns = 3600 * SECOND};
	struct sink sink = {.format = &format_serving, .table = &m.view.table, .info = &info};

	ck_assert_int_eq(listener_parse("127.0.0.1:0", &address, &err), 0);
	ck_assert_msg(!serving_open(&address, info.interval_ns, &serving, &err), "%s", err.text);
	ck_assert_int_eq(serving_start(serving, NULL, &(struct log){.write = take_address}, &err),
			 0);
	sink.target = serving;
	ck_assert_int_eq(format_serving.begin(&sink), 0);
	sim_monitor_sample(&m);
	format_serving.sample(&sink, &m.sample);
	format_serving.end(&sink);
}

FIXTURE(NULL, stop_serving)

TEST(test_a_sample_is_served_in_each_form)
{
	sim_monitor_start(&m, .spec = "gnr,ports=1,read=12,clock=virtual",
			  .view = {.groups = "cxl", .finest = SCOPE_PORT});
	serve_a_sample();
	assert_contains(ask(REQUEST("GET", "/", "")), "<h1>CXL memory on P</h1>");
	assert_contains(ask(REQUEST("GET", "/metrics", "")), "\ncxlmon_up 1\n");
}

/* The server would refuse the text, and end. */
TEST(test_a_text_that_is_too_large_is_left_out)
{
	static struct metric large; /* used until the view is closed */
	char *help = malloc(MESSAGE_MAX_BYTES + 1);

	at_end(free, help);
	memset(help, 'x', MESSAGE_MAX_BYTES);
	help[MESSAGE_MAX_BYTES] = '\0';
	sim_monitor_start(&m, .spec = "gnr,ports=1,read=12,clock=virtual",
			  .view = {.groups = "cxl", .finest = SCOPE_PORT});
	const size_t column = table_find(&m.view.table, "cxl_cache_h2d_MBps");
	ck_assert_uint_lt(column, m.view.table.column_count);
	large = *m.view.table.columns[column].metric;
	large.family.help = help;
	m.view.table.columns[column].metric = &large;
	serve_a_sample();
	assert_contains(ask(REQUEST("GET", "/metrics", "")), "HTTP/1.1 503 ");
	assert_contains(ask(REQUEST("GET", "/", "")), "<h1>CXL memory on P</h1>");
	ck_assert(!serving_failed(serving, &err));
}
