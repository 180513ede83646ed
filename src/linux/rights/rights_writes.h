/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Seccomp filters for registers that may be written, and for perf events that may be started and
 * stopped. They compare ranges, which libseccomp cannot. They allow all other calls: if a process
 * has several filters, a call must pass each.
 */
#ifndef CXLMON_LINUX_RIGHTS_RIGHTS_WRITES_H
#define CXLMON_LINUX_RIGHTS_RIGHTS_WRITES_H

#include <stddef.h>

#include "platform/platform.h"

/* Each function installs a filter in all threads, for rights_filter(). 0 or a negative errno. */

/* Limits writes to registers of the platform to those that its guard allows. */
int rights_filter_registers(struct platform *p);

/* Limits control of perf events to these descriptors. Negative ones are not open. */
int rights_filter_perf(const int *events, size_t count);

#endif
