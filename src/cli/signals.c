/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#define GRACE_S 1 /* that a reader has to take what was written when a signal came */

/* Faults can't wait; the others don't end a process. */
static const int not_held[] = {SIGILL,	SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,   SIGSEGV, SIGSYS,
			       SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGWINCH, SIGURG,  SIGPIPE};

/* A handler is given nothing but the signal's number, so what it needs stands here. */
static volatile sig_atomic_t caught, output_fd = -1;

/* From here on the write, begun or about to begin, doesn't wait for its reader. */
static void on_signal(int signal_number)
{
	const int saved = errno;

	caught = signal_number;
	fcntl(output_fd, F_SETFL, fcntl(output_fd, F_GETFL) | O_NONBLOCK);
	errno = saved;
}

static bool is_ignored(int signal_number)
{
	struct sigaction action;

	return sigaction(signal_number, NULL, &action) || action.sa_handler == SIG_IGN;
}

void signals_hold(struct signals *signals)
{
	const struct sigaction action = {.sa_handler = on_signal};

	sigfillset(&signals->wake);
	for (size_t i = 0; i < sizeof(not_held) / sizeof(not_held[0]); i++)
		sigdelset(&signals->wake, not_held[i]);
	for (int number = 1; number <= SIGRTMAX; number++) {
		if (number == SIGCHLD || sigismember(&signals->wake, number) != 1)
			continue;
		/* the library keeps some real-time signals to itself */
		if (is_ignored(number))
			sigdelset(&signals->wake, number);
		else
			sigaction(number, &action, NULL);
	}
	signal(SIGCHLD, SIG_DFL); /* ignored by a parent, it would reap COMMAND's status */
	signal(SIGPIPE, SIG_IGN); /* a reader that goes away shows as a failed write */
	sigprocmask(SIG_BLOCK, &signals->wake, &signals->before);
}

/* 0, or a negative errno with what is left in *bytes and *count. */
static int write_rest(int fd, const char **bytes, size_t *count)
{
	while (*count) {
		ssize_t written = write(fd, *bytes, *count);

		if (written < 0 && errno != EINTR)
			return -errno;
		*bytes += written > 0 ? written : 0;
		*count -= written > 0 ? (size_t)written : 0;
	}
	return 0;
}

/* Whether there is room to write, now or within grace. */
static bool wait_for_reader(int fd, const struct timespec *grace, const sigset_t *mask)
{
	struct pollfd reader = {.fd = fd, .events = POLLOUT};

	return ppoll(&reader, 1, grace, mask) > 0;
}

int signals_write(const struct signals *signals, int fd, const char *bytes, size_t count,
		  int *signal_number)
{
	const int flags = fcntl(fd, F_GETFL);
	const struct timespec grace = {.tv_sec = GRACE_S};
	sigset_t interrupting = signals->wake, open;

	sigdelset(&interrupting, SIGCHLD);
	caught = 0;
	output_fd = fd;
	sigprocmask(SIG_UNBLOCK, &interrupting, NULL);
	int rc = write_rest(fd, &bytes, &count);
	sigprocmask(SIG_BLOCK, &interrupting, &open);
	/* an output that never blocks: signals are let in while it is waited for */
	while (!caught && rc == -EAGAIN && wait_for_reader(fd, NULL, &open))
		rc = write_rest(fd, &bytes, &count);
	output_fd = -1;
	*signal_number = caught;

	while (caught && rc == -EAGAIN && wait_for_reader(fd, &grace, NULL))
		rc = write_rest(fd, &bytes, &count);
	if (caught)
		fcntl(fd, F_SETFL, flags);
	return rc;
}
