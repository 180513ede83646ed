/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Core PMUs, and the registers of a socket's whole uncore. A counter of AMD counts while its
 * control enables it in a ring, and its bit of the global control, which only PerfMonV2 has, is
 * set.
 *
 * Source of AMD's registers: the kernel's arch/x86/events/amd/core.c and msr-index.h, and its
 * pmu-events.
 */
#include <errno.h>
#include <stddef.h>

#include "msr/core_pmu.h"
#include "sim/sim_machine.h"

#define GENERAL_MASK ((UINT64_C(1) << SIM_GENERAL_COUNTERS) - 1)
#define FIXED_MASK   (((UINT64_C(1) << SIM_FIXED_COUNTERS) - 1) << GLOBAL_FIXED_SHIFT)
#define GLOBAL_MASK  (GENERAL_MASK | FIXED_MASK)
#define STATUS_MASK  (GLOBAL_MASK | GLOBAL_STATUS_OVF_BUFFER | GLOBAL_STATUS_COND_CHANGED)

/* PERFEVTSEL: AnyThread (21) is reserved in version 5, as are all bits above TSX's. */
#define PERFEVTSEL_RESERVED                                                                        \
	(PERFEVTSEL_ANY | ~(UINT64_C(0xFFFFFFFF) | PERFEVTSEL_IN_TX | PERFEVTSEL_IN_TXCP))
/* FIXED_CTR_CTRL: bit 2 of a nibble is AnyThread; nibbles of missing counters are reserved. */
#define FIXED_CTRL_RESERVED (~((UINT64_C(1) << (4 * SIM_FIXED_COUNTERS)) - 1) | UINT64_C(0x4444))
#define FIXED_PMI	    UINT64_C(0x8888)

/* Intel's graniterapids_core: OCR.READS_TO_CORE.{LOCAL,REMOTE,}_CXL_MEM */
#define OFFCORE_LOCAL_CXL  UINT64_C(0x700C04477)
#define OFFCORE_REMOTE_CXL UINT64_C(0x703004477)
#define OFFCORE_ANY_CXL	   UINT64_C(0x703C04477)

#define FIRST_COUNTERS 4 /* the counters that most events need */

#define PERF_CTL0		    0xC0010200 /* + 2 i; its counter, PERF_CTR, is the next one */
#define PERF_CNTR_GLOBAL_STATUS	    0xC0000300
#define PERF_CNTR_GLOBAL_CTL	    0xC0000301
#define PERF_CNTR_GLOBAL_STATUS_CLR 0xC0000302

#define AMD_GLOBAL_MASK ((UINT64_C(1) << SIM_AMD_CORE_COUNTERS) - 1)

/* Event bits 7:0 and 35:32, umask, usr, os, edge, int, enable, inv, cmask, guest and host only. */
#define CTL_RESERVED                                                                               \
	(~(UINT64_C(0xFFFFFFFF) | UINT64_C(0xF) << 32 | UINT64_C(3) << 40) | UINT64_C(1) << 19 |   \
	 UINT64_C(1) << 21)

#define FILLS_DEMAND 0x43
#define FILLS_ANY    0x44
#define FROM_L2	     0x01 /* umasks of fills */
#define FROM_L3	     0x02
#define FROM_CACHES  0x14 /* other L3 caches, near and far */
#define FROM_DRAM    0x08
#define FROM_FAR     0x40
#define FROM_CXL     0x80

/* Ways in which a register is accessed. */
enum access {
	PLAIN,
	READ_ONLY,
	LOW_HALF, /* a write ignores the upper half and extends bit 31 into it */
	CLEARS,	  /* bits of the global status; reads as 0 */
	SETS,
};

/* Registers that have a member of struct sim_core. */
struct row {
	uint32_t msr;
	unsigned count, step; /* an array: its length, and the distance of its MSRs */
	size_t offset, size;  /* place of the first member, and the distance of members */
	uint64_t reserved;    /* writing such a bit faults, and changes nothing */
	enum access access;
	bool of_core; /* the threads of a core share the register */
	bool global;  /* AMD: only PerfMonV2 has it */
};

