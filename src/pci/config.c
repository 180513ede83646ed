/* SPDX-License-Identifier: BSD-3-Clause */
#include "pci/config.h"

#include <errno.h>

#define BAR_IO		 0x1U /* bit 0: I/O, not memory */
#define BAR_TYPE_MASK	 0x6U /* bits 2:1 */
#define BAR_TYPE_32	 0x0U
#define BAR_TYPE_64	 0x4U
#define BAR_ADDRESS_MASK (~UINT64_C(0xf))

/* Extended capability header: id 15:0, version 19:16, next 31:20. */
static uint16_t header_id(uint32_t header)
{
	return header & 0xffff;
}

/* The two low bits of the pointer are reserved and masked, as the kernel does. */
static unsigned header_next(uint32_t header)
{
	return header >> 20 & ~3U;
}

int pci_find_extended(struct platform *p, struct pci_location at, uint16_t id, unsigned nth,
		      unsigned *offset)
{
	bool seen[PCI_CONFIG_BYTES / 4] = {false};
	unsigned capability = PCI_EXTENDED_CAPABILITIES;

	while (capability) {
		uint32_t header;

		if (capability < PCI_EXTENDED_CAPABILITIES)
			return -EINVAL;
		if (seen[capability / 4])
			return -ELOOP;
		seen[capability / 4] = true;

		int rc = p->ops->pci_read(p, at, capability, &header);
		if (rc)
			return rc;
		/* absent extended configuration space reads as all ones, an empty list as 0 */
		if (header == 0 || header == UINT32_MAX)
			return -ENOENT;
		if (header_id(header) == id && !nth--) {
			*offset = capability;
			return 0;
		}
		capability = header_next(header);
	}
	return -ENOENT;
}

int pci_bar_address(struct platform *p, struct pci_location at, unsigned index, uint64_t *address)
{
	uint32_t low, high = 0;
	int rc;

	if (index >= PCI_BAR_COUNT)
		return -EINVAL;
	rc = p->ops->pci_read(p, at, PCI_BAR0 + 4 * index, &low);
	if (rc)
		return rc;
	if (low & BAR_IO)
		return -EINVAL;
	switch (low & BAR_TYPE_MASK) {
	case BAR_TYPE_32:
		break;
	case BAR_TYPE_64:
		if (index + 1 >= PCI_BAR_COUNT)
			return -EINVAL;
		rc = p->ops->pci_read(p, at, PCI_BAR0 + 4 * (index + 1), &high);
		if (rc)
			return rc;
		break;
	default:
		return -EINVAL;
	}
	*address = ((uint64_t)high << 32 | low) & BAR_ADDRESS_MASK;
	return *address ? 0 : -ENOENT;
}
