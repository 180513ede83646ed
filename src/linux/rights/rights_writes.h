/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Seccomp filters for registers that may be written, and for perf events that may be started and
 * stopped. They compare ranges, which libseccomp cannot.
 *
 * A call must pass each filter of its process. These filters allow all calls that they do not
 * limit.
 */
#ifndef CXLMON_LINUX_RIGHTS_RIGHTS_WRITES_H
#define CXLMON_LINUX_RIGHTS_RIGHTS_WRITES_H

#include <stddef.h>

#include "platform/platform.h"

/* Each function installs a filter in all threads. 0 or a negative errno. */

/* Limits writes to registers of the platform to those that its guard allows. */
int rights_filter_registers(struct platform *p);

/* Lets only these descriptors of perf events be controlled. Negative ones are ignored. */
int rights_filter_perf(const int *events, size_t count);

#endif
