/* SPDX-License-Identifier: BSD-3-Clause */
#include "fake_machine.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pci/config.h"
#include "platform/guard.h"
#include "uncore/models/models.h"

static struct fake_machine *fake_of(struct platform *p)
{
	return (struct fake_machine *)p;
}

static void destroy(struct platform *p)
{
	for (size_t i = 0; i < fake_of(p)->region_count; i++)
		free(fake_of(p)->regions[i].words);
}

static int topology(struct platform *p, struct topology *out, struct error *err)
{
	const struct fake_machine *fake = fake_of(p);

	(void)err;
	out->cpus = calloc(fake->cpu_count, sizeof(*out->cpus));
	ck_assert_ptr_nonnull(out->cpus);
	memcpy(out->cpus, fake->cpus, fake->cpu_count * sizeof(*out->cpus));
	out->count = fake->cpu_count;
	return 0;
}

static int cpuid(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		 uint32_t regs[4], struct error *err)
{
	const struct fake_machine *fake = fake_of(p);

	(void)subleaf;
	if (!*fake->vendor)
		return error_set(err, ERROR_NO_UNIT, -EOPNOTSUPP, "no CPUID (fake)");
	fake_cpuid(fake->vendor, fake->signature, leaf, regs);
	if (leaf == 0x8000001E)
		regs[2] = fake->amd_nodes[cpu];
	for (size_t i = 0; i < fake->leaf_count; i++)
		if (fake->leaves[i].leaf == leaf)
			memcpy(regs, fake->leaves[i].regs, sizeof(fake->leaves[i].regs));
	return 0;
}

static void processor_name(struct platform *p, char name[PROCESSOR_NAME_SIZE])
{
	(void)p;
	snprintf(name, PROCESSOR_NAME_SIZE, "Arm processor, part 0xfff");
}

static struct fake_msr *find_msr(struct fake_machine *fake, uint32_t number)
{
	size_t i = 0;

	while (i < fake->msr_count && fake->msrs[i].number != number)
		i++;
	ck_assert_uint_lt(i, FAKE_MSRS);
	fake->msrs[i].number = number;
	fake->msr_count += i == fake->msr_count;
	return &fake->msrs[i];
}

static int read_msr(struct fake_machine *fake, const struct reg *reg, uint64_t *value)
{
	if (reg->address == 0x710) {
		*value = fake->die_tables[reg->cpu];
		return fake->die_tables_error;
	}
	*value = find_msr(fake, (uint32_t)reg->address)->value;
	return 0;
}

static int pci_list(struct platform *p, struct pci_function **out, size_t *count, struct error *err)
{
	const struct fake_machine *fake = fake_of(p);

	if (fake->list_error)
		return error_set(err, ERROR_FAILED, fake->list_error, "fake: no list");
	*out = calloc(fake->function_count + 1, sizeof(**out));
	ck_assert_ptr_nonnull(*out);
	for (size_t i = 0; i < fake->function_count; i++)
		(*out)[i] = fake->functions[i].info;
	*count = fake->function_count;
	return 0;
}

static struct fake_function *find_function(struct fake_machine *fake, struct pci_location at)
{
	for (size_t i = 0; i < fake->function_count; i++) {
		const struct pci_location *here = &fake->functions[i].info.at;

		if (here->domain == at.domain && here->bus == at.bus && here->device == at.device &&
		    here->function == at.function)
			return &fake->functions[i];
	}
	ck_abort_msg("access to a PCI function that isn't there");
}

static struct fake_function *function_of(struct fake_machine *fake, const struct reg *reg)
{
	struct fake_function *f = find_function(fake, reg->pci);

	ck_assert_uint_lt(reg->address, sizeof(f->config));
	ck_assert_uint_eq(reg->address % 4, 0);
	return f;
}

static int read_config(struct fake_machine *fake, const struct reg *reg, uint64_t *value)
{
	const struct fake_function *f = function_of(fake, reg);

	if (f->code && reg->address == f->broken)
		return f->code;
	*value = f->config[reg->address / 4];
	return reg->address < 256 || f->unreadable ? f->unreadable : fake->extended_error;
}

