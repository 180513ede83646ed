/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The performance monitoring unit (PMU) of a logical CPU of Intel: its registers and properties.
 *
 * Source: Intel SDM vol. 3B, chapter "Performance Monitoring", and vol. 4 for the register numbers;
 * compared with the Linux kernel's arch/x86/include/asm/perf_event.h and msr-index.h.
 */
#ifndef CXLMON_MSR_CORE_PMU_H
#define CXLMON_MSR_CORE_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/platform.h"

/* Numbers of MSRs; "+ x": the first of several, numbered by x. */
#define IA32_TIME_STAMP_COUNTER	    0x10
#define IA32_PMC0		    0xC1  /* + x; a write takes 32 bits and sign-extends them */
#define IA32_PERFEVTSEL0	    0x186 /* + x */
#define IA32_OFFCORE_RSP_0	    0x1A6 /* + x; threads of a core share it */
#define IA32_MISC_ENABLE	    0x1A0
#define IA32_DEBUGCTL		    0x1D9
#define IA32_FIXED_CTR0		    0x309 /* + x */
#define IA32_PERF_CAPABILITIES	    0x345
#define IA32_FIXED_CTR_CTRL	    0x38D
#define IA32_PERF_GLOBAL_STATUS	    0x38E
#define IA32_PERF_GLOBAL_CTRL	    0x38F
#define IA32_PERF_GLOBAL_OVF_CTRL   0x390 /* v4 and later: IA32_PERF_GLOBAL_STATUS_RESET */
#define IA32_PERF_GLOBAL_STATUS_SET 0x391
#define IA32_PERF_GLOBAL_INUSE	    0x392
#define IA32_PEBS_ENABLE	    0x3F1
#define IA32_A_PMC0		    0x4C1 /* + x; full-width alias of IA32_PMCx */

#define PERF_CAPABILITIES_FULL_WRITE  (UINT64_C(1) << 13)
#define MISC_ENABLE_PERFMON_AVAILABLE (UINT64_C(1) << 7)

#define PERFEVTSEL_USR	   (UINT64_C(1) << 16)
#define PERFEVTSEL_OS	   (UINT64_C(1) << 17)
#define PERFEVTSEL_EDGE	   (UINT64_C(1) << 18)
#define PERFEVTSEL_PC	   (UINT64_C(1) << 19)
#define PERFEVTSEL_INT	   (UINT64_C(1) << 20) /* interrupt on overflow; never newly set */
#define PERFEVTSEL_ANY	   (UINT64_C(1) << 21) /* reserved from version 5 on */
#define PERFEVTSEL_EN	   (UINT64_C(1) << 22) /* enables the counter */
#define PERFEVTSEL_INV	   (UINT64_C(1) << 23)
#define PERFEVTSEL_IN_TX   (UINT64_C(1) << 32)
#define PERFEVTSEL_IN_TXCP (UINT64_C(1) << 33)

#define GLOBAL_FIXED_SHIFT	   32 /* bit 32 + n of IA32_PERF_GLOBAL_...: fixed counter n */
#define GLOBAL_STATUS_OVF_BUFFER   (UINT64_C(1) << 62)
#define GLOBAL_STATUS_COND_CHANGED (UINT64_C(1) << 63)

#define GLOBAL_INUSE_PMI (UINT64_C(1) << 63) /* some counter's interrupt is enabled */

#define CORE_PMU_MAX_GENERAL 16 /* most general-purpose counters; further ones are not used */
#define CORE_PMU_MAX_FIXED   16 /* most fixed counters; further ones are not used */
#define OFFCORE_REGISTERS    2	/* number of IA32_OFFCORE_RSP_x */

/* Bits 1:0 in each nibble of IA32_FIXED_CTR_CTRL, which enable its fixed counter. */
#define FIXED_CTR_CTRL_ENABLES UINT64_C(0x3333333333333333)

enum fixed_counter {
	FIXED_INSTRUCTIONS = 0,
	FIXED_CYCLES = 1,
	FIXED_REFERENCE_CYCLES = 2, /* at the rate of the time stamp counter */
	FIXED_SLOTS = 3,
};

/* The PMU's properties, from CPUID leaf 0xA and IA32_PERF_CAPABILITIES. */
struct core_pmu_info {
	unsigned version;	/* version of architectural performance monitoring */
	unsigned general;	/* number of general-purpose counters of this logical CPU */
	unsigned general_width; /* bits per counter */
	unsigned fixed;		/* number of contiguous fixed counters, from 0 on */
	unsigned fixed_width;	/* bits per counter */
	uint32_t fixed_mask;	/* bit n: IA32_FIXED_CTRn exists */
	bool any_deprecated;	/* the AnyThread bit is reserved */
	bool full_width_writes; /* registers IA32_A_PMCx exist */
};

/* Decodes CPUID leaf 0xA (EAX, EBX, ECX, EDX). Sets .full_width_writes to false. */
void core_pmu_decode(const uint32_t leaf[4], struct core_pmu_info *out);

/*
 * The next three functions return 0, or the negative errno of a failed read. If leaf 0xA reports no
 * PMU, they return -ENODEV (ERROR_NO_UNIT).
 */

/*
 * Reads the PMU's properties from CPUID only. .full_width_writes is true if IA32_PERF_CAPABILITIES
 * exists, whatever its bits.
 */
int core_pmu_identify(struct platform *p, unsigned cpu, struct core_pmu_info *out,
		      struct error *err);

/*
 * Reads the PMU's properties from CPUID, and .full_width_writes from IA32_PERF_CAPABILITIES. Makes
 * the write guard (platform/guard.h) allow writes to the PMU's registers.
 */
int core_pmu_detect(struct platform *p, unsigned cpu, struct core_pmu_info *out, struct error *err);

/*
 * Makes the write guard allow writes to the PMU's registers, which it finds by core_pmu_identify().
 * Reads no MSR.
 */
int core_pmu_allow(struct platform *p, unsigned cpu, struct error *err);

/* Returns true if a value of IA32_FIXED_CTR_CTRL enables fixed counter n. */
static inline bool core_pmu_fixed_enabled(uint64_t fixed_ctr_ctrl, unsigned n)
{
	return fixed_ctr_ctrl >> (4 * n) & 3;
}

#endif
