/* SPDX-License-Identifier: BSD-3-Clause */
/* Configuration space: the list of capabilities, and BARs. */
#include "pci/config.h"
#include "platform.h"
#include "platform/pci.h"

static uint32_t dword(const struct fuzz_platform *p, unsigned offset)
{
	return p->functions[0].config[offset / 4];
}

static void check_capability(struct fuzz_platform *p, uint16_t id, unsigned nth)
{
	unsigned offset = 0;
	int rc = pci_find_extended(&p->base, p->functions[0].info.at, id, nth, &offset);

	fuzz_require(rc <= 0);
	if (rc)
		return;
	fuzz_require(offset >= PCI_EXTENDED_CAPABILITIES && offset < PCI_CONFIG_BYTES);
	fuzz_require(!(offset % 4) && (dword(p, offset) & 0xffff) == id);
	/* the previous one is different */
	unsigned before = offset;
	if (nth)
		fuzz_require(!pci_find_extended(&p->base, p->functions[0].info.at, id, nth - 1,
						&before) &&
			     before != offset);
}

static void check_bar(struct fuzz_platform *p, unsigned index)
{
	uint64_t address = 0;

	if (pci_bar_address(&p->base, p->functions[0].info.at, index, &address))
		return;
	fuzz_require(index < PCI_BAR_COUNT && address && !(address & 0xf));
	const uint32_t low = dword(p, PCI_BAR0 + 4 * index);
	const bool wide = low & 4;
	fuzz_require((uint32_t)address == (low & ~0xfU));
	fuzz_require(!wide || index + 1 < PCI_BAR_COUNT);
	fuzz_require(address >> 32 == (wide ? dword(p, PCI_BAR0 + 4 * (index + 1)) : 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct fuzz_platform p;
	const uint16_t id = input_u16(&in);

	fuzz_platform_init(&p, &(struct input){NULL, 0});
	fuzz_function_init(&p.functions[0], &in);
	for (unsigned nth = 0; nth < 40; nth++) {
		check_capability(&p, id, nth);
		check_capability(&p, PCI_EXTENDED_ID_DVSEC, nth);
	}
	for (unsigned index = 0; index <= PCI_BAR_COUNT; index++)
		check_bar(&p, index);
	return 0;
}
