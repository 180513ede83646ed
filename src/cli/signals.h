/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals, while registers are programmed: whatever would end the process waits until the monitor
 * asks for it, so that all is put back first. Only a write that a reader blocks is cut short.
 */
#ifndef CXLMON_SIGNALS_H
#define CXLMON_SIGNALS_H

#include <signal.h>
#include <stddef.h>

struct signals {
	sigset_t wake;	 /* held back: those that would end the process, and SIGCHLD */
	sigset_t before; /* the mask to give back, and for COMMAND */
};

/* Holds signals back. Those that were ignored (nohup) stay ignored. */
void signals_hold(struct signals *signals);

/*
 * Writes all of it. A signal is let in while the reader doesn't read: then the reader has a second
 * more to take the rest. 0, or a negative errno (-EAGAIN: it was cut short); *signal_number says
 * which signal came, else it is 0.
 */
int signals_write(const struct signals *signals, int fd, const char *bytes, size_t count,
		  int *signal_number);

#endif
