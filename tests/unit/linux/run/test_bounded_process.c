/* SPDX-License-Identifier: BSD-3-Clause */
/* Child processes that end at their limits, and with their parent. */
#include "linux/run/bounded_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/number.h"
#include "linux/kernel/clock.h"
#include "linux/rights/rights.h"
#include "unit.h"

#define NOBODY 65534

static struct bounded_process process;
static const struct bounded_limits a_minute = {.seconds = 60};

static void begin(void)
{
	sigset_t all;

	process.socket = -1;
	/* as of helper_begin() */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
}

static void end(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	close(process.socket);
}

FIXTURE(begin, end)

/* How the child has ended, when its socket says so. */
static int status_of(pid_t pid)
{
	struct pollfd ended = {.fd = process.socket};
	int status;

	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(poll(&ended, 1, 100000), 1);
	ck_assert(ended.revents & POLLHUP);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

TEST(test_what_a_child_has_sent_is_there_after_its_end)
{
	const pid_t pid = bounded_fork(&a_minute, -1, &process);
	char got[8] = "";

	if (!pid)
		_exit(send(process.socket, "found", 6, 0) != 6);
	ck_assert_int_eq(status_of(pid), 0);
	ck_assert_int_eq(recv(process.socket, got, sizeof(got), 0), 6);
	ck_assert_str_eq(got, "found");
}

TEST(test_a_child_has_two_descriptors)
{
	const int kept = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const int other = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const pid_t pid = bounded_fork(&a_minute, kept, &process);

	if (!pid) {
		int count = 0;

		for (int fd = 0; fd < 1024; fd++)
			count += fcntl(fd, F_GETFD) >= 0;
		_exit(count != 2 || fcntl(kept, F_GETFD) < 0 || fcntl(process.socket, F_GETFD) < 0);
	}
	close(kept);
	close(other);
	ck_assert_int_eq(status_of(pid), 0);
}

TEST(test_a_child_ends_when_its_time_is_over)
{
	const struct bounded_limits a_second = {.seconds = 1};
	const uint64_t begun = clock_monotonic();
	const pid_t pid = bounded_fork(&a_second, -1, &process);

	if (!pid)
		for (;;)
			pause();
	ck_assert_uint_ge(process.deadline_ns, begun + NS_PER_S);
	ck_assert_uint_le(process.deadline_ns, clock_monotonic() + NS_PER_S);
	ck_assert_int_eq(status_of(pid), SIGALRM);
}

TEST(test_a_child_ends_when_it_has_had_its_time_of_the_CPU)
{
	const struct bounded_limits a_second = {.seconds = 60, .cpu_seconds = 1};
	const pid_t pid = bounded_fork(&a_second, -1, &process);

	if (!pid)
		for (volatile unsigned i = 0;; i++)
			;
	ck_assert_int_eq(status_of(pid), SIGKILL);
}

TEST(test_a_child_has_no_more_memory)
{
	const size_t bytes = (size_t)1 << 34;
	const struct bounded_limits limits = {.seconds = 60, .memory_bytes = bytes};

	if (RIGHTS_INSTRUMENTED)
		return;
	const pid_t pid = bounded_fork(&limits, -1, &process);
	if (!pid)
		_exit(mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			   0) != MAP_FAILED);
	ck_assert_int_eq(status_of(pid), 0);
}

/* Such a process would have other limits, and go on after the run. Root has no such limit. */
TEST(test_a_child_cannot_start_processes)
{
	const pid_t pid = bounded_fork(&a_minute, -1, &process);

	if (!pid) {
		if (!getuid() && setresuid(NOBODY, NOBODY, NOBODY))
			_exit(0);
		const pid_t started = fork();
		_exit(started >= 0);
	}
	ck_assert_int_eq(status_of(pid), 0);
}

/* It is the child of a child, and ends only with it. */
TEST(test_a_child_ends_with_its_parent)
{
	int ends[2];
	char byte;

	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	const pid_t parent = fork();
	if (!parent) {
		const pid_t pid = bounded_fork(&a_minute, ends[1], &process);

		if (!pid) {
			if (write(ends[1], "", 1) == 1)
				for (;;)
					pause();
			_exit(1);
		}
		for (;;)
			pause();
	}
	close(ends[1]);
	ck_assert_int_eq(read(ends[0], &byte, 1), 1);
	kill(parent, SIGKILL);
	ck_assert_int_eq(waitpid(parent, NULL, 0), parent);
	ck_assert_int_eq(read(ends[0], &byte, 1), 0);
	close(ends[0]);
	process.socket = -1;
}
