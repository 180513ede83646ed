/* SPDX-License-Identifier: BSD-3-Clause */
#include "pci/config.h"

#include <errno.h>

#define BAR_IO		 0x1U /* bit 0: I/O, not memory */
#define BAR_TYPE_MASK	 0x6U /* bits 2:1 */
#define BAR_TYPE_32	 0x0U
#define BAR_TYPE_64	 0x4U
#define BAR_ADDRESS_MASK (~UINT64_C(0xf))

/* Status and command are one dword; capabilities are a list below 256. */
#define COMMAND_STATUS	     0x04
#define COMMAND_MEMORY	     0x2U
#define STATUS_CAPABILITIES  (1U << 20)
#define CAPABILITIES	     0x34
#define FIRST_CAPABILITY     0x40
#define MAX_CAPABILITIES     48 /* of 4 bytes at least: more is a circle */
#define CAPABILITY_POWER     0x01
#define POWER_CONTROL_STATUS 0x4
#define POWER_STATE	     0x3U

int pci_find_capability(struct platform *p, struct pci_location at, uint8_t id, unsigned *offset,
			uint32_t *header)
{
	int rc = p->ops->pci_read(p, at, CAPABILITIES, header);
	unsigned capability = rc ? 0 : *header & 0xFC;

	*offset = 0;
	for (unsigned i = 0; !rc && capability >= FIRST_CAPABILITY && i < MAX_CAPABILITIES; i++) {
		rc = p->ops->pci_read(p, at, capability, header);
		if (!rc && (*header & 0xFF) == id) {
			*offset = capability;
			return 0;
		}
		capability = *header >> 8 & 0xFC;
	}
	return rc;
}

int pci_read_memory_state(struct platform *p, struct pci_location at, struct pci_memory_state *out)
{
	uint32_t value, header, control = 0;
	unsigned power = 0;
	int rc = p->ops->pci_read(p, at, COMMAND_STATUS, &value);

	if (!rc && value != UINT32_MAX && value & STATUS_CAPABILITIES)
		rc = pci_find_capability(p, at, CAPABILITY_POWER, &power, &header);
	if (!rc && power)
		rc = p->ops->pci_read(p, at, power + POWER_CONTROL_STATUS, &control);
	if (rc)
		return rc;
	*out = (struct pci_memory_state){.command = (uint16_t)value,
					 .enabled = value != UINT32_MAX && value & COMMAND_MEMORY,
					 .power = control & POWER_STATE};
	return 0;
}

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
