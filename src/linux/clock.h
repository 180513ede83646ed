/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's clocks and a sleep that signals end. Shared by every platform with real time. */
#ifndef CXLMON_LINUX_CLOCK_H
#define CXLMON_LINUX_CLOCK_H

#include <signal.h>
#include <stdint.h>

uint64_t clock_monotonic(void); /* ns */
uint64_t clock_utc(void);	/* ns since 1970 */
uint64_t clock_suspended(void); /* ns, to within the time that it takes to ask */

/* The calling thread's sleeps end when they should, and not up to 50 us later: prctl(2). */
void clock_set_timerslack(void);

/* As platform_ops.sleep_until, on clock_monotonic(). A deadline in the past only polls *wake. */
int clock_sleep_until(uint64_t deadline, const sigset_t *wake, int *signal_number);

#endif
