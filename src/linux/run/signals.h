/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals while registers are programmed. Signals that would terminate the process are blocked, and
 * the monitor polls for them, so that registers are restored first. A kick is a signal from one
 * thread to another that interrupts a blocking system call.
 */
#ifndef CXLMON_LINUX_RUN_SIGNALS_H
#define CXLMON_LINUX_RUN_SIGNALS_H

#include <pthread.h>
#include <signal.h>

/*
 * SIGURG is ignored by default, is never sent by terminals, and does no harm if another process
 * sends it.
 */
#define SIGNAL_KICK SIGURG

struct signals {
	/* blocked signals: those that would terminate the process, SIGCHLD and SIGNAL_KICK */
	sigset_t wake;
	sigset_t before; /* mask before signals_block(), restored at the end and for COMMAND */
};

/*
 * Blocks signals in this thread and in threads that it starts later. Ignored signals (nohup) stay
 * ignored.
 */
void signals_block(struct signals *signals);

/*
 * Unblocks, in the calling thread, the signals by which users and systemd end a program. Called to
 * wait for something before there is anything to restore. *before: the mask to set again.
 */
void signals_unblock(sigset_t *before);

/* Unblocks SIGNAL_KICK in the calling thread: it interrupts blocking system calls. */
void signals_unblock_kick(void);

/* Sends SIGNAL_KICK; does nothing if the thread has ended but is not joined yet. */
void signals_kick(pthread_t thread);

#endif
