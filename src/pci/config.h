/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parsing of PCI configuration space: extended capabilities and BARs.
 * Source: PCI Express Base Specification, chapters "Configuration Space" and "Extended Capability";
 * the kernel's include/uapi/linux/pci_regs.h.
 */
#ifndef CXLMON_PCI_CONFIG_H
#define CXLMON_PCI_CONFIG_H

#include <stdint.h>

#include "platform/platform.h"

#define PCI_CONFIG_BYTES	  4096
#define PCI_EXTENDED_CAPABILITIES 0x100 /* offset of the first extended capability */
#define PCI_EXTENDED_ID_DVSEC	  0x0023
#define PCI_BAR0		  0x10

/*
 * The offset of the nth (from 0) extended capability with this id, in the order of the list.
 * -ENOENT: there is none. -ELOOP: the list is circular. -EINVAL: a pointer is outside extended
 * configuration space. Other errors are those of reading.
 */
int pci_find_extended(struct platform *p, struct pci_location at, uint16_t id, unsigned nth,
		      unsigned *offset);

/*
 * The physical address in memory BAR index, 32 or 64 bits wide. -EINVAL: no such BAR (an I/O BAR, a
 * reserved type, a 64-bit BAR in the last slot). -ENOENT: no address assigned (0).
 */
int pci_bar_address(struct platform *p, struct pci_location at, unsigned index, uint64_t *address);

#endif
