/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_msr.h"

#include <errno.h>

#include "msr/core_pmu.h"
#include "sim/sim_unit.h"
#include "sim/traffic.h"

#define PMON_CBO_COUNT 0x3FED /* from Granite Rapids on: number of CHAs, bits 8:0 */

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

/* The kernel's intel_glc_extra_regs: writable bits of the offcore response registers */
#define OFFCORE_RESERVED (~UINT64_C(0x3FFFFFFFFF))
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
	if (sim->spec.model != SIM_GNR || counter >= OFFCORE_COUNTERS)
		return NOT_SIMULATED;
	return response == OFFCORE_LOCAL_CXL	? LOCAL_CXL_READS
	       : response == OFFCORE_REMOTE_CXL ? REMOTE_CXL_READS
	       : response == OFFCORE_ANY_CXL	? CXL_READS
						: NOT_SIMULATED;
}

static enum event_kind selected_event(struct sim *sim, unsigned cpu, unsigned x)
{
	switch (sim->cores[cpu].perfevtsel[x] & 0xffff) {
	case 0x003C:
		return CYCLES;
	case 0x00C0:
		return INSTRUCTIONS;
	case 0x013C:
		return REF_CYCLES;
	case 0x012A:
		return offcore_event(sim, core_of(sim, cpu)->offcore[0], x);
	case 0x012B:
		return offcore_event(sim, core_of(sim, cpu)->offcore[1], x);
	default:
		return NOT_SIMULATED;
	}
}

