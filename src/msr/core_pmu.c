/* SPDX-License-Identifier: BSD-3-Clause */
#include "msr/core_pmu.h"

#include <errno.h>
#include <string.h>

#include "msr/cpuid.h"
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

static struct reg cpu_register(unsigned cpu, uint32_t msr)
{
	return (struct reg){.space = REG_MSR, .bytes = 8, .cpu = cpu, .address = msr};
}

static int read_msr(struct core_pmu *pmu, uint32_t msr, uint64_t *value, struct error *err)
{
	const struct reg reg = cpu_register(pmu->cpu, msr);
	return reg_read(pmu->platform, &reg, value, err);
}

static int write_msr(struct core_pmu *pmu, uint32_t msr, uint64_t value, struct error *err)
{
	const struct reg reg = cpu_register(pmu->cpu, msr);
	return reg_write(pmu->platform, &reg, value, err);
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

/* The bits of each nibble of IA32_FIXED_CTR_CTRL that enable its counter */
#define FIXED_CTR_CTRL_ENABLES UINT64_C(0x3333333333333333)
#define FIXED_CTR_CTRL_PMI     UINT64_C(0x8888888888888888)
#define FIXED_ALL_RINGS	       UINT64_C(3) /* in a nibble; no interrupt */

static int allow(struct platform *p, const struct core_pmu_info *info, struct error *err)
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
		const struct reg first = cpu_register(0, registers[i].first);
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
	int rc = p->ops->cpuid(p, cpu, CPUID_LEAF_PERFMON, 0, leaf, err);

	if (rc)
		return rc;
	core_pmu_decode(leaf, out);
	if (!out->version || !out->general || !out->general_width)
		return error_set(err, EXIT_NO_UNIT, -ENODEV,
				 "cpu %u: no architectural performance monitoring "
				 "(CPUID leaf 0xA is empty); a virtual machine may hide it",
				 cpu);
	rc = p->ops->cpuid(p, cpu, 1, 0, leaf, err);
	out->full_width_writes = !rc && leaf[CPUID_ECX] & CPUID_1_ECX_PDCM;
	return rc;
}

int core_pmu_allow(struct platform *p, unsigned cpu, struct error *err)
{
	struct core_pmu_info info;
	int rc = core_pmu_identify(p, cpu, &info, err);

	return rc ? rc : allow(p, &info, err);
}

int core_pmu_detect(struct platform *p, unsigned cpu, struct core_pmu_info *out, struct error *err)
{
	const struct reg capabilities = cpu_register(cpu, IA32_PERF_CAPABILITIES);
	uint64_t value = 0;
	int rc = core_pmu_identify(p, cpu, out, err);

	if (!rc && out->full_width_writes)
		rc = reg_read(p, &capabilities, &value, err);
	if (rc)
		return rc;
	out->full_width_writes = value & PERF_CAPABILITIES_FULL_WRITE;
	return allow(p, out, err);
}

void core_pmu_init(struct core_pmu *pmu, struct platform *p, unsigned cpu,
		   const struct core_pmu_info *info)
{
	*pmu = (struct core_pmu){.platform = p, .cpu = cpu, .info = *info};
}

/* IA32_PMCx takes the low 32 bits of a write and sign-extends them. */
static int load_general(struct core_pmu *pmu, unsigned x, uint64_t value, struct error *err)
{
	if (pmu->info.full_width_writes)
		return write_msr(pmu, IA32_A_PMC0 + x, value & width_mask(pmu->info.general_width),
				 err);
	return write_msr(pmu, IA32_PMC0 + x, (uint32_t)value, err);
}

static int read_general(struct core_pmu *pmu, unsigned x, uint64_t *value, struct error *err)
{
	int rc = read_msr(pmu, IA32_PMC0 + x, value, err);

	if (!rc)
		*value &= width_mask(pmu->info.general_width);
	return rc;
}

static int read_fixed(struct core_pmu *pmu, unsigned n, uint64_t *value, struct error *err)
{
	int rc = read_msr(pmu, IA32_FIXED_CTR0 + n, value, err);

	if (!rc)
		*value &= width_mask(pmu->info.fixed_width);
	return rc;
}

static bool has_general(uint64_t bits, unsigned x)
{
	return bits >> x & 1;
}

