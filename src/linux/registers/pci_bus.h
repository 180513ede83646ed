/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PCI functions below root/sys/bus/pci, through libpci's sysfs access method, and mappings of
 * physical memory. Functions that return int return 0 or a negative errno.
 */
#ifndef CXLMON_LINUX_REGISTERS_PCI_BUS_H
#define CXLMON_LINUX_REGISTERS_PCI_BUS_H

#include <stddef.h>
#include <stdint.h>

#include "platform/pci.h"
#include "platform/reg.h"

struct pci_bus;

/* Scans the bus, which pci_bus_close() frees. -ENOENT (ERROR_NO_UNIT): there is no PCI bus. */
int pci_bus_open(const char *root, struct pci_bus **out, struct error *err);
void pci_bus_close(struct pci_bus *bus); /* NULL does nothing */

/* Lists all functions found by the scan. The caller frees *out. */
int pci_bus_list(struct pci_bus *bus, struct pci_function **out, size_t *count, struct error *err);

/*
 * Reads one aligned dword of configuration space. A register that the function does not have, such
 * as one beyond the 256 bytes of conventional PCI, reads as all ones.
 *
 * - -ENODEV: the function does not exist
 * - -EPERM: CAP_SYS_ADMIN is missing; the kernel then allows only the first 64 bytes
 * - -EIO: the read failed
 */
int pci_bus_read(struct pci_bus *bus, struct pci_location at, unsigned offset, uint32_t *value);
/*
 * Writes one aligned dword of configuration space. The config file stays open until
 * pci_bus_close(), so that registers can be restored after rights_drop(): the kernel checks
 * privileges when a file is opened.
 *
 * - -ENODEV: the function does not exist
 * - -EACCES: the user may not open its config file
 * - -EPERM: kernel lockdown
 * - -EIO: the kernel wrote only a part
 * - another errno: the file cannot be opened or written
 */
int pci_bus_write(struct pci_bus *bus, struct pci_location at, unsigned offset, uint32_t value);

/*
 * Appends each config file that pci_bus_write() has opened to *out, an array of *count elements
 * that this function reallocates. Closes the config file that was opened only for reading. 0 or
 * -ENOMEM.
 */
int pci_bus_files(struct pci_bus *bus, struct register_file **out, size_t *count);

/* Place of a physical range within a memory BAR. */
struct pci_bar_location {
	struct pci_location at;
	unsigned bar;
	uint64_t offset; /* bytes from the BAR's beginning */
};

/* Finds the BAR that contains [phys, phys + length). -ENOENT: the kernel knows no such BAR. */
int pci_bus_find_bar(struct pci_bus *bus, uint64_t phys, uint64_t length,
		     struct pci_bar_location *out);

/* Physical memory, for memory-mapped registers. */

/*
 * Maps the pages that contain [phys, phys + length), for reading or, if writable, also for writing.
 * The caller releases the window by memory_unmap().
 *
 * If a BAR contains the range and begins on a page, its sysfs file resourceN is mapped. Otherwise
 * /dev/mem is, which the kernel may forbid (lockdown, STRICT_DEVMEM and IO_STRICT_DEVMEM).
 */
int memory_map(const char *root, struct pci_bus *bus, uint64_t phys, size_t length, bool writable,
	       struct mmio_window *out, struct error *err);
void memory_unmap(struct mmio_window *window); /* does nothing if it is not mapped */

/* Load or store 4 or 8 bytes in one access; offset is in the window, and aligned. */
uint64_t memory_load(const struct mmio_window *window, uint64_t offset, unsigned bytes);
void memory_store(const struct mmio_window *window, uint64_t offset, unsigned bytes,
		  uint64_t value);

#endif
