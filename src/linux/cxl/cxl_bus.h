/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory devices and regions of ROOT/sys/bus/cxl, as `cxl list` shows them.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-bus-cxl, sysfs-bus-dax and
 * sysfs-devices-memory.
 *
 * The node of a device is the NUMA node of its memory, as `daxctl list` and `numactl` show it. It
 * is found through the region that has a decoder of the device as a target (if several, the
 * lowest-numbered):
 *   - the target_node of a dax device of that region, or of one whose memory begins within the
 *     region's, as firmware's Soft Reserved memory does; else
 *   - the node of the first memory block that lies wholly in the region, if firmware has onlined it
 *     as system RAM.
 * Else the node is -1. memN/numa_node, the numa_node of `cxl list`, is not used for it: that is the
 * node of the CPUs that the device is attached to.
 */
#ifndef CXLMON_LINUX_CXL_CXL_BUS_H
#define CXLMON_LINUX_CXL_CXL_BUS_H

#include <stddef.h>

#include "platform/cxl.h"
#include "platform/memory.h"
#include "platform/platform.h"

/* As cxl_ops.devices. Devices that are not behind PCI, as in the kernel's own tests, are skipped.
 */
int linux_cxl_devices(struct platform *p, struct cxl_device **out, size_t *count,
		      struct error *err);

/* The regions by number, in *out, which is freed by the caller. 0 or -ENOMEM. */
int linux_cxl_regions(const char *root, struct cxl_region **out, size_t *count);

#endif