#define MEMBER(name)	 offsetof(struct sim_core, name), 0
#define ARRAY(name)	 offsetof(struct sim_core, name), sizeof(uint64_t)
#define COUNTERS(name)	 offsetof(struct sim_core, name[0].base), sizeof(struct sim_counter)
#define COUNTER_RESERVED (~SIM_COUNTER_MASK)

static const struct row intel_rows[] = {
	{IA32_PMC0, SIM_GENERAL_COUNTERS, 1, COUNTERS(general), 0, LOW_HALF},
	{IA32_A_PMC0, SIM_GENERAL_COUNTERS, 1, COUNTERS(general), COUNTER_RESERVED},
	{IA32_PERFEVTSEL0, SIM_GENERAL_COUNTERS, 1, ARRAY(perfevtsel), PERFEVTSEL_RESERVED},
	{IA32_FIXED_CTR0, SIM_FIXED_COUNTERS, 1, COUNTERS(fixed), COUNTER_RESERVED},
	{IA32_OFFCORE_RSP_0, OFFCORE_REGISTERS, 1, ARRAY(offcore), SIM_OFFCORE_RESERVED,
	 .of_core = true},
	{IA32_MISC_ENABLE, 1, 1, MEMBER(misc_enable), 0},
	{IA32_DEBUGCTL, 1, 1, MEMBER(debugctl), 0},
	{IA32_FIXED_CTR_CTRL, 1, 1, MEMBER(fixed_ctr_ctrl), FIXED_CTRL_RESERVED},
	{IA32_PERF_GLOBAL_STATUS, 1, 1, MEMBER(global_status), 0, READ_ONLY},
	{IA32_PERF_GLOBAL_CTRL, 1, 1, MEMBER(global_ctrl), ~GLOBAL_MASK},
	{IA32_PERF_GLOBAL_OVF_CTRL, 1, 1, MEMBER(global_status), ~STATUS_MASK, CLEARS},
	{IA32_PERF_GLOBAL_STATUS_SET, 1, 1, MEMBER(global_status), ~STATUS_MASK, SETS},
	{IA32_PEBS_ENABLE, 1, 1, MEMBER(pebs_enable), ~GLOBAL_MASK},
	{.count = 0},
};

static const struct row amd_rows[] = {
	{PERF_CTL0, SIM_AMD_CORE_COUNTERS, 2, ARRAY(perfevtsel), CTL_RESERVED},
	{PERF_CTL0 + 1, SIM_AMD_CORE_COUNTERS, 2, COUNTERS(general), COUNTER_RESERVED},
	{PERF_CNTR_GLOBAL_STATUS, 1, 1, MEMBER(global_status), 0, READ_ONLY, .global = true},
	{PERF_CNTR_GLOBAL_CTL, 1, 1, MEMBER(global_ctrl), ~AMD_GLOBAL_MASK, .global = true},
	{PERF_CNTR_GLOBAL_STATUS_CLR, 1, 1, MEMBER(global_status), ~AMD_GLOBAL_MASK, CLEARS,
	 .global = true},
	{.count = 0},
};

const struct sim_core_pmu *sim_core_pmu(const struct sim *sim)
{
	static const struct sim_core_pmu pmus[] = {
		[SIM_INTEL] = {.general = SIM_GENERAL_COUNTERS,
			       .fixed = SIM_FIXED_COUNTERS,
			       .control = IA32_PERFEVTSEL0,
			       .counter = IA32_A_PMC0,
			       .step = 1,
			       .config = UINT64_C(0xFF84FFFF), /* event, umask, edge, inv, cmask */
			       .global_ctrl = IA32_PERF_GLOBAL_CTRL,
			       .global_all = GLOBAL_MASK},
		[SIM_AMD] = {.general = SIM_AMD_CORE_COUNTERS,
			     .control = PERF_CTL0,
			     .counter = PERF_CTL0 + 1,
			     .step = 2,
			     .config = UINT64_C(0xFFF84FFFF), /* the same */
			     .global_ctrl = PERF_CNTR_GLOBAL_CTL,
			     .global_all = AMD_GLOBAL_MASK},
		[SIM_ARM] = {.general = 0},
	};

	return &pmus[sim->spec.facts->vendor];
}

