/* SPDX-License-Identifier: BSD-3-Clause */
#include "spy.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/memory.h"
#include "support.h"
#include "uncore/units/unit.h"

static struct spy *spy_of(struct platform *p)
{
	return (struct spy *)p;
}

static struct platform *inner_of(struct platform *p)
{
	return spy_of(p)->inner;
}

/* Keeps the access, and returns its error. */
static int record(struct spy *spy, struct access access)
{
	size_t *fail = access.write ? &spy->fail_write : &spy->fail_read;

	ck_assert_uint_lt(spy->access_count, SPY_ACCESSES);
	spy->accesses[spy->access_count++] = access;
	return *fail && !--*fail ? spy->fail_code : 0;
}

static void msr_open(struct platform *p, unsigned cpu)
{
	((struct spy *)p)->opened_cpus |= UINT64_C(1) << cpu;
}

static void check_valid(const struct reg *reg)
{
	const struct mmio_window *window = reg->window;

	if (reg->space == REG_PCI)
		ck_assert(reg->bytes == 4 && reg->address % 4 == 0);
	if (reg->space != REG_MMIO)
		return;
	ck_assert(reg->bytes == 4 || reg->bytes == 8);
	ck_assert_uint_eq(reg->address % reg->bytes, 0);
	ck_assert_uint_ge(reg->address, window->phys);
	ck_assert_uint_le(reg->address + reg->bytes, window->phys + window->length);
}

static struct access access_to(const struct reg *reg)
{
	struct access access = {.space = reg->space, .address = reg->address, .bytes = reg->bytes};

	if (reg->space == REG_MSR)
		access.cpu = reg->cpu;
	if (reg->space == REG_PCI)
		access.pci = reg->pci;
	return access;
}

static bool is_held(const struct spy *spy, const struct reg *reg)
{
	return reg->space == spy->held.space && !pci_location_compare(&reg->pci, &spy->held.pci) &&
	       reg->address >= spy->held.address &&
	       reg->address < spy->held.address + spy->held.bytes;
}

static int read_register(struct platform *p, const struct reg *reg, uint64_t *value)
{
	struct spy *spy = spy_of(p);
	int rc = record(spy, access_to(reg));

	check_valid(reg);
	rc = rc ? rc : inner_of(p)->ops->registers->read(inner_of(p), reg, value);
	if (!rc && is_held(spy, reg))
		*value = spy->held_value >> 8 * (reg->address - spy->held.address) &
			 UINT64_MAX >> (64 - 8 * reg->bytes);
	return rc;
}

static int write_register(struct platform *p, const struct reg *reg, uint64_t value)
{
	struct access access = access_to(reg);

	access.write = true;
	access.value = value;
	int rc = record(spy_of(p), access);

	check_valid(reg);
	return rc ? rc : inner_of(p)->ops->registers->write(inner_of(p), reg, value);
}

static int memory_layout(struct platform *p, struct memory_layout *out, struct error *err)
{
	const struct platform_ops *inner = inner_of(p)->ops;

	*out = (struct memory_layout){.nodes = NULL};
	return inner->memory ? inner->memory->layout(inner_of(p), out, err) : 0;
}

/* Lists no nodes, so that a spy sees nothing of the kernel's counts. */
static int no_nodes(struct platform *p, int **nodes, size_t *count, struct error *err)
{
	(void)p;
	(void)err;
	*nodes = NULL;
	*count = 0;
	return 0;
}

static int mmio_map(struct platform *p, uint64_t phys, size_t length, bool writable,
		    struct mmio_window *out, struct error *err)
{
	struct spy *spy = spy_of(p);
	int rc = spy->inner->ops->registers->mmio_map(spy->inner, phys, length, writable, out, err);

	if (rc) /* as Linux leaves it */
		*out = (struct mmio_window){.phys = phys, .length = length};
	spy->map_count++;
	spy->map_phys = phys;
	spy->map_length = length;
	spy->map_writable = writable;
	spy->windows += !rc;
	return rc;
}

static void mmio_unmap(struct platform *p, struct mmio_window *window)
{
	ck_assert_uint_gt(spy_of(p)->windows, 0);
	spy_of(p)->windows--;
	inner_of(p)->ops->registers->mmio_unmap(inner_of(p), window);
}