static int write_config(struct fake_machine *fake, const struct reg *reg, uint64_t value)
{
	struct fake_function *f = function_of(fake, reg);

	if (f->code && reg->address == f->broken)
		return f->code;
	f->config[reg->address / 4] = (uint32_t)value;
	return 0;
}

static int cxl_devices(struct platform *p, struct cxl_device **out, size_t *count,
		       struct error *err)
{
	const struct fake_machine *fake = fake_of(p);

	(void)err;
	*out = malloc(sizeof(fake->devices));
	ck_assert_ptr_nonnull(*out);
	memcpy(*out, fake->devices, sizeof(fake->devices));
	*count = fake->device_count;
	return 0;
}

static struct fake_region *find_region(struct fake_machine *fake, uint64_t phys, size_t length)
{
	for (size_t i = 0; i < fake->region_count; i++) {
		struct fake_region *r = &fake->regions[i];

		if (phys >= r->phys && phys + length <= r->phys + r->bytes)
			return r;
	}
	return NULL;
}

static int mmio_map(struct platform *p, uint64_t phys, size_t length, bool writable,
		    struct mmio_window *out, struct error *err)
{
	struct fake_machine *fake = fake_of(p);

	(void)writable;
	*out = (struct mmio_window){.phys = phys, .length = length}; /* mapped or not */
	if (fake->map_error)
		return error_set(err, ERROR_PERMISSION, fake->map_error, "fake: memory is closed");
	if (!find_region(fake, phys, length))
		return error_set(err, ERROR_FAILED, -ENXIO, "fake: no memory");
	return 0;
}

static char *memory_at(struct fake_machine *fake, const struct reg *reg)
{
	struct fake_region *region = find_region(fake, reg->address, reg->bytes);

	ck_assert_ptr_nonnull(region);
	return (char *)region->words + (reg->address - region->phys);
}

static int read_register(struct platform *p, const struct reg *reg, uint64_t *value)
{
	struct fake_machine *fake = fake_of(p);

	if (reg->space == REG_MSR)
		return read_msr(fake, reg, value);
	if (reg->space == REG_PCI)
		return read_config(fake, reg, value);
	*value = 0;
	memcpy(value, memory_at(fake, reg), reg->bytes);
	return 0;
}

static int write_register(struct platform *p, const struct reg *reg, uint64_t value)
{
	struct fake_machine *fake = fake_of(p);

	if (reg->space == REG_PCI)
		return write_config(fake, reg, value);
	if (reg->space == REG_MSR)
		find_msr(fake, (uint32_t)reg->address)->value = value;
	else
		memcpy(memory_at(fake, reg), &value, reg->bytes);
	return 0;
}

void fake_init(struct fake_machine *fake)
{
	memset(fake, 0, sizeof(*fake));
	fake_platform_init(&fake->fake, NULL);
	fake->fake.ops.ops.destroy = destroy;
	fake->fake.ops.cpus = (struct cpu_ops){topology, cpuid, processor_name};
	fake->fake.ops.registers.read = read_register;
	fake->fake.ops.registers.write = write_register;
	fake->fake.ops.registers.mmio_map = mmio_map;
	fake->fake.ops.pci.list = pci_list;
	fake->fake.ops.cxl.devices = cxl_devices;
	strcpy(fake->vendor, "GenuineIntel");
	fake->signature = 0x806F0;
	fake->cpu_count = 4;
	for (unsigned i = 0; i < fake->cpu_count; i++)
		fake->cpus[i] = (struct cpu_location){
			.cpu = i, .socket = (int)(i / 2), .node = (int)(i / 2)};
}

uint32_t *fake_leaf(struct fake_machine *fake, uint32_t leaf)
{
	size_t i = 0;

	while (i < fake->leaf_count && fake->leaves[i].leaf != leaf)
		i++;
	ck_assert_uint_lt(i, FAKE_LEAVES);
	fake->leaves[i].leaf = leaf;
	fake->leaf_count += i == fake->leaf_count;
	return fake->leaves[i].regs;
}