#define REFERENCE_GHZ 2.0

static uint64_t cycles_at(uint64_t t)
{
	return (uint64_t)(t * SIM_CORE_GHZ);
}

static uint64_t reference_at(uint64_t t)
{
	return (uint64_t)((long double)t * REFERENCE_GHZ);
}

static struct sim_core *core_of(struct sim *sim, unsigned cpu)
{
	return &sim->cores[sim->cores[cpu].first_thread];
}

/* Events of a counter: one bit each; the events of several bits are added up. */
enum {
	CYCLES = 1 << 0,
	INSTRUCTIONS = 1 << 1,
	REF_CYCLES = 1 << 2,
	SLOTS = 1 << 3,
	NEAR_DRAM_READS = 1 << 4,
	FAR_DRAM_READS = 1 << 5,
	NEAR_CXL_READS = 1 << 6,
	FAR_CXL_READS = 1 << 7,
	DEMAND_STALLS = 1 << 8,
	CACHE_STALLS = 1 << 9,
	STORE_STALLS = 1 << 10,
	DEMAND_READS = 1 << 11,
	OUTSTANDING_READS = 1 << 12, /* reads outstanding, summed over cycles */
	LOAD_MISSES = 1 << 13,
	LOADS_ON_WAY = 1 << 14,
	L3_STALLS = 1 << 15,
	NEVER = 1 << 16, /* an event that does not occur here */
	FIRST_SUPPLIER = 17,
};

/* Loads by their supplier. */
#define LOADS_OF(supplier) (1U << (FIRST_SUPPLIER + SUPPLIER_##supplier))
#define LOADS_OF_CXL	   (LOADS_OF(CXL) | LOADS_OF(FAR_CXL))
#define LOADS_OF_MEMORY	   (LOADS_OF(DRAM) | LOADS_OF(FAR_DRAM) | LOADS_OF_CXL)

/* The events that a control (event, umask << 8 and cmask << 24) counts. */
struct core_events {
	uint32_t control; /* 0 ends a table */
	unsigned events;
};

/* Intel's graniterapids_core and sapphirerapids_core */
static const struct core_events stall_events[] = {
	{0x09000947, DEMAND_STALLS},		    /* MEMORY_ACTIVITY.STALLS_L3_MISS */
	{0x05000547, DEMAND_STALLS},		    /* .STALLS_L2_MISS: no data is in L3 */
	{0x03000347, DEMAND_STALLS | CACHE_STALLS}, /* .STALLS_L1D_MISS */
	{0x020040A6, STORE_STALLS},		    /* EXE_ACTIVITY.BOUND_ON_STORES */
	{0x00000121, DEMAND_READS},		    /* OFFCORE_REQUESTS.DEMAND_DATA_RD */
	{0x00000120, OUTSTANDING_READS},	    /* OFFCORE_REQUESTS_OUTSTANDING. ... */
	{0x01000120, DEMAND_STALLS},		    /* .CYCLES_WITH_DEMAND_DATA_RD */
	{0x000008D1, LOAD_MISSES},		    /* MEM_LOAD_RETIRED.L1_MISS */
	{0x000040D1, LOADS_ON_WAY},		    /* .FB_HIT */
	{0x000001D1, LOADS_OF(L1)},		    /* .L1_HIT */
	{0x000002D1, LOADS_OF(L2)},		    /* .L2_HIT */
	{0x000004D1, LOADS_OF(L3)},		    /* .L3_HIT */
	{0x000020D1, LOADS_OF_MEMORY},		    /* .L3_MISS */
	{0x000080D1, LOADS_OF(CXL)},		    /* .LOCAL_CXL_MEM */
	{0x000001D3, LOADS_OF(DRAM)},		    /* MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM */
	{0x000002D3, LOADS_OF(FAR_DRAM)},	    /* .REMOTE_DRAM */
	{0x000004D3, NEVER},			    /* .REMOTE_HITM: no data is in another L3 */
	{0x000008D3, NEVER},			    /* .REMOTE_FWD */
	{0x000010D3, LOADS_OF(FAR_CXL)},	    /* .REMOTE_CXL_MEM */
	{.control = 0},
};
#define STALL_CONTROL UINT64_C(0xFF00FFFF)

