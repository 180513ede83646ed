/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CXL memory devices, regions and events, as the kernel shows them: functions for struct cxl_ops of
 * platform/cxl.h. root is the directory that contains sys and dev: "/", or the argument of --root.
 * cxl_mailbox.h has the devices' mailboxes.
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
 * The node of a device is the NUMA node of its memory, as `daxctl list` and `numactl` show it. The
 * numa_node of `cxl list` (memN/numa_node) is another one: the node of the CPUs to which the device
 * is attached.
 *
 * A device may belong to several regions: each has a decoder of the device among its targets. The
 * device has the node of the lowest-numbered region whose node is known. The node of a region is:
 *
 * - the target_node of its dax device, if known. This device is below the region in sysfs or, for
 *   firmware's Soft Reserved memory, has memory that begins in the region.
 * - else the node of a memory block, such as one that firmware has made system RAM: the first block
 *   that lies wholly in the region and has a node
 * - else -1
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
 * device. Their files are opened for each reading, because a device may vanish and return. A
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
 * The kernel's CXL trace events, read through perf events. Each CPU has one ring buffer for all
 * these events, which only cxlmon reads. Other programs that read trace events, such as rasdaemon,
 * lose nothing.
 */

struct cxl_trace;

/*
 * Implements cxl_ops.events_open. Returns 1 if events are open, 0 if the kernel has no CXL trace
 * events, or a negative errno. ERROR_PERMISSION: tracefs or perf events are refused.
 */
int linux_cxl_events_open(struct platform *p, const struct topology *topology, struct error *err);

/* Implements cxl_ops.events_next. Events come CPU by CPU; within a CPU, in the order of time. */
bool linux_cxl_events_next(struct platform *p, uint64_t wall_ns, struct cxl_event *out,
			   uint64_t *lost);

void cxl_trace_close(struct cxl_trace *trace); /* NULL does nothing */

#endif
