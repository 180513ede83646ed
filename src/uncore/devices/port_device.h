/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which memory device is behind which CXL port.
 *
 * The discovery table identifies ports only by unit id, and no register or document is known that
 * relates unit ids to PCI addresses (Intel PCM shows only numbers, too). So devices are matched:
 *   1. By address: the device or a function on its path has a BAR that contains the registers of
 *      the port's CXLCM or CXLDP. This is exact.
 *   2. Else by order: the nth port of a socket is matched with the nth root port in the order of
 *      PCI addresses, if there are as many ports as root ports. Root ports are those with a CXL
 *      DVSEC; if their number differs from that of the ports, those with a memory device behind
 *      them. If that differs, too, only those ports count whose CXLCM responds, and those root
 *      ports whose link is up, or that have a memory device: a Granite Rapids 6787P has six ports
 *      and one expander. A CXL 1.1 device, whose root port is hidden, counts as a root port. This
 *      assumes that unit ids ascend with PCI addresses, which is not documented.
 *   3. Else the device is not known; nor is it if several devices share a root port, or of AMD's
 *      ports, whose numbers nothing relates to root ports.
 * The platform's log reports each match and its method as a detail.
 *
 * Source of the constants: PCI Express Base Specification, chapter "Configuration Space".
 */
#ifndef CXLMON_UNCORE_DEVICES_PORT_DEVICE_H
#define CXLMON_UNCORE_DEVICES_PORT_DEVICE_H

#include "uncore/devices/machine_parts.h"

#define PCI_HEADER_TYPE	       0x0C /* in bits 22:16 of this dword */
#define PCI_HEADER_BRIDGE      1
#define PCI_CAPABILITIES       0x34
#define PCI_CAPABILITY_EXPRESS 0x10
#define PCI_EXPRESS_ROOT_PORT  4 /* in bits 23:20 of the capability's first dword */
/* Offset in the capability of link control and, in bits 31:16, link status: its bit 13 */
#define PCI_EXPRESS_LINK	0x10
#define PCI_EXPRESS_LINK_ACTIVE (UINT32_C(1) << 29)

/*
 * Lists the machine's memory devices, and sets the device of each port where it is known. Writes no
 * register. 0 or the error of listing.
 */
int port_devices_find(struct machine *m, struct error *err);

#endif
