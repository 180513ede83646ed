/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/signals.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Signals that stay unblocked: faults cannot be blocked; the others do not terminate the process or
 * are handled elsewhere.
 */
static const int not_blocked[] = {SIGILL,  SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,	SIGSEGV, SIGSYS,
				  SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGWINCH, SIGPIPE};

/* Does nothing: the interrupted system call returns EINTR. */
static void on_kick(int signal_number)
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
	/* no SA_RESTART: the call must end */
	const struct sigaction kick = {.sa_handler = on_kick};

	signal(SIGCHLD, SIG_DFL); /* COMMAND's exit status would be lost if it were ignored */
	signal(SIGPIPE, SIG_IGN); /* a write to a closed pipe then fails instead */
	sigaction(SIGNAL_KICK, &kick, NULL);
	sigfillset(&signals->wake);
	for (size_t i = 0; i < sizeof(not_blocked) / sizeof(not_blocked[0]); i++)
		sigdelset(&signals->wake, not_blocked[i]);
	for (int number = 1; number <= SIGRTMAX; number++)
		/* the C library reserves some real-time signals */
		if (sigismember(&signals->wake, number) == 1 && is_ignored(number))
			sigdelset(&signals->wake, number);
	pthread_sigmask(SIG_BLOCK, &signals->wake, &signals->before);
}

void signals_unblock(sigset_t *before)
{
	static const int asks_to_end[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
	sigset_t these;

	sigemptyset(&these);
	for (size_t i = 0; i < sizeof(asks_to_end) / sizeof(asks_to_end[0]); i++)
		sigaddset(&these, asks_to_end[i]);
	pthread_sigmask(SIG_UNBLOCK, &these, before);
}

void signals_unblock_kick(void)
{
	sigset_t kick;

	sigemptyset(&kick);
	sigaddset(&kick, SIGNAL_KICK);
	pthread_sigmask(SIG_UNBLOCK, &kick, NULL);
}

void signals_kick(pthread_t thread)
{
	pthread_kill(thread, SIGNAL_KICK);
}
