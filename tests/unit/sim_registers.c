/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_registers.h"

#include <check.h>
#include <errno.h>

#include "platform/clock.h"
#include "platform/guard.h"
#include "platform/pci.h"
#include "platform/reg.h"
#include "sim/sim.h"
#include "tests/registers.h"

/* Reads or writes a register that may need a mapping. */
static void access_register(struct platform *p, struct reg reg, bool write, uint64_t *value)
{
	const bool map = reg.space == REG_MMIO && !reg.window;
	struct mmio_window window;
	struct error err = {0};

	if (map)
		ck_assert_msg(!p->ops->registers->mmio_map(p, reg.address, reg.bytes, true, &window,
							   &err),
			      "%s", err.text);
	if (map)
		reg.window = &window;
	const bool allowed = p->guard.allow_all;
	guard_disable(&p->guard);
	const int rc = write ? reg_write(p, &reg, *value, NULL) : reg_read(p, &reg, value, NULL);
	p->guard.allow_all = allowed;
	ck_assert_int_eq(rc, 0);
	if (map)
		p->ops->registers->mmio_unmap(p, &window);
}

uint64_t register_peek(struct platform *p, struct reg reg)
{
	uint64_t value = 0;

	access_register(p, reg, false, &value);
	return value;
}

void register_poke(struct platform *p, struct reg reg, uint64_t value)
{
	access_register(p, reg, true, &value);
}

uint64_t msr_peek(struct platform *p, unsigned cpu, uint32_t msr)
{
	return register_peek(p, reg_msr(cpu, msr));
}

void msr_poke(struct platform *p, unsigned cpu, uint32_t msr, uint64_t value)
{
	register_poke(p, reg_msr(cpu, msr), value);
}

void assert_no_msr(struct platform *p, uint32_t msr)
{
	uint64_t value;

	ck_assert_int_eq(raw_msr_read(p, 0, msr, &value), -EIO);
	ck_assert_int_eq(raw_msr_write(p, 0, msr, 0), -EIO);
}

static struct reg in_memory(uint64_t phys, unsigned bytes)
{
	return (struct reg){.space = REG_MMIO, .bytes = (uint8_t)bytes, .address = phys};
}

uint64_t memory_peek(struct platform *p, uint64_t phys, unsigned bytes)
{
	return register_peek(p, in_memory(phys, bytes));
}

void memory_poke(struct platform *p, uint64_t phys, unsigned bytes, uint64_t value)
{
	register_poke(p, in_memory(phys, bytes), value);
}

uint32_t config_peek(struct platform *p, struct pci_location at, unsigned offset)
{
	uint32_t value = 0;

	ck_assert_int_eq(reg_read_pci(p, at, offset, &value), 0);
	return value;
}

void pass_time(struct platform *p, uint64_t ns)
{
	int signal_number;
	sigset_t none;

	sigemptyset(&none);
	ck_assert_int_eq(
		p->ops->clock->sleep_until(p, p->ops->clock->now(p) + ns, &none, &signal_number),
		0);
}
