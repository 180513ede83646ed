/* SPDX-License-Identifier: BSD-3-Clause */
/* The model-specific registers of a simulated CPU, its CPUID, and its core PMU. */
#include <errno.h>
#include <string.h>

#include "msr/core_pmu.h"
#include "sim/machine.h"
#include "snapshot/snapshot.h"

#define GLOBAL_FREEZE_MSR 0x2FF0
#define PMON_CBO_COUNT	  0x3FED /* Granite Rapids and Sierra Forest: number of CHAs, bits 8:0 */

#define GENERAL_MASK ((UINT64_C(1) << SIM_GENERAL_COUNTERS) - 1)
#define FIXED_MASK   (((UINT64_C(1) << SIM_FIXED_COUNTERS) - 1) << GLOBAL_FIXED_SHIFT)
#define GLOBAL_MASK  (GENERAL_MASK | FIXED_MASK)
#define STATUS_MASK  (GLOBAL_MASK | GLOBAL_STATUS_OVF_BUFFER | GLOBAL_STATUS_COND_CHANGED)

/* PERFEVTSEL: AnyThread (21) is reserved in version 5, and so is all above TSX's bits. */
#define PERFEVTSEL_RESERVED                                                                        \
	(PERFEVTSEL_ANY | ~(UINT64_C(0xFFFFFFFF) | PERFEVTSEL_IN_TX | PERFEVTSEL_IN_TXCP))
/* FIXED_CTR_CTRL: bit 2 of a nibble is AnyThread; nothing beyond the counters there are. */
#define FIXED_CTRL_RESERVED (~((UINT64_C(1) << (4 * SIM_FIXED_COUNTERS)) - 1) | UINT64_C(0x4444))

/* 0 cycles, 1 instructions, 2 reference cycles; -1 for what is not simulated */
static int event_kind(uint64_t perfevtsel)
{
	switch (perfevtsel & 0xffff) {
	case 0x003C:
		return 0;
	case 0x00C0:
		return 1;
	case 0x013C:
		return 2;
	default:
		return -1;
	}
}

static uint64_t happened(const struct sim *sim, unsigned cpu, int kind, uint64_t t)
{
	switch (kind) {
	case 0:
		return traffic_core_cycles(&sim->spec, cpu, t);
	case 1:
		return traffic_core_instructions(&sim->spec, cpu, t);
	case 2:
		return traffic_core_reference(&sim->spec, t);
	default:
		return 0;
	}
}

static bool general_runs(const struct sim_core *core, unsigned x)
{
	const uint64_t sel = core->perfevtsel[x];

	return core->global_ctrl >> x & 1 && sel & PERFEVTSEL_EN &&
	       sel & (PERFEVTSEL_USR | PERFEVTSEL_OS);
}

static bool fixed_runs(const struct sim_core *core, unsigned n)
{
	return core->global_ctrl >> (GLOBAL_FIXED_SHIFT + n) & 1 &&
	       core->fixed_ctr_ctrl >> (4 * n) & 3;
}

/* A counter that passes its width wraps, and leaves its overflow bit. */
static void settle_counter(struct sim_core *core, struct sim_counter *counter, uint64_t events,
			   unsigned status_bit, uint64_t now)
{
	if (counter->base + events > SIM_COUNTER_MASK)
		core->global_status |= UINT64_C(1) << status_bit;
	counter->base = (counter->base + events) & SIM_COUNTER_MASK;
	counter->since = now;
}

