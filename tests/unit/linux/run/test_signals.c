/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/signals.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

#include "unit.h"

EACH_IN_A_PROCESS

static struct signals signals;

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGALRM, SIGXFSZ};

TEST_LOOP(test_a_signal_that_would_end_the_process_waits_to_be_asked_for, COUNT_OF(ending))
{
	const struct timespec now = {0};

	signal(ending[_i], SIG_DFL); /* a shell lets its background ignore some */
	signals_block(&signals);
	raise(ending[_i]);
	ck_assert_int_eq(sigtimedwait(&signals.wake, NULL, &now), ending[_i]);
	ck_assert_int_eq(sigtimedwait(&signals.wake, NULL, &now), -1);
}

TEST(test_an_ignored_signal_is_not_held)
{
	signal(SIGHUP, SIG_IGN);
	signals_block(&signals);
	ck_assert_int_eq(sigismember(&signals.wake, SIGHUP), 0);
	ck_assert_int_eq(sigismember(&signals.wake, SIGINT), 1);
	ck_assert_int_eq(sigismember(&signals.before, SIGINT), 0);
	raise(SIGHUP);
}

/* A fault must run the handler or end the process; signals of a terminal stop and resize. */
static const int not_held[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,  SIGSEGV,
			       SIGSYS, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGWINCH};
static volatile sig_atomic_t handled;

static void handle(int number)
{
	handled = number;
}

TEST_LOOP(test_a_signal_of_a_fault_or_of_the_terminal_is_handled_at_once, COUNT_OF(not_held))
{
	signal(not_held[_i], handle);
	signals_block(&signals);
	raise(not_held[_i]);
	ck_assert_int_eq(handled, not_held[_i]);
}

TEST(test_a_nudge_is_taken_with_the_signals_that_are_held)
{
	const struct timespec now = {0};

	signals_block(&signals);
	signals_kick(pthread_self());
	ck_assert_int_eq(sigtimedwait(&signals.wake, NULL, &now), SIGNAL_KICK);
}

struct blocked {
	int fd;
	int code; /* result of the read */
	_Atomic pid_t thread;
};

static void *read_one(void *context)
{
	struct blocked *blocked = context;
	char byte;

	signals_unblock_kick();
	atomic_store(&blocked->thread, gettid());
	blocked->code = read(blocked->fd, &byte, 1) < 0 ? errno : 0;
	return NULL;
}

/* Returns whether the kernel shows the thread as asleep in a system call. */
static bool sleeps(pid_t thread)
{
	char path[64], text[256] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)thread);
	fd = open(path, O_RDONLY);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_gt(read(fd, text, sizeof(text) - 1), 0);
	close(fd);
	return strstr(text, ") S ") != NULL;
}

TEST(test_a_nudge_ends_what_a_thread_blocks_in)
{
	struct blocked blocked = {0};
	pthread_t thread;
	int ends[2];

	signals_block(&signals);
	ck_assert_int_eq(pipe(ends), 0);
	blocked.fd = ends[0];
	ck_assert_int_eq(pthread_create(&thread, NULL, read_one, &blocked), 0);
	while (!atomic_load(&blocked.thread) || !sleeps(atomic_load(&blocked.thread)))
		;
	signals_kick(thread);
	pthread_join(thread, NULL);
	ck_assert_int_eq(blocked.code, EINTR);
}
