/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/reg.h"

#include "platform/guard.h"
#include "unit.h"

/* One access as requested from the platform. */
struct access {
	struct reg reg;
	bool write;
	uint64_t value; /* written value */
};

/* Records every access, and reads the numbers 0x...1, 0x...2, ... */
struct recorder {
	struct platform platform;
	struct access seen[4];
	unsigned count;
	unsigned fails; /* this access (from 1) fails with -EIO; 0: none */
	unsigned explained;
};

static struct recorder recorder;

static int record(struct access access, uint64_t *value)
{
	ck_assert_uint_lt(recorder.count, COUNT_OF(recorder.seen));
	recorder.seen[recorder.count++] = access;
	if (value)
		*value = UINT64_C(0xA1B2C3D400000000) + recorder.count;
	return recorder.count == recorder.fails ? -EIO : 0;
}

static int read_register(struct platform *p, const struct reg *reg, uint64_t *value)
{
	(void)p;
	const int rc = record((struct access){.reg = *reg}, value);

	if (reg->space == REG_PCI)
		*value = (uint32_t)*value;
	return rc;
}

static int write_register(struct platform *p, const struct reg *reg, uint64_t value)
{
	(void)p;
	return record((struct access){*reg, true, value}, NULL);
}

static void explain(struct platform *p, const struct reg *reg, bool write, int code,
		    struct error *out)
{
	(void)p;
	recorder.explained++;
	out->kind = ERROR_IN_USE;
	snprintf(out->text, sizeof(out->text), "reason %d of %s in space %d", code,
		 write ? "writing" : "reading", reg->space);
}

static const struct register_ops own_registers = {
	.read = read_register,
	.write = write_register,
	.explain = explain,
};

static const struct platform_ops ops = {
	.registers = &own_registers,
};

static const struct mmio_window window = {.phys = UINT64_C(0xfb022000), .length = 0x1000};

static const struct reg msr = {.space = REG_MSR, .bytes = 8, .cpu = 12, .address = 0x2ff0};
static const struct reg mmio4 = {
	.space = REG_MMIO, .bytes = 4, .window = &window, .address = UINT64_C(0xfb022804)};
static const struct reg mmio8 = {
	.space = REG_MMIO, .bytes = 8, .window = &window, .address = UINT64_C(0xfb022800)};
static const struct reg pci4 = {
	.space = REG_PCI, .bytes = 4, .pci = {0, 0x7f, 0x0c, 0}, .address = 0x438};
static const struct reg pci8 = {
	.space = REG_PCI, .bytes = 8, .pci = {0x10001, 0xff, 0x1f, 7}, .address = 0x440};

static void start_record(void)
{
	recorder = (struct recorder){.platform = {.ops = &ops, .guard = {.allow_all = true}}};
}

static const struct {
	const struct reg *reg;
	const char *name;
} names[] = {
	{&msr, "cpu 12 msr 0x2ff0"},
	{&mmio8, "mmio 0xfb022800"},
	{&mmio4, "mmio 0xfb022804"},
	{&pci4, "pci 0000:7f:0c.0 offset 0x438"},
	{&pci8, "pci 10001:ff:1f.7 offset 0x440"},
};

FIXTURE(start_record, NULL)

TEST_LOOP(test_name_says_where_the_register_is, COUNT_OF(names))
{
	char name[REG_NAME_SIZE];

	ck_assert_str_eq(reg_name(names[_i].reg, name), names[_i].name);
	ck_assert_ptr_eq(reg_name(names[_i].reg, name), name);
}

TEST(test_longest_name_fits)
{
	const struct reg reg = {
		.space = REG_PCI, .pci = {UINT32_MAX, 0xff, 0x1f, 7}, .address = UINT64_MAX};
	char name[REG_NAME_SIZE];

	ck_assert_str_eq(reg_name(&reg, name), "pci ffffffff:ff:1f.7 offset 0xffffffffffffffff");
}

