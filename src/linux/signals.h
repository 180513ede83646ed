/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals, while registers are programmed: whatever would end the process waits until the monitor
 * asks for it, so that all is put back first. A nudge is a signal from one thread to another.
 */
#ifndef CXLMON_SIGNALS_H
#define CXLMON_SIGNALS_H

#include <pthread.h>
#include <signal.h>

/*
 * Tells a thread to look around, and ends the system call that it blocks in. Of the signals that
 * end no process this one is never sent by a terminal; one from elsewhere does no harm.
 */
#define SIGNAL_KICK SIGURG

struct signals {
	/* held back: those that would end the process, SIGCHLD, and SIGNAL_KICK */
	sigset_t wake;
	sigset_t before; /* the mask to give back, and for COMMAND */
};

/*
 * Holds signals back, in this thread and those that it starts from here on. Those that were ignored
 * (nohup) stay ignored.
 */
void signals_block(struct signals *signals);

/* In a thread of its own: nudges interrupt what it blocks in, as any other signal never does. */
void signals_unblock_kick(void);

/* Does nothing where the thread has ended, but was not joined yet. */
void signals_kick(pthread_t thread);

#endif
