/* SPDX-License-Identifier: BSD-3-Clause */
/* PCI functions of this machine, through libpci's sysfs method below a root directory. */
#ifndef CXLMON_PCI_BUS_H
#define CXLMON_PCI_BUS_H

#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"

struct pci_bus;

/* Scans root/sys/bus/pci. -ENOENT where there is no PCI bus. Freed by pci_bus_close(). */
int pci_bus_open(const char *root, struct pci_bus **out, struct error *err);
void pci_bus_close(struct pci_bus *bus);

/* Every function found; *out is freed by the caller. */
int pci_bus_list(struct pci_bus *bus, struct pci_function **out, size_t *count, struct error *err);

/*
 * One aligned dword. -ENODEV: no such function. -EPERM: beyond the first 64 bytes, which the kernel
 * shows to everyone, without CAP_SYS_ADMIN. -EIO: the kernel refused. Where the function has no
 * such register, as beyond the 256 bytes of a conventional one, it reads as all ones.
 */
int pci_bus_read(struct pci_bus *bus, struct pci_location at, unsigned offset, uint32_t *value);
/*
 * Likewise. The file of a function that was written stays open until pci_bus_close(), so that what
 * was changed can be put back when nothing can be opened any more: the kernel looks at the rights
 * of who opened it.
 */
int pci_bus_write(struct pci_bus *bus, struct pci_location at, unsigned offset, uint32_t value);

/* A memory BAR that holds all of [phys, phys + length). */
struct pci_bar_location {
	struct pci_location at;
	unsigned bar;
	uint64_t offset; /* of phys within the BAR */
};

/* -ENOENT where no BAR that the kernel knows covers it. */
int pci_bus_find_bar(struct pci_bus *bus, uint64_t phys, uint64_t length,
		     struct pci_bar_location *out);

#endif
