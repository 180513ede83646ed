/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mapping of physical memory, for memory-mapped registers.
 *
 * If a BAR known to the kernel contains the address, and begins on a page, its sysfs resourceN file
 * is mapped, else /dev/mem, which the kernel may forbid (lockdown, STRICT_DEVMEM and
 * IO_STRICT_DEVMEM).
 */
#ifndef CXLMON_PCI_MEMORY_H
#define CXLMON_PCI_MEMORY_H

#include "pci/bus.h"
#include "platform/platform.h"

/* Maps the pages that contain [phys, phys + length). Released by memory_unmap(). */
int memory_map(const char *root, struct pci_bus *bus, uint64_t phys, size_t length, bool writable,
	       struct mmio_window *out, struct error *err);
void memory_unmap(struct mmio_window *window);

/* One aligned load or store of 4 or 8 bytes. */
uint64_t memory_load(const struct mmio_window *window, uint64_t offset, unsigned bytes);
void memory_store(const struct mmio_window *window, uint64_t offset, unsigned bytes,
		  uint64_t value);

#endif
