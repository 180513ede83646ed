/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads PCI configuration space: the state of memory space, capabilities, BARs, and the DVSECs
 * (vendor-specific extended capabilities) of CXL functions. Writes nothing. A function returns 0,
 * an error that its comment names, or the negative errno of a failed read.
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

#define PCI_CONFIG_BYTES	  4096	 /* size of configuration space, with the extended part */
#define PCI_EXTENDED_CAPABILITIES 0x100	 /* offset of the first extended capability */
#define PCI_EXTENDED_ID_DVSEC	  0x0023 /* id of a DVSEC among extended capabilities */
#define PCI_BAR0		  0x10	 /* offset of the first BAR */

/* Dwords of a DVSEC, by offset from its start. */
#define DVSEC_HEADER 0x4 /* vendor in bits 15:0, length in bits 31:20 */
#define DVSEC_ID     0x8 /* id in bits 15:0 */

#define DVSEC_LENGTH(header) ((header) >> 20) /* bytes of a DVSEC, from its DVSEC_HEADER dword */
#define CXL_DVSEC_VENDOR     0x1E98	      /* Compute Express Link Specification 2.0, 8.1 */

#define PCI_POWER_D0 0 /* power state in which a function responds (PCI Power Management) */

/* State that decides if a function responds in its memory BARs. */
struct pci_memory_state {
	uint16_t command; /* the command register */
	bool enabled;	  /* memory space is enabled in the command register */
	unsigned power;	  /* power state: 0 (D0) to 3 (D3hot); 0 if the function has no states */
};

/*
 * Reads the state. If the function reads as all ones, as when it is gone, .enabled is false. After
 * an error, *out is unchanged.
 */
int pci_read_memory_state(struct platform *p, struct pci_location at, struct pci_memory_state *out);

/*
 * Finds the capability with this id below offset 256. *offset is its offset, and *header its first
 * dword. If the capability does not exist, returns 0, and *offset is 0.
 */
int pci_find_capability(struct platform *p, struct pci_location at, uint8_t id, unsigned *offset,
			uint32_t *header);

/*
 * Finds the offset of the nth extended capability with this id; nth counts from 0, in the order of
 * the list. Errors:
 * - -ENOENT: the list has at most nth capabilities with this id
 * - -ELOOP: the list is circular
 * - -EINVAL: a pointer of the list is outside extended configuration space
 */
int pci_find_extended(struct platform *p, struct pci_location at, uint16_t id, unsigned nth,
		      unsigned *offset);

/*
 * Reads the physical address in the memory BAR with this index, 32 or 64 bits wide. Errors:
 * - -EINVAL: index is above 5, or the BAR is not a memory BAR: I/O, or a reserved type
 * - -EINVAL: the BAR has 64 bits, and its index is 5
 * - -ENOENT: the address is 0
 */
int pci_bar_address(struct platform *p, struct pci_location at, unsigned index, uint64_t *address);

/*
 * Flex Bus: the protocols that a CXL link uses, and the flits that it sends.
 *
 * Source: Compute Express Link Specification 3.1, 8.2.1.3 (Flex Bus Port DVSEC); the kernel's
 * include/uapi/linux/pci_regs.h.
 */

#define DVSEC_ID_FLEX_BUS 7

/* Bits of flex_bus.capability and .status. */
#define FLEX_BUS_CACHE	      (1U << 0) /* CXL.cache */
#define FLEX_BUS_IO	      (1U << 1) /* CXL.io */
#define FLEX_BUS_MEM	      (1U << 2) /* CXL.mem */
#define FLEX_BUS_68B_FLIT     (1U << 5)
#define FLEX_BUS_LATENCY_256B (1U << 13) /* latency-optimised flits of 256 bytes */
#define FLEX_BUS_PBR_FLIT     (1U << 14) /* port based routing: flits of 256 bytes */

struct flex_bus {
	unsigned capability; /* protocols and flits that the port supports */
	unsigned status;     /* protocols and flits to which the link was trained */
};

/*
 * Reads the Flex Bus DVSEC. Errors:
 * - -ENOENT: the function has no Flex Bus DVSEC
 * - -ENODEV: the function is gone: its status reads as all ones
 * - -EINVAL: the DVSEC exceeds configuration space
 * - another error of pci_find_extended()
 */
int flex_bus_read(struct platform *p, struct pci_location at, struct flex_bus *out);

/*
 * The register locator of a CXL function lists its register blocks, each by BAR and offset.
 *
 * Source: Compute Express Link Specification 3.1, 8.1.9 (Register Locator DVSEC); the kernel's
 * drivers/cxl/core/regs.c.
 */

#define DVSEC_ID_REGISTER_LOCATOR 8

/* Kinds of register blocks. */
enum register_block_id {
	REGISTER_BLOCK_EMPTY = 0,
	REGISTER_BLOCK_COMPONENT = 1,
	REGISTER_BLOCK_BAR_VIRTUALIZATION = 2,
	REGISTER_BLOCK_DEVICE = 3,
	REGISTER_BLOCK_CPMU = 4, /* CXL performance monitoring unit */
};

struct register_block {
	unsigned bar;	 /* index of a BAR; 6 and 7 are invalid */
	uint64_t offset; /* bytes from the start of the BAR, a multiple of 64 KiB */
};

/*
 * Lists the first `room` different blocks of this kind, in the order of the locator. *count is the
 * number of listed blocks. Errors:
 * - -ENOENT: the function has no register locator
 * - -EINVAL: the locator exceeds configuration space, or is too short
 * - another error of pci_find_extended()
 */
int register_locator_find(struct platform *p, struct pci_location at, enum register_block_id id,
			  struct register_block *out, size_t room, size_t *count);

/*
 * Computes the physical address of a block of length bytes. Errors:
 * - -EINVAL: block->bar is not a memory BAR, or the block's addresses do not fit in 64 bits
 * - -ENOENT: the BAR's address is 0, or its size is unknown
 * - -ERANGE: the block ends after the BAR
 */
int register_block_address(struct platform *p, const struct pci_function *function,
			   const struct register_block *block, uint64_t length, uint64_t *address);

#endif