static void settle(struct sim *sim, unsigned cpu)
{
	/* the order of FIXED_CTRn: instructions, cycles, reference cycles, slots (six a cycle) */
	static const int fixed_kind[SIM_FIXED_COUNTERS] = {1, 0, 2, 0};
	static const unsigned fixed_factor[SIM_FIXED_COUNTERS] = {1, 1, 1, 6};
	struct sim_core *core = &sim->cores[cpu];
	const uint64_t now = sim_now(sim);

	for (unsigned x = 0; x < SIM_GENERAL_COUNTERS; x++) {
		const int kind = event_kind(core->perfevtsel[x]);
		const uint64_t events = happened(sim, cpu, kind, now) -
					happened(sim, cpu, kind, core->general[x].since);

		settle_counter(core, &core->general[x], general_runs(core, x) ? events : 0, x, now);
	}
	for (unsigned n = 0; n < SIM_FIXED_COUNTERS; n++) {
		const uint64_t events = (happened(sim, cpu, fixed_kind[n], now) -
					 happened(sim, cpu, fixed_kind[n], core->fixed[n].since)) *
					fixed_factor[n];

		settle_counter(core, &core->fixed[n], fixed_runs(core, n) ? events : 0,
			       GLOBAL_FIXED_SHIFT + n, now);
	}
}

static bool within(uint32_t msr, uint32_t first, unsigned count, unsigned *index)
{
	*index = msr - first;
	return msr >= first && *index < count;
}

static bool read_core(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	struct sim_core *core = &sim->cores[cpu];
	unsigned i;

	settle(sim, cpu);
	if (within(msr, IA32_PMC0, SIM_GENERAL_COUNTERS, &i) ||
	    within(msr, IA32_A_PMC0, SIM_GENERAL_COUNTERS, &i)) {
		*value = core->general[i].base;
		return true;
	}
	if (within(msr, IA32_PERFEVTSEL0, SIM_GENERAL_COUNTERS, &i)) {
		*value = core->perfevtsel[i];
		return true;
	}
	if (within(msr, IA32_FIXED_CTR0, SIM_FIXED_COUNTERS, &i)) {
		*value = core->fixed[i].base;
		return true;
	}
	return false;
}

static int read_single(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	const struct sim_core *core = &sim->cores[cpu];

	switch (msr) {
	case IA32_TIME_STAMP_COUNTER:
		*value = traffic_core_reference(&sim->spec, sim_now(sim));
		return 0;
	case IA32_MISC_ENABLE:
		*value = core->misc_enable;
		return 0;
	case IA32_DEBUGCTL:
		*value = core->debugctl;
		return 0;
	case IA32_PERF_CAPABILITIES:
		*value = PERF_CAPABILITIES_FULL_WRITE;
		return 0;
	case IA32_FIXED_CTR_CTRL:
		*value = core->fixed_ctr_ctrl;
		return 0;
	case IA32_PERF_GLOBAL_STATUS:
		*value = core->global_status;
		return 0;
	case IA32_PERF_GLOBAL_CTRL:
		*value = core->global_ctrl;
		return 0;
	case IA32_PERF_GLOBAL_OVF_CTRL:
	case IA32_PERF_GLOBAL_STATUS_SET:
		*value = 0;
		return 0;
	case IA32_PERF_GLOBAL_INUSE:
		*value = 0;
		for (unsigned x = 0; x < SIM_GENERAL_COUNTERS; x++)
			*value |= (uint64_t) !!core->perfevtsel[x] << x;
		for (unsigned n = 0; n < SIM_FIXED_COUNTERS; n++)
			*value |= (uint64_t) !!(core->fixed_ctr_ctrl >> (4 * n) & 0xf)
				  << (GLOBAL_FIXED_SHIFT + n);
		return 0;
	case IA32_PEBS_ENABLE:
		*value = core->pebs_enable;
		return 0;
	case GLOBAL_FREEZE_MSR:
		*value = sim->sockets[core->socket].global_control;
		return 0;
	case PMON_CBO_COUNT:
		*value = sim->spec.chas;
		return sim->spec.model == SIM_GNR || sim->spec.model == SIM_SRF ? 0 : -EIO;
	default:
		return -EIO;
	}
}

/* The MSR of a unit of the CPU's own socket. */
static struct sim_unit *unit_of(struct sim *sim, unsigned cpu, uint32_t msr)
{
	const unsigned socket = sim->cores[cpu].socket;

	for (size_t i = 0; i < sim->unit_count; i++) {
		struct sim_unit *unit = &sim->units[i];
		uint64_t ignored;

		if (unit->access == 0 && unit->place.socket == socket && msr >= unit->address &&
		    sim_unit_read(sim, unit, msr - unit->address, &ignored))
			return unit;
	}
	return NULL;
}

