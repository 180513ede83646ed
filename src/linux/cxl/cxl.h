/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CXL memory devices and regions, as the kernel shows them, for struct cxl_ops; except the mailbox
 * (cxl_mailbox.h).
 */
#ifndef CXLMON_LINUX_CXL_CXL_H
#define CXLMON_LINUX_CXL_CXL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/kernel_stats.h"
#include "platform/memory.h"
#include "platform/platform.h"

/*
 * cxl_bus.c
 *
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

/*
 * Implements cxl_ops.devices. Devices that are not on a PCI bus, as in the kernel's own tests, are
 * skipped.
 */
int linux_cxl_devices(struct platform *p, struct cxl_device **out, size_t *count,
		      struct error *err);

/* Lists the regions by number. The caller frees *out. 0 or -ENOMEM. */
int linux_cxl_regions(const char *root, struct cxl_region **out, size_t *count);

/*
 * device_files.c
 *
 * Present state of a CXL memory device: attributes of the PCI functions from the root port to it.
 * Their files are opened for each reading, because a device may vanish and return; a process that
 * restricts files must allow them (rights_restrict_files()). No privileges are needed.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-bus-pci (current_link_speed and the like),
 * sysfs-bus-pci-devices-aer, and, for rcd_link_status, sysfs-bus-cxl.
 */

/* Implements cxl_ops.stats. -ENODATA: all is unknown. -ENODEV: the device is gone. */
int linux_device_stats(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
		       struct device_stats *out);

/*
 * cxl_trace.c
 *
 * The kernel's CXL trace events, read through perf events with ring buffers of their own: other
 * readers of them, such as rasdaemon, lose nothing.
 */

struct cxl_trace;

/*
 * Implements cxl_ops.events_open. 0: the kernel has no such events. ERROR_PERMISSION: tracefs or
 * perf events are refused.
 */
int linux_cxl_events_open(struct platform *p, const struct topology *topology, struct error *err);

/* Implements cxl_ops.events_next. Events are sorted by CPU, and for each CPU by time. */
bool linux_cxl_events_next(struct platform *p, uint64_t wall_ns, struct cxl_event *out,
			   uint64_t *lost);

void cxl_trace_close(struct cxl_trace *trace); /* NULL does nothing */

#endif
