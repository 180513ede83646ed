/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory devices of root/sys/bus/cxl, as `cxl list` shows them, without serial numbers.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-bus-cxl and sysfs-bus-dax;
 * Documentation/ABI/testing/sysfs-devices-memory.
 *
 * A device's node is the NUMA node of its memory, as `daxctl list` and `numactl` show it. It is
 * found through the region that has a decoder of the device as a target (if several, the
 * lowest-numbered):
 *   - the target_node of a dax device of that region, else
 *   - the node of the memory block at the region's start address, if firmware has onlined it as
 *     system RAM.
 * Else the node is -1. memN/numa_node, the numa_node of `cxl list`, is not used for it: that is the
 * node of the CPUs that the device is attached to.
 */
#ifndef CXLMON_LINUX_CXL_BUS_H
#define CXLMON_LINUX_CXL_BUS_H

#include "platform/platform.h"

/*
 * As platform_ops.cxl_devices. Devices that are not behind PCI, as in the kernel's own tests, are
 * skipped.
 */
int linux_cxl_devices(const char *root, struct cxl_device **out, size_t *count, struct error *err);

#endif
