/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of a CPU's PMU, from CPUID and its capabilities register. */
#include "msr/core_pmu.h"

#include "msr/cpuid.h"
#include "platform/guard.h"
#include "platform/reg.h"
#include "unit.h"

EACH_IN_A_PROCESS

/* CPUID leaf 0xA. */

static struct core_pmu_info info;

static const struct {
	uint32_t leaf[CPUID_REGS]; /* EAX, EBX, ECX, EDX */
	struct core_pmu_info info;
} leaves[] = {
	/* nothing at all */
	{{0, 0, 0, 0}, {.version = 0}},
	/* version 1 has no fixed counters, whatever EDX has */
	{{0x07280201, 0, 0xFF, 0x8603},
	 {
		 .version = 1,
		 .general = 2,
		 .general_width = 40,
	 }},
	{{0x07280202, 0, 0, 0x0503},
	 {
		 .version = 2,
		 .general = 2,
		 .general_width = 40,
		 .fixed = 3,
		 .fixed_width = 40,
		 .fixed_mask = 0x7,
	 }},
	/* the highest number of a width's field */
	{{0x07FF0202, 0, 0, 0x1FE3},
	 {
		 .version = 2,
		 .general = 2,
		 .general_width = 255,
		 .fixed = 3,
		 .fixed_width = 255,
		 .fixed_mask = 0x7,
	 }},
	/* ECX means nothing before version 5 */
	{{0x07300404, 0, 0xFF, 0x8603},
	 {.version = 4,
	  .general = 4,
	  .general_width = 48,
	  .fixed = 3,
	  .fixed_width = 48,
	  .fixed_mask = 0x7,
	  .any_deprecated = true}},
	/* Sapphire Rapids */
	{{0x07300805, 0, 0xF, 0x8604},
	 {.version = 5,
	  .general = 8,
	  .general_width = 48,
	  .fixed = 4,
	  .fixed_width = 48,
	  .fixed_mask = 0xF,
	  .any_deprecated = true}},
	/* a bitmap with a hole: counters 0 to 2, and 5 */
	{{0x07300805, 0, 0x20, 0x8603},
	 {.version = 5,
	  .general = 8,
	  .general_width = 48,
	  .fixed = 3,
	  .fixed_width = 48,
	  .fixed_mask = 0x27,
	  .any_deprecated = true}},
	/* only the bitmap */
	{{0x07300805, 0, 0x5, 0x0600},
	 {
		 .version = 5,
		 .general = 8,
		 .general_width = 48,
		 .fixed_width = 48,
		 .fixed_mask = 0x5,
	 }},
};

static void assert_info(const struct core_pmu_info *actual, const struct core_pmu_info *expected)
{
	ck_assert_uint_eq(actual->version, expected->version);
	ck_assert_uint_eq(actual->general, expected->general);
	ck_assert_uint_eq(actual->general_width, expected->general_width);
	ck_assert_uint_eq(actual->fixed, expected->fixed);
	ck_assert_uint_eq(actual->fixed_width, expected->fixed_width);
	ck_assert_uint_eq(actual->fixed_mask, expected->fixed_mask);
	ck_assert_int_eq(actual->any_deprecated, expected->any_deprecated);
	ck_assert_int_eq(actual->full_width_writes, expected->full_width_writes);
}

TEST_LOOP(test_leaf_0xa_is_decoded_for_its_version, COUNT_OF(leaves))
{
	core_pmu_decode(leaves[_i].leaf, &info);
	assert_info(&info, &leaves[_i].info);
}

TEST(test_more_counters_than_there_is_room_for_are_left_out)
{
	const uint32_t leaf[CPUID_REGS] = {0x0730FF05, 0, UINT32_MAX, 0x1F | 48 << 5};

	core_pmu_decode(leaf, &info);
	ck_assert_uint_eq(info.general, CORE_PMU_MAX_GENERAL);
	ck_assert_uint_eq(info.fixed, CORE_PMU_MAX_FIXED);
	ck_assert_uint_eq(info.fixed_mask, 0xFFFF);
}

/* Detection, on a CPU with given answers. */

