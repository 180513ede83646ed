/* SPDX-License-Identifier: BSD-3-Clause */
#include "pci/register_locator.h"

#include <errno.h>
#include <stdbool.h>

#include "pci/config.h"

#define FIRST_ENTRY 0x0C
#define ENTRY_BYTES 8

/* An entry: BAR 2:0, identifier 15:8, offset 31:16 of the low dword, and the high dword. */
#define ENTRY_BAR(low)		((low)&0x7)
#define ENTRY_ID(low)		((low) >> 8 & 0xFF)
#define ENTRY_OFFSET(low, high) ((uint64_t)(high) << 32 | ((low)&0xFFFF0000))

/* Where the entries begin and end in configuration space. */
struct entries {
	unsigned start, end;
};

static int find_locator(struct platform *p, struct pci_location at, struct entries *out)
{
	uint32_t header = 0, id = 0;

	for (unsigned nth = 0;; nth++) {
		int rc = pci_find_extended(p, at, PCI_EXTENDED_ID_DVSEC, nth, &out->start);

		if (!rc && out->start + DVSEC_ID >= PCI_CONFIG_BYTES)
			rc = -EINVAL;
		if (!rc)
			rc = p->ops->pci_read(p, at, out->start + DVSEC_HEADER, &header);
		if (!rc)
			rc = p->ops->pci_read(p, at, out->start + DVSEC_ID, &id);
		if (rc)
			return rc;
		if ((header & 0xFFFF) == CXL_DVSEC_VENDOR &&
		    (id & 0xFFFF) == DVSEC_ID_REGISTER_LOCATOR)
			break;
	}
	out->end = out->start + DVSEC_LENGTH(header);
	out->start += FIRST_ENTRY;
	return out->end < out->start || out->end > PCI_CONFIG_BYTES ? -EINVAL : 0;
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
		rc = p->ops->pci_read(p, at, e, &low);
		if (!rc)
			rc = p->ops->pci_read(p, at, e + 4, &high);
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