/* Events from time 0 to t. */
static uint64_t event_count(const struct sim *sim, unsigned cpu, enum event_kind event, uint64_t t)
{
	switch (event) {
	case CYCLES:
		return traffic_core_cycles(&sim->spec, cpu, t);
	case INSTRUCTIONS:
		return traffic_core_instructions(&sim->spec, cpu, t);
	case REF_CYCLES:
		return traffic_core_reference(&sim->spec, t);
	case LOCAL_CXL_READS:
		return traffic_core_cxl_reads(&sim->loads, cpu, false, t);
	case REMOTE_CXL_READS:
		return traffic_core_cxl_reads(&sim->loads, cpu, true, t);
	case CXL_READS:
		return traffic_core_cxl_reads(&sim->loads, cpu, false, t) +
		       traffic_core_cxl_reads(&sim->loads, cpu, true, t);
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

/* A counter that exceeds its width wraps and sets its overflow bit. */
static void add_events(struct sim_core *core, struct sim_counter *counter, uint64_t events,
		       unsigned status_bit, uint64_t now)
{
	if (counter->base + events > SIM_COUNTER_MASK)
		core->global_status |= UINT64_C(1) << status_bit;
	counter->base = (counter->base + events) & SIM_COUNTER_MASK;
	counter->since = now;
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

		add_events(core, &core->general[x], general_runs(core, x) ? events : 0, x, now);
	}
	for (unsigned n = 0; n < SIM_FIXED_COUNTERS; n++) {
		const uint64_t events =
			(event_count(sim, cpu, fixed[n].event, now) -
			 event_count(sim, cpu, fixed[n].event, core->fixed[n].since)) *
			fixed[n].factor;

		add_events(core, &core->fixed[n], fixed_runs(core, n) ? events : 0,
			   GLOBAL_FIXED_SHIFT + n, now);
	}
}

static bool in_array(uint32_t msr, uint32_t first, unsigned count, unsigned *index)
{
	*index = msr - first;
	return msr >= first && *index < count;
}

static bool read_core(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	struct sim_core *core = &sim->cores[cpu];
	unsigned i;

	update_counters(sim, cpu);
	if (in_array(msr, IA32_PMC0, SIM_GENERAL_COUNTERS, &i) ||
	    in_array(msr, IA32_A_PMC0, SIM_GENERAL_COUNTERS, &i)) {
		*value = core->general[i].base;
		return true;
	}
	if (in_array(msr, IA32_PERFEVTSEL0, SIM_GENERAL_COUNTERS, &i)) {
		*value = core->perfevtsel[i];
		return true;
	}
	if (in_array(msr, IA32_FIXED_CTR0, SIM_FIXED_COUNTERS, &i)) {
		*value = core->fixed[i].base;
		return true;
	}
	if (in_array(msr, IA32_OFFCORE_RSP_0, OFFCORE_REGISTERS, &i)) {
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

static int read_other(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	const struct sim_core *core = &sim->cores[cpu];

	switch (msr) {
	case IA32_TIME_STAMP_COUNTER:
		*value = traffic_core_reference(&sim->spec, sim->now);
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
		*value = sim->spec.chas;
		return sim_model_facts(sim->spec.model)->cha_count_msr ? 0 : -EIO;
	default:
		return -EIO;
	}
}

/* The error that any access to this MSR fails with; 0: none. */
static int access_error(const struct sim *sim, unsigned cpu, uint32_t msr)
{
	if (sim->faults.msr_absent || cpu >= sim->core_count)
		return -ENOENT;
	if (!sim->cores[cpu].online)
		return -ENXIO;
	return sim->faults.msr == msr ? sim->faults.msr_code : 0;
}

int sim_msr_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	int rc = access_error(sim, cpu, msr);
	if (rc)
		return rc;
	if (read_core(sim, cpu, msr, value))
		return 0;

	struct sim_unit *unit = sim_find_msr_unit(sim, sim->cores[cpu].socket, msr);
	if (unit)
		return sim_unit_read(sim, unit, msr - unit->address, value) ? 0 : -EIO;
	return read_other(sim, cpu, msr, value);
}

/* As WRMSR: a reserved bit is an error. */
static int write_checked(uint64_t *where, uint64_t value, uint64_t reserved)
{
	if (value & reserved)
		return -EIO;
	*where = value;
	return 0;
}

/* What any thread of the core counts may change. */
static int write_offcore(struct sim *sim, unsigned cpu, unsigned r, uint64_t value)
{
	for (unsigned i = 0; i < sim->core_count; i++)
		if (core_of(sim, i) == core_of(sim, cpu))
			update_counters(sim, i);
	return write_checked(&core_of(sim, cpu)->offcore[r], value, OFFCORE_RESERVED);
}

static int write_core(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct sim_core *core = &sim->cores[cpu];
	unsigned i;

	update_counters(sim, cpu);
	if (in_array(msr, IA32_PMC0, SIM_GENERAL_COUNTERS, &i)) {
		/* the upper half is ignored, bit 31 stands for it */
		core->general[i].base =
			(uint64_t)(int64_t)(int32_t)(uint32_t)value & SIM_COUNTER_MASK;
		return 0;
	}
	if (in_array(msr, IA32_A_PMC0, SIM_GENERAL_COUNTERS, &i))
		return write_checked(&core->general[i].base, value, ~SIM_COUNTER_MASK);
	if (in_array(msr, IA32_PERFEVTSEL0, SIM_GENERAL_COUNTERS, &i))
		return write_checked(&core->perfevtsel[i], value, PERFEVTSEL_RESERVED);
	if (in_array(msr, IA32_FIXED_CTR0, SIM_FIXED_COUNTERS, &i))
		return write_checked(&core->fixed[i].base, value, ~SIM_COUNTER_MASK);
	if (in_array(msr, IA32_OFFCORE_RSP_0, OFFCORE_REGISTERS, &i))
		return write_offcore(sim, cpu, i, value);
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
		return -EIO; /* also for read-only ones, such as IA32_PERF_GLOBAL_STATUS */
	}
}

int sim_msr_may_write(const struct sim *sim)
{
	return sim->faults.writes_refused || sim->faults.locked_down ? -EPERM : 0;
}

int sim_msr_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	int rc = access_error(sim, cpu, msr);

	if (!rc)
		rc = sim_msr_may_write(sim);
	if (rc)
		return rc;
	if (msr == SIM_GLOBAL_CONTROL_MSR) {
		sim_set_global_control(sim, sim->cores[cpu].socket, value);
		return 0;
	}

	struct sim_unit *unit = sim_find_msr_unit(sim, sim->cores[cpu].socket, msr);
	if (!unit)
		return write_core(sim, cpu, msr, value);
	if (value & sim_unit_reserved(unit, msr - unit->address))
		return -EIO;
	sim_unit_write(sim, unit, msr - unit->address, value);
	return 0;
}

uint64_t sim_msr_kernel_read(struct sim *sim, unsigned cpu, uint32_t msr)
{
	uint64_t value = 0;

	if (!read_core(sim, cpu, msr, &value))
		read_other(sim, cpu, msr, &value);
	return value;
}

void sim_msr_kernel_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	write_core(sim, cpu, msr, value);
}

uint64_t sim_msr_offcore_reserved(void)
{
	return OFFCORE_RESERVED;
}

void sim_msr_set(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	unsigned x;

	if (cpu >= sim->core_count)
		return;
	struct sim_core *core = &sim->cores[cpu];
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
	else if (in_array(msr, IA32_PERFEVTSEL0, SIM_GENERAL_COUNTERS, &x))
		core->perfevtsel[x] = value & ~PERFEVTSEL_RESERVED;
	else if (in_array(msr, IA32_OFFCORE_RSP_0, OFFCORE_REGISTERS, &x))
		core_of(sim, cpu)->offcore[x] = value & ~OFFCORE_RESERVED;
}
