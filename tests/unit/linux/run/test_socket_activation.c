/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/service_manager.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

EACH_IN_A_PROCESS

#define PASSED 3

/* Kinds of descriptor 3. */
enum kind { IPV4, IPV6, CLOSED, PLAIN_FILE, DATAGRAM, NOT_LISTENING, LOCAL };

/* Results of a child, as Check itself uses descriptor 3, in memory that both share. */
struct result {
	int rc, taken;
	struct error err;
	int fd_flags, status_flags; /* flags of descriptor 3 */
	bool variables;		    /* one of LISTEN_* is still set */
	int again;		    /* result of a second call */
};

static struct result *result;

static int bound(int domain, int type)
{
	const struct sockaddr_storage any = {.ss_family = (sa_family_t)domain};
	const int fd = socket(domain, type, 0);
	const socklen_t size = domain == AF_INET    ? sizeof(struct sockaddr_in)
			       : domain == AF_INET6 ? sizeof(struct sockaddr_in6)
						    : sizeof(sa_family_t);

	return fd < 0 || bind(fd, (const struct sockaddr *)&any, size) ? -1 : fd;
}

static int listening(int domain)
{
	const int fd = bound(domain, SOCK_STREAM);

	return fd < 0 || listen(fd, 1) ? -1 : fd;
}

static int make(enum kind kind)
{
	switch (kind) {
	case IPV4:
		return listening(AF_INET);
	case IPV6:
		return listening(AF_INET6);
	case PLAIN_FILE:
		return open("/dev/null", O_RDWR);
	case DATAGRAM:
		return bound(AF_INET, SOCK_DGRAM);
	case NOT_LISTENING: /* as with Accept=yes */
		return bound(AF_INET, SOCK_STREAM);
	case LOCAL:
		return listening(AF_UNIX);
	case CLOSED:
		break;
	}
	return -1;
}

/* "self": our own process */
static void set_variables(const char *pid, const char *fds)
{
	char self[16];

	snprintf(self, sizeof(self), "%d", getpid());
	if (pid)
		setenv("LISTEN_PID", strcmp(pid, "self") ? pid : self, 1);
	if (fds)
		setenv("LISTEN_FDS", fds, 1);
	setenv("LISTEN_FDNAMES", "cxlmon.socket", 1);
}

static void take(enum kind kind, const char *pid, const char *fds)
{
	close(PASSED);
	const int fd = make(kind);
	if (fd >= 0 && fd != PASSED) {
		dup2(fd, PASSED);
		close(fd);
	}
	set_variables(pid, fds);
	result->rc = socket_activation_take(&result->taken, &result->err);
	result->fd_flags = fcntl(PASSED, F_GETFD);
	result->status_flags = fcntl(PASSED, F_GETFL);
	result->variables =
		getenv("LISTEN_PID") || getenv("LISTEN_FDS") || getenv("LISTEN_FDNAMES");
	socket_activation_take(&result->again, NULL);
}

/* In a child of ours. */
static void take_in_child(enum kind kind, const char *pid, const char *fds)
{
	int status;
	const pid_t child = fork();

	if (child == 0) {
		take(kind, pid, fds);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}

static void set_up(void)
{
	result = mmap(NULL, sizeof(*result), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	ck_assert_ptr_ne(result, MAP_FAILED);
}

static void tear_down(void)
{
	munmap(result, sizeof(*result));
}

FIXTURE(set_up, tear_down)

TEST_RANGE(test_a_listening_socket_is_taken, IPV4, IPV6 + 1)
{
	const int fd = make(_i);

	if (fd < 0)
		return; /* no IPv6 here */
	close(fd);
	take_in_child(_i, "self", "1");
	ck_assert_msg(!result->rc, "%s", result->err.text);
	ck_assert_int_eq(result->taken, PASSED);
	ck_assert(result->fd_flags & FD_CLOEXEC);
	ck_assert(result->status_flags & O_NONBLOCK);
}

TEST(test_no_child_hears_of_it)
{
	take_in_child(IPV4, "self", "1");
	ck_assert_int_eq(result->taken, PASSED);
	ck_assert(!result->variables);
	ck_assert_int_eq(result->again, -1);
}

/* A parent's, or none at all. */
static const struct {
	const char *pid, *fds;
} others[] = {
	{NULL, NULL}, {NULL, "1"}, {"self", NULL}, {"1", "1"}, {"", "1"}, {"x", "1"}, {"self", "0"},
};

TEST_LOOP(test_a_socket_for_another_process_is_left_alone, COUNT_OF(others))
{
	take_in_child(IPV4, others[_i].pid, others[_i].fds);
	ck_assert_int_eq(result->rc, 0);
	ck_assert_int_eq(result->taken, -1);
	ck_assert_int_eq(result->fd_flags, 0);
	ck_assert(!result->variables);
}

static const struct {
	const char *fds, *text;
} wrong_numbers[] = {
	{"2", "systemd has passed 2 sockets: expected one"},
	{"18446744073709551615", "18446744073709551615 sockets"},
	{"18446744073709551616", "LISTEN_FDS='18446744073709551616': not a number"},
	{"", "LISTEN_FDS='': not a number"},
	{"-1", "LISTEN_FDS='-1': not a number"},
	{"1x", "LISTEN_FDS='1x': not a number"},
};

TEST_LOOP(test_another_number_than_one_is_refused, COUNT_OF(wrong_numbers))
{
	take_in_child(IPV4, "self", wrong_numbers[_i].fds);
	ck_assert_int_lt(result->rc, 0);
	ck_assert_int_eq(result->taken, -1);
	ck_assert_int_eq(result->err.kind, ERROR_USAGE);
	assert_contains(result->err.text, wrong_numbers[_i].text);
}

TEST_RANGE(test_what_nobody_can_connect_to_is_refused, CLOSED, LOCAL + 1)
{
	take_in_child(_i, "self", "1");
	ck_assert_int_eq(result->rc, -ENOTSUP);
	ck_assert_int_eq(result->taken, -1);
	ck_assert_int_eq(result->err.kind, ERROR_USAGE);
	assert_contains(result->err.text,
			"not a listening TCP socket: expected ListenStream=ADDR:PORT");
}
