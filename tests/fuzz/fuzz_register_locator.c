/* SPDX-License-Identifier: BSD-3-Clause */
/* Register locators in arbitrary configuration space: blocks lie within their BARs, each once. */
#include "pci/config.h"
#include "platform.h"
#include "platform/pci.h"

#define ROOM	     8
#define BLOCK_LENGTH 0x1000

static void check_address(struct fuzz_platform *p, const struct register_block *block)
{
	const struct pci_function *f = &p->functions[0].info;
	uint64_t address = 0, base = 0;

	fuzz_require(block->bar <= 7 && !(block->offset & 0xFFFF));
	if (register_block_address(&p->base, f, block, BLOCK_LENGTH, &address))
		return;
	fuzz_require(!pci_bar_address(&p->base, f->at, block->bar, &base));
	fuzz_require(address >= base && address - base == block->offset);
	fuzz_require(block->offset + BLOCK_LENGTH <= f->bar_size[block->bar]);
	fuzz_require(address <= UINT64_MAX - BLOCK_LENGTH);
}

static void check_blocks(struct fuzz_platform *p, enum register_block_id id)
{
	struct register_block blocks[ROOM];
	size_t count = 0;
	int rc = register_locator_find(&p->base, p->functions[0].info.at, id, blocks, ROOM, &count);

	fuzz_require(rc <= 0 && count <= ROOM && (!rc || !count));
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < i; k++)
			fuzz_require(blocks[k].bar != blocks[i].bar ||
				     blocks[k].offset != blocks[i].offset);
		check_address(p, &blocks[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct fuzz_platform p;

	fuzz_platform_init(&p, &(struct input){NULL, 0});
	for (unsigned i = 0; i < PCI_BAR_COUNT; i++)
		p.functions[0].info.bar_size[i] = (uint64_t)input_u16(&in) << 12;
	fuzz_function_init(&p.functions[0], &in);
	for (unsigned id = REGISTER_BLOCK_EMPTY; id <= REGISTER_BLOCK_CPMU; id++)
		check_blocks(&p, id);
	return 0;
}
