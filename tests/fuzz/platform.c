/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pci/config.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/guard.h"
#include "platform/pci.h"
#include "uncore/discovery/discovery.h"
#include "uncore/models/models.h"

/* Faults of the machine: bits of the second byte. */
#define FAULT_CONFIG_CLOSED (1 << 0) /* as without CAP_SYS_ADMIN */
#define FAULT_MEMORY_CLOSED (1 << 1) /* as under lockdown */
#define FAULT_MEMORY_ABSENT (1 << 2) /* no memory above 1 TiB can be mapped */
#define FAULT_LIST	    (1 << 3) /* PCI functions cannot be listed */
#define FAULT_NO_MSR	    (1 << 4) /* as without the msr module */

/* Room for 1023 records of 255 words, and for the units of a table. */
#define MOST_MAPPED (4U << 20)

static struct fuzz_platform *self(struct platform *p)
{
	return (struct fuzz_platform *)p;
}

static int cpuid(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		 uint32_t regs[4], struct error *err)
{
	fuzz_require(cpu < 4 && !subleaf);
	(void)err;
	fake_cpuid("GenuineIntel", self(p)->signature, leaf, regs);
	if (leaf == 1)
		regs[2] = 1U << 15; /* IA32_PERF_CAPABILITIES exists */
	else if (leaf == 0xA)
		memcpy(regs, self(p)->leaf_a, sizeof(self(p)->leaf_a));
	return 0;
}

