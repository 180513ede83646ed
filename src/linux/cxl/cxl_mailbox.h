/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands to a CXL memory device through its mailbox, /dev/cxl/memN, which only root may open. A
 * command takes milliseconds. If the device is busy or broken, it takes many seconds, and no signal
 * interrupts it.
 *
 * Source: include/uapi/linux/cxl_mem.h, which the kernel has since Linux 5.12.
 */
#ifndef CXLMON_LINUX_CXL_CXL_MAILBOX_H
#define CXLMON_LINUX_CXL_CXL_MAILBOX_H

#include <stdint.h>
#include <sys/ioctl.h>

#include "platform/cxl.h"
#include "platform/device_health.h"
#include "platform/platform.h"

/* struct cxl_send_command of the kernel: payloads are addresses, with their sizes in bytes. */
struct cxl_command {
	uint32_t id, flags, raw, retval;
	struct {
		uint32_t size, reserved;
		uint64_t payload;
	} in, out;
};

#define CXL_SEND_COMMAND    _IOWR(0xCE, 2, struct cxl_command) /* CXL_MEM_SEND_COMMAND */
#define CXL_GET_HEALTH_INFO 7 /* CXL_MEM_COMMAND_ID_GET_HEALTH_INFO */

/*
 * Opens the mailbox of a device ("mem0"); root is the directory that contains dev. Returns a
 * descriptor, which the caller closes, or a negative errno.
 */
int cxl_mailbox_open(const char *root, const char *device);

/*
 * Asks for the device's health through its open mailbox. Returns 0 or a negative errno, such as:
 *
 * - -ENOTTY: the device has no such command
 * - -EBUSY: only the kernel may use the mailbox
 * - -EREMOTEIO: the device refused the command
 * - -EBADMSG: the answer has the wrong size
 * - -ENXIO: the device is gone
 */
int cxl_mailbox_health(int fd, struct device_health *out);

/* Implements cxl_ops.health: opens the mailbox, asks, and closes it. wall_ns is unused. */
int linux_device_health(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
			struct device_health *out);

/* Returns the reason for an error code of these functions; not to be freed. */
const char *cxl_mailbox_reason(int code);

#endif
