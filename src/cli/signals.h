/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals, while registers are programmed: whatever would end the process waits until the monitor
 * asks for it, so that all is put back first. Only a write that a reader blocks is cut short.
 */
#ifndef CXLMON_SIGNALS_H
#define CXLMON_SIGNALS_H

#include <signal.h>
#include <stdio.h>

struct signals {
	sigset_t wake;	 /* held back: those that would end the process, and SIGCHLD */
	sigset_t before; /* the mask to give back, and for COMMAND */
};

/* Holds signals back. Those that were ignored (nohup) stay ignored. */
void signals_hold(struct signals *signals);

/*
 * Flushes a stream, letting signals cut it short where the reader doesn't read. Returns 0, or a
 * negative errno; *signal_number says which signal it was, else it is 0.
 */
int signals_flush(const struct signals *signals, FILE *out, int *signal_number);

#endif