/* Returns the initial value of memory, or of an MSR: the same for each read. */
static uint32_t from_input(const struct fuzz_platform *p, uint64_t address)
{
	uint8_t bytes[4] = {0};

	for (unsigned i = 0; p->memory_bytes && i < sizeof(bytes); i++)
		bytes[i] = p->memory[(address % (1U << 20) + i) % p->memory_bytes];
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

static struct fuzz_dword *find_dword(struct fuzz_platform *p, enum reg_space space, uint32_t who,
				     uint64_t address)
{
	for (size_t i = 0; i < p->dword_count; i++) {
		struct fuzz_dword *d = &p->dwords[i];

		if (d->space == space && d->who == who && d->address == address)
			return d;
	}
	return NULL;
}

static void check_confined(const struct fuzz_platform *p, uint64_t address)
{
	fuzz_require(!p->most || (address >= p->least && address <= p->most));
}

static uint32_t load(struct fuzz_platform *p, enum reg_space space, uint32_t who, uint64_t address,
		     uint32_t untouched)
{
	const struct fuzz_dword *d = find_dword(p, space, who, address);

	return d ? d->now : untouched;
}

static void store(struct fuzz_platform *p, enum reg_space space, uint32_t who, uint64_t address,
		  uint32_t untouched, uint32_t value)
{
	struct fuzz_dword *d = find_dword(p, space, who, address);

	if (!d) {
		fuzz_require(p->dword_count < FUZZ_DWORDS);
		d = &p->dwords[p->dword_count++];
		*d = (struct fuzz_dword){space, who, address, untouched, untouched};
	}
	d->now = value;
}

/* Tells if an access fails: one access at any point of a unit's use does. */
static bool fails(struct fuzz_platform *p)
{
	return p->most && p->fails_in && !--p->fails_in;
}

static int pci_list(struct platform *p, struct pci_function **out, size_t *count, struct error *err)
{
	const struct fuzz_platform *f = self(p);

	if (f->faults & FAULT_LIST)
		return error_set(err, ERROR_FAILED, -EIO, "no list of PCI functions");
	*out = calloc(f->function_count + 1, sizeof(**out));
	fuzz_require(*out);
	for (size_t i = 0; i < f->function_count; i++)
		(*out)[i] = f->functions[i].info;
	*count = f->function_count;
	return 0;
}

/* Returns the function at a place, 0000:00:00.0, 0000:01:00.0 and so on; NULL: none. */
static const struct fuzz_function *function_at(struct fuzz_platform *p, struct pci_location at)
{
	fuzz_require(at.device < 32 && at.function < 8);
	if (at.domain || at.device || at.function || at.bus >= p->function_count)
		return NULL;
	return &p->functions[at.bus];
}

static uint32_t pack(struct pci_location at)
{
	return at.domain << 16 | (uint32_t)at.bus << 8 | (uint32_t)at.device << 3 | at.function;
}

/*
 * Returns a dword of configuration space. A place without a function has a unit with the contents
 * of memory.
 */
static uint32_t config_of(struct fuzz_platform *p, struct pci_location at, unsigned offset)
{
	const struct fuzz_function *f = function_at(p, at);

	return f ? f->config[offset / 4] : from_input(p, offset);
}

static int mmio_map(struct platform *p, uint64_t phys, size_t length, bool writable,
		    struct mmio_window *out, struct error *err)
{
	struct fuzz_platform *f = self(p);

	fuzz_require(length);
	fuzz_require(length <= MOST_MAPPED - f->mapped);
	fuzz_require(!writable || f->most);
	if (f->faults & FAULT_MEMORY_CLOSED)
		return error_set(err, ERROR_PERMISSION, -EPERM, "memory is closed");
	if (phys + length < phys || (f->faults & FAULT_MEMORY_ABSENT && phys >> 40))
		return error_set(err, ERROR_FAILED, -ENXIO, "no memory");
	*out = (struct mmio_window){.phys = phys, .length = length};
	f->windows++;
	f->mapped += length;
	return 0;
}

static void mmio_unmap(struct platform *p, struct mmio_window *window)
{
	fuzz_require(window->length && self(p)->windows);
	self(p)->windows--;
	self(p)->mapped -= window->length;
	*window = (struct mmio_window){0};
}

/* Checks the caller's duties, and returns the error of the access. *at: address of its dwords. */
static int check(struct fuzz_platform *f, const struct reg *reg, bool write, uint64_t *at)
{
	const struct mmio_window *window = reg->window;

	*at = reg->address;
	switch (reg->space) {
	case REG_MSR:
		fuzz_require(reg->cpu < 4);
		if (write || !f->also_read || reg->address != f->also_read)
			check_confined(f, reg->address);
		if (f->faults & FAULT_NO_MSR)
			return -ENOENT;
		*at = 8 * reg->address;
		break;
	case REG_PCI:
		fuzz_require(reg->address < PCI_CONFIG_BYTES && !(reg->address % 4));
		fuzz_require(reg->bytes == 4 && (!write || f->most));
		check_confined(f, reg->address);
		if (!write && f->faults & FAULT_CONFIG_CLOSED && reg->address >= 64)
			return -EPERM;
		break;
	default:
		fuzz_require(reg->bytes == 4 || reg->bytes == 8);
		fuzz_require(reg->address - window->phys < window->length &&
			     reg->bytes <= window->length - (reg->address - window->phys));
		fuzz_require(!(reg->address % reg->bytes) || !f->most);
		check_confined(f, reg->address);
	}
	return fails(f) ? -EIO : 0;
}

static uint32_t who_has(const struct reg *reg)
{
	return reg->space == REG_MSR ? reg->cpu : reg->space == REG_PCI ? pack(reg->pci) : 0;
}

static uint32_t untouched(struct fuzz_platform *f, const struct reg *reg, uint64_t at)
{
	return reg->space == REG_PCI ? config_of(f, reg->pci, (unsigned)at) : from_input(f, at);
}

static int read_register(struct platform *p, const struct reg *reg, uint64_t *value)
{
	struct fuzz_platform *f = self(p);
	uint64_t at, read = 0;
	int rc = check(f, reg, false, &at);

	for (unsigned i = 0; !rc && i < reg->bytes; i += 4)
		read |= (uint64_t)load(f, reg->space, who_has(reg), at + i,
				       untouched(f, reg, at + i))
			<< 8 * i;
	if (!rc)
		*value = read;
	return rc;
}

static int write_register(struct platform *p, const struct reg *reg, uint64_t value)
{
	struct fuzz_platform *f = self(p);
	uint64_t at;
	int rc = check(f, reg, true, &at);

	for (unsigned i = 0; !rc && i < reg->bytes; i += 4)
		store(f, reg->space, who_has(reg), at + i, untouched(f, reg, at + i),
		      (uint32_t)(value >> 8 * i));
	return rc;
}

static void log_line(void *context, enum log_level level, const char *text)
{
	(void)context;
	fuzz_require(level <= LEVEL_DETAIL && *text && fuzz_one_line(text));
}

/* Sets the parts that are read, the BARs and both ends of extended space, from the input. */
void fuzz_function_init(struct fuzz_function *f, struct input *in)
{
	memset(f->config, 0, sizeof(f->config));
	input_bytes(in, &f->config[PCI_BAR0 / 4], 4 * (size_t)PCI_BAR_COUNT);
	input_bytes(in, &f->config[PCI_EXTENDED_CAPABILITIES / 4], 64);
	input_bytes(in, &f->config[(PCI_CONFIG_BYTES - 32) / 4], 32);
}

static void add_function(struct fuzz_platform *p, struct input *in)
{
	const uint8_t kind = input_u8(in);
	struct fuzz_function *f = &p->functions[p->function_count];

	f->info = (struct pci_function){
		.at = {.bus = (uint8_t)p->function_count},
		.vendor = kind & 1 ? 0x1022 : DISCOVERY_VENDOR_INTEL,
		.device = kind & 2 ? 0x3250 : DISCOVERY_DEVICE_GENERIC,
		.numa_node = (kind >> 2 & 3) - 1,
	};
	f->info.bar_size[kind >> 4 & 3] = (uint64_t)input_u16(in) << (kind >> 6);
	fuzz_function_init(f, in);
	p->function_count++;
}

/* Returns the signature in CPUID.1 EAX: family 6, and the model in two parts. */
static uint32_t signature_of(const struct model *model)
{
	return (model->display_model & 0xfU) << 4 | 6U << 8 | (model->display_model >> 4) << 16;
}

void fuzz_platform_init(struct fuzz_platform *p, struct input *in)
{
	const struct model *const *models = model_list();
	size_t model_count = 0, functions;

	memset(p, 0, sizeof(*p));
	fake_platform_init(&p->fake, NULL);
	p->base.log = (struct log){.write = log_line};
	p->fake.ops.cpus.cpuid = cpuid;
	p->fake.ops.registers.read = read_register;
	p->fake.ops.registers.write = write_register;
	p->fake.ops.registers.mmio_map = mmio_map;
	p->fake.ops.registers.mmio_unmap = mmio_unmap;
	p->fake.ops.pci.list = pci_list;
	while (models[model_count])
		model_count++;
	p->signature = signature_of(models[input_u8(in) % model_count]);
	p->faults = input_u8(in);
	p->fails_in = input_u8(in);
	functions = 1 + (p->faults >> 6) % FUZZ_FUNCTIONS;
	input_bytes(in, p->leaf_a, sizeof(p->leaf_a));
	while (p->function_count < functions)
		add_function(p, in);
	p->memory = in->at;
	p->memory_bytes = in->left;
}

void fuzz_platform_confine(struct fuzz_platform *p, uint64_t least, uint64_t most)
{
	p->least = least;
	p->most = most;
}
