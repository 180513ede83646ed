/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers of kinds of units, on which the simulator, cxlmon and the kernel's driver must agree:
 * unit tests compare these rows with the first two, and tests in a guest with the third.
 *
 * Sources: the kernel's uncore_discovery.c and uncore_snbep.c, and Intel PCM.
 */
#ifndef CXLMON_TESTS_REGISTER_KINDS_H
#define CXLMON_TESTS_REGISTER_KINDS_H

#include <stdint.h>

#include "platform/reg_address.h"
#include "uncore/model/model.h"

/* Addresses of a simulated Sapphire Rapids: unit controls, and offsets of CXL units' registers. */
#define SIM_CXLCM(socket, port)                                                                    \
	(UINT64_C(0x2001000000) + (socket)*UINT64_C(0x10000000) + (port)*UINT64_C(0x2000))
#define SIM_CXLDP(socket, port) (SIM_CXLCM(socket, port) + UINT64_C(0x1000))
#define SIM_CHA(cha)		(0x2000 + 0x10 * (cha))
#define SIM_IMC(imc)		(UINT64_C(0xF0002800) + (imc)*UINT64_C(0x4000))
#define CXL_CONTROL(i)		(UINT64_C(0x10) + 8 * (uint64_t)(i))
#define CXL_COUNTER(i)		(UINT64_C(0x58) + 8 * (uint64_t)(i))
#define SIM_FREEZE_MSR		0x2FF0 /* freezes all units of a socket */

/*
 * Controls of AMD's counters, and the bits that exist in them. A counter is the MSR after its
 * control.
 * Source: the kernel's asm/msr-index.h and asm/perf_event.h.
 */
#define AMD_CORE(i)   (0xC0010200 + 2 * (i))
#define AMD_L3(i)     (0xC0010230 + 2 * (i))
#define AMD_DF(i)     (0xC0010240 + 2 * (i))
#define AMD_UMC(u, i) (0xC0010800 + 2 * (4 * (u) + (i)))
#define AMD_L3_BITS   UINT64_C(0x0307DC000040FFFF)
#define AMD_DF_BITS   UINT64_C(0x3F0F40FFFF)
#define AMD_UMC_BITS  UINT64_C(0x800003FF)

/* Bits of a unit control. */
#define KIND_FREEZE	    UINT64_C(0x1)
#define KIND_RESET_CONTROLS UINT64_C(0x100)
#define KIND_RESET_COUNTERS UINT64_C(0x200)

#define KIND_COUNTER_MASK ((UINT64_C(1) << 48) - 1)

/* The machine that has the unit of each row. */
#define KINDS_MACHINE "spr,sockets=2,read=6.4,write=1.6,clock=virtual"

/* A kind, with the place of one unit on KINDS_MACHINE. */
struct register_kind {
	uint16_t type;
	unsigned socket, id;
	struct reg unit; /* the unit control; in memory it is not mapped */
	unsigned counters;
	uint8_t control_bytes; /* width of an access to a counter's control; to a counter: 8 */
	/* offsets from the unit control of the first counter's registers, and steps to the next */
	unsigned control_offset, control_step, counter_offset, counter_step;
	uint64_t clock;	     /* a control that selects the unit's clock */
	uint64_t per_second; /* counts of that clock; 0: the simulator counts none */
};

enum { KIND_CHA, KIND_CXLCM, KIND_CXLDP, KIND_IMC, KIND_M2M, KIND_UPI, REGISTER_KINDS };

#define AT_MSR(cpu, number)                                                                        \
	{                                                                                          \
		REG_MSR, 8, (cpu), {0}, NULL, (number)                                             \
	}
#define AT_MEMORY(bytes, phys)                                                                     \
	{                                                                                          \
		REG_MMIO, (bytes), 0, {0}, NULL, (phys)                                            \
	}
#define AT_PCI(bus, device, function, offset)                                                      \
	{                                                                                          \
		REG_PCI, 4, 0, {0, (bus), (device), (function)}, NULL, (offset)                    \
	}

/* Rows in the order of the enumeration. */
static const struct register_kind register_kinds[REGISTER_KINDS] = {
	{PMU_CHA, 1, 3, AT_MSR(8, SIM_CHA(3)), 4, 8, 2, 1, 8, 1, 0x0001, 2000000000},
	{PMU_CXLCM, 0, 4, AT_MEMORY(8, SIM_CXLCM(0, 1)), 8, 8, CXL_CONTROL(0), 8, CXL_COUNTER(0), 8,
	 0x0201, 1000000000},
	{PMU_CXLDP, 1, 3, AT_MEMORY(8, SIM_CXLDP(1, 0)), 4, 8, CXL_CONTROL(0), 8, CXL_COUNTER(0), 8,
	 0x0101, 2000000000},
	{PMU_IMC, 0, 3, AT_MEMORY(4, SIM_IMC(3)), 4, 4, 0x40, 4, 0x08, 8, 0x0101, 2400000000},
	{PMU_M2M, 1, 3, AT_PCI(0x3e, 15, 0, 0x438), 4, 8, 0x30, 8, 0x08, 8, 0x0001, 0},
	{PMU_UPI, 1, 2, AT_PCI(0x3e, 3, 1, 0x318), 4, 8, 0x38, 8, 0x08, 8, 0x0001, 2000000000},
};

/* Return the control, and the value, of a counter. */
static inline struct reg kind_control(const struct register_kind *kind, unsigned i)
{
	struct reg reg = kind->unit;

	reg.bytes = kind->control_bytes;
	reg.address += kind->control_offset + kind->control_step * i;
	return reg;
}

static inline struct reg kind_counter(const struct register_kind *kind, unsigned i)
{
	struct reg reg = kind->unit;

	reg.bytes = 8;
	reg.address += kind->counter_offset + kind->counter_step * i;
	return reg;
}

#endif
