/* SPDX-License-Identifier: BSD-3-Clause */
/* The fast access to prepared registers, on files and memory. */
#include <sched.h>

#include "linux/kernel/limits.h"
#include "linux/linux.h"
#include "platform/cpus.h"
#include "platform/guard.h"
#include "platform/reg.h"
#include "unit.h"

#define MSRS  "dev/cpu/0/msr"
#define WORDS 4

static struct platform *p;
static uint64_t memory[WORDS];
static struct mmio_window window;
static struct error err;

static void set_up(void)
{
	const uint64_t msrs[] = {0x1111111122222222, 0x3333333344444444};

	tree_bytes(MSRS, 0, msrs, sizeof(msrs));
	ck_assert_int_eq(platform_linux(tree_root(), &(struct log){0}, &p, &err), 0);
	guard_disable(&p->guard);
	for (size_t i = 0; i < WORDS; i++)
		memory[i] = 0x0102030405060708 * (i + 1);
	window = (struct mmio_window){.phys = 0x1000, .length = sizeof(memory), .base = memory};
}

static void tear_down(void)
{
	platform_destroy(p);
}

static struct reg msr(uint64_t number)
{
	return (struct reg){.space = REG_MSR, .bytes = 8, .address = number};
}

static struct reg word(unsigned i, uint8_t bytes)
{
	return (struct reg){
		.space = REG_MMIO, .bytes = bytes, .window = &window, .address = 0x1000 + 8 * i};
}

TREE_FIXTURE(set_up, tear_down)

TEST(test_a_register_of_configuration_space_has_4_bytes)
{
	const struct tree_function function = {.name = "0000:1e:00.3",
					       .vendor = 0x8086,
					       .device = 0x09a7,
					       .numa_node = -1,
					       .resource = "",
					       .config_bytes = 256};
	const struct reg reg = {
		.space = REG_PCI, .bytes = 4, .pci = {.bus = 0x1e, .function = 3}, .address = 0x40};
	const uint32_t stored[] = {0x80ABCDEF, 0x12345678};
	uint64_t value = UINT64_MAX;

	tree_pci_function(&function);
	tree_bytes("sys/bus/pci/devices/0000:1e:00.3/config", 0x40, stored, sizeof(stored));
	ck_assert_msg(!reg_read(p, &reg, &value, &err), "%s", err.text);
	ck_assert_uint_eq(value, stored[0]);
}

static void explain(bool write, int code)
{
	const struct reg reg = {.space = REG_PCI, .bytes = 4, .address = 0x438};

	p->ops->registers->explain(p, &reg, write, code, &err);
	ck_assert_int_eq(err.code, code);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
}

TEST(test_lockdown_is_why_configuration_space_may_not_be_written)
{
	tree_file("sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	explain(true, -EPERM);
	assert_contains(err.text, "kernel lockdown (integrity) forbids writes of PCI conf");
	ck_assert_str_eq(err.command, LOCKDOWN_COMMAND);
	explain(false, -EPERM);
	assert_contains(err.text, "without CAP_SYS_ADMIN");
	explain(true, -EACCES);
	assert_contains(err.text, "without CAP_SYS_ADMIN");
	tree_file("sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	explain(true, -EPERM);
	assert_contains(err.text, "without CAP_SYS_ADMIN");
}

/* Covers every order in which the ways to read can follow each other. */
TEST(test_registers_of_all_kinds_are_read_one_after_the_other)
{
	const struct reg regs[] = {word(0, 8), word(1, 8), msr(0),     msr(8), word(2, 4),
				   word(3, 8), word(3, 4), word(0, 4), msr(8), word(1, 8)};
	const uint64_t expected[] = {
		memory[0],	     memory[1], 0x1111111122222222,  0x3333333344444444,
		(uint32_t)memory[2], memory[3], (uint32_t)memory[3], (uint32_t)memory[0],
		0x3333333344444444,  memory[1]};
	struct reg_handle handles[COUNT_OF(regs)];
	uint64_t values[COUNT_OF(regs)];
	int failures[COUNT_OF(regs)] = {0};

	for (size_t i = 0; i < COUNT_OF(regs); i++)
		reg_prepare(p, &regs[i], &handles[i]);
	ck_assert_uint_eq(reg_read_all(p, handles, COUNT_OF(regs), values, failures), 0);
	for (size_t i = 0; i < COUNT_OF(regs); i++) {
		ck_assert_uint_eq(values[i], expected[i]);
		ck_assert_int_eq(failures[i], 0);
	}
}

/* Nothing can be read at the end of a file. */
TEST(test_what_can_not_be_read_is_told_and_the_rest_is_read)
{
	const struct reg regs[] = {msr(0), msr(99), msr(8), msr(100), word(0, 8), msr(101)};
	struct reg_handle handles[COUNT_OF(regs)];
	uint64_t values[COUNT_OF(regs)] = {0};
	int failures[COUNT_OF(regs)] = {0};

	for (size_t i = 0; i < COUNT_OF(regs); i++)
		reg_prepare(p, &regs[i], &handles[i]);
	ck_assert_uint_eq(reg_read_all(p, handles, COUNT_OF(regs), values, failures), 3);
	for (size_t i = 0; i < COUNT_OF(regs); i++)
		ck_assert_int_eq(failures[i], i % 2 ? -EBADFD : 0);
	ck_assert_uint_eq(values[0], 0x1111111122222222);
	ck_assert_uint_eq(values[2], 0x3333333344444444);
	ck_assert_uint_eq(values[4], memory[0]);
}

TEST(test_registers_of_all_kinds_are_written_in_their_width)
{
	const struct reg regs[] = {msr(8), word(0, 8), word(1, 4)};
	const uint64_t high = memory[1] >> 32;
	struct reg_handle handle;

	for (size_t i = 0; i < COUNT_OF(regs); i++) {
		reg_prepare(p, &regs[i], &handle);
		ck_assert_int_eq(reg_write_prepared(p, &handle, 0xAABBCCDD00112233, &err), 0);
	}
	ck_assert_uint_eq(tree_word(MSRS, 8), 0xAABBCCDD00112233);
	ck_assert_uint_eq(tree_word(MSRS, 0), 0x1111111122222222);
	ck_assert_uint_eq(memory[0], 0xAABBCCDD00112233);
	ck_assert_uint_eq(memory[1], high << 32 | 0x00112233);
}

TEST(test_a_write_that_fails_names_the_register)
{
	const struct reg regs[] = {msr(0)};
	struct reg_handle handle;

	reg_prepare(p, &regs[0], &handle);
	handle.fd = 9999; /* never opened */
	ck_assert_int_eq(reg_write_prepared(p, &handle, 1, &err), -EBADF);
	assert_contains(err.text, "cpu 0 msr 0x0: write failed: ");
}

TEST(test_a_thread_runs_where_it_may_and_nowhere_else)
{
	cpu_set_t before, now;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(before), &before), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		ck_assert_int_eq(p->ops->cpus->set_affinity(p, cpu),
				 CPU_ISSET(cpu, &before) ? 0 : -ENOENT);
		sched_getaffinity(0, sizeof(now), &now);
		if (CPU_ISSET(cpu, &before))
			ck_assert(CPU_COUNT(&now) == 1 && CPU_ISSET(cpu, &now));
	}
	ck_assert_int_eq(p->ops->cpus->set_affinity(p, CPU_SETSIZE), -ENOENT);
	ck_assert_int_eq(p->ops->cpus->set_affinity(p, -1), 0);
	sched_getaffinity(0, sizeof(now), &now);
	ck_assert(CPU_EQUAL(&now, &before));
}
