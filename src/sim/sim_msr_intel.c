/* SPDX-License-Identifier: BSD-3-Clause */
/* Core PMU, and what all of a socket's uncore shares. */
#include <errno.h>

#include "msr/core_pmu.h"
#include "sim/sim_msr.h"
#include "sim/sim_unit.h"
#include "sim/traffic.h"

#define PMON_CBO_COUNT 0x3FED /* from Granite Rapids on: number of CHAs, bits 8:0 */
#define UNC_CBO_CONFIG 0x2FFE /* the same of Sapphire Rapids; 0 on Emerald Rapids */

#define GENERAL_MASK ((UINT64_C(1) << SIM_GENERAL_COUNTERS) - 1)
#define FIXED_MASK   (((UINT64_C(1) << SIM_FIXED_COUNTERS) - 1) << GLOBAL_FIXED_SHIFT)
#define GLOBAL_MASK  (GENERAL_MASK | FIXED_MASK)
#define STATUS_MASK  (GLOBAL_MASK | GLOBAL_STATUS_OVF_BUFFER | GLOBAL_STATUS_COND_CHANGED)

/* PERFEVTSEL: AnyThread (21) is reserved in version 5, and so is all above TSX's bits. */
#define PERFEVTSEL_RESERVED                                                                        \
	(PERFEVTSEL_ANY | ~(UINT64_C(0xFFFFFFFF) | PERFEVTSEL_IN_TX | PERFEVTSEL_IN_TXCP))
/* FIXED_CTR_CTRL: bit 2 of a nibble is AnyThread; nothing beyond the counters there are. */
#define FIXED_CTRL_RESERVED (~((UINT64_C(1) << (4 * SIM_FIXED_COUNTERS)) - 1) | UINT64_C(0x4444))
#define FIXED_PMI	    UINT64_C(0x8888)

/* Intel's graniterapids_core: OCR.READS_TO_CORE.{LOCAL,REMOTE,}_CXL_MEM */
#define OFFCORE_LOCAL_CXL  UINT64_C(0x700C04477)
#define OFFCORE_REMOTE_CXL UINT64_C(0x703004477)
#define OFFCORE_ANY_CXL	   UINT64_C(0x703C04477)
#define OFFCORE_COUNTERS   4 /* the first of the general counters */

enum event_kind {
	CYCLES,
	INSTRUCTIONS,
	REF_CYCLES,
	LOCAL_CXL_READS,
	REMOTE_CXL_READS,
	CXL_READS,
	NOT_SIMULATED,
};

static struct sim_core *core_of(struct sim *sim, unsigned cpu)
{
	return &sim->cores[sim->cores[cpu].first_thread];
}

/* What an offcore response register makes its event count. */
static enum event_kind offcore_event(const struct sim *sim, uint64_t response, unsigned counter)
{
	const bool perhaps = sim->spec.model == SIM_SPR || sim->spec.model == SIM_EMR;

	if ((!sim_model_facts(sim->spec.model)->offcore_cxl && !(perhaps && sim->spec.ocr_cxl)) ||
	    counter >= OFFCORE_COUNTERS)
		return NOT_SIMULATED;
	return response == OFFCORE_LOCAL_CXL	? LOCAL_CXL_READS
	       : response == OFFCORE_REMOTE_CXL ? REMOTE_CXL_READS
	       : response == OFFCORE_ANY_CXL	? CXL_READS
						: NOT_SIMULATED;
}

/* What a control selects on general counter x, with the offcore response registers. */
static enum event_kind event_of(const struct sim *sim, uint64_t control,
				const uint64_t offcore[OFFCORE_REGISTERS], unsigned x)
{
	switch (control & 0xffff) {
	case 0x003C:
		return CYCLES;
	case 0x00C0:
		return INSTRUCTIONS;
	case 0x013C:
		return REF_CYCLES;
	case 0x012A:
		return offcore_event(sim, offcore[0], x);
	case 0x012B:
		return offcore_event(sim, offcore[1], x);
	default:
		return NOT_SIMULATED;
	}
}

static enum event_kind selected_event(struct sim *sim, unsigned cpu, unsigned x)
{
	return event_of(sim, sim->cores[cpu].perfevtsel[x], core_of(sim, cpu)->offcore, x);
}

/* Events that only fixed counters have: reference cycles and slots */
static bool counts(const struct sim *sim, uint64_t control, uint64_t response)
{
	const uint64_t offcore[OFFCORE_REGISTERS] = {response, response};
	const unsigned code = control & 0xffff;

	return code == 0x0300 || code == 0x0400 ||
	       event_of(sim, control, offcore, 0) != NOT_SIMULATED;
}