static bool has_fixed(uint64_t bits, unsigned n)
{
	return bits >> (GLOBAL_FIXED_SHIFT + n) & 1;
}

static int save_shared(struct core_pmu *pmu, struct error *err)
{
	int rc = read_msr(pmu, IA32_PERF_GLOBAL_CTRL, &pmu->saved.global_ctrl, err);

	if (!rc)
		rc = read_msr(pmu, IA32_FIXED_CTR_CTRL, &pmu->saved.fixed_ctr_ctrl, err);
	for (unsigned r = 0; !rc && r < OFFCORE_REGISTERS; r++)
		if (pmu->offcore[r])
			rc = read_msr(pmu, IA32_OFFCORE_RSP_0 + r, &pmu->saved.offcore[r], err);
	return rc;
}

/* Only what has not been saved yet: the state to restore is the one before the first program. */
int core_pmu_save(struct core_pmu *pmu, uint64_t counters, struct error *err)
{
	const uint64_t fresh = counters & ~pmu->claimed;
	int rc = pmu->saved_any ? 0 : save_shared(pmu, err);

	for (unsigned x = 0; !rc && x < pmu->info.general; x++) {
		if (!has_general(fresh, x))
			continue;
		rc = read_msr(pmu, IA32_PERFEVTSEL0 + x, &pmu->saved.perfevtsel[x], err);
		if (!rc)
			rc = read_general(pmu, x, &pmu->saved.pmc[x], err);
	}
	for (unsigned n = 0; !rc && n < CORE_PMU_MAX_FIXED; n++)
		if (has_fixed(fresh, n))
			rc = read_fixed(pmu, n, &pmu->saved.fixed_ctr[n], err);
	if (rc)
		return rc;
	pmu->claimed |= counters;
	pmu->saved_any = true;
	return 0;
}

uint64_t core_pmu_fixed_ctr_ctrl(const struct core_pmu *pmu, uint64_t now)
{
	for (unsigned n = 0; n < CORE_PMU_MAX_FIXED; n++) {
		const uint64_t nibble = UINT64_C(0xf) << (4 * n);

		if (!has_fixed(pmu->claimed, n))
			continue;
		now &= ~nibble;
		now |= has_fixed(pmu->programmed, n) ? FIXED_ALL_RINGS << (4 * n)
						     : pmu->saved.fixed_ctr_ctrl & nibble;
	}
	return now;
}

/* A counter of an earlier program that the current one does not use gets its saved value back. */
static int write_general(struct core_pmu *pmu, unsigned x, uint64_t perfevtsel, struct error *err)
{
	const bool now = has_general(pmu->programmed, x);
	int rc = write_msr(pmu, IA32_PERFEVTSEL0 + x, now ? perfevtsel : pmu->saved.perfevtsel[x],
			   err);

	return rc ? rc : load_general(pmu, x, now ? 0 : pmu->saved.pmc[x], err);
}

/* reg_restore(): the nibbles of other programs stay as they were, even with interrupts enabled. */
static int write_fixed_ctr_ctrl(struct core_pmu *pmu, struct error *err)
{
	const struct reg reg = cpu_register(pmu->cpu, IA32_FIXED_CTR_CTRL);
	uint64_t now;
	int rc = reg_read(pmu->platform, &reg, &now, err);

	return rc ? rc : reg_restore(pmu->platform, &reg, core_pmu_fixed_ctr_ctrl(pmu, now), err);
}

static int write_controls(struct core_pmu *pmu, const uint64_t *perfevtsel, struct error *err)
{
	int rc = 0;

	for (unsigned r = 0; !rc && r < OFFCORE_REGISTERS; r++)
		if (pmu->offcore[r])
			rc = write_msr(pmu, IA32_OFFCORE_RSP_0 + r, pmu->offcore[r], err);
	for (unsigned x = 0; !rc && x < pmu->info.general; x++)
		if (has_general(pmu->claimed, x))
			rc = write_general(pmu, x, perfevtsel[x], err);
	for (unsigned n = 0; !rc && n < CORE_PMU_MAX_FIXED; n++)
		if (has_fixed(pmu->claimed, n))
			rc = write_msr(pmu, IA32_FIXED_CTR0 + n,
				       has_fixed(pmu->programmed, n) ? 0 : pmu->saved.fixed_ctr[n],
				       err);
	if (!rc)
		rc = write_fixed_ctr_ctrl(pmu, err);
	return rc;
}

