/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parsing of PCI configuration space: state of memory space, extended capabilities and BARs.
 * Source: PCI Express Base Specification, chapters "Configuration Space", "Power Management" and
 * "Extended Capability";
 * the kernel's include/uapi/linux/pci_regs.h.
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

/* A DVSEC: vendor 15:0 and length in bytes 31:20 of this dword, id 15:0 of the next */
#define DVSEC_HEADER	     0x4
#define DVSEC_ID	     0x8
#define DVSEC_LENGTH(header) ((header) >> 20)
#define CXL_DVSEC_VENDOR     0x1E98 /* Compute Express Link Specification 2.0, 8.1 */

/* Power states of PCI Bus Power Management */
#define PCI_POWER_D0 0

/* The state that decides whether a function responds in its memory BARs. */
struct pci_memory_state {
	uint16_t command; /* the command register */
	bool enabled;	  /* its bit of memory space */
	unsigned power;	  /* 0: D0 to 3: D3hot; D0 where a function has no other */
};

/* Errors are those of reading. Reads as all ones, as of a function that is gone: not enabled. */
int pci_read_memory_state(struct platform *p, struct pci_location at, struct pci_memory_state *out);

/* The capability with this id and its first dword; *offset is 0 where there is none. */
int pci_find_capability(struct platform *p, struct pci_location at, uint8_t id, unsigned *offset,
			uint32_t *header);

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

/*
 * Flex Bus: which protocols a CXL link was trained to, and which flits it sends.
 *
 * Source: Compute Express Link Specification 3.1, 8.2.1.3 (Flex Bus Port DVSEC); the kernel's
 * include/uapi/linux/pci_regs.h.
 */

#define DVSEC_ID_FLEX_BUS 7

/* Bits of both */
#define FLEX_BUS_CACHE	      (1U << 0)
#define FLEX_BUS_IO	      (1U << 1)
#define FLEX_BUS_MEM	      (1U << 2)
#define FLEX_BUS_68B_FLIT     (1U << 5)
#define FLEX_BUS_LATENCY_256B (1U << 13) /* latency-optimised flits of 256 bytes */
#define FLEX_BUS_PBR_FLIT     (1U << 14) /* port based routing: flits of 256 bytes */

struct flex_bus {
	unsigned capability, status; /* what the link could, and what it was trained to */
};

/* -ENOENT: the function has none. -ENODEV: it is gone. Other errors: pci_find_extended(). */
int flex_bus_read(struct platform *p, struct pci_location at, struct flex_bus *out);

/*
 * The register locator of a CXL function: in which of its BARs, and where there, it has its blocks
 * of registers.
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
