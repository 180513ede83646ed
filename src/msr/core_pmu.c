/* SPDX-License-Identifier: BSD-3-Clause */
#include "msr/core_pmu.h"

#include <errno.h>

#include "msr/cpuid.h"
#include "platform/cpus.h"
#include "platform/guard.h"
#include "platform/reg.h"

#define CPUID_LEAF_PERFMON 0xA

#define CPUID_1_ECX_PDCM (UINT32_C(1) << 15) /* IA32_PERF_CAPABILITIES exists */

void core_pmu_decode(const uint32_t leaf[4], struct core_pmu_info *out)
{
	const uint32_t eax = leaf[CPUID_EAX], edx = leaf[CPUID_EDX];

	*out = (struct core_pmu_info){
		.version = eax & 0xff,
		.general = eax >> 8 & 0xff,
		.general_width = eax >> 16 & 0xff,
	};
	if (out->general > CORE_PMU_MAX_GENERAL)
		out->general = CORE_PMU_MAX_GENERAL;
	if (out->version < 2)
		return;
	out->fixed = edx & 0x1f;
	if (out->fixed > CORE_PMU_MAX_FIXED)
		out->fixed = CORE_PMU_MAX_FIXED;
	out->fixed_width = edx >> 5 & 0xff;
	out->fixed_mask = (UINT32_C(1) << out->fixed) - 1;
	if (out->version >= 5)
		out->fixed_mask |= leaf[CPUID_ECX] & ((UINT32_C(1) << CORE_PMU_MAX_FIXED) - 1);
	out->any_deprecated = edx >> 15 & 1;
}

static uint64_t width_mask(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

#define GENERAL_MASK(info) ((UINT64_C(1) << (info)->general) - 1)
#define COUNTERS_MASK(info)                                                                        \
	(GENERAL_MASK(info) | (uint64_t)(info)->fixed_mask << GLOBAL_FIXED_SHIFT)

/* The writable bits of IA32_PERFEVTSELx: all except PC, INT, ANY and reserved ones */
#define PERFEVTSEL_SELECTS                                                                         \
	(UINT64_C(0xFF80FFFF) | PERFEVTSEL_USR | PERFEVTSEL_OS | PERFEVTSEL_EDGE | PERFEVTSEL_EN | \
	 PERFEVTSEL_IN_TX | PERFEVTSEL_IN_TXCP)

#define FIXED_CTR_CTRL_PMI UINT64_C(0x8888888888888888)

static int allow_counters(struct platform *p, const struct core_pmu_info *info, struct error *err)
{
	const unsigned general = info->general - 1;
	const unsigned fixed =
		info->fixed_mask ? 31 - (unsigned)__builtin_clz(info->fixed_mask) : 0;
	const uint64_t general_bits = width_mask(info->general_width);
	const uint64_t counters = COUNTERS_MASK(info);
	const struct {
		uint32_t first, extra;
		uint64_t mask, denied;
		const char *what;
	} registers[] = {
		{IA32_TIME_STAMP_COUNTER, 0, 0, 0, "IA32_TIME_STAMP_COUNTER"},
		{IA32_PMC0, general, general_bits, 0, "IA32_PMC"},
		{IA32_PERFEVTSEL0, general, PERFEVTSEL_SELECTS, PERFEVTSEL_INT, "IA32_PERFEVTSEL"},
		{IA32_FIXED_CTR0, fixed, width_mask(info->fixed_width), 0, "IA32_FIXED_CTR"},
		{IA32_PERF_CAPABILITIES, 0, 0, 0, "IA32_PERF_CAPABILITIES"},
		{IA32_FIXED_CTR_CTRL, 0, FIXED_CTR_CTRL_ENABLES, FIXED_CTR_CTRL_PMI,
		 "IA32_FIXED_CTR_CTRL"},
		{IA32_PERF_GLOBAL_STATUS, 0, 0, 0, "IA32_PERF_GLOBAL_STATUS"},
		{IA32_PERF_GLOBAL_CTRL, 0, counters, 0, "IA32_PERF_GLOBAL_CTRL"},
		{IA32_PERF_GLOBAL_OVF_CTRL, 0, counters, 0, "IA32_PERF_GLOBAL_OVF_CTRL"},
		{IA32_PERF_GLOBAL_INUSE, 0, 0, 0, "IA32_PERF_GLOBAL_INUSE"},
		{IA32_A_PMC0, general, general_bits, 0, "IA32_A_PMC"}, /* last: omitted if absent */
	};
	const size_t count = sizeof(registers) / sizeof(registers[0]) - !info->full_width_writes;
	int rc = 0;

	for (size_t i = 0; !rc && i < count; i++) {
		const struct reg first = reg_msr(0, registers[i].first);
		const struct guard_rule rule = {.mask = registers[i].mask,
						.denied = registers[i].denied,
						.what = registers[i].what};

		rc = guard_allow_registers(&p->guard, &first, registers[i].extra + 1, rule, err);
	}
	return rc;
}

int core_pmu_identify(struct platform *p, unsigned cpu, struct core_pmu_info *out,
		      struct error *err)
{
	uint32_t leaf[CPUID_REGS];
	int rc = p->ops->cpus->cpuid(p, cpu, CPUID_LEAF_PERFMON, 0, leaf, err);

	if (rc)
		return rc;
	core_pmu_decode(leaf, out);
	if (!out->version || !out->general || !out->general_width)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "cpu %u: no architectural performance monitoring "
				 "(CPUID leaf 0xA is empty); a virtual machine may hide it",
				 cpu);
	rc = p->ops->cpus->cpuid(p, cpu, 1, 0, leaf, err);
	out->full_width_writes = !rc && leaf[CPUID_ECX] & CPUID_1_ECX_PDCM;
	return rc;
}

int core_pmu_allow(struct platform *p, unsigned cpu, struct error *err)
{
	struct core_pmu_info info;
	int rc = core_pmu_identify(p, cpu, &info, err);

	return rc ? rc : allow_counters(p, &info, err);
}

int core_pmu_detect(struct platform *p, unsigned cpu, struct core_pmu_info *out, struct error *err)
{
	const struct reg capabilities = reg_msr(cpu, IA32_PERF_CAPABILITIES);
	uint64_t value = 0;
	int rc = core_pmu_identify(p, cpu, out, err);

	if (!rc && out->full_width_writes)
		rc = reg_read(p, &capabilities, &value, err);
	if (rc)
		return rc;
	out->full_width_writes = value & PERF_CAPABILITIES_FULL_WRITE;
	return allow_counters(p, out, err);
}
