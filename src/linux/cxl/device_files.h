/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel says of a CXL memory device now: attributes of the PCI functions on the way to
 * it. They are opened whenever they are read, since a device may vanish and return; whoever
 * restricts files must allow them (rights_restrict_files()). No right is needed.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-bus-pci (current_link_speed and the like),
 * sysfs-bus-pci-devices-aer, and, for rcd_link_status, sysfs-bus-cxl.
 */
#ifndef CXLMON_LINUX_DEVICE_FILES_H
#define CXLMON_LINUX_DEVICE_FILES_H

#include <sys/ioctl.h>

#include "linux/memory/node_files.h"
#include "platform/kernel_stats.h"
#include "platform/pci_link.h"
#include "platform/platform.h"

/* As cxl_ops.stats. -ENODATA: nothing is known. -ENODEV: the device is gone. */
int linux_device_stats(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
		       struct device_stats *out);

/* A function's link, "current" or "max" as prefix; unknown where it says so, or is out of range. */
struct pci_link device_files_link(const char *root, struct pci_location at, const char *prefix);

/* The count of an aer_dev_* file: that of the line TOTAL_ERR_*. NAN: there is none. */
double device_files_aer_total(struct span text);

/* Adds its other lines, but those whose count is 0. */
void device_files_aer_kinds(struct span text, enum kernel_stat severity, struct aer_kinds *kinds);

/*
 * Commands to a CXL memory device through its mailbox, /dev/cxl/memN, which is root's. One takes
 * milliseconds, or many seconds where the device is busy or broken; the kernel can't be
 * interrupted meanwhile.
 *
 * Source: the kernel's include/uapi/linux/cxl_mem.h, which headers before Linux 5.12 do not have.
 */

/* struct cxl_send_command: both payloads are addresses, with their sizes in bytes. */
struct cxl_command {
	uint32_t id, flags, raw, retval;
	struct {
		uint32_t size, reserved;
		uint64_t payload;
	} in, out;
};

#define CXL_SEND_COMMAND    _IOWR(0xCE, 2, struct cxl_command) /* CXL_MEM_SEND_COMMAND */
#define CXL_GET_HEALTH_INFO 7 /* CXL_MEM_COMMAND_ID_GET_HEALTH_INFO */

/* Opens the mailbox of a device ("mem0"). The descriptor, or a negative errno. */
int cxl_mailbox_open(const char *root, const char *device);

/*
 * Asks for the health. -ENOTTY: the device has no such command. -EBUSY: the kernel uses the mailbox
 * alone. -EREMOTEIO: the device refused. -EBADMSG: its answer is too short. -ENXIO: it is gone.
 */
int cxl_mailbox_health(int fd, struct device_health *out);

/* As cxl_ops.health. */
int linux_device_health(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
			struct device_health *out);

/* Says why an answer of these codes, or of cxl_mailbox_open(), is missing. */
const char *cxl_mailbox_reason(int code);

#endif
