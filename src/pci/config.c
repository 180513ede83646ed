/* SPDX-License-Identifier: BSD-3-Clause */
#include "pci/config.h"

#include <errno.h>
#include <stdbool.h>

#include "platform/pci.h"
#include "platform/reg.h"

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
#define MAX_CAPABILITIES     48 /* each has at least 4 bytes: more form a circle */
#define CAPABILITY_POWER     0x01
#define POWER_CONTROL_STATUS 0x4
#define POWER_STATE	     0x3U

int pci_find_capability(struct platform *p, struct pci_location at, uint8_t id, unsigned *offset,
			uint32_t *header)
{
	int rc = reg_read_pci(p, at, CAPABILITIES, header);
	unsigned capability = rc ? 0 : *header & 0xFC;

	*offset = 0;
	for (unsigned i = 0; !rc && capability >= FIRST_CAPABILITY && i < MAX_CAPABILITIES; i++) {
		rc = reg_read_pci(p, at, capability, header);
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
	int rc = reg_read_pci(p, at, COMMAND_STATUS, &value);

	if (!rc && value != UINT32_MAX && value & STATUS_CAPABILITIES)
		rc = pci_find_capability(p, at, CAPABILITY_POWER, &power, &header);
	if (!rc && power)
		rc = reg_read_pci(p, at, power + POWER_CONTROL_STATUS, &control);
	if (rc)
		return rc;
	*out = (struct pci_memory_state){.command = (uint16_t)value,
					 .enabled = value != UINT32_MAX && value & COMMAND_MEMORY,
					 .power = control & POWER_STATE};
	return 0;
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

		int rc = reg_read_pci(p, at, capability, &header);
		if (rc)
			return rc;
		/* absent extended configuration space reads as all ones, an empty list as 0 */
		if (header == 0 || header == UINT32_MAX)
			return -ENOENT;
		/* id 15:0, version 19:16, next 31:20 */
		if ((header & 0xffff) == id && !nth--) {
			*offset = capability;
			return 0;
		}
		/* the two low bits are reserved and masked, as the kernel does */
		capability = header >> 20 & ~3U;
	}
	return -ENOENT;
}

int pci_bar_address(struct platform *p, struct pci_location at, unsigned index, uint64_t *address)
{
	uint32_t low, high = 0;
	int rc;

	if (index >= PCI_BAR_COUNT)
		return -EINVAL;
	rc = reg_read_pci(p, at, PCI_BAR0 + 4 * index, &low);
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
		rc = reg_read_pci(p, at, PCI_BAR0 + 4 * (index + 1), &high);
		if (rc)
			return rc;
		break;
	default:
		return -EINVAL;
	}
	*address = ((uint64_t)high << 32 | low) & BAR_ADDRESS_MASK;
	return *address ? 0 : -ENOENT;
}

#define FIRST_ENTRY 0x0C
#define ENTRY_BYTES 8

/* An entry: BAR 2:0, identifier 15:8, offset 31:16 of the low dword, and the high dword. */
#define ENTRY_BAR(low)		((low)&0x7)
#define ENTRY_ID(low)		((low) >> 8 & 0xFF)
#define ENTRY_OFFSET(low, high) ((uint64_t)(high) << 32 | ((low)&0xFFFF0000))

/* Begin and end of the entries in configuration space. */
struct entries {
	unsigned start, end;
};

/* Finds a DVSEC of CXL; *header is the dword with its vendor and length. */
static int find_cxl_dvsec(struct platform *p, struct pci_location at, uint16_t id, unsigned *offset,
			  uint32_t *header)
{
	uint32_t found = 0;

	for (unsigned nth = 0;; nth++) {
		int rc = pci_find_extended(p, at, PCI_EXTENDED_ID_DVSEC, nth, offset);

		if (!rc && *offset + DVSEC_ID >= PCI_CONFIG_BYTES)
			rc = -EINVAL;
		if (!rc)
			rc = reg_read_pci(p, at, *offset + DVSEC_HEADER, header);
		if (!rc)
			rc = reg_read_pci(p, at, *offset + DVSEC_ID, &found);
		if (rc)
			return rc;
		if ((*header & 0xFFFF) == CXL_DVSEC_VENDOR && (found & 0xFFFF) == id)
			return 0;
	}
}

static int find_locator(struct platform *p, struct pci_location at, struct entries *out)
{
	uint32_t header;
	const int rc = find_cxl_dvsec(p, at, DVSEC_ID_REGISTER_LOCATOR, &out->start, &header);

	if (rc)
		return rc;
	out->end = out->start + DVSEC_LENGTH(header);
	out->start += FIRST_ENTRY;
	return out->end < out->start || out->end > PCI_CONFIG_BYTES ? -EINVAL : 0;
}

/*
 * Reads the capability, 31:16 of the dword with the id, and the status, 31:16 of the next one,
 * whose 15:0 are the control.
 */
int flex_bus_read(struct platform *p, struct pci_location at, struct flex_bus *out)
{
	uint32_t header, id = 0, value = 0;
	unsigned offset;
	int rc = find_cxl_dvsec(p, at, DVSEC_ID_FLEX_BUS, &offset, &header);

	if (!rc && offset + DVSEC_ID + 4 >= PCI_CONFIG_BYTES)
		rc = -EINVAL;
	if (!rc)
		rc = reg_read_pci(p, at, offset + DVSEC_ID, &id);
	if (!rc)
		rc = reg_read_pci(p, at, offset + DVSEC_ID + 4, &value);
	if (!rc && value == UINT32_MAX)
		rc = -ENODEV;
	*out = (struct flex_bus){.capability = id >> 16, .status = value >> 16};
	return rc;
}

static bool is_listed(const struct register_block *list, size_t count,
		      const struct register_block *block)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].bar == block->bar && list[i].offset == block->offset)
			return true;
	return false;
}

int register_locator_find(struct platform *p, struct pci_location at, enum register_block_id id,
			  struct register_block *out, size_t room, size_t *count)
{
	struct entries entries;
	uint32_t low = 0, high = 0;
	int rc = find_locator(p, at, &entries);

	*count = 0;
	for (unsigned e = entries.start; !rc && e + ENTRY_BYTES <= entries.end; e += ENTRY_BYTES) {
		rc = reg_read_pci(p, at, e, &low);
		if (!rc)
			rc = reg_read_pci(p, at, e + 4, &high);
		const struct register_block block = {ENTRY_BAR(low), ENTRY_OFFSET(low, high)};
		if (rc || ENTRY_ID(low) != id || *count == room || is_listed(out, *count, &block))
			continue;
		out[(*count)++] = block;
	}
	return rc;
}

int register_block_address(struct platform *p, const struct pci_function *function,
			   const struct register_block *block, uint64_t length, uint64_t *address)
{
	uint64_t base;
	int rc = pci_bar_address(p, function->at, block->bar, &base);

	if (rc)
		return rc;
	const uint64_t size = function->bar_size[block->bar];
	if (function->bar_address[block->bar])
		base = function->bar_address[block->bar];
	if (!size)
		return -ENOENT;
	if (length > size || block->offset > size - length)
		return -ERANGE;
	if (base > UINT64_MAX - (block->offset + length))
		return -EINVAL;
	*address = base + block->offset;
	return 0;
}
