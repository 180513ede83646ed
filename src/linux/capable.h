/* SPDX-License-Identifier: BSD-3-Clause */
/* Which capabilities this process has. Without libcap-ng, which the shared library does not use. */
#ifndef CXLMON_LINUX_CAPABLE_H
#define CXLMON_LINUX_CAPABLE_H

#include <stdbool.h>

/* Whether a capability of <linux/capability.h>, such as CAP_SYS_RAWIO, is effective. */
bool linux_capable(unsigned capability);

/* Whether it is permitted: effective, or can be made so. */
bool linux_permitted(unsigned capability);

/*
 * Makes a permitted capability of this thread effective, or takes it back. False: it is not
 * permitted, or was so already.
 */
bool linux_make_effective(unsigned capability, bool effective);

#endif
