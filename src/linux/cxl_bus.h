/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory devices of root/sys/bus/cxl: what `cxl list` shows of them, without their serial
 * numbers.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-bus-cxl and sysfs-bus-dax;
 * Documentation/ABI/testing/sysfs-devices-memory.
 *
 * A device's node is the NUMA node in which its memory appears, as `daxctl list` and `numactl` have
 * it, by the region whose targets are decoders of the device (the lowest-numbered, where there are
 * several):
 *   - the target_node of a dax device that was made of the region, or else
 *   - the node of the memory block that lies where the region begins, as where firmware has
 *     made ordinary memory of it.
 * Where neither is known it has no node: memN/numa_node, and the numa_node of `cxl list`, is where
 * the CPUs are that it is attached to, and the node of other memory.
 */
#ifndef CXLMON_LINUX_CXL_BUS_H
#define CXLMON_LINUX_CXL_BUS_H

#include "platform/platform.h"

/*
 * As platform_ops.cxl_devices. A device that isn't behind PCI, as in the kernel's own tests, is
 * left out.
 */
int linux_cxl_devices(const char *root, struct cxl_device **out, size_t *count, struct error *err);

#endif
