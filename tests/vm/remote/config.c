/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <err.h>
#include <stdlib.h>

#include "pci/config.h"
#include "platform/pci.h"
#include "sim/sim.h"
#include "tests/registers.h"

#define CLASS_AND_REVISION 0x08
#define HEADER_TYPE	   0x0C /* dword whose bits 23:16 are the header type */
#define SEVERAL_FUNCTIONS  (UINT32_C(0x80) << 16)
#define SYSTEM_PERIPHERAL  UINT32_C(0x08800000)
#define MEMORY_64	   UINT32_C(0x4) /* flags of a BAR */

struct function {
	struct pci_function info;
	bool sized[PCI_BAR_COUNT]; /* all ones were written to this dword */
};

struct config {
	struct platform *platform;
	const struct memory *memory;
	struct function *functions;
	size_t count;
};

struct config *config_new(struct platform *p, const struct memory *memory)
{
	struct config *c = calloc(1, sizeof(*c));
	struct pci_function *list;
	struct error why;

	if (!c || p->ops->pci->list(p, &list, &c->count, &why))
		errx(1, "no list of PCI functions");
	c->platform = p;
	c->memory = memory;
	c->functions = calloc(c->count, sizeof(*c->functions));
	if (!c->functions)
		errx(1, "out of memory");
	for (size_t i = 0; i < c->count; i++)
		c->functions[i].info = list[i];
	free(list);
	return c;
}

void config_free(struct config *c)
{
	free(c->functions);
	free(c);
}

static bool same_device(struct pci_location a, struct pci_location b)
{
	return a.bus == b.bus && a.device == b.device;
}

static struct function *find(const struct config *c, struct pci_location at)
{
	for (size_t i = 0; i < c->count; i++)
		if (same_device(c->functions[i].info.at, at) &&
		    c->functions[i].info.at.function == at.function)
			return &c->functions[i];
	return NULL;
}

static bool has_further_functions(const struct config *c, struct pci_location at)
{
	for (size_t i = 0; i < c->count; i++)
		if (same_device(c->functions[i].info.at, at) && c->functions[i].info.at.function)
			return true;
	return false;
}

/*
 * Reads a placeholder for a missing function 0, without which the kernel does not look for the
 * others.
 */
static uint32_t read_placeholder(unsigned reg)
{
	switch (reg) {
	case 0:
		return 0x8086;
	case CLASS_AND_REVISION:
		return SYSTEM_PERIPHERAL;
	case HEADER_TYPE:
		return SEVERAL_FUNCTIONS;
	default:
		return 0;
	}
}

/*
 * Returns the BAR that has the dword at reg, and which half of it; -1: none. All BARs are 64 bits
 * wide.
 */
static int bar_of(const struct function *f, unsigned reg, bool *high)
{
	const int dword = ((int)reg - PCI_BAR0) / 4;

	if (reg < PCI_BAR0 || dword >= PCI_BAR_COUNT)
		return -1;
	*high = !f->info.bar_size[dword] && dword > 0 && f->info.bar_size[dword - 1];
	return *high ? dword - 1 : f->info.bar_size[dword] ? dword : -1;
}

static uint32_t read_bar(const struct config *c, const struct function *f, int bar, bool high)
{
	uint64_t shown;

	if (pci_bar_address(c->platform, f->info.at, (unsigned)bar, &shown))
		return 0;
	shown = f->sized[bar + high] ? ~(f->info.bar_size[bar] - 1)
				     : memory_address(c->memory, shown);
	return high ? (uint32_t)(shown >> 32) : (uint32_t)shown | MEMORY_64;
}

static uint32_t read_dword(const struct config *c, struct pci_location at, unsigned reg)
{
	const struct function *f = find(c, at);
	const bool several = !at.function && has_further_functions(c, at);
	uint32_t value = 0;
	bool high;

	if (!f)
		return several ? read_placeholder(reg) : UINT32_MAX;
	const int bar = bar_of(f, reg, &high);
	if (bar >= 0)
		return read_bar(c, f, bar, high);
	reg_read_pci(c->platform, at, reg, &value);
	return reg == HEADER_TYPE && several ? value | SEVERAL_FUNCTIONS : value;
}

static struct pci_location location(uint64_t offset)
{
	return (struct pci_location){.bus = (uint8_t)(offset >> 20),
				     .device = offset >> 15 & 0x1f,
				     .function = offset >> 12 & 7};
}

uint32_t config_read(const struct config *c, uint64_t offset, unsigned bytes)
{
	const unsigned reg = offset & 0xffc, within = offset % 4;
	const uint32_t value = read_dword(c, location(offset), reg) >> (8 * within);

	return bytes < 4 ? value & ((UINT32_C(1) << (8 * bytes)) - 1) : value;
}

void config_write(struct config *c, uint64_t offset, unsigned bytes, uint32_t value)
{
	const struct pci_location at = location(offset);
	const unsigned reg = offset & 0xfff;
	struct function *f = find(c, at);
	bool high;

	if (!f || bytes != 4)
		return;
	const int bar = bar_of(f, reg, &high);
	if (bar >= 0)
		f->sized[bar + high] = value == UINT32_MAX;
	else
		raw_pci_write(c->platform, at, reg, value);
}

int config_node(const struct config *c, uint8_t bus)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->functions[i].info.at.bus == bus)
			return c->functions[i].info.numa_node;
	return -1;
}