static int stop(struct core_pmu *pmu, struct error *err)
{
	return write_msr(pmu, IA32_PERF_GLOBAL_CTRL, pmu->saved.global_ctrl & ~pmu->claimed, err);
}

int core_pmu_program(struct core_pmu *pmu, const uint64_t *perfevtsel, unsigned count,
		     uint32_t fixed_mask, struct error *err)
{
	uint64_t selects[CORE_PMU_MAX_GENERAL] = {0};
	uint64_t ours = (uint64_t)fixed_mask << GLOBAL_FIXED_SHIFT;
	const bool first = !pmu->saved_any;

	if (count > pmu->info.general || fixed_mask & ~pmu->info.fixed_mask)
		return error_set(
			err, EXIT_USAGE, -EINVAL,
			"cpu %u: counters requested that it lacks: it has %u general counters "
			"and fixed counters 0x%x",
			pmu->cpu, pmu->info.general, pmu->info.fixed_mask);
	for (unsigned x = 0; x < count; x++) {
		if (perfevtsel[x] & PERFEVTSEL_INT)
			return error_set(err, EXIT_USAGE, -EINVAL,
					 "IA32_PERFEVTSEL%u: INT (bit 20) must stay 0", x);
		ours |= (uint64_t) !!perfevtsel[x] << x;
		selects[x] = perfevtsel[x];
	}

	int rc = core_pmu_save(pmu, ours, err);
	if (rc)
		return rc;
	pmu->programmed = ours;
	memcpy(pmu->perfevtsel, selects, sizeof(selects));
	rc = stop(pmu, err);
	if (!rc)
		rc = write_controls(pmu, selects, err);
	if (!rc)
		rc = write_msr(pmu, IA32_PERF_GLOBAL_OVF_CTRL, pmu->claimed, err);
	if (rc && first)
		core_pmu_restore(pmu, NULL);
	return rc;
}

int core_pmu_clear_overflow(struct core_pmu *pmu, uint64_t *overflowed, struct error *err)
{
	int rc = read_msr(pmu, IA32_PERF_GLOBAL_STATUS, overflowed, err);

	if (rc)
		return rc;
	*overflowed &= pmu->programmed;
	return *overflowed ? write_msr(pmu, IA32_PERF_GLOBAL_OVF_CTRL, *overflowed, err) : 0;
}

static struct undo_step undo_step(const struct core_pmu *pmu, uint32_t msr, uint64_t value)
{
	return (struct undo_step){.reg = cpu_register(pmu->cpu, msr),
				  .value = value,
				  .socket = UNDO_THIS_CPU,
				  .condition = UNDO_IF_OURS,
				  .mask = UINT64_MAX};
}

/* A step that is taken where that of the counter's control was ours. */
static int undo_with(struct undo *undo, size_t control, struct undo_step step, struct error *err)
{
	step.condition = UNDO_IF_CONTROL;
	step.control = control;
	return undo_add(undo, &step, err);
}

/* See load_general(). */
static struct undo_step load_step(const struct core_pmu *pmu, unsigned x)
{
	const uint64_t value = pmu->saved.pmc[x] & width_mask(pmu->info.general_width);

	return pmu->info.full_width_writes ? undo_step(pmu, IA32_A_PMC0 + x, value)
					   : undo_step(pmu, IA32_PMC0 + x, (uint32_t)value);
}

/* Stops a counter, restores it with its control, and starts it if it ran before. */
static int undo_counter(const struct core_pmu *pmu, uint64_t bit, struct undo_step control,
			struct undo_step counter, struct undo *undo, struct error *err)
{
	struct undo_step enable = undo_step(pmu, IA32_PERF_GLOBAL_CTRL, 0), stop = enable;
	struct undo_step overflow = undo_step(pmu, IA32_PERF_GLOBAL_OVF_CTRL, bit);
	const size_t decides = undo->count + 1;

