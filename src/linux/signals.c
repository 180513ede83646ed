/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/signals.h"

#include <stdbool.h>
#include <stddef.h>

/* Faults can't wait; the others don't end a process. */
static const int not_held[] = {SIGILL,	SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,   SIGSEGV, SIGSYS,
			       SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGWINCH, SIGPIPE};

/* That it came is all: the call that it interrupts returns. */
static void on_nudge(int signal_number)
{
	(void)signal_number;
}

static bool is_ignored(int signal_number)
{
	struct sigaction action;

	return sigaction(signal_number, NULL, &action) || action.sa_handler == SIG_IGN;
}

void signals_block(struct signals *signals)
{
	/* without SA_RESTART */
	const struct sigaction nudge = {.sa_handler = on_nudge};

	signal(SIGCHLD, SIG_DFL); /* ignored by a parent, it would reap COMMAND's status */
	signal(SIGPIPE, SIG_IGN); /* a reader that goes away shows as a failed write */
	sigaction(SIGNAL_KICK, &nudge, NULL);
	sigfillset(&signals->wake);
	for (size_t i = 0; i < sizeof(not_held) / sizeof(not_held[0]); i++)
		sigdelset(&signals->wake, not_held[i]);
	for (int number = 1; number <= SIGRTMAX; number++)
		/* the library keeps some real-time signals to itself */
		if (sigismember(&signals->wake, number) == 1 && is_ignored(number))
			sigdelset(&signals->wake, number);
	pthread_sigmask(SIG_BLOCK, &signals->wake, &signals->before);
}

void signals_unblock_kick(void)
{
	sigset_t nudge;

	sigemptyset(&nudge);
	sigaddset(&nudge, SIGNAL_KICK);
	pthread_sigmask(SIG_UNBLOCK, &nudge, NULL);
}

void signals_kick(pthread_t thread)
{
	pthread_kill(thread, SIGNAL_KICK);
}
