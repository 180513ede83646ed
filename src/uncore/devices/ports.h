/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the CXL ports of a machine (struct port), which are made from units, and the CXL device of
 * each port.
 */
#ifndef CXLMON_UNCORE_DEVICES_PORTS_H
#define CXLMON_UNCORE_DEVICES_PORTS_H

#include "uncore/devices/machine_parts.h"

/* ports.c */

/*
 * Sets m->ports, sorted by socket and number, and m->sockets. m->model, m->discovery and
 * m->topology must be set. Returns 0 or -ENOMEM.
 */
int ports_find(struct machine *m, struct error *err);

/*
 * region_ports.c
 *
 * Ports of NVIDIA's processors (models with .kernel_counts): a root complex with a CXL region below
 * it is a port. The kernel's PMU of a root complex counts accesses to addresses that pass a filter:
 * an aligned block, whose size is a power of two. So a region is divided into such blocks, with a
 * unit for each block.
 *
 * A DVSEC of a root port has the number of its root complex; only root can read it. A region that
 * several root complexes share is counted on each of them: each transfers a part of the traffic.
 *
 * Source: the kernel's Documentation/admin-guide/perf/nvidia-tegra410-pmu.rst.
 */

/* The DVSEC of a root port that has the number of its root complex. */
#define ROOT_COMPLEX_DVSEC_VENDOR 0x10DE
#define ROOT_COMPLEX_DVSEC_ID	  4
#define ROOT_COMPLEX_DVSEC_PLACE  0x0C /* dword with the number, in bits 31:24 */

/*
 * The most blocks that a root complex can count: NV_PCIE_TGT_ADDR_COUNT in the kernel's
 * nvidia_cspmu.c
 */
#define ROOT_COMPLEX_BLOCKS 8

/*
 * Splits a range of addresses into aligned blocks, ascending, and stores at most `room` of them.
 * Returns the number of all blocks, which may be more; 0: the range is empty, begins at 0, or ends
 * after the last address.
 */
size_t address_blocks(uint64_t base, uint64_t bytes, struct address_block *out, size_t room);

/*
 * Replaces the units of root complexes in m->discovery by units for blocks of regions, and m->ports
 * by the ports of these blocks. Sets .no_region of the other units, if their socket has no region.
 * Pointers to units become invalid. m->devices and m->memory must be set. Does nothing on other
 * processors. Returns 0 or -ENOMEM.
 */
int region_ports_find(struct machine *m, struct error *err);

/*
 * port_device.c
 *
 * Matches memory devices and CXL ports.
 *
 * The discovery table identifies ports only by unit id, and no register or document is known that
 * relates unit ids to PCI addresses (Intel PCM also shows only numbers). So devices are matched:
 *   1. By address: the device or a function on its path has a BAR that contains the registers of
 *      the port's CXLCM or CXLDP. This is exact.
 *   2. Otherwise by order: the nth port of a socket is matched with the nth root port in the order
 *      of PCI addresses, if there are as many ports as root ports. This assumes that unit ids
 *      ascend with PCI addresses, which is not documented. The root ports of a socket are found by
 *      the first of these rules that finds as many as there are ports:
 *        - root ports with a CXL DVSEC, or above a memory device;
 *        - root ports above a memory device;
 *        - root ports with a CXL DVSEC whose link is up, or above a memory device;
 *        - root ports above a memory device.
 *      The last two rules leave out ports whose CXLCM does not respond: a Granite Rapids 6787P has
 *      six ports and one expander. A CXL 1.1 device, whose root port is hidden, counts as a root
 *      port.
 *   3. Otherwise the device is unknown. It is also unknown if several devices share a root port,
 *      and for AMD's ports, because nothing relates their numbers to root ports.
 * The platform's log reports each match and its method as a detail.
 *
 * Source of the constants: PCI Express Base Specification, chapter "Configuration Space".
 */

#define PCI_HEADER_TYPE	       0x0C /* in bits 22:16 of this dword */
#define PCI_HEADER_BRIDGE      1
#define PCI_CAPABILITIES       0x34
#define PCI_CAPABILITY_EXPRESS 0x10
#define PCI_EXPRESS_ROOT_PORT  4 /* in bits 23:20 of the capability's first dword */
/*
 * Offset in the capability of the dword with link control and, in bits 31:16, link status. The bit
 * is set while the link is up.
 */
#define PCI_EXPRESS_LINK	0x10
#define PCI_EXPRESS_LINK_ACTIVE (UINT32_C(1) << 29)

/*
 * Sets m->devices, and .device and .pci of each port whose device is known. m->ports must be set.
 * Writes no register. Returns 0, the error of listing devices or PCI functions, or -ENOMEM.
 */
int port_devices_find(struct machine *m, struct error *err);

#endif
