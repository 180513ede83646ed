/* SPDX-License-Identifier: BSD-3-Clause */
/* The address of a PCI function: 0000:7f:0c.0 */
#ifndef CXLMON_PCI_LOCATION_H
#define CXLMON_PCI_LOCATION_H

#include <stdint.h>

struct pci_location {
	uint32_t domain;
	uint8_t bus;
	uint8_t device;	  /* 0..31 */
	uint8_t function; /* 0..7 */
};

/* Compares two addresses: negative, 0 or positive, as for qsort(). */
static inline int pci_location_compare(const struct pci_location *a, const struct pci_location *b)
{
	const uint64_t x = (uint64_t)a->domain << 24 | (uint64_t)a->bus << 16 |
			   (uint64_t)a->device << 8 | a->function;
	const uint64_t y = (uint64_t)b->domain << 24 | (uint64_t)b->bus << 16 |
			   (uint64_t)b->device << 8 | b->function;

	return (x > y) - (x < y);
}

#endif
