/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which memory device is behind which CXL port.
 *
 * The discovery table numbers ports by box id alone, and no register or document is known that says
 * where a box id lies on the PCI side; Intel PCM shows numbers, too. So, in this order:
 *   1. By address: a function on the way to the device, or the device, has a BAR that the
 *      port's CXLCM or CXLDP lies in. Exact.
 *   2. By order: the nth port of a socket has what is behind its nth root port, in order of
 *      PCI addresses, where there are as many of both. Root ports are those with a DVSEC of
 *      the CXL consortium or, where these are more or fewer than the ports, those that lead to
 *      a memory device. A CXL 1.1 device, whose root port can't be seen, stands for it. This
 *      assumes that box ids rise with PCI addresses, which nobody has promised.
 *   3. Else it is not known. So it is, too, where several devices share a root port.
 * The platform's log has, as a detail, what was found and in which way.
 *
 * Source of the constants: PCI Express Base Specification, chapter "Configuration Space"; Compute
 * Express Link Specification 2.0, 8.1 (DVSEC vendor id 1E98h).
 */
#ifndef CXLMON_PORT_DEVICE_H
#define CXLMON_PORT_DEVICE_H

#include "uncore/machine.h"

#define CXL_DVSEC_VENDOR 0x1E98
#define DVSEC_HEADER	 0x4 /* vendor in bits 15:0 */

#define PCI_HEADER_TYPE	       0x0C /* in bits 22:16 of this dword */
#define PCI_HEADER_BRIDGE      1
#define PCI_CAPABILITIES       0x34
#define PCI_CAPABILITY_EXPRESS 0x10
#define PCI_EXPRESS_ROOT_PORT  4 /* in bits 23:20 of the capability's first dword */

/*
 * Lists the machine's memory devices, and sets the device of each port where it is known. Writes no
 * register. 0 or the error of listing.
 */
int port_devices_find(struct machine *m, struct error *err);

#endif