/* Intel's sierraforest_core: loads of E-cores. Clearwater Forest's list lacks WCB_HIT. */
static const struct core_events load_events[] = {
	{0x000081D0, LOADS_ON_WAY | LOADS_OF(L1) | LOADS_OF(L2) | LOADS_OF(L3) |
			     LOADS_OF_MEMORY}, /* MEM_UOPS_RETIRED.ALL_LOADS */
	{0x000001D1, LOADS_OF(L1)},	       /* MEM_LOAD_UOPS_RETIRED.L1_HIT */
	{0x000020D1, LOADS_ON_WAY},	       /* .WCB_HIT */
	{0x000002D1, LOADS_OF(L2)},	       /* .L2_HIT */
	{0x00001CD1, LOADS_OF(L3)},	       /* .L3_HIT */
	{0x0000FFD3, LOADS_OF_MEMORY},	       /* MEM_LOAD_UOPS_L3_MISS_RETIRED.ALL */
	{.control = 0},
};

/*
 * Returns true for counters that the kernel allows for the event: by intel_glc_event_constraints,
 * and on E-cores, by intel_grt_event_constraints, every one.
 */
bool sim_core_takes(const struct sim *sim, uint64_t control, unsigned counter)
{
	const unsigned code = control & 0xFF;

	if (sim->spec.facts->load_stalls || counter < FIRST_COUNTERS || code == 0x2E ||
	    code == 0x3C)
		return true;
	return code >= 0x90 && (code < 0xD0 || code > 0xDF);
}

/*
 * Returns the events of MEM_BOUND_STALLS_LOAD, which adds up loads by the umask bit of their
 * supplier: Intel's sierraforest_core.
 */
static unsigned load_stalls_of(const struct sim *sim, uint64_t control)
{
	const unsigned umask = control >> 8 & 0xFF;

	if ((control & STALL_CONTROL & ~UINT64_C(0xFF00)) != 0x34 || !umask ||
	    umask & ~sim->spec.facts->load_stalls)
		return 0;
	return NEVER | (umask & 0x01 ? CACHE_STALLS : 0) | (umask & 0x02 ? L3_STALLS : 0) |
	       (umask & 0x10 ? DEMAND_STALLS : 0) | (umask & 0x80 ? STORE_STALLS : 0);
}

/* Returns true for loads from CXL memory, for which only some processors have events. */
static bool counts_cxl_only(unsigned events)
{
	return events && !(events & ~LOADS_OF_CXL);
}

/* Returns the events that a table has for a control. */
static unsigned events_in(const struct core_events *table, uint64_t control)
{
	while (table->control && table->control != (control & STALL_CONTROL))
		table++;
	return table->events;
}

static unsigned stall_events_of(const struct sim *sim, uint64_t control)
{
	const struct sim_model *facts = sim->spec.facts;
	const unsigned events = facts->stalls	     ? events_in(stall_events, control)
				: facts->load_stalls ? events_in(load_events, control)
						     : 0;

	if (counts_cxl_only(events) && !facts->offcore_cxl)
		return 0;
	return events ? events : load_stalls_of(sim, control);
}

/* Returns the events that an offcore response register makes its event count. */
static unsigned offcore_events(const struct sim *sim, uint64_t response)
{
	const struct sim_model *facts = sim->spec.facts;

	if (!facts->offcore_cxl && !(facts->offcore_pmm && sim->spec.ocr_cxl))
		return 0;
	return response == OFFCORE_LOCAL_CXL	? NEAR_CXL_READS
	       : response == OFFCORE_REMOTE_CXL ? FAR_CXL_READS
	       : response == OFFCORE_ANY_CXL	? NEAR_CXL_READS | FAR_CXL_READS
						: 0;
}

/*
 * Returns the events that a control selects on general counter x, with the offcore response
 * registers.
 */
