/* SPDX-License-Identifier: BSD-3-Clause */
/* Register accesses of tests, which pass by the platform's write guard. */
#ifndef CXLMON_TESTS_REGISTERS_H
#define CXLMON_TESTS_REGISTERS_H

#include "platform/pci.h"
#include "platform/reg.h"

static inline int raw_msr_read(struct platform *p, unsigned cpu, uint32_t msr, uint64_t *value)
{
	const struct reg reg = reg_msr(cpu, msr);

	return p->ops->registers->read(p, &reg, value);
}

static inline int raw_msr_write(struct platform *p, unsigned cpu, uint32_t msr, uint64_t value)
{
	const struct reg reg = reg_msr(cpu, msr);

	return p->ops->registers->write(p, &reg, value);
}

static inline int raw_pci_write(struct platform *p, struct pci_location at, unsigned offset,
				uint32_t value)
{
	const struct reg reg = reg_pci(at, offset);

	return p->ops->registers->write(p, &reg, value);
}

static inline int raw_mmio_read(struct platform *p, const struct mmio_window *window,
				uint64_t offset, uint8_t bytes, uint64_t *value)
{
	const struct reg reg = reg_mmio(window, offset, bytes);

	return p->ops->registers->read(p, &reg, value);
}

static inline int raw_mmio_write(struct platform *p, const struct mmio_window *window,
				 uint64_t offset, uint8_t bytes, uint64_t value)
{
	const struct reg reg = reg_mmio(window, offset, bytes);

	return p->ops->registers->write(p, &reg, value);
}

#endif