void fake_init_turin(struct fake_machine *fake)
{
	fake_init(fake);
	strcpy(fake->vendor, "AuthenticAMD");
	fake->signature = 0xB00F21;
	for (unsigned i = 0; i < fake->cpu_count; i++)
		fake->cpus[i].l3 = (int)(10 + i);
	fake_leaf(fake, 0x80000000)[0] = 0x80000028;
	fake_leaf(fake, 0x80000001)[2] = UINT32_C(1) << 23 | UINT32_C(1) << 24 | UINT32_C(1) << 28;
	fake_leaf(fake, 0x80000022)[0] = 1;
	fake_leaf(fake, 0x80000022)[1] = 6 | 16 << 10 | 8 << 16;
	fake_leaf(fake, 0x80000022)[2] = 0x5; /* active memory controllers */
}

struct fake_function *fake_function(struct fake_machine *fake, uint8_t bus, uint16_t vendor,
				    uint16_t device)
{
	ck_assert_uint_lt(fake->function_count, FAKE_FUNCTIONS);
	struct fake_function *f = &fake->functions[fake->function_count++];

	f->info = (struct pci_function){
		.at = {.bus = bus}, .vendor = vendor, .device = device, .numa_node = -1};
	f->config[0] = vendor | (uint32_t)device << 16;
	f->config[1] = 0x00100002; /* a list of capabilities; memory space */
	return f;
}

void fake_bar64(struct fake_function *f, unsigned index, uint64_t phys)
{
	f->config[PCI_BAR0 / 4 + index] = (uint32_t)phys | 0xC; /* 64 bits, prefetchable */
	f->config[PCI_BAR0 / 4 + index + 1] = (uint32_t)(phys >> 32);
}

void fake_dvsec(struct fake_function *f, unsigned offset, unsigned next, uint16_t entry_id,
		uint32_t table)
{
	f->config[offset / 4] = 0x10023 | next << 20;
	f->config[offset / 4 + 1] = 0x8086 | 0x10U << 20;
	f->config[offset / 4 + 2] = entry_id | 1U << 16 | 0x18U << 24;
	f->config[offset / 4 + 3] = table;
}

struct fake_function *fake_discovery(struct fake_machine *fake, uint8_t bus, int node,
				     uint64_t phys)
{
	struct fake_function *f = fake_function(fake, bus, 0x8086, 0x09A7);

	f->info.numa_node = node;
	fake_bar64(f, 0, phys);
	fake_dvsec(f, 0x100, 0, 1, 0);
	return f;
}

uint64_t *fake_memory(struct fake_machine *fake, uint64_t phys, size_t bytes)
{
	ck_assert_uint_lt(fake->region_count, FAKE_REGIONS);
	struct fake_region *r = &fake->regions[fake->region_count++];

	*r = (struct fake_region){.phys = phys, .bytes = bytes, .words = calloc(1, bytes)};
	ck_assert_ptr_nonnull(r->words);
	return r->words;
}

uint64_t *fake_table(struct fake_machine *fake, uint64_t phys, const struct unit_record *records,
		     size_t count)
{
	uint64_t *words = fake_memory(fake, phys, (count + 1) * FAKE_STRIDE * 8);

	words[0] = (uint64_t)FAKE_STRIDE << 8 | (uint64_t)count << 16;
	words[1] = 0x2FF0;
	for (size_t i = 0; i < count; i++)
		fake_record(words + (i + 1) * FAKE_STRIDE, &records[i]);
	return words;
}

void fake_record(uint64_t words[DISCOVERY_RECORD_WORDS], const struct unit_record *r)
{
	words[0] = r->counters | (uint64_t)r->control_offset << 8 | (uint64_t)r->width << 16 |
		   (uint64_t)r->counter_offset << 24 | (uint64_t)r->status_offset << 32 |
		   (uint64_t)r->access << 62;
	words[1] = r->control;
	words[2] = r->type | (uint64_t)r->id << 16;
}

struct unit_record fake_cxl_record(uint16_t type, uint16_t id)
{
	return (struct unit_record){
		.counters = type == PMU_CXLCM ? 8 : 4,
		.control_offset = 0x10,
		.width = 48,
		.counter_offset = 0x58,
		.access = ACCESS_MMIO,
		.control = 0x2001000000 + 0x1000 * (uint64_t)id,
		.type = type,
		.id = id,
	};
}

const struct model *fake_model(const char *short_name)
{
	for (const struct model *const *m = model_list(); *m; m++)
		if (!strcmp((*m)->short_name, short_name))
			return *m;
	ck_abort_msg("no model %s", short_name);
}