static unsigned intel_events(const struct sim *sim, uint64_t control,
			     const uint64_t offcore[OFFCORE_REGISTERS], unsigned x)
{
	if (!sim_core_takes(sim, control, x))
		return 0;
	switch (control & 0xffff) {
	case 0x003C:
		return CYCLES;
	case 0x00C0:
		return INSTRUCTIONS;
	case 0x013C:
		return REF_CYCLES;
	case 0x012A:
		return offcore_events(sim, offcore[0]);
	case 0x012B:
		return offcore_events(sim, offcore[1]);
	default:
		return stall_events_of(sim, control);
	}
}

/*
 * Returns the fills of a CPU's L1D from these sources: from memory as many as its reads, from
 * caches as many as its loads.
 */
static unsigned fills_from(unsigned umask)
{
	return (umask & FROM_L2 ? LOADS_OF(L2) : 0) | (umask & FROM_L3 ? LOADS_OF(L3) : 0) |
	       (umask & FROM_CACHES ? NEVER : 0) | (umask & FROM_DRAM ? NEAR_DRAM_READS : 0) |
	       (umask & FROM_FAR ? FAR_DRAM_READS : 0) |
	       (umask & FROM_CXL ? NEAR_CXL_READS | FAR_CXL_READS : 0);
}

static unsigned amd_events(const struct sim *sim, uint64_t control)
{
	const unsigned umask = control >> 8 & 0xFF;

	switch ((control & 0xFF) | (control >> 32 & 0xF) << 8) {
	case 0x076:
		return umask ? 0 : CYCLES;
	case 0x0C0:
		return umask ? 0 : INSTRUCTIONS;
	case 0x120: /* cycles at the frequency of P0, which is also the time stamp counter's */
		return umask == 1 ? REF_CYCLES : 0;
	case FILLS_DEMAND:
	case FILLS_ANY:
		return sim->spec.facts->cxl_fills ? fills_from(umask) : 0;
	default:
		return 0;
	}
}

static unsigned selected_events(const struct sim *sim, uint64_t control,
				const uint64_t offcore[OFFCORE_REGISTERS], unsigned x)
{
	return sim->spec.facts->vendor == SIM_AMD ? amd_events(sim, control)
						  : intel_events(sim, control, offcore, x);
}

/* Includes the events that only fixed counters have: reference cycles and slots. */
bool sim_core_counts(const struct sim *sim, uint64_t control, uint64_t response)
{
	const uint64_t offcore[OFFCORE_REGISTERS] = {response, response};
	const unsigned code = control & 0xffff;

	return (sim_core_pmu(sim)->fixed && (code == 0x0300 || code == 0x0400)) ||
	       selected_events(sim, control, offcore, 0);
}

/* Returns the events of the CPU's waits from time 0 to t. */
static uint64_t count_stalls(const struct sim_stalls *stalls, unsigned events, uint64_t t)
{
	long double counted = (events & DEMAND_STALLS ? stalls->demand : 0) +
			      (events & CACHE_STALLS ? stalls->cache : 0) +
			      (events & L3_STALLS ? SIM_L3_STALL : 0) +
			      (events & STORE_STALLS ? stalls->store : 0) +
			      (events & DEMAND_READS ? stalls->reads : 0) +
			      (events & OUTSTANDING_READS ? stalls->outstanding : 0) +
			      (events & LOAD_MISSES ? stalls->misses : 0) +
			      (events & LOADS_ON_WAY ? stalls->on_way : 0);

	for (unsigned i = 0; i < SIM_SUPPLIERS; i++)
		counted += events >> (FIRST_SUPPLIER + i) & 1 ? stalls->loads[i] : 0;
	return (uint64_t)(cycles_at(t) * counted / (100 * stalls->cycles));
}

static uint64_t instructions_at(const struct sim_stalls *stalls, uint64_t t)
{
	return (uint64_t)(cycles_at(t) * SIM_CORE_IPC / stalls->cycles);
}