static const struct memory_ops spy_memory = {
	.layout = memory_layout,
	.nodes = no_nodes,
};

static void remark(void *context, enum log_level level, const char *text)
{
	struct spy *spy = context;

	ck_assert_uint_lt(spy->remark_count, SPY_REMARKS);
	struct remark *r = &spy->remarks[spy->remark_count++];
	r->level = level;
	snprintf(r->text, sizeof(r->text), "%s", text);
}

void spy_init(struct spy *spy, struct platform *inner)
{
	memset(spy, 0, sizeof(*spy));
	fake_platform_init(&spy->fake, inner);
	spy->fake.ops.registers = (struct register_ops){
		.msr_open = msr_open,
		.read = read_register,
		.write = write_register,
		.mmio_map = mmio_map,
		.mmio_unmap = mmio_unmap,
		.explain = spy->fake.ops.registers.explain,
	};
	spy->fake.ops.ops.memory = &spy_memory;
	spy->base.log = (struct log){.write = remark, .context = spy};
	spy->inner = inner;
	spy->accesses = calloc(SPY_ACCESSES, sizeof(*spy->accesses));
	spy->remarks = calloc(SPY_REMARKS, sizeof(*spy->remarks));
	at_end(free, spy->accesses);
	at_end(free, spy->remarks);
}

void spy_forget(struct spy *spy)
{
	spy->access_count = 0;
	spy->remark_count = 0;
}

const struct access *spy_write(const struct spy *spy, size_t n)
{
	for (size_t i = 0; i < spy->access_count; i++)
		if (spy->accesses[i].write && !n--)
			return &spy->accesses[i];
	ck_abort_msg("there were fewer writes");
}

size_t spy_count(const struct spy *spy, bool write)
{
	size_t n = 0;

	for (size_t i = 0; i < spy->access_count; i++)
		n += spy->accesses[i].write == write;
	return n;
}

size_t spy_count_space(const struct spy *spy, enum reg_space space)
{
	size_t n = 0;

	for (size_t i = 0; i < spy->access_count; i++)
		n += spy->accesses[i].space == space;
	return n;
}

void spy_assert_same(const struct access *a, const struct access *b, size_t n)
{
	ck_assert_msg(a->space == b->space && a->address == b->address && a->bytes == b->bytes &&
			      a->value == b->value && a->cpu == b->cpu &&
			      a->pci.domain == b->pci.domain && a->pci.bus == b->pci.bus &&
			      a->pci.device == b->pci.device && a->pci.function == b->pci.function,
		      "write %zu: space %u cpu %u address 0x%llx, %u bytes, value 0x%llx; "
		      "expected space %u cpu %u address 0x%llx, %u bytes, value 0x%llx",
		      n, a->space, a->cpu, (unsigned long long)a->address, a->bytes,
		      (unsigned long long)a->value, b->space, b->cpu,
		      (unsigned long long)b->address, b->bytes, (unsigned long long)b->value);
}

void spy_assert_writes(const struct spy *spy, const struct access *expected, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < spy->access_count; i++) {
		if (!spy->accesses[i].write)
			continue;
		ck_assert_uint_lt(n, count);
		spy_assert_same(&spy->accesses[i], &expected[n], n);
		n++;
	}
	ck_assert_uint_eq(n, count);
}

size_t spy_remarks(const struct spy *spy, enum log_level level)
{
	size_t n = 0;

	for (size_t i = 0; i < spy->remark_count; i++)
		n += spy->remarks[i].level == level;
	return n;
}

const char *spy_remark(const struct spy *spy, enum log_level level)
{
	for (size_t i = 0; i < spy->remark_count; i++)
		if (spy->remarks[i].level == level)
			return spy->remarks[i].text;
	return NULL;
}

bool unit_is_frozen(struct platform *p, const struct unit *unit)
{
	uint64_t value;

	if (unit_is_cpu(unit) || !unit_can_freeze(unit))
		return false;
	const struct freeze_control control = unit_freeze_control(unit);
	return !reg_read(p, &control.reg, &value, NULL) && freeze_control_stops(&control, value);
}