static int reachable(const struct sim *sim, unsigned cpu, uint32_t msr)
{
	if (sim->msr_absent || cpu >= sim->core_count)
		return -ENOENT;
	if (!sim->cores[cpu].online)
		return -ENXIO;
	return sim->msr_fault && sim->faulty_msr == msr ? sim->msr_fault : 0;
}

int sim_msr_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	int rc = reachable(sim, cpu, msr);
	if (rc)
		return rc;
	if (read_core(sim, cpu, msr, value))
		return 0;

	struct sim_unit *unit = unit_of(sim, cpu, msr);
	if (unit)
		return sim_unit_read(sim, unit, msr - unit->address, value) ? 0 : -EIO;
	return read_single(sim, cpu, msr, value);
}

static int write_checked(uint64_t *where, uint64_t value, uint64_t reserved)
{
	if (value & reserved)
		return -EIO;
	*where = value;
	return 0;
}

static int write_core(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct sim_core *core = &sim->cores[cpu];
	unsigned i;

	settle(sim, cpu);
	if (within(msr, IA32_PMC0, SIM_GENERAL_COUNTERS, &i)) {
		/* the upper half is ignored, bit 31 stands for it */
		core->general[i].base =
			(uint64_t)(int64_t)(int32_t)(uint32_t)value & SIM_COUNTER_MASK;
		return 0;
	}
	if (within(msr, IA32_A_PMC0, SIM_GENERAL_COUNTERS, &i))
		return write_checked(&core->general[i].base, value, ~SIM_COUNTER_MASK);
	if (within(msr, IA32_PERFEVTSEL0, SIM_GENERAL_COUNTERS, &i))
		return write_checked(&core->perfevtsel[i], value, PERFEVTSEL_RESERVED);
	if (within(msr, IA32_FIXED_CTR0, SIM_FIXED_COUNTERS, &i))
		return write_checked(&core->fixed[i].base, value, ~SIM_COUNTER_MASK);
	switch (msr) {
	case IA32_FIXED_CTR_CTRL:
		return write_checked(&core->fixed_ctr_ctrl, value, FIXED_CTRL_RESERVED);
	case IA32_PERF_GLOBAL_CTRL:
		return write_checked(&core->global_ctrl, value, ~GLOBAL_MASK);
	case IA32_PERF_GLOBAL_OVF_CTRL:
		if (value & ~STATUS_MASK)
			return -EIO;
		core->global_status &= ~value;
		return 0;
	case IA32_PERF_GLOBAL_STATUS_SET:
		if (value & ~STATUS_MASK)
			return -EIO;
		core->global_status |= value;
		return 0;
	case IA32_MISC_ENABLE:
		return write_checked(&core->misc_enable, value, 0);
	case IA32_DEBUGCTL:
		return write_checked(&core->debugctl, value, 0);
	case IA32_PEBS_ENABLE:
		return write_checked(&core->pebs_enable, value, ~GLOBAL_MASK);
	default:
		return -EIO; /* IA32_PERF_GLOBAL_STATUS and what is read-only, too */
	}
}

int sim_msr_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	int rc = reachable(sim, cpu, msr);

	if (rc)
		return rc;
	if (sim->writes_refused)
		return -EPERM;
	if (msr == GLOBAL_FREEZE_MSR) {
		sim_socket_freeze(sim, sim->cores[cpu].socket, value);
		return 0;
	}

	struct sim_unit *unit = unit_of(sim, cpu, msr);
	if (!unit)
		return write_core(sim, cpu, msr, value);
	if (value & sim_unit_reserved(unit, msr - unit->address))
		return -EIO;
	sim_unit_write(sim, unit, msr - unit->address, value);
	return 0;
}

