/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands to a CXL memory device through its mailbox, /dev/cxl/memN, which is root's. One takes
 * milliseconds, or many seconds where the device is busy or broken; the kernel can't be
 * interrupted meanwhile.
 *
 * Source: the kernel's include/uapi/linux/cxl_mem.h.
 */
#ifndef CXLMON_LINUX_CXL_MAILBOX_H
#define CXLMON_LINUX_CXL_MAILBOX_H

#include "platform/device_health.h"
#include "platform/platform.h"

/* Opens the mailbox of a device ("mem0"). The descriptor, or a negative errno. */
int cxl_mailbox_open(const char *root, const char *device);

/*
 * Asks for the health. -ENOTTY: the device has no such command. -EBUSY: the kernel uses the mailbox
 * alone. -EREMOTEIO: the device refused. -EBADMSG: its answer is too short. -ENXIO: it is gone.
 */
int cxl_mailbox_health(int fd, struct device_health *out);

/* Says why an answer of these codes, or of cxl_mailbox_open(), is missing. */
const char *cxl_mailbox_reason(int code);

#endif