/* Returns events from time 0 to t. */
static uint64_t count_events(const struct sim *sim, unsigned cpu, unsigned events, uint64_t t)
{
	const struct sim_stalls *stalls = &sim->cores[cpu].stalls;
	const struct sim_loads *loads = &sim->loads;

	return (events & CYCLES ? cycles_at(t) : 0) + count_stalls(stalls, events, t) +
	       (events & INSTRUCTIONS ? instructions_at(stalls, t) : 0) +
	       (events & REF_CYCLES ? reference_at(t) : 0) +
	       (events & SLOTS ? 6 * cycles_at(t) : 0) + /* six a cycle */
	       (events & NEAR_DRAM_READS ? traffic_core_reads(loads, cpu, false, false, t) : 0) +
	       (events & FAR_DRAM_READS ? traffic_core_reads(loads, cpu, false, true, t) : 0) +
	       (events & NEAR_CXL_READS ? traffic_core_reads(loads, cpu, true, false, t) : 0) +
	       (events & FAR_CXL_READS ? traffic_core_reads(loads, cpu, true, true, t) : 0);
}

static bool has_global_control(const struct sim *sim)
{
	return sim->spec.facts->vendor != SIM_AMD || sim_cpuid_perfmon_v2(sim);
}

/*
 * Adds the events since the last update to a counter. One that exceeds its width wraps and sets
 * its overflow bit.
 */
static void update_counter(struct sim *sim, unsigned cpu, struct sim_counter *counter,
			   unsigned events, unsigned status_bit)
{
	const uint64_t count = count_events(sim, cpu, events, sim->now) -
			       count_events(sim, cpu, events, counter->since);

	if (counter->base + count > SIM_COUNTER_MASK)
		sim->cores[cpu].global_status |= UINT64_C(1) << status_bit;
	counter->base = (counter->base + count) & SIM_COUNTER_MASK;
	counter->since = sim->now;
}

/*
 * Sets the bases to the current values, before they are read, or a write changes the counted
 * events.
 */
static void update_counters(struct sim *sim, unsigned cpu)
{
	static const unsigned fixed[SIM_FIXED_COUNTERS] = {
		[FIXED_INSTRUCTIONS] = INSTRUCTIONS,
		[FIXED_CYCLES] = CYCLES,
		[FIXED_REFERENCE_CYCLES] = REF_CYCLES,
		[FIXED_SLOTS] = SLOTS,
	};
	const struct sim_core_pmu *pmu = sim_core_pmu(sim);
	struct sim_core *core = &sim->cores[cpu];
	const uint64_t enabled = has_global_control(sim) ? core->global_ctrl : UINT64_MAX;

	for (unsigned x = 0; x < pmu->general; x++) {
		const uint64_t sel = core->perfevtsel[x];
		const bool runs = enabled >> x & 1 && sel & PERFEVTSEL_EN &&
				  sel & (PERFEVTSEL_USR | PERFEVTSEL_OS);

		update_counter(sim, cpu, &core->general[x],
			       runs ? selected_events(sim, sel, core_of(sim, cpu)->offcore, x) : 0,
			       x);
	}
	for (unsigned n = 0; n < pmu->fixed; n++) {
		const bool runs = enabled >> (GLOBAL_FIXED_SHIFT + n) & 1 &&
				  core_pmu_fixed_enabled(core->fixed_ctr_ctrl, n);

		update_counter(sim, cpu, &core->fixed[n], runs ? fixed[n] : 0,
			       GLOBAL_FIXED_SHIFT + n);
	}
}

/* Updates the counters, which until now counted the CPU's previous program. */
void sim_core_run(struct sim *sim, unsigned cpu, const struct sim_stalls *stalls, int node)
{
	update_counters(sim, cpu);
	sim->cores[cpu].stalls = *stalls;
	sim->cores[cpu].kernel_node = node;
}

/* Returns the row of an MSR, and its member; NULL: there is none. */
static const struct row *find_row(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t **member)
{
	const struct row *row = sim->spec.facts->vendor == SIM_AMD ? amd_rows : intel_rows;

	for (; row->count; row++) {
		const uint32_t distance = msr - row->msr;

		if (msr < row->msr || distance % row->step || distance / row->step >= row->count ||
		    (row->global && !has_global_control(sim)))
			continue;
		*member =
			(uint64_t *)((char *)(row->of_core ? core_of(sim, cpu) : &sim->cores[cpu]) +
				     row->offset + distance / row->step * row->size);
		return row;
	}
	return NULL;
}

