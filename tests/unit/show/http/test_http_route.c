/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/http/http_private.h"

#include "unit.h"

static const struct {
	const char *method, *path;
	enum page page;
} requests[] = {
	{"GET", "/", PAGE_INDEX},
	{"GET", "/metrics", PAGE_METRICS},
	{"HEAD", "/metrics", PAGE_METRICS},
	{"GET", "/-/healthy", PAGE_HEALTHY},
	{"GET", "/metrics/", PAGE_NOT_FOUND},
	{"GET", "/Metrics", PAGE_NOT_FOUND},
	{"GET", "", PAGE_NOT_FOUND},
	{"GET", "/../etc/passwd", PAGE_NOT_FOUND},
	{"POST", "/metrics", PAGE_METHOD_NOT_ALLOWED},
	{"DELETE", "/nowhere", PAGE_METHOD_NOT_ALLOWED},
	{"get", "/metrics", PAGE_METHOD_NOT_ALLOWED},
	{"", "/metrics", PAGE_METHOD_NOT_ALLOWED},
};

TEST_LOOP(test_a_request_gets_its_page, COUNT_OF(requests))
{
	ck_assert_int_eq(http_route(requests[_i].method, requests[_i].path), requests[_i].page);
}

#define OPEN  "application/openmetrics-text"
#define OURS  EXPOSITION_OPENMETRICS
#define OLDER EXPOSITION_PROMETHEUS

static const struct {
	const char *accept;
	enum exposition expected;
} headers[] = {
	/* none, and the headers of browsers and curl */
	{NULL, OLDER},
	{"", OLDER},
	{"*/*", OLDER},
	{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", OLDER},
	/* Prometheus 2.42, and 3 */
	{OPEN ";version=1.0.0," OPEN ";version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,"
	      "*/*;q=0.1",
	 OURS},
	{OPEN ";version=1.0.0;escaping=allow-utf-8;q=0.6," OPEN ";version=0.0.1;q=0.5,"
	      "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,"
	      "*/*;q=0.2",
	 OURS},
	{"text/plain;version=0.0.4;q=0.5,*/*;q=0.1", OLDER},
	/* weights */
	{OPEN, OURS},
	{OPEN ";q=0", OLDER},
	{OPEN ";q=0.0", OLDER},
	{OPEN ";q=0.3,text/plain;q=0.4", OLDER},
	{OPEN ";q=0.4,text/plain;q=0.4", OURS},
	{"text/plain," OPEN ";q=0.9", OLDER},
	{OPEN ";q=x", OLDER},
	{OPEN ";q=nan", OLDER},
	{OPEN ";q=-1", OLDER},
	{OPEN ";q=", OURS},
	{OPEN ";q=0.00000000000000000000000000000001", OLDER},
	/* versions */
	{OPEN ";version=0.0.1", OLDER},
	{OPEN ";version=2.0.0", OLDER},
	{OPEN "; Version=\"1.0.0\" ; q=1", OURS},
	/* blanks, case, pieces */
	{" \t" OPEN "\t ", OURS},
	{"Application/OpenMetrics-Text", OURS},
	{OPEN "x", OLDER},
	{"x" OPEN, OLDER},
	{",,;,;;," OPEN ";;", OURS},
	{";", OLDER},
};

TEST_LOOP(test_openmetrics_is_for_those_who_ask_for_it, COUNT_OF(headers))
{
	ck_assert_int_eq(http_negotiate(headers[_i].accept), headers[_i].expected);
}

static const struct {
	const char *accept;
	bool gzip;
} encodings[] = {
	{NULL, false},
	{"", false},
	{"gzip", true},
	{"GZip ; q=0.1", true},
	{"gzip;q=0", false},
	{"deflate, gzip;q=0.000", false},
	{"deflate, br", false},
	{"deflate;q=1,\tgzip;q=1.0, br", true},
	{"*", true},
	{"*;q=0", false},
	{"gzip;q=0, *", false},
	{"*;q=0, gzip", true},
	{"gzipp", false},
	{"identity", false},
};

TEST_LOOP(test_gzip_is_for_those_who_accept_it, COUNT_OF(encodings))
{
	ck_assert_int_eq(http_accepts_gzip(encodings[_i].accept), encodings[_i].gzip);
}

static const struct {
	const char *host;
	bool allowed;
} hosts[] = {
	/* HTTP/1.0 needs none, and each browser sends one */
	{NULL, true},
	{"127.0.0.1", true},
	{"127.0.0.1:10295", true},
	{"192.0.2.7:80", true},
	{"[::1]", true},
	{"[::1]:10295", true},
	{"[::ffff:127.0.0.1]:1", true},
	{"localhost", true},
	{"LocalHost:10295", true},
	{"localhost.:10295", true},
	{"cxl01.example.com", true},
	{"CXL01.Example.com.:10295", true},
	{"cxl01", true},
	{"cxl01:10295", true},
	{"", false},
	{":10295", false},
	{".", false},
	{"evil.example", false},
	{"evil.example:10295", false},
	{"localhost.evil.example:10295", false},
	{"127.0.0.1.evil.example:10295", false},
	{"evil.localhost", false},
	{"cxl01.evil.example", false},
	{"cxl01.example.com.evil.example", false},
	{"cxl0", false},
	{"cxl01.", true},
	{"cxl01..", false},
	{"cxl01.example", false},
	{"localhost:", true},
	{"localhost:x", false},
	{"localhost:1:2", false},
	{"127.1", false},
	{"0x7f000001", false},
	{"2130706433", false},
	{"::1", false},
	{"[::1", false},
	{"[::1]x", false},
	{"[127.0.0.1]", false},
	{"[localhost]", false},
	{"[]", false},
	{"[", false},
	{" localhost", false},
	{"localhost, evil.example", false},
	{"user@localhost", false},
	{"1111111111111111111111111111111111111111111111111111111111111111.1.1.1", false},
};

TEST_LOOP(test_an_address_localhost_and_this_host_are_called_by_their_names, COUNT_OF(hosts))
{
	ck_assert_int_eq(http_host_is_local(hosts[_i].host, "cxl01.example.com"),
			 hosts[_i].allowed);
}

TEST(test_a_machine_without_a_name_is_called_by_no_name)
{
	ck_assert(!http_host_is_local("", ""));
	ck_assert(!http_host_is_local(":1", ""));
	ck_assert(!http_host_is_local(".", ""));
	ck_assert(!http_host_is_local("cxl01", ""));
	ck_assert(!http_host_is_local("", ".example.com"));
	ck_assert(http_host_is_local("localhost:1", ""));
}
