/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CXL memory devices, regions and events, as the kernel shows them: functions for struct cxl_ops of
 * platform/cxl.h. root is the directory that has sys and dev: "/", or that of --root. The mailbox
 * of devices is in cxl_mailbox.h.
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
 * The node of a device is the NUMA node of its memory, as `daxctl list` and `numactl` show it. A
 * device has the node of its region: a region that has a decoder of the device as a target. If a
 * device has several regions, the lowest-numbered region with a node decides. The node of a region
 * is:
 *   - the target_node of its dax device. A dax device that is not below the region in sysfs also
 *     belongs to it if its memory begins in the region, as firmware's Soft Reserved memory does.
 *   - without a dax device, the node of the first memory block that lies wholly in the region.
 *     Firmware may have made such a block system RAM.
 *   - else -1.
 * The numa_node of `cxl list` (memN/numa_node) is another node: the node of the CPUs to which
 * the device is attached.
 */

/*
 * Implements cxl_ops.devices. Leaves out devices that are not on a PCI bus, as in the kernel's own
 * tests. 0 or -ENOMEM.
 */
int linux_cxl_devices(struct platform *p, struct cxl_device **out, size_t *count,
		      struct error *err);

/* Lists the regions by number. The caller frees *out, also after an error. 0 or -ENOMEM. */
int linux_cxl_regions(const char *root, struct cxl_region **out, size_t *count);

/*
 * device_files.c
 *
 * Present state of a CXL memory device: attributes of the PCI functions from its root port to the
 * device. Their files are opened for each reading, because a device may vanish and return; a
 * process that restricts files must allow them (rights_restrict_files()). No privileges are needed.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-bus-pci (current_link_speed and the like),
 * sysfs-bus-pci-devices-aer, and, for rcd_link_status, sysfs-bus-cxl.
 */

/* Implements cxl_ops.stats. -ENODATA: all values are unknown. -ENODEV: the device is gone. */
int linux_device_stats(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
		       struct device_stats *out);

/*
 * cxl_trace.c
 *
 * The kernel's CXL trace events, read through perf events. These have ring buffers of their own, so
 * that other programs that read trace events, such as rasdaemon, lose nothing.
 */

struct cxl_trace;

/*
 * Implements cxl_ops.events_open. Returns 1 if events are open, and 0 if the kernel has none.
 * ERROR_PERMISSION: tracefs or perf events are refused.
 */
int linux_cxl_events_open(struct platform *p, const struct topology *topology, struct error *err);

/* Implements cxl_ops.events_next. Events come CPU by CPU, for each CPU in the order of time. */
bool linux_cxl_events_next(struct platform *p, uint64_t wall_ns, struct cxl_event *out,
			   uint64_t *lost);

void cxl_trace_close(struct cxl_trace *trace); /* NULL does nothing */

#endif
