/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process may do beyond its user's files. Source: capabilities(7), capget(2). */
#ifndef CXLMON_LINUX_RIGHTS_H
#define CXLMON_LINUX_RIGHTS_H

#include <stdbool.h>

/* capability is a number of <linux/capability.h>, such as CAP_SYS_RAWIO. */
bool linux_capable(unsigned capability);

#endif