/* Events from time 0 to t. */
static uint64_t event_count(const struct sim *sim, unsigned cpu, enum event_kind event, uint64_t t)
{
	switch (event) {
	case CYCLES:
		return traffic_core_cycles(t);
	case INSTRUCTIONS:
		return traffic_core_instructions(t);
	case REF_CYCLES:
		return traffic_core_reference(t);
	case LOCAL_CXL_READS:
		return traffic_core_reads(&sim->loads, cpu, true, false, t);
	case REMOTE_CXL_READS:
		return traffic_core_reads(&sim->loads, cpu, true, true, t);
	case CXL_READS:
		return traffic_core_reads(&sim->loads, cpu, true, false, t) +
		       traffic_core_reads(&sim->loads, cpu, true, true, t);
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

/* Sets the bases to the current values, before they are read or what is counted changes. */
static void update_counters(struct sim *sim, unsigned cpu)
{
	/* the order of FIXED_CTRn; slots are six a cycle */
	static const struct {
		enum event_kind event;
		unsigned factor;
	} fixed[SIM_FIXED_COUNTERS] = {
		{INSTRUCTIONS, 1}, {CYCLES, 1}, {REF_CYCLES, 1}, {CYCLES, 6}};
	struct sim_core *core = &sim->cores[cpu];
	const uint64_t now = sim->now;

	for (unsigned x = 0; x < SIM_GENERAL_COUNTERS; x++) {
		const enum event_kind event = selected_event(sim, cpu, x);
		const uint64_t events = event_count(sim, cpu, event, now) -
					event_count(sim, cpu, event, core->general[x].since);

		sim_core_add_events(core, &core->general[x], general_runs(core, x) ? events : 0, x,
				    now);
	}
	for (unsigned n = 0; n < SIM_FIXED_COUNTERS; n++) {
		const uint64_t events =
			(event_count(sim, cpu, fixed[n].event, now) -
			 event_count(sim, cpu, fixed[n].event, core->fixed[n].since)) *
			fixed[n].factor;

		sim_core_add_events(core, &core->fixed[n], fixed_runs(core, n) ? events : 0,
				    GLOBAL_FIXED_SHIFT + n, now);
	}
}

static bool read_core(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	struct sim_core *core = &sim->cores[cpu];
	unsigned i;

	update_counters(sim, cpu);
	if (sim_core_in_array(msr, IA32_PMC0, SIM_GENERAL_COUNTERS, &i) ||
	    sim_core_in_array(msr, IA32_A_PMC0, SIM_GENERAL_COUNTERS, &i)) {
		*value = core->general[i].base;
		return true;
	}
	if (sim_core_in_array(msr, IA32_PERFEVTSEL0, SIM_GENERAL_COUNTERS, &i)) {
		*value = core->perfevtsel[i];
		return true;
	}
	if (sim_core_in_array(msr, IA32_FIXED_CTR0, SIM_FIXED_COUNTERS, &i)) {
		*value = core->fixed[i].base;
		return true;
	}
	if (sim_core_in_array(msr, IA32_OFFCORE_RSP_0, OFFCORE_REGISTERS, &i)) {
		*value = core_of(sim, cpu)->offcore[i];
		return true;
	}
	return false;
}

/* Intel SDM vol. 3B, "IA32_PERF_GLOBAL_INUSE MSR": what is selected, whether it counts or not */
static uint64_t global_inuse(const struct sim_core *core)
{
	uint64_t inuse = 0, interrupts = core->pebs_enable | (core->fixed_ctr_ctrl & FIXED_PMI);

	for (unsigned x = 0; x < SIM_GENERAL_COUNTERS; x++) {
		inuse |= (uint64_t) !!(core->perfevtsel[x] & 0xff) << x;
		interrupts |= core->perfevtsel[x] & PERFEVTSEL_INT;
	}
	for (unsigned n = 0; n < SIM_FIXED_COUNTERS; n++)
		inuse |= (uint64_t) !!(core->fixed_ctr_ctrl >> (4 * n) & 3)
			 << (GLOBAL_FIXED_SHIFT + n);
	return inuse | (interrupts ? GLOBAL_INUSE_PMI : 0);
}

/* A snapshot does not say. */
static int read_cha_count(const struct sim *sim, uint32_t msr, uint64_t *value)
{
	const enum sim_model model = sim->spec.model;

	*value = model != SIM_EMR && !sim->snapshot ? sim->spec.chas : 0;
	if (msr == PMON_CBO_COUNT)
		return sim_model_facts(model)->cha_count_msr ? 0 : -EIO;
	return model == SIM_SPR || model == SIM_EMR ? 0 : -EIO;
}

static int read_other(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	const struct sim_core *core = &sim->cores[cpu];

	switch (msr) {
	case IA32_TIME_STAMP_COUNTER:
		*value = traffic_core_reference(sim->now);
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
		*value = global_inuse(core);
		return 0;
	case IA32_PEBS_ENABLE:
		*value = core->pebs_enable;
		return 0;
	case SIM_GLOBAL_CONTROL_MSR:
		*value = sim->sockets[core->socket].global_control;
		return 0;
	case SIM_TABLE_MSR:
		*value = core->table;
		return sim_model_facts(sim->spec.model)->dies_have_tables ? 0 : -EIO;
	case PMON_CBO_COUNT:
	case UNC_CBO_CONFIG:
		return read_cha_count(sim, msr, value);
	default:
		return -EIO;
	}
}

static int read_msr(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	return read_core(sim, cpu, msr, value) ? 0 : read_other(sim, cpu, msr, value);
}

/* What any thread of the core counts may change. */
static int write_offcore(struct sim *sim, unsigned cpu, unsigned r, uint64_t value)
{
	for (unsigned i = 0; i < sim->core_count; i++)
		if (core_of(sim, i) == core_of(sim, cpu))
			update_counters(sim, i);
	return sim_core_write(&core_of(sim, cpu)->offcore[r], value, SIM_OFFCORE_RESERVED);
}

static int write_msr(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct sim_core *core = &sim->cores[cpu];
	unsigned i;

	update_counters(sim, cpu);
	if (sim_core_in_array(msr, IA32_PMC0, SIM_GENERAL_COUNTERS, &i)) {
		/* the upper half is ignored, bit 31 stands for it */
		core->general[i].base =
			(uint64_t)(int64_t)(int32_t)(uint32_t)value & SIM_COUNTER_MASK;
		return 0;
	}
	if (sim_core_in_array(msr, IA32_A_PMC0, SIM_GENERAL_COUNTERS, &i))
		return sim_core_write(&core->general[i].base, value, ~SIM_COUNTER_MASK);
	if (sim_core_in_array(msr, IA32_PERFEVTSEL0, SIM_GENERAL_COUNTERS, &i))
		return sim_core_write(&core->perfevtsel[i], value, PERFEVTSEL_RESERVED);
	if (sim_core_in_array(msr, IA32_FIXED_CTR0, SIM_FIXED_COUNTERS, &i))
		return sim_core_write(&core->fixed[i].base, value, ~SIM_COUNTER_MASK);
	if (sim_core_in_array(msr, IA32_OFFCORE_RSP_0, OFFCORE_REGISTERS, &i))
		return write_offcore(sim, cpu, i, value);
	switch (msr) {
	case SIM_GLOBAL_CONTROL_MSR:
		sim_set_global_control(sim, core->socket, value);
		return 0;
	case IA32_FIXED_CTR_CTRL:
		return sim_core_write(&core->fixed_ctr_ctrl, value, FIXED_CTRL_RESERVED);
	case IA32_PERF_GLOBAL_CTRL:
		return sim_core_write(&core->global_ctrl, value, ~GLOBAL_MASK);
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
		return sim_core_write(&core->misc_enable, value, 0);
	case IA32_DEBUGCTL:
		return sim_core_write(&core->debugctl, value, 0);
	case IA32_PEBS_ENABLE:
		return sim_core_write(&core->pebs_enable, value, ~GLOBAL_MASK);
	default:
		return -EIO; /* also for read-only ones, such as IA32_PERF_GLOBAL_STATUS */
	}
}

static void set_msr(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct sim_core *core = &sim->cores[cpu];
	unsigned x;

	if (msr == SIM_GLOBAL_CONTROL_MSR)
		sim_set_global_control(sim, core->socket, value);
	else if (msr == SIM_TABLE_MSR)
		core->table = value;
	else if (msr == IA32_MISC_ENABLE)
		core->misc_enable = value;
	else if (msr == IA32_FIXED_CTR_CTRL)
		core->fixed_ctr_ctrl = value & ~FIXED_CTRL_RESERVED;
	else if (msr == IA32_PERF_GLOBAL_CTRL)
		core->global_ctrl = value & GLOBAL_MASK;
	else if (sim_core_in_array(msr, IA32_PERFEVTSEL0, SIM_GENERAL_COUNTERS, &x))
		core->perfevtsel[x] = value & ~PERFEVTSEL_RESERVED;
	else if (sim_core_in_array(msr, IA32_OFFCORE_RSP_0, OFFCORE_REGISTERS, &x))
		core_of(sim, cpu)->offcore[x] = value & ~SIM_OFFCORE_RESERVED;
}

const struct sim_core_msrs sim_core_intel = {
	.read = read_msr,
	.write = write_msr,
	.set = set_msr,
	.counts = counts,
	.control = IA32_PERFEVTSEL0,
	.counter = IA32_A_PMC0,
	.step = 1,
	.count = SIM_GENERAL_COUNTERS,
	.config = UINT64_C(0xFF84FFFF), /* event, umask, edge, inv and cmask */
	.fixed_counters = true,
	.global_ctrl = IA32_PERF_GLOBAL_CTRL,
	.global_all = SIM_GLOBAL_CTRL_ALL};
