/* SPDX-License-Identifier: BSD-3-Clause */
/* The address of a register: its space, and its place in that space. */
#ifndef CXLMON_PLATFORM_REG_ADDRESS_H
#define CXLMON_PLATFORM_REG_ADDRESS_H

#include <stddef.h>
#include <stdint.h>

#include "platform/pci.h"

enum reg_space {
	REG_MSR,
	REG_MMIO,
	REG_PCI, /* configuration space */
	REG_MBM, /* not hardware: a setting of resctrl for an L3 cache, mbm.h */
};

/* A range of physical memory, mapped by register_ops.mmio_map. */
struct mmio_window {
	uint64_t phys;	  /* first byte */
	size_t length;	  /* bytes */
	void *base;	  /* address of the first byte; NULL: only the platform can access it */
	void *map;	  /* the mapped pages that contain the range, as mmap() returned them */
	size_t map_bytes; /* bytes at .map */
};

struct reg {
	enum reg_space space;
	uint8_t bytes;			  /* width of an access: 8, or 4 (MMIO and PCI) */
	unsigned cpu;			  /* REG_MSR: the CPU; REG_MBM: the L3 cache */
	struct pci_location pci;	  /* REG_PCI: the function */
	const struct mmio_window *window; /* REG_MMIO: its mapping; NULL: not mapped. Not owned */
	/* by .space: MSR number, physical address, offset in bytes, or enum mbm_event */
	uint64_t address;
};

/* Returns an MSR of a CPU. */
static inline struct reg reg_msr(unsigned cpu, uint32_t msr)
{
	return (struct reg){.space = REG_MSR, .bytes = 8, .cpu = cpu, .address = msr};
}

/* Returns a dword of a function's configuration space. offset is in bytes, aligned to 4. */
static inline struct reg reg_pci(struct pci_location at, unsigned offset)
{
	return (struct reg){.space = REG_PCI, .bytes = 4, .pci = at, .address = offset};
}

/*
 * Returns a register of 4 or 8 bytes in a window. The window must outlive the register. offset is
 * in bytes from the window's beginning, aligned to the width.
 */
static inline struct reg reg_mmio(const struct mmio_window *window, uint64_t offset, uint8_t bytes)
{
	return (struct reg){.space = REG_MMIO,
			    .bytes = bytes,
			    .window = window,
			    .address = window->phys + offset};
}

#endif
