/* SPDX-License-Identifier: BSD-3-Clause */
/* The PCI functions of a machine. */
#ifndef CXLMON_PLATFORM_PCI_H
#define CXLMON_PLATFORM_PCI_H

#include <stddef.h>
#include <stdint.h>

#include "platform/pci_link.h"

struct error;
struct platform;

#define PCI_BAR_COUNT 6

struct pci_function {
	struct pci_location at;
	uint16_t vendor;
	uint16_t device;
	int numa_node;			  /* -1: not known */
	uint64_t bar_size[PCI_BAR_COUNT]; /* bytes; 0: not known, or no such BAR */
	/*
	 * Of memory, as the kernel maps it; 0: not known. Behind a host bridge that translates
	 * addresses, as on Arm, it differs from what the BAR holds.
	 */
	uint64_t bar_address[PCI_BAR_COUNT];
};

/* Writes "0000:35:00.0", the format of lspci -D and `cxl list`. Returns text. */
#define PCI_TEXT_SIZE 24
const char *pci_location_text(struct pci_location at, char text[PCI_TEXT_SIZE]);

struct pci_ops {
	/* All PCI functions. *out is freed by the caller. */
	int (*list)(struct platform *p, struct pci_function **out, size_t *count,
		    struct error *err);
};

#endif
