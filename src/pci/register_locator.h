/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The register locator of a CXL function: in which of its BARs, and where there, it has its blocks
 * of registers.
 *
 * Source: Compute Express Link Specification 3.1, 8.1.9 (Register Locator DVSEC); the kernel's
 * drivers/cxl/core/regs.c.
 */
#ifndef CXLMON_PCI_REGISTER_LOCATOR_H
#define CXLMON_PCI_REGISTER_LOCATOR_H

#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"

#define DVSEC_ID_REGISTER_LOCATOR 8

/* Register block identifiers */
enum register_block_id {
	REGISTER_BLOCK_EMPTY = 0,
	REGISTER_BLOCK_COMPONENT = 1,
	REGISTER_BLOCK_BAR_VIRTUALIZATION = 2,
	REGISTER_BLOCK_DEVICE = 3,
	REGISTER_BLOCK_CPMU = 4,
};

struct register_block {
	unsigned bar;	 /* 0 to 7; a BAR has 0 to 5 */
	uint64_t offset; /* in the BAR, bytes: a multiple of 64 KiB */
};

/*
 * The blocks with this identifier, at most room of them, in the order of the locator; one that it
 * has twice is listed once. -ENOENT: the function has no register locator. -EINVAL: it goes beyond
 * configuration space, or is too short. Other errors are those of pci_find_extended().
 */
int register_locator_find(struct platform *p, struct pci_location at, enum register_block_id id,
			  struct register_block *out, size_t room, size_t *count);

/*
 * The physical address of a block of length bytes. -EINVAL: no such memory BAR, or the addresses
 * of the block do not fit in 64 bits. -ENOENT: the BAR has no address, or its size is not known.
 * -ERANGE: the block ends beyond the BAR. Other errors are those of reading.
 */
int register_block_address(struct platform *p, const struct pci_function *function,
			   const struct register_block *block, uint64_t length, uint64_t *address);

#endif
