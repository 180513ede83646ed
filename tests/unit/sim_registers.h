/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers of a simulated processor. All functions assert that they succeed. */
#ifndef CXLMON_TEST_SIM_REGISTERS_H
#define CXLMON_TEST_SIM_REGISTERS_H

#include <stdint.h>

#include "platform/pci.h"
#include "platform/platform.h"
#include "support.h"
#include "tests/register_kinds.h"
#include "tests/registers.h"
#include "tests/sim/faults.h"
#include "tests/sim/state.h"

#define SECOND UINT64_C(1000000000) /* ns */

#define SIM_PAGE UINT64_C(0x1000) /* bytes; each CXLCM and CXLDP has a page */

/* Read and write a register of any space without the guard; one in memory is mapped meanwhile. */
uint64_t register_peek(struct platform *p, struct reg reg);
void register_poke(struct platform *p, struct reg reg, uint64_t value);

uint64_t msr_peek(struct platform *p, unsigned cpu, uint32_t msr);
void msr_poke(struct platform *p, unsigned cpu, uint32_t msr, uint64_t value);

/* Asserts that the CPUs lack the register: an access is a general protection fault. */
void assert_no_msr(struct platform *p, uint32_t msr);

uint64_t memory_peek(struct platform *p, uint64_t phys, unsigned bytes);
void memory_poke(struct platform *p, uint64_t phys, unsigned bytes, uint64_t value);

uint32_t config_peek(struct platform *p, struct pci_location at, unsigned offset);

void pass_time(struct platform *p, uint64_t ns);

#endif
