/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/http/server.h"

#include "unit.h"

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