/*
 * Returns the selected counters, also those that do not count: Intel SDM vol. 3B,
 * "IA32_PERF_GLOBAL_INUSE MSR".
 */
static uint64_t global_inuse(const struct sim_core *core)
{
	uint64_t inuse = 0, interrupts = core->pebs_enable | (core->fixed_ctr_ctrl & FIXED_PMI);

	for (unsigned x = 0; x < SIM_GENERAL_COUNTERS; x++) {
		inuse |= (uint64_t) !!(core->perfevtsel[x] & 0xff) << x;
		interrupts |= core->perfevtsel[x] & PERFEVTSEL_INT;
	}
	for (unsigned n = 0; n < SIM_FIXED_COUNTERS; n++)
		inuse |= (uint64_t)core_pmu_fixed_enabled(core->fixed_ctr_ctrl, n)
			 << (GLOBAL_FIXED_SHIFT + n);
	return inuse | (interrupts ? GLOBAL_INUSE_PMI : 0);
}

/* Reads registers of Intel's CPUs that have no row. */
static int read_other(struct sim *sim, const struct sim_core *core, uint32_t msr, uint64_t *value)
{
	const struct sim_model *facts = sim->spec.facts;

	if (facts->cha_count_msr && msr == facts->cha_count_msr) {
		/* a snapshot does not say */
		*value = facts->cha_count_is_0 || sim->snapshot ? 0 : sim->spec.chas;
		return 0;
	}
	switch (msr) {
	case IA32_PERF_CAPABILITIES:
		*value = PERF_CAPABILITIES_FULL_WRITE;
		return 0;
	case IA32_PERF_GLOBAL_INUSE:
		*value = global_inuse(core);
		return 0;
	case SIM_GLOBAL_CONTROL_MSR:
		*value = sim->globals[core->socket].value;
		return 0;
	case SIM_TABLE_MSR:
		*value = core->table;
		return facts->dies_have_tables ? 0 : -EIO;
	default:
		return -EIO;
	}
}

int sim_core_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	uint64_t *member;
	const struct row *row = find_row(sim, cpu, msr, &member);

	update_counters(sim, cpu);
	if (row) {
		*value = row->access == CLEARS || row->access == SETS ? 0 : *member;
		return 0;
	}
	if (msr == IA32_TIME_STAMP_COUNTER) {
		*value = reference_at(sim->now);
		return 0;
	}
	return sim->spec.facts->vendor == SIM_AMD ? -EIO
						  : read_other(sim, &sim->cores[cpu], msr, value);
}

int sim_core_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	uint64_t *member;
	const struct row *row = find_row(sim, cpu, msr, &member);

	/* counts of every thread of the core may change */
	for (unsigned i = 0; i < sim->core_count; i++)
		if (i == cpu || (row && row->of_core && core_of(sim, i) == core_of(sim, cpu)))
			update_counters(sim, i);
	if (!row && msr == SIM_GLOBAL_CONTROL_MSR && sim->spec.facts->vendor != SIM_AMD) {
		sim_set_global(sim, &sim->globals[sim->cores[cpu].socket], value);
		return 0;
	}
	if (!row || row->access == READ_ONLY || value & row->reserved)
		return -EIO;
	if (row->access == LOW_HALF)
		value = (uint64_t)(int64_t)(int32_t)(uint32_t)value & SIM_COUNTER_MASK;
	*member = row->access == CLEARS ? *member & ~value
		  : row->access == SETS ? *member | value
					: value;
	return 0;
}

void sim_core_set(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	const bool intel = sim->spec.facts->vendor == SIM_INTEL;
	uint64_t *member;

	if (cpu >= sim->core_count || sim->spec.facts->vendor == SIM_ARM)
		return;
	const struct row *row = find_row(sim, cpu, msr, &member);
	if (row && row->access == PLAIN)
		*member = value & ~row->reserved;
	else if (intel && msr == SIM_GLOBAL_CONTROL_MSR)
		sim_set_global(sim, &sim->globals[sim->cores[cpu].socket], value);
	else if (intel && msr == SIM_TABLE_MSR)
		sim->cores[cpu].table = value;
}
