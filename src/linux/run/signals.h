/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals while registers are programmed. Signals that would terminate the process are blocked. The
 * sampling thread takes them while it sleeps, so that registers are restored first.
 *
 * A kick is a signal from one thread to another that interrupts a blocking system call.
 */
#ifndef CXLMON_LINUX_RUN_SIGNALS_H
#define CXLMON_LINUX_RUN_SIGNALS_H

#include <pthread.h>
#include <signal.h>

/* The signal of a kick: ignored by default, never sent by terminals, harmless from others. */
#define SIGNAL_KICK SIGURG

struct signals {
	/* blocked signals: SIGCHLD, SIGNAL_KICK, and signals that would terminate the process */
	sigset_t wake;
	sigset_t before; /* mask before signals_block(); COMMAND gets it */
};

/*
 * Blocks .wake in this thread and in threads that it starts later, and fills *signals. Signals that
 * are ignored already (nohup) stay ignored. SIGCHLD gets its default action; SIGPIPE is ignored.
 */
void signals_block(struct signals *signals);

/*
 * Unblocks SIGHUP, SIGINT, SIGQUIT and SIGTERM in the calling thread, so that they end the process
 * while it waits. For use before any register is written. *before is the previous mask, which the
 * caller sets after the wait.
 */
void signals_unblock(sigset_t *before);

/* Unblocks SIGNAL_KICK in the calling thread, so that it interrupts blocking system calls. */
void signals_unblock_kick(void);

/* Sends SIGNAL_KICK to a thread that is not joined; does nothing if it has ended. */
void signals_kick(pthread_t thread);

#endif