static struct {
	struct platform platform;
	uint32_t leaf_a[CPUID_REGS], leaf_1_ecx;
	uint64_t capabilities;
	int cpuid_code, msr_code;
	unsigned msr_reads;
} cpu;

static int answer_cpuid(struct platform *p, unsigned number, uint32_t leaf, uint32_t subleaf,
			uint32_t regs[4], struct error *err)
{
	(void)p;
	ck_assert_uint_eq(number, 3);
	ck_assert_uint_eq(subleaf, 0);
	memset(regs, 0, CPUID_REGS * sizeof(regs[0]));
	if (leaf == 0xA)
		memcpy(regs, cpu.leaf_a, sizeof(cpu.leaf_a));
	if (leaf == 1)
		regs[CPUID_ECX] = cpu.leaf_1_ecx;
	return cpu.cpuid_code ? error_set(err, ERROR_FAILED, cpu.cpuid_code, "no CPUID") : 0;
}

static int answer_read(struct platform *p, const struct reg *reg, uint64_t *value)
{
	(void)p;
	ck_assert_int_eq(reg->space, REG_MSR);
	ck_assert_uint_eq(reg->cpu, 3);
	ck_assert_uint_eq(reg->address, 0x345);
	cpu.msr_reads++;
	*value = cpu.capabilities;
	return cpu.msr_code;
}

static void answer_explain(struct platform *p, const struct reg *reg, bool write, int code,
			   struct error *out)
{
	(void)p;
	(void)reg;
	(void)write;
	(void)code;
	out->kind = ERROR_PERMISSION;
}

#define PDCM (UINT32_C(1) << 15)

static void make_cpu(void)
{
	static const struct cpu_ops own_cpus = {
		.cpuid = answer_cpuid,
	};

	static const struct register_ops own_registers = {
		.read = answer_read,
		.explain = answer_explain,
	};

	static const struct platform_ops ops = {
		.cpus = &own_cpus,
		.registers = &own_registers,
	};

	memset(&cpu, 0, sizeof(cpu));
	cpu.platform.ops = &ops;
	memcpy(cpu.leaf_a, (const uint32_t[]){0x07300805, 0, 0xF, 0x8604}, sizeof(cpu.leaf_a));
	cpu.leaf_1_ecx = PDCM;
}

FIXTURE(make_cpu, NULL)

TEST_LOOP(test_full_width_writes_are_bit_13_of_the_capabilities, 64)
{
	cpu.capabilities = UINT64_C(1) << _i;
	ck_assert_int_eq(core_pmu_detect(&cpu.platform, 3, &info, NULL), 0);
	ck_assert_int_eq(info.full_width_writes, _i == 13);
	ck_assert_uint_eq(info.general, 8);
}

TEST(test_capabilities_are_not_read_where_cpuid_says_there_are_none)
{
	cpu.leaf_1_ecx = ~PDCM;
	cpu.capabilities = UINT64_MAX;
	ck_assert_int_eq(core_pmu_detect(&cpu.platform, 3, &info, NULL), 0);
	ck_assert(!info.full_width_writes);
	ck_assert_uint_eq(cpu.msr_reads, 0);
}

static const uint32_t no_pmu[] = {0, 0x07300800, 0x07300005, 0x07000805};

TEST_LOOP(test_a_cpu_without_a_pmu_is_no_device, COUNT_OF(no_pmu))
{
	struct error err = {0};

	cpu.leaf_a[CPUID_EAX] = no_pmu[_i];
	ck_assert_int_eq(core_pmu_detect(&cpu.platform, 3, &info, &err), -ENODEV);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	assert_contains(err.text, "cpu 3");
}

TEST(test_errors_of_detection_are_passed_on)
{
	struct error err = {0};

	cpu.msr_code = -EPERM;
	ck_assert_int_eq(core_pmu_detect(&cpu.platform, 3, &info, &err), -EPERM);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	assert_contains(err.text, "cpu 3 msr 0x345");
	cpu.cpuid_code = -EBADFD;
	ck_assert_int_eq(core_pmu_detect(&cpu.platform, 3, &info, &err), -EBADFD);
	ck_assert_str_eq(err.text, "no CPUID");
}
