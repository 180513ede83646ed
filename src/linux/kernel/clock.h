/* SPDX-License-Identifier: BSD-3-Clause */
/* Clocks of the kernel, and a sleep that signals interrupt. */
#ifndef CXLMON_LINUX_KERNEL_CLOCK_H
#define CXLMON_LINUX_KERNEL_CLOCK_H

#include <signal.h>
#include <stdint.h>

uint64_t clock_monotonic(void); /* ns, without suspensions */
uint64_t clock_utc(void);	/* ns since 1970, UTC */
uint64_t clock_process(void);	/* CPU time of this process, ns */
/*
 * Returns the total ns suspended: the difference of two clocks. It lacks the time between their
 * readings: mostly less than a microsecond, and at most 10 ms.
 */
uint64_t clock_suspended(void);

/* Sets the calling thread's timer slack to 1 ns; the default delays wake-ups by up to 50 us. */
void clock_set_timerslack(void);

/* Implements clock_ops.sleep_until on clock_monotonic(). If late, only checks signals of *wake. */
int clock_sleep_until(uint64_t deadline, const sigset_t *wake, int *signal_number);

#endif
