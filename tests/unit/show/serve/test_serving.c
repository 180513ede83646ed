/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to the service manager, and its settings. */
#include "show/serve/serving.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim_monitor.h"
#include "unit.h"

EACH_IN_A_PROCESS

static struct serving *serving;
static struct listen_address address;
static struct error err;
static int manager; /* systemd's end */

static void set_up(void)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};

	snprintf(name.sun_path, sizeof(name.sun_path), "%s", tree_path("notify"));
	manager = socket(AF_UNIX, SOCK_DGRAM, 0);
	ck_assert_int_eq(bind(manager, (struct sockaddr *)&name, sizeof(name)), 0);
	setenv("NOTIFY_SOCKET", name.sun_path, 1);
	unsetenv("WATCHDOG_PID");
	ck_assert_int_eq(listener_parse("127.0.0.1:0", &address, &err), 0);
}

static void tear_down(void)
{
	serving_free(serving);
	serving = NULL;
	close(manager);
}

static int open_with(const char *watchdog_us, uint64_t interval_ns)
{
	setenv("WATCHDOG_USEC", watchdog_us, 1);
	return serving_open(&address, interval_ns, &serving, &err);
}

TREE_FIXTURE(set_up, tear_down)

/* Such a watchdog would end a service whose samples come on time. */
TEST(test_a_watchdog_that_is_shorter_than_two_intervals_is_refused)
{
	assert_refusal(open_with("1999999", SECOND), &err,
		       "systemd's watchdog (WATCHDOG_USEC) is shorter than two intervals");
	assert_contains(err.text, "increase WatchdogSec=, or choose a shorter INTERVAL");
}

TEST(test_a_watchdog_of_two_intervals_is_long_enough)
{
	ck_assert_msg(!open_with("2000000", SECOND), "%s", err.text);
}
