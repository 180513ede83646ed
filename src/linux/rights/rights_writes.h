/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Seccomp filters of ranges, which libseccomp does not have: which registers may be written, and
 * which perf events started and stopped. They allow all other calls: of several filters of a
 * process the strictest holds.
 */
#ifndef CXLMON_LINUX_RIGHTS_RIGHTS_WRITES_H
#define CXLMON_LINUX_RIGHTS_RIGHTS_WRITES_H

#include <stddef.h>

#include "platform/platform.h"

/* These install a filter in all threads, for rights_filter(). 0 or a negative errno. */

/* Registers of the platform: written where its guard allows it. */
int rights_filter_registers(struct platform *p);

/* Perf events: of all descriptors, these only are controlled. Negative ones are not open. */
int rights_filter_perf(const int *events, size_t count);

#endif
