/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers of a simulated processor. All functions assert that they succeed. */
#ifndef CXLMON_TEST_SIM_REGISTERS_H
#define CXLMON_TEST_SIM_REGISTERS_H

#include <stdint.h>

#include "platform/pci.h"
#include "platform/platform.h"
#include "support.h"
#include "tests/registers.h"
#include "tests/sim/faults.h"
#include "tests/sim/state.h"

#define SECOND UINT64_C(1000000000) /* ns */

/* Addresses of the simulator's units. */
#define SIM_CXLCM(socket, port)                                                                    \
	(UINT64_C(0x2001000000) + (socket)*UINT64_C(0x10000000) + (port)*UINT64_C(0x2000))
#define SIM_CXLDP(socket, port) (SIM_CXLCM(socket, port) + UINT64_C(0x1000))
#define SIM_CHA(cha)		(0x2000 + 0x10 * (cha))
#define SIM_IMC(imc)		(UINT64_C(0xF0002800) + (imc)*UINT64_C(0x4000))
#define SIM_PAGE		UINT64_C(0x1000)
#define SIM_FREEZE_MSR		0x2FF0

/* Offsets in a unit's page. */
#define CXL_CONTROL(i) (UINT64_C(0x10) + 8 * (uint64_t)(i))
#define CXL_COUNTER(i) (UINT64_C(0x58) + 8 * (uint64_t)(i))

uint64_t msr_peek(struct platform *p, unsigned cpu, uint32_t msr);
void msr_poke(struct platform *p, unsigned cpu, uint32_t msr, uint64_t value);

/* Asserts that the CPUs lack the register: an access is a general protection fault. */
void assert_no_msr(struct platform *p, uint32_t msr);

uint64_t memory_peek(struct platform *p, uint64_t phys, unsigned bytes);
void memory_poke(struct platform *p, uint64_t phys, unsigned bytes, uint64_t value);

uint32_t config_peek(struct platform *p, struct pci_location at, unsigned offset);

void pass_time(struct platform *p, uint64_t ns);

#endif
