/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel says of a CXL memory device now: attributes of the PCI functions on the way to
 * it. They are opened whenever they are read, since a device may vanish and return; whoever
 * restricts files must allow them (rights_restrict_files()). No right is needed.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-bus-pci (current_link_speed and the like),
 * sysfs-bus-pci-devices-aer, and, for rcd_link_status, sysfs-bus-cxl.
 */
#ifndef CXLMON_LINUX_CXL_DEVICE_FILES_H
#define CXLMON_LINUX_CXL_DEVICE_FILES_H

#include "linux/kernel/kernel_text.h"
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

#endif
