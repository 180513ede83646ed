/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads PCI configuration space, and writes nothing: the state of memory space, capabilities, BARs,
 * and the DVSECs of CXL functions. Functions that return int return 0 or a negative errno.
 *
 * Source: PCI Express Base Specification, chapters "Configuration Space", "Power Management" and
 * "Extended Capability"; the kernel's include/uapi/linux/pci_regs.h.
 */
#ifndef CXLMON_PCI_CONFIG_H
#define CXLMON_PCI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/pci.h"
#include "platform/platform.h"

#define PCI_CONFIG_BYTES	  4096
#define PCI_EXTENDED_CAPABILITIES 0x100 /* offset of the first extended capability */
#define PCI_EXTENDED_ID_DVSEC	  0x0023
#define PCI_BAR0		  0x10

/* Offsets of dwords in a DVSEC: vendor in bits 15:0 and length in bytes in 31:20; id in 15:0 */
#define DVSEC_HEADER	     0x4
#define DVSEC_ID	     0x8
#define DVSEC_LENGTH(header) ((header) >> 20)
#define CXL_DVSEC_VENDOR     0x1E98 /* Compute Express Link Specification 2.0, 8.1 */

/* The power state in which a function responds, of PCI Bus Power Management. */
#define PCI_POWER_D0 0

/* The state that decides if a function responds in its memory BARs. */
struct pci_memory_state {
	uint16_t command; /* the command register */
	bool enabled;	  /* memory space is enabled in the command register */
	unsigned power;	  /* power state: 0 (D0) to 3 (D3hot); 0 if the function has no states */
};

/*
 * Reads the state. A function that reads as all ones, such as one that is gone, is not enabled.
 * Returns 0 or an error of reading.
 */
int pci_read_memory_state(struct platform *p, struct pci_location at, struct pci_memory_state *out);

/*
 * Finds the capability with this id below offset 256: its offset, 0 if there is none, and its first
 * dword. Returns 0 or an error of reading.
 */
int pci_find_capability(struct platform *p, struct pci_location at, uint8_t id, unsigned *offset,
			uint32_t *header);

/*
 * Finds the offset of the nth (from 0) extended capability with this id, in the order of the list.
 * -ENOENT: there is none. -ELOOP: the list is circular. -EINVAL: a pointer is outside extended
 * configuration space. Other errors are those of reading.
 */
int pci_find_extended(struct platform *p, struct pci_location at, uint16_t id, unsigned nth,
		      unsigned *offset);

/*
 * Reads the physical address in a memory BAR, 32 or 64 bits wide. -EINVAL: index is above 5, or the
 * BAR is not a memory BAR (I/O, a reserved type, 64 bits in the last slot). -ENOENT: it has no
 * address (0). Other errors are those of reading.
 */
int pci_bar_address(struct platform *p, struct pci_location at, unsigned index, uint64_t *address);

/*
 * Flex Bus: the protocols to which a CXL link was trained, and the flits that it sends.
 *
 * Source: Compute Express Link Specification 3.1, 8.2.1.3 (Flex Bus Port DVSEC); the kernel's
 * include/uapi/linux/pci_regs.h.
 */

#define DVSEC_ID_FLEX_BUS 7

/* Bits of the capability and of the status. */
#define FLEX_BUS_CACHE	      (1U << 0)
#define FLEX_BUS_IO	      (1U << 1)
#define FLEX_BUS_MEM	      (1U << 2)
#define FLEX_BUS_68B_FLIT     (1U << 5)
#define FLEX_BUS_LATENCY_256B (1U << 13) /* latency-optimised flits of 256 bytes */
#define FLEX_BUS_PBR_FLIT     (1U << 14) /* port based routing: flits of 256 bytes */

struct flex_bus {
	/* bits that the link supports, and bits to which it was trained */
	unsigned capability, status;
};

/*
 * Reads the Flex Bus DVSEC. -ENOENT: the function has no such DVSEC. -ENODEV: the function is gone.
 * Other errors are those of pci_find_extended().
 */
int flex_bus_read(struct platform *p, struct pci_location at, struct flex_bus *out);

/*
 * The register locator of a CXL function: the BAR and offset of each of its register blocks.
 *
 * Source: Compute Express Link Specification 3.1, 8.1.9 (Register Locator DVSEC); the kernel's
 * drivers/cxl/core/regs.c.
 */

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
	unsigned bar;	 /* index of a BAR; 6 and 7 are invalid */
	uint64_t offset; /* bytes from the start of the BAR: a multiple of 64 KiB */
};

/*
 * Lists the first `room` blocks with this identifier, in the order of the locator; a repeated block
 * is listed once. *count is their number. -ENOENT: the function has no register locator. -EINVAL:
 * the locator ends after configuration space, or is too short. Other errors are those of
 * pci_find_extended().
 */
int register_locator_find(struct platform *p, struct pci_location at, enum register_block_id id,
			  struct register_block *out, size_t room, size_t *count);

/*
 * Computes the physical address of a block of length bytes. -EINVAL: block->bar is not a memory
 * BAR, or the addresses of the block do not fit in 64 bits. -ENOENT: the BAR has no address, or its
 * size is unknown. -ERANGE: the block ends after the BAR. Other errors are those of reading.
 */
int register_block_address(struct platform *p, const struct pci_function *function,
			   const struct register_block *block, uint64_t length, uint64_t *address);

#endif