TEST(test_msr_is_read_and_written_on_its_cpu)
{
	uint64_t value;

	ck_assert_int_eq(reg_read(&recorder.platform, &msr, &value, NULL), 0);
	ck_assert_uint_eq(value, UINT64_C(0xA1B2C3D400000001));
	ck_assert_int_eq(reg_write(&recorder.platform, &msr, UINT64_MAX - 1, NULL), 0);
	ck_assert_uint_eq(recorder.count, 2);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(recorder.seen[i].reg.space, REG_MSR);
		ck_assert_int_eq(recorder.seen[i].write, i == 1);
		ck_assert_uint_eq(recorder.seen[i].reg.cpu, 12);
		ck_assert_uint_eq(recorder.seen[i].reg.address, 0x2ff0);
	}
	ck_assert_uint_eq(recorder.seen[1].value, UINT64_MAX - 1);
}

static const struct reg *const mmios[] = {&mmio4, &mmio8};

TEST_LOOP(test_mmio_is_accessed_at_its_width_and_its_address, COUNT_OF(mmios))
{
	const struct reg *reg = mmios[_i];
	uint64_t value;

	ck_assert_int_eq(reg_read(&recorder.platform, reg, &value, NULL), 0);
	ck_assert_uint_eq(value, UINT64_C(0xA1B2C3D400000001));
	ck_assert_int_eq(reg_write(&recorder.platform, reg, 0x17, NULL), 0);
	ck_assert_uint_eq(recorder.count, 2);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(recorder.seen[i].reg.space, REG_MMIO);
		ck_assert_int_eq(recorder.seen[i].write, i == 1);
		ck_assert_uint_eq(recorder.seen[i].reg.address, reg->address);
		ck_assert_uint_eq(recorder.seen[i].reg.bytes, reg->bytes);
	}
	ck_assert_uint_eq(recorder.seen[1].value, 0x17);
}

static void assert_dword(unsigned i, const struct reg *reg, unsigned offset, bool write)
{
	ck_assert_int_eq(recorder.seen[i].reg.space, REG_PCI);
	ck_assert_int_eq(recorder.seen[i].write, write);
	ck_assert_uint_eq(recorder.seen[i].reg.address, offset);
	ck_assert_uint_eq(recorder.seen[i].reg.bytes, 4);
	ck_assert_uint_eq(recorder.seen[i].reg.pci.domain, reg->pci.domain);
	ck_assert_uint_eq(recorder.seen[i].reg.pci.bus, reg->pci.bus);
	ck_assert_uint_eq(recorder.seen[i].reg.pci.device, reg->pci.device);
	ck_assert_uint_eq(recorder.seen[i].reg.pci.function, reg->pci.function);
}

TEST(test_pci_register_of_4_bytes_is_one_dword)
{
	uint64_t value;

	ck_assert_int_eq(reg_read(&recorder.platform, &pci4, &value, NULL), 0);
	ck_assert_uint_eq(value, 1);
	ck_assert_int_eq(reg_write(&recorder.platform, &pci4, 0x76543210, NULL), 0);
	ck_assert_uint_eq(recorder.count, 2);
	assert_dword(0, &pci4, 0x438, false);
	assert_dword(1, &pci4, 0x438, true);
	ck_assert_uint_eq(recorder.seen[1].value, 0x76543210);
}

TEST(test_pci_register_of_8_bytes_is_two_dwords_low_first)
{
	uint64_t value;

	ck_assert_int_eq(reg_read(&recorder.platform, &pci8, &value, NULL), 0);
	ck_assert_uint_eq(value, UINT64_C(0x0000000200000001));
	ck_assert_int_eq(reg_write(&recorder.platform, &pci8, UINT64_C(0xFEDCBA9876543210), NULL),
			 0);
	ck_assert_uint_eq(recorder.count, 4);
	assert_dword(0, &pci8, 0x440, false);
	assert_dword(1, &pci8, 0x444, false);
	assert_dword(2, &pci8, 0x440, true);
	assert_dword(3, &pci8, 0x444, true);
	ck_assert_uint_eq(recorder.seen[2].value, 0x76543210);
	ck_assert_uint_eq(recorder.seen[3].value, 0xFEDCBA98);
}

TEST_RANGE(test_pci_error_in_either_half_fails_the_whole, 1, 3)
{
	uint64_t value;

	recorder.fails = (unsigned)_i;
	ck_assert_int_eq(reg_read(&recorder.platform, &pci8, &value, NULL), -EIO);
	ck_assert_uint_eq(recorder.count, (unsigned)_i);
	start_record();
	recorder.fails = (unsigned)_i;
	ck_assert_int_eq(reg_write(&recorder.platform, &pci8, 0, NULL), -EIO);
	ck_assert_uint_eq(recorder.count, (unsigned)_i);
}