	enable.value = pmu->saved.global_ctrl & bit;
	enable.mask = stop.mask = bit;
	stop.action = overflow.action = true;
	int rc = undo_with(undo, decides, stop, err);
	if (!rc)
		rc = undo_add(undo, &control, err);
	if (!rc)
		rc = undo_with(undo, decides, counter, err);
	if (!rc)
		rc = undo_with(undo, decides, overflow, err);
	return rc ? rc : undo_with(undo, decides, enable, err);
}

static int undo_general(const struct core_pmu *pmu, unsigned x, struct undo *undo,
			struct error *err)
{
	const struct undo_step control =
		undo_step(pmu, IA32_PERFEVTSEL0 + x, pmu->saved.perfevtsel[x]);
	int rc = undo_counter(pmu, UINT64_C(1) << x, control, load_step(pmu, x), undo, err);

	return rc ? rc : undo_add_ours(undo, &control.reg, pmu->perfevtsel[x], err);
}

/* Its control is a nibble of a register that programs share. */
static int undo_fixed(const struct core_pmu *pmu, unsigned n, struct undo *undo, struct error *err)
{
	struct undo_step control = undo_step(pmu, IA32_FIXED_CTR_CTRL, pmu->saved.fixed_ctr_ctrl);

	control.mask = UINT64_C(0xf) << (4 * n);
	return undo_counter(pmu, UINT64_C(1) << (GLOBAL_FIXED_SHIFT + n), control,
			    undo_step(pmu, IA32_FIXED_CTR0 + n, pmu->saved.fixed_ctr[n]), undo,
			    err);
}

/* Of the fixed counters, one value is that of all nibbles. */
static int add_ours(const struct core_pmu *pmu, struct undo *undo, struct error *err)
{
	int rc = 0;

	for (size_t i = undo->unit; !rc && i < undo->count; i++)
		if (undo->steps[i].condition == UNDO_IF_OURS &&
		    undo->steps[i].reg.address == IA32_FIXED_CTR_CTRL)
			rc = undo_add_value(undo, i, FIXED_CTR_CTRL_ENABLES, err);
	for (unsigned r = 0; !rc && r < OFFCORE_REGISTERS; r++) {
		const struct undo_step step =
			undo_step(pmu, IA32_OFFCORE_RSP_0 + r, pmu->saved.offcore[r]);

		if (!pmu->offcore[r])
			continue;
		rc = undo_add(undo, &step, err);
		if (!rc)
			rc = undo_add_ours(undo, &step.reg, pmu->offcore[r], err);
	}
	return rc;
}

int core_pmu_undo(struct core_pmu *pmu, struct undo *undo, struct error *err)
{
	const struct undo_step all = undo_step(pmu, IA32_PERF_GLOBAL_CTRL, pmu->saved.global_ctrl);
	int rc = 0;

	pmu->saved.global_ctrl = undo_original(undo, &all);
	undo_begin_unit(undo);
	for (unsigned x = 0; !rc && x < pmu->info.general; x++)
		if (has_general(pmu->claimed, x))
			rc = undo_general(pmu, x, undo, err);
	for (unsigned n = 0; !rc && n < CORE_PMU_MAX_FIXED; n++)
		if (has_fixed(pmu->claimed, n))
			rc = undo_fixed(pmu, n, undo, err);
	return rc ? rc : add_ours(pmu, undo, err);
}

int core_pmu_add_ours(const struct core_pmu *pmu, unsigned x, uint64_t perfevtsel,
		      struct undo *undo, struct error *err)
{
	const struct reg reg = cpu_register(pmu->cpu, IA32_PERFEVTSEL0 + x);

	return undo_add_ours(undo, &reg, perfevtsel, err);
}

/* All registers are tried, even if one fails. */
int core_pmu_restore(struct core_pmu *pmu, struct error *err)
{
	const struct topology no_cpus = {0};
	struct undo_left left = {0};
	struct undo undo = {0};

	if (!pmu->saved_any)
		return 0;
	int rc = core_pmu_undo(pmu, &undo, err);
	if (!rc)
		rc = undo_apply(pmu->platform, &undo, 0, undo.count, &no_cpus, &left, err);
	undo_free(&undo);
	if (!rc) {
		pmu->saved_any = false;
		pmu->claimed = 0;
	}
	return rc;
}
