/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_registers.h"

#include <check.h>
#include <errno.h>

#include "platform/clock.h"
#include "platform/pci.h"
#include "platform/reg.h"
#include "sim/sim.h"
#include "tests/registers.h"

uint64_t msr_peek(struct platform *p, unsigned cpu, uint32_t msr)
{
	uint64_t value = 0;

	ck_assert_int_eq(raw_msr_read(p, cpu, msr, &value), 0);
	return value;
}

void msr_poke(struct platform *p, unsigned cpu, uint32_t msr, uint64_t value)
{
	ck_assert_int_eq(raw_msr_write(p, cpu, msr, value), 0);
}

static struct mmio_window map(struct platform *p, uint64_t phys, unsigned bytes)
{
	struct mmio_window window;
	struct error err = {0};

	ck_assert_msg(!p->ops->registers->mmio_map(p, phys, bytes, true, &window, &err), "%s",
		      err.text);
	return window;
}

void assert_no_msr(struct platform *p, uint32_t msr)
{
	uint64_t value;

	ck_assert_int_eq(raw_msr_read(p, 0, msr, &value), -EIO);
	ck_assert_int_eq(raw_msr_write(p, 0, msr, 0), -EIO);
}

uint64_t memory_peek(struct platform *p, uint64_t phys, unsigned bytes)
{
	struct mmio_window window = map(p, phys, bytes);
	uint64_t value = 0;

	ck_assert_int_eq(raw_mmio_read(p, &window, 0, bytes, &value), 0);
	p->ops->registers->mmio_unmap(p, &window);
	return value;
}

void memory_poke(struct platform *p, uint64_t phys, unsigned bytes, uint64_t value)
{
	struct mmio_window window = map(p, phys, bytes);

	ck_assert_int_eq(raw_mmio_write(p, &window, 0, bytes, value), 0);
	p->ops->registers->mmio_unmap(p, &window);
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
