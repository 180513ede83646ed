/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the CXL ports of a machine (struct port) among its units, and the CXL device of each port.
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
 * Ports of NVIDIA's processors (models with .kernel_counts): a root complex above a CXL region is a
 * port. The kernel's PMU of a root complex counts accesses to one aligned block of addresses, whose
 * size is a power of two. So a region is divided into blocks, with a unit for each. A region that
 * several root complexes share is counted on each: each transfers a part of its traffic.
 *
 * A DVSEC of a root port, which only root can read, has the number of its root complex.
 *
 * Source: the kernel's Documentation/admin-guide/perf/nvidia-tegra410-pmu.rst.
 */

/* The DVSEC of a root port that has the number of its root complex. */
#define ROOT_COMPLEX_DVSEC_VENDOR 0x10DE
#define ROOT_COMPLEX_DVSEC_ID	  4
#define ROOT_COMPLEX_DVSEC_PLACE  0x0C /* dword with the number, in bits 31:24 */

/* The most blocks per root complex: NV_PCIE_TGT_ADDR_COUNT in the kernel's nvidia_cspmu.c */
#define ROOT_COMPLEX_BLOCKS 8

/*
 * Splits the addresses from base on into aligned blocks, ascending, and stores at most room of
 * them. Returns the number of all blocks, which may be more; 0: bytes is 0, base is 0, or the range
 * exceeds 64 bits.
 */
size_t address_blocks(uint64_t base, uint64_t bytes, struct address_block *out, size_t room);

/*
 * Does nothing for models without .kernel_counts. For others, replaces m->ports by the root
 * complexes above CXL regions. In m->discovery, replaces the units of root complexes by units for
 * blocks of these regions, and sets .no_region of all other units. Pointers to units become
 * invalid. m->devices and m->memory must be set. Returns 0 or -ENOMEM.
 */
int region_ports_find(struct machine *m, struct error *err);

/*
 * port_device.c
 *
 * Matches memory devices and CXL ports.
 *
 * No register or document is known that relates ports, which have unit ids, to PCI addresses (Intel
 * PCM also shows only numbers). So devices are matched:
 *   1. By address: the device or a function on its path has a BAR that contains the registers of
 *      the port's CXLCM or CXLDP. This is exact.
 *   2. Otherwise by order: the nth port of a socket has the nth root port in the order of PCI
 *      addresses. This assumes that unit ids ascend with PCI addresses, which is not documented.
 *      Some ports have no device: a Granite Rapids 6787P has six ports and one expander. So these
 *      pairs of lists are tried, without those matched by address. The first pair with as many
 *      ports as root ports is used:
 *        ports                    root ports
 *        all                      with a CXL DVSEC, or above a memory device
 *        all                      above a memory device
 *        whose CXLCM responds     with a CXL DVSEC and their link up, or above a memory device
 *        whose CXLCM responds     above a memory device
 *      A CXL 1.1 device, whose root port is hidden, counts as a root port.
 *   3. Otherwise the device is unknown. It is also unknown if several devices share a root port,
 *      and for AMD's ports, because nothing relates their numbers to root ports.
 *
 * Source of the constants: PCI Express Base Specification, chapter "Configuration Space".
 */

#define PCI_HEADER_TYPE	       0x0C /* in bits 22:16 of this dword */
#define PCI_HEADER_BRIDGE      1
#define PCI_CAPABILITIES       0x34
#define PCI_CAPABILITY_EXPRESS 0x10
#define PCI_EXPRESS_ROOT_PORT  4 /* in bits 23:20 of the capability's first dword */
/* offset in the capability of the dword with link control and, in bits 31:16, link status */
#define PCI_EXPRESS_LINK	0x10
#define PCI_EXPRESS_LINK_ACTIVE (UINT32_C(1) << 29) /* the link is up */

/*
 * Sets m->devices, and .device and .pci of each port whose device is known; logs each match as a
 * detail. m->ports must be set. Writes no register. Returns 0, the error of listing devices or PCI
 * functions, or -ENOMEM.
 */
int port_devices_find(struct machine *m, struct error *err);

#endif