void sim_msr_preset(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	unsigned x;

	if (cpu >= sim->core_count)
		return;
	struct sim_core *core = &sim->cores[cpu];
	if (msr == GLOBAL_FREEZE_MSR)
		sim_socket_freeze(sim, core->socket, value);
	else if (msr == IA32_MISC_ENABLE)
		core->misc_enable = value;
	else if (msr == IA32_FIXED_CTR_CTRL)
		core->fixed_ctr_ctrl = value & ~FIXED_CTRL_RESERVED;
	else if (msr == IA32_PERF_GLOBAL_CTRL)
		core->global_ctrl = value & GLOBAL_MASK;
	else if (within(msr, IA32_PERFEVTSEL0, SIM_GENERAL_COUNTERS, &x))
		core->perfevtsel[x] = value & ~PERFEVTSEL_RESERVED;
}

/* Family 6 and the display model, as CPUID.1 EAX packs them. */
static uint32_t signature(enum sim_model model)
{
	static const uint8_t display[] = {
		[SIM_SPR] = 0x8F, [SIM_EMR] = 0xCF, [SIM_GNR] = 0xAD, [SIM_SRF] = 0xAF};
	const uint32_t m = display[model];

	return 0x600 | (m & 0xf) << 4 | m >> 4 << 16 | 1;
}

/* More counters than are simulated, or wider ones, are not promised. */
static bool can_be_simulated(const struct snapshot_cpuid *leaf)
{
	struct core_pmu_info pmu;

	core_pmu_decode(leaf->regs, &pmu);
	return leaf->leaf != 0xA ||
	       (pmu.general <= SIM_GENERAL_COUNTERS && pmu.general_width <= SIM_COUNTER_BITS &&
		pmu.fixed_width <= SIM_COUNTER_BITS && !(pmu.fixed_mask >> SIM_FIXED_COUNTERS));
}

/* What the machine of the snapshot said; false where it wasn't asked. */
static bool said_before(const struct sim *sim, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	for (size_t i = 0; sim->snapshot && i < sim->snapshot->leaf_count; i++) {
		const struct snapshot_cpuid *row = &sim->snapshot->leaves[i];

		if (row->leaf != leaf || row->subleaf != subleaf || leaf == 0x40000000 ||
		    !can_be_simulated(row))
			continue;
		memcpy(regs, row->regs, sizeof(row->regs));
		if (leaf == 1)
			regs[2] = (regs[2] & ~(UINT32_C(1) << 31)) | (uint32_t) !!*sim->hypervisor
									     << 31;
		return true;
	}
	return false;
}

void sim_cpuid(const struct sim *sim, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	/* three leaves of 16 bytes */
	static const char brand[48] = "simulated by cxlmon";

	if (said_before(sim, leaf, subleaf, regs))
		return;
	memset(regs, 0, 4 * sizeof(regs[0]));
	switch (leaf) {
	case 0:
		regs[0] = 0x20;
		memcpy(&regs[1], "Genu", 4);
		memcpy(&regs[3], "ineI", 4);
		memcpy(&regs[2], "ntel", 4);
		break;
	case 1:
		regs[0] = signature(sim->spec.model);
		regs[2] = UINT32_C(1) << 15; /* PDCM */
		regs[2] |= (uint32_t) !!*sim->hypervisor << 31;
		regs[3] = UINT32_C(1) << 4 | UINT32_C(1) << 5; /* TSC, MSR */
		break;
	case 0xA:
		/* version 5; counters and widths; all seven architectural events available */
		regs[0] = 5 | SIM_GENERAL_COUNTERS << 8 | SIM_COUNTER_BITS << 16 | 7 << 24;
		regs[2] = (UINT32_C(1) << SIM_FIXED_COUNTERS) - 1;
		regs[3] = SIM_FIXED_COUNTERS | SIM_COUNTER_BITS << 5 | UINT32_C(1) << 15;
		break;
	case 0x40000000:
		memcpy(&regs[1], sim->hypervisor, sizeof(sim->hypervisor) - 1);
		break;
	case 0x80000000:
		regs[0] = 0x80000004;
		break;
	case 0x80000002:
	case 0x80000003:
	case 0x80000004:
		memcpy(regs, brand + 16 * (leaf - 0x80000002), 16);
		break;
	default:
		break;
	}
}