TEST_LOOP(test_eio_names_the_register, COUNT_OF(names))
{
	struct error err = {0};
	uint64_t value;
	char expected[256];

	recorder.fails = 1;
	ck_assert_int_eq(reg_read(&recorder.platform, names[_i].reg, &value, &err), -EIO);
	snprintf(expected, sizeof(expected), "%s: read failed: reason %d of reading in space %d",
		 names[_i].name, -EIO, names[_i].reg->space);
	ck_assert_str_eq(err.text, expected);
	ck_assert_int_eq(err.code, -EIO);
	ck_assert_int_eq(err.kind, ERROR_IN_USE);

	start_record();
	recorder.fails = 1;
	ck_assert_int_eq(reg_write(&recorder.platform, names[_i].reg, 0, &err), -EIO);
	snprintf(expected, sizeof(expected), "%s: write failed: reason %d of writing in space %d",
		 names[_i].name, -EIO, names[_i].reg->space);
	ck_assert_str_eq(err.text, expected);
}

TEST(test_nobody_is_asked_for_a_reason_that_nobody_reads)
{
	uint64_t value;

	recorder.fails = 1;
	ck_assert_int_eq(reg_read(&recorder.platform, &msr, &value, NULL), -EIO);
	ck_assert_uint_eq(recorder.explained, 0);
}

TEST(test_success_leaves_the_error_alone)
{
	struct error err = {.code = -1, .text = "untouched"};
	uint64_t value;

	ck_assert_int_eq(reg_read(&recorder.platform, &msr, &value, &err), 0);
	ck_assert_int_eq(reg_write(&recorder.platform, &msr, 0, &err), 0);
	ck_assert_str_eq(err.text, "untouched");
}

/* Writes that reach the device through a handle, with the rule of a counter control. */
static const struct {
	uint64_t mask, denied, value;
	int rc;
} again[] = {
	{0xFF, 0x10, 0x01, 0},
	{0xFF, 0x10, 0x11, -EACCES}, /* enables an interrupt */
	{0, 0, 0x01, -EACCES},	     /* is read-only */
};

TEST_LOOP(test_a_write_through_a_handle_passes_the_guard, COUNT_OF(again))
{
	const struct guard_rule rule = {.space = REG_MSR,
					.first = msr.address,
					.last = msr.address,
					.mask = again[_i].mask,
					.denied = again[_i].denied,
					.what = "a control"};
	struct reg_handle handle;

	recorder.platform.guard = (struct guard){0};
	ck_assert_int_eq(guard_allow(&recorder.platform.guard, &rule), 0);
	reg_prepare(&recorder.platform, &msr, &handle);
	ck_assert_int_eq(reg_write_prepared(&recorder.platform, &handle, again[_i].value, NULL),
			 again[_i].rc);
	ck_assert_uint_eq(recorder.count, !again[_i].rc);
	guard_free(&recorder.platform.guard);
}

TEST(test_a_handle_of_what_no_rule_allows_writes_nothing)
{
	struct reg_handle handle;

	recorder.platform.guard = (struct guard){0};
	reg_prepare(&recorder.platform, &msr, &handle);
	ck_assert_int_eq(reg_write_prepared(&recorder.platform, &handle, 1, NULL), -EACCES);
	ck_assert_uint_eq(recorder.count, 0);
}

TEST(test_what_can_not_be_read_of_many_leaves_the_others_read)
{
	const struct reg *const regs[] = {&msr, &mmio8, &mmio4};
	int failures[COUNT_OF(regs)] = {0};
	struct reg_handle handles[COUNT_OF(regs)];
	uint64_t values[COUNT_OF(regs)] = {0};

	recorder.fails = 2;
	for (size_t i = 0; i < COUNT_OF(regs); i++)
		reg_prepare(&recorder.platform, regs[i], &handles[i]);
	ck_assert_uint_eq(
		reg_read_all(&recorder.platform, handles, COUNT_OF(regs), values, failures), 1);
	ck_assert_int_eq(failures[0], 0);
	ck_assert_int_eq(failures[1], -EIO);
	ck_assert_int_eq(failures[2], 0);
	ck_assert_uint_eq(values[0], UINT64_C(0xA1B2C3D400000001));
	ck_assert_uint_eq(values[2], UINT64_C(0xA1B2C3D400000003));
}
