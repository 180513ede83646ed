/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "unit.h"

EACH_IN_A_PROCESS

static struct notify notify;
static struct error err;
static int manager; /* systemd's end */

/* name as NOTIFY_SOCKET has it */
static void listen_at(const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const size_t length = strlen(name);

	memcpy(address.sun_path, name, length);
	if (name[0] == '@')
		address.sun_path[0] = '\0';
	manager = socket(AF_UNIX, SOCK_DGRAM, 0);
	ck_assert_int_eq(bind(manager, (struct sockaddr *)&address,
			      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)),
			 0);
	setenv("NOTIFY_SOCKET", name, 1);
}

static void assert_state(const char *expected)
{
	char state[64];
	const ssize_t got = recv(manager, state, sizeof(state) - 1, MSG_DONTWAIT);

	ck_assert_int_eq(got, strlen(expected));
	state[got] = '\0';
	ck_assert_str_eq(state, expected);
}

static void clear(void)
{
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
}

TREE_FIXTURE(clear, clear)

TEST(test_a_state_is_one_datagram)
{
	listen_at(tree_path("socket"));
	ck_assert_int_eq(notify_open(&notify, &err), 0);
	notify_send(&notify, "READY=1");
	notify_send(&notify, "STOPPING=1");
	assert_state("READY=1");
	assert_state("STOPPING=1");
	notify_close(&notify);
}

TEST(test_an_abstract_name_begins_with_an_at)
{
	char name[64];

	snprintf(name, sizeof(name), "@cxlmon-test-%d", getpid());
	listen_at(name);
	ck_assert_int_eq(notify_open(&notify, &err), 0);
	notify_send(&notify, "READY=1");
	assert_state("READY=1");
	notify_close(&notify);
}

TEST(test_where_nobody_listens_nothing_is_sent)
{
	setenv("WATCHDOG_USEC", "1000", 1);
	ck_assert_int_eq(notify_open(&notify, &err), 0);
	ck_assert_int_eq(notify.fd, -1);
	ck_assert_uint_eq(notify.watchdog_ns, 0);
	notify_send(&notify, "READY=1");
	setenv("NOTIFY_SOCKET", "", 1);
	ck_assert_int_eq(notify_open(&notify, &err), 0);
	ck_assert_int_eq(notify.fd, -1);
}

TEST(test_a_manager_that_does_not_read_is_not_waited_for)
{
	char name[64];

	snprintf(name, sizeof(name), "@cxlmon-test-full-%d", getpid());
	listen_at(name);
	ck_assert_int_eq(notify_open(&notify, &err), 0);
	for (unsigned i = 0; i < 100000; i++)
		notify_send(&notify, "WATCHDOG=1");
	notify_close(&notify);
}

static const struct {
	const char *name;
	int code;
} unusable[] = {
	{"relative", -EINVAL},
	{"vsock:2:1234", -EINVAL},
	{"/nowhere/at/all", -ENOENT},
	{"/1234567890123456789012345678901234567890123456789012345678901234567890123456789012345678"
	 "901234567890123456789",
	 -EINVAL},
};

TEST_LOOP(test_what_can_not_be_connected_to_is_said, COUNT_OF(unusable))
{
	setenv("NOTIFY_SOCKET", unusable[_i].name, 1);
	ck_assert_int_eq(notify_open(&notify, &err), unusable[_i].code);
	ck_assert_int_eq(err.kind, ERROR_FAILED);
	assert_contains(err.text, "unset NOTIFY_SOCKET");
	ck_assert_int_eq(notify.fd, -1);
}

static const struct {
	const char *usec, *pid; /* "self": our own */
	uint64_t ns;
} watchdogs[] = {
	{"3000000", NULL, UINT64_C(3000000000)},
	{"3000000", "self", UINT64_C(3000000000)},
	{"3000000", "1", 0},
	{"3000000", "", 0},
	{NULL, "self", 0},
	{"", NULL, 0},
	{"-1", NULL, 0},
	{"3s", NULL, 0},
	{"18446744073709551615", NULL, 0},
	{"18446744073709551616", NULL, 0},
};

TEST_LOOP(test_a_watchdog_is_taken_where_it_is_ours, COUNT_OF(watchdogs))
{
	char pid[16], name[64];

	snprintf(name, sizeof(name), "@cxlmon-test-watchdog-%d", getpid());
	listen_at(name);
	snprintf(pid, sizeof(pid), "%d", getpid());
	if (watchdogs[_i].usec)
		setenv("WATCHDOG_USEC", watchdogs[_i].usec, 1);
	if (watchdogs[_i].pid)
		setenv("WATCHDOG_PID", strcmp(watchdogs[_i].pid, "self") ? watchdogs[_i].pid : pid,
		       1);
	ck_assert_int_eq(notify_open(&notify, &err), 0);
	ck_assert_uint_eq(notify.watchdog_ns, watchdogs[_i].ns);
	notify_close(&notify);
}
