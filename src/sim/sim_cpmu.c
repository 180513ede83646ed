/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers and events: CXL specification 3.1, 8.2.7 and table 13-5, apart from
 * src/uncore/units/cpmu.h, so that errors there show. */
#include "sim/sim_cpmu.h"

#include <stddef.h>

#include "platform/pci.h"
#include "sim/sim_extras.h"
#include "sim/sim_machine.h"
#include "sim/sim_private.h"

_Static_assert(sizeof(((struct sim_cpmu *)NULL)->words) == SIM_REG_COUNTERS, "before the counters");
_Static_assert(offsetof(struct sim_cpmu, filters) - offsetof(struct sim_cpmu, words) ==
		       SIM_REG_FILTERS,
	       "registers are at their offsets");

#define BAR_BASE   UINT64_C(0x2800000000)
#define BAR_STRIDE UINT64_C(0x100000)
#define MAX_PORTS  16 /* ports per socket */

/* Freeze on overflow, edge and invert are kept, and change nothing. */
#define CFG_ANY		   (SIM_CFG_ENABLE | UINT64_C(0x00FF1C00))
#define CFG_THRESHOLD(cfg) ((unsigned)((cfg) >> 16 & 0xFF))

#define NO_FILTER UINT32_MAX
#define JUNK	  UINT32_C(0x00000002) /* value of a filter: a decoder that nothing goes through */

#define CLOCK_GHZ 1.0

#define WILD_GHZ 3.0 /* count rate of a counter that was changed while it was enabled */

/* Clocks that a request waits for the DRAM. */
#define READ_WAIT  40
#define WRITE_WAIT 24

/* Quantities that events count; other events never happen. */
enum counted {
	NOTHING,
	TICKS,
	READS,
	SPECULATIVE_READS,
	WRITES,
	/*
	 * CAS commands of reads and writes: without auto-precharge if that is counted separately,
	 * and with it.
	 */
	CAS_READS,
	CAS_WRITES,
	PRECHARGED_READS,
	PRECHARGED_WRITES,
	THROTTLED,
	RETRIES,
};

/* Event capabilities of which several bits at once are not allowed: vendor and id */
#define QUEUES	  0x1E988001
#define RESIDENCY 0x1E988002

static const struct meaning {
	uint32_t group; /* vendor and id */
	unsigned event;
	enum counted counted;
	unsigned times;
} meanings[] = {
	{0x1E980000, 0, TICKS, 1},
	{0x1E980020, 1, READS, 1},	       /* MemRd */
	{0x1E980020, 8, SPECULATIVE_READS, 1}, /* MemSpecRd */
	{0x1E980021, 1, WRITES, 1},	       /* MemWr */
	{0x1E980024, 0, WRITES, 1},	       /* Cmp */
	{0x1E980025, 0, READS, 1},	       /* MemData */
	{0x1E988000, 2, CAS_READS, 1},
	{0x1E988000, 3, CAS_WRITES, 1},
	{0x1E988000, 7, PRECHARGED_READS, 1},
	{0x1E988000, 8, PRECHARGED_WRITES, 1},
	{0x1E988000, 14, READS, 1}, /* incoming requests */
	{0x1E988000, 15, WRITES, 1},
	{QUEUES, 0, READS, READ_WAIT}, /* occupancy */
	{QUEUES, 1, WRITES, WRITE_WAIT},
	{QUEUES, 2, READS, READ_WAIT},
	{QUEUES, 2, WRITES, WRITE_WAIT},
	{RESIDENCY, 0, READS, 1},
	{RESIDENCY, 1, WRITES, 1},
	{0x1E988003, 3, RETRIES, 1},   /* ECC */
	{0x1E988004, 0, THROTTLED, 1}, /* thermal */
};

uint64_t sim_cpmu_bar(unsigned socket, unsigned port)
{
	return BAR_BASE + (socket * MAX_PORTS + port) * BAR_STRIDE;
}

/* The first capability is of the fixed counter only. */
const uint64_t sim_cpmu_groups[] = {
	SIM_CPMU_GROUP(0x0025, 0x1),   /* MemData */
	SIM_CPMU_GROUP(0x0000, 0x1),   /* clock ticks */
	SIM_CPMU_GROUP(0x0020, 0x71F), /* M2S Req */
	SIM_CPMU_GROUP(0x0021, 0x236), /* M2S RwD */
	SIM_CPMU_GROUP(0x0024, 0xF),   /* S2M NDR */
	SIM_CPMU_GROUP(0x0025, 0x7),   /* S2M DRS */
	SIM_CPMU_GROUP(0x8000, 0x7F),  /* DDR */
	SIM_CPMU_END,
};
const uint64_t sim_cpmu_counters[] = {
	SIM_CPMU_FIXES(0, 0x1), SIM_CPMU_RUNS(1, 0x1), SIM_CPMU_CONFIGURABLE, SIM_CPMU_CONFIGURABLE,
	SIM_CPMU_CONFIGURABLE,	SIM_CPMU_CONFIGURABLE, SIM_CPMU_END,
};

static bool is_running(const struct sim_cpmu *cpmu, unsigned i)
{
	return SIM_CPMU_TYPE(cpmu->configurations[i]) == SIM_CPMU_RUNNING;
}

static uint64_t writable_configuration(const struct sim_cpmu *cpmu, unsigned i)
{
	const uint64_t held = cpmu->block ? cpmu->block->held : 0;
	const uint64_t any =
		(CFG_ANY | (cpmu->capability & SIM_CPMU_INTERRUPT ? SIM_CFG_INTERRUPT : 0)) & ~held;

	switch (SIM_CPMU_TYPE(cpmu->configurations[i])) {
	case SIM_CPMU_FIXED:
		return any;
	case SIM_CPMU_CONFIGURABLE:
		return any | SIM_CFG_SELECTION;
	default:
		return 0;
	}
}

static uint64_t counter_mask(const struct sim_cpmu *cpmu)
{
	const unsigned width = cpmu->capability >> 8 & 0xFF;

	return width && width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
}

static bool has_filter(const struct sim_cpmu *cpmu, unsigned f)
{
	return cpmu->capability >> (32 + f) & 1;
}

static bool is_filtered(const struct sim_cpmu *cpmu, unsigned i)
{
	for (unsigned f = 0; f < SIM_CPMU_FILTERS; f++)
		if (has_filter(cpmu, f) && cpmu->filters[i][f] != NO_FILTER)
			return !is_running(cpmu, i);
	return false;
}

/* Fixed and free-running counters have their event capability for themselves. */
static bool is_taken(const struct sim_cpmu *cpmu, unsigned g)
{
	for (unsigned i = 0; i < cpmu->counter_count; i++)
		if (SIM_CPMU_TYPE(cpmu->configurations[i]) != SIM_CPMU_CONFIGURABLE &&
		    SIM_CFG_GROUP(cpmu->configurations[i]) == g)
			return true;
	return false;
}

/*
 * Returns events from 0 to t ns. It multiplies first: dividing first would lose an event by
 * rounding.
 */
static uint64_t events_of(const struct sim *sim, const struct sim_cpmu *cpmu, enum counted what,
			  uint64_t t)
{
	const struct sim_spec *spec = &sim->spec;
	const struct sim_load *load =
		sim_load_port(&sim->loads, cpmu->socket, sim_swapped_port(sim, cpmu->port));
	const double part = what == SPECULATIVE_READS ? spec->memspecrd / 100 : 1;
	const bool writes = what == WRITES || what == CAS_WRITES || what == PRECHARGED_WRITES;
	const long double carried =
		sim_lines(writes ? spec->write : spec->read) *
			sim_load_ns(&sim->loads, load, LOAD_TRAFFIC, t) +
		sim_lines(1) * sim_load_injected(load, writes ? INJECTED_WRITE : INJECTED_READ, t);
	const long double ticks = (long double)t * CLOCK_GHZ;
	const unsigned pct = cpmu->block ? cpmu->block->precharge_pct : 0;
	const uint64_t lines = (uint64_t)(part * carried / 1e9L), precharged = lines * pct / 100;

	switch (what) {
	case NOTHING:
		return 0;
	case TICKS:
		return (uint64_t)ticks;
	case THROTTLED:
	case RETRIES: /* heat makes errors: one in a million such clocks */
		return (uint64_t)(cpmu->block ? ticks * cpmu->block->throttled_pct / 100 : 0) /
		       (what == RETRIES ? 1000000 : 1);
	case CAS_READS:
	case CAS_WRITES:
		return cpmu->block && cpmu->block->contains_precharge ? lines : lines - precharged;
	case PRECHARGED_READS:
	case PRECHARGED_WRITES:
		return precharged;
	default:
		return lines;
	}
}

/* Returns the events of one bit of an event capability. */
static uint64_t events_of_bit(const struct sim *sim, const struct sim_cpmu *cpmu, uint64_t group,
			      unsigned event, uint64_t from)
{
	uint64_t count = 0;

	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		const struct meaning *m = &meanings[i];

		if (m->group == group >> 32 && m->event == event)
			count += m->times * (events_of(sim, cpmu, m->counted, sim->now) -
					     events_of(sim, cpmu, m->counted, from));
	}
	return count;
}

/*
 * Counts the selected bits of an event capability. With threshold 0, the events of each clock are
 * added up. With threshold 1, clocks with an event of any bit count. No clock has more than one
 * event of a kind, except entries of a queue, which is never empty if it has one on average.
 */
static uint64_t events_of_bits(const struct sim *sim, const struct sim_cpmu *cpmu, uint64_t group,
			       uint64_t cfg, uint64_t from)
{
	const uint32_t events = SIM_CFG_EVENTS(cfg) & (uint32_t)group;
	const uint64_t ticks =
		events_of(sim, cpmu, TICKS, sim->now) - events_of(sim, cpmu, TICKS, from);
	uint64_t sum = 0, most = 0;

	if ((events & (events - 1)) && (group >> 32 == QUEUES || group >> 32 == RESIDENCY))
		return (uint64_t)((double)ticks * WILD_GHZ);
	for (unsigned event = 0; event < 32; event++) {
		if (!(events >> event & 1))
			continue;
		const uint64_t count = events_of_bit(sim, cpmu, group, event, from);

		sum += count;
		most = count > most ? count : most;
	}
	if (!CFG_THRESHOLD(cfg))
		return sum;
	if (CFG_THRESHOLD(cfg) > 1)
		return 0;
	return group >> 32 == QUEUES && most > ticks ? ticks : most;
}

/* Returns the events of counter i since its base was set. */
static uint64_t cpmu_count(const struct sim *sim, const struct sim_cpmu *cpmu, unsigned i)
{
	const uint64_t cfg = cpmu->configurations[i], since = cpmu->counters[i].since;
	const unsigned g = SIM_CFG_GROUP(cfg);

	if (cpmu->wild >> i & 1)
		return (uint64_t)((double)(sim->now - since) * WILD_GHZ);
	if ((cpmu->block && cpmu->block->counts_nothing) || !(cfg & SIM_CFG_ENABLE) ||
	    cpmu->still >> i & 1 || g >= cpmu->group_count || is_filtered(cpmu, i) ||
	    (SIM_CPMU_TYPE(cfg) == SIM_CPMU_CONFIGURABLE && is_taken(cpmu, g)))
		return 0;
	return events_of_bits(sim, cpmu, cpmu->groups[g], cfg, since);
}

static uint64_t value_of(const struct sim *sim, const struct sim_cpmu *cpmu, unsigned i)
{
	return cpmu->counters[i].base + cpmu_count(sim, cpmu, i);
}

/* Returns a bit for each counter that has wrapped since it was cleared. */
static uint64_t overflow_of(const struct sim *sim, const struct sim_cpmu *cpmu)
{
	uint64_t overflow = cpmu->overflow;

	for (unsigned i = 0; i < cpmu->counter_count; i++)
		overflow |= (uint64_t)(value_of(sim, cpmu, i) > counter_mask(cpmu)) << i;
	return overflow;
}

/*
 * Sets the bases to the current values, before a write changes the counted events. A free-running
 * counter is left out, so that its base is unchanged after all others are restored.
 */
static void update_cpmu(const struct sim *sim, struct sim_cpmu *cpmu)
{
	const uint64_t wrapped = overflow_of(sim, cpmu);

	for (unsigned i = 0; i < cpmu->counter_count; i++) {
		if (is_running(cpmu, i))
			continue;
		cpmu->overflow |= wrapped & UINT64_C(1) << i;
		cpmu->counters[i] =
			(struct sim_counter){value_of(sim, cpmu, i) & counter_mask(cpmu), sim->now};
	}
}

void sim_reset_cpmu(struct sim *sim, struct sim_cpmu *cpmu)
{
	const struct sim_cpmu_block *block = cpmu->block;

	cpmu->freeze = cpmu->still = cpmu->wild = 0;
	cpmu->overflow = block ? block->overflow : 0;
	for (unsigned i = 0; i < cpmu->counter_count; i++) {
		if (block)
			cpmu->configurations[i] = block->configurations[i];
		else
			cpmu->configurations[i] &= ~writable_configuration(cpmu, i);
		for (unsigned f = 0; f < SIM_CPMU_FILTERS; f++)
			cpmu->filters[i][f] = !has_filter(cpmu, f) ? 0 : block ? JUNK : NO_FILTER;
		cpmu->counters[i] = (struct sim_counter){.since = sim->now};
	}
}

static unsigned length_of(const uint64_t *list)
{
	unsigned n = 0;

	while (list[n] != SIM_CPMU_END)
		n++;
	return n;
}

static void make_block(struct sim *sim, struct sim_cpmu *cpmu, const struct sim_cpmu_block *block)
{
	cpmu->block = block;
	cpmu->dead = block->silent;
	cpmu->counter_count = length_of(block->configurations);
	cpmu->group_count = length_of(block->groups);
	for (unsigned g = 0; g < cpmu->group_count; g++)
		cpmu->groups[g] = block->groups[g];
	cpmu->capability = block->capability | (cpmu->counter_count - 1) |
			   (block->width ? block->width : SIM_COUNTER_BITS) << 8 |
			   (uint64_t)(cpmu->group_count - 1) << 20 |
			   (uint64_t)block->filters << 32 | UINT64_C(1) << 60;
	sim_reset_cpmu(sim, cpmu);
}

unsigned sim_add_cpmus(struct sim *sim, struct pci_location at, unsigned socket, unsigned port)
{
	static const struct sim_cpmu_block usual[SIM_CPMU_BLOCKS] = {
		{sim_cpmu_counters, sim_cpmu_groups, SIM_CPMU_BOTH}};
	const struct sim_cpmu_block *other = sim_extras.cpmus ? sim_extras.cpmus(&sim->spec) : NULL;
	const struct sim_cpmu_block *blocks = other ? other : usual;
	const uint64_t bar = sim_cpmu_bar(socket, port);
	unsigned n = 0;

	for (; n < SIM_CPMU_BLOCKS && blocks[n].configurations; n++) {
		struct sim_cpmu *cpmu = &sim->cpmus[sim->cpmu_count++];

		*cpmu = (struct sim_cpmu){.at = at,
					  .socket = socket,
					  .port = port,
					  .address = bar + SIM_CPMU_OFFSET + n * SIM_CPMU_STRIDE};
		make_block(sim, cpmu, &blocks[n]);
	}
	sim_add_region(sim, bar, SIM_CPMU_BAR_BYTES, NULL);
	return n;
}

struct sim_cpmu *sim_find_cpmu(const struct sim *sim, uint64_t phys)
{
	for (size_t i = 0; i < sim->cpmu_count; i++)
		if (phys >= sim->cpmus[i].address && phys - sim->cpmus[i].address < SIM_REG_BYTES)
			return &sim->cpmus[i];
	return NULL;
}

/* Reads a register of 8 bytes; an offset without a register reads as 0. */
static uint64_t read_whole(const struct sim *sim, const struct sim_cpmu *cpmu, uint64_t offset)
{
	const unsigned i = (unsigned)(offset - SIM_REG_COUNTERS) / 8;

	if (offset == SIM_REG_OVERFLOW)
		return overflow_of(sim, cpmu);
	if (offset < SIM_REG_COUNTERS)
		return cpmu->words[offset / 8];
	return i < cpmu->counter_count ? value_of(sim, cpmu, i) & counter_mask(cpmu) : 0;
}

static bool is_enabled(const struct sim_cpmu *cpmu, unsigned i)
{
	return cpmu->configurations[i] & SIM_CFG_ENABLE;
}

/*
 * Changes an enabled counter, also a frozen one, which is undefined: its value becomes junk, and
 * it counts junk until it is disabled. The junk differs from one change to the next.
 */
static void change_enabled(struct sim_cpmu *cpmu, unsigned i)
{
	cpmu->wild |= UINT64_C(1) << i;
	cpmu->counters[i].base = (cpmu->counters[i].base * 31 + 0x5EED) & counter_mask(cpmu);
}

/*
 * Writes a configuration. While the enable bit is 1, only this bit can be changed, and the
 * interrupt bit, which the kernel's driver clears in the same write. A counter that is enabled
 * after it was frozen runs.
 */
static void write_configuration(struct sim_cpmu *cpmu, unsigned i, uint64_t value)
{
	const uint64_t writable = writable_configuration(cpmu, i), before = cpmu->configurations[i],
		       after = (before & ~writable) | (value & writable), bit = UINT64_C(1) << i;

	if (before & SIM_CFG_ENABLE && (before ^ after) & ~(SIM_CFG_ENABLE | SIM_CFG_INTERRUPT))
		change_enabled(cpmu, i);
	else if (!(before & after & SIM_CFG_ENABLE))
		cpmu->wild &= ~bit;
	if (!(before & SIM_CFG_ENABLE))
		cpmu->still &= ~bit;
	cpmu->configurations[i] = after;
}

#define FILTER_PAIRS (SIM_CPMU_FILTERS / 2) /* filter registers per counter, 8 bytes each */

static void write_filters(struct sim_cpmu *cpmu, unsigned pair, uint64_t value)
{
	const unsigned i = pair / FILTER_PAIRS, first = pair % FILTER_PAIRS * 2;

	for (unsigned f = first; f < first + 2; f++, value >>= 32) {
		if (!has_filter(cpmu, f))
			continue;
		if (cpmu->filters[i][f] != (uint32_t)value && is_enabled(cpmu, i) &&
		    !is_running(cpmu, i))
			change_enabled(cpmu, i);
		cpmu->filters[i][f] = (uint32_t)value;
	}
}

static void write_freeze(struct sim_cpmu *cpmu, uint64_t value)
{
	cpmu->freeze = cpmu->still = 0;
	for (unsigned i = 0; cpmu->capability & SIM_CPMU_FREEZE && i < cpmu->counter_count; i++) {
		const uint64_t bit = is_running(cpmu, i) ? 0 : value & UINT64_C(1) << i;

		cpmu->freeze |= bit;
		cpmu->still |= is_enabled(cpmu, i) ? bit : 0;
	}
}

/*
 * Finds the register at an offset, one of count registers of 8 bytes from first on. Returns false
 * if it is none of them.
 */
static bool is_one_of(uint64_t offset, unsigned first, unsigned count, unsigned *i)
{
	*i = (unsigned)(offset - first) / 8;
	return offset >= first && *i < count;
}

static void write_whole(struct sim_cpmu *cpmu, uint64_t offset, uint64_t value)
{
	const unsigned counters = cpmu->counter_count;
	unsigned i;

	if (offset == SIM_REG_OVERFLOW)
		cpmu->overflow &= ~value;
	else if (offset == SIM_REG_FREEZE)
		write_freeze(cpmu, value);
	else if (is_one_of(offset, SIM_REG_CONFIGURATIONS, counters, &i))
		write_configuration(cpmu, i, value);
	else if (is_one_of(offset, SIM_REG_FILTERS, FILTER_PAIRS * counters, &i))
		write_filters(cpmu, i, value);
	else if (is_one_of(offset, SIM_REG_COUNTERS, counters, &i) &&
		 cpmu->capability & SIM_CPMU_WRITABLE && cpmu->freeze >> i & 1)
		cpmu->counters[i].base = value & counter_mask(cpmu);
}

uint64_t sim_cpmu_read(const struct sim *sim, const struct sim_cpmu *cpmu, uint64_t offset,
		       unsigned bytes)
{
	const unsigned shift = offset % 8 * 8;

	if (cpmu->dead)
		return bytes == 8 ? UINT64_MAX : UINT32_MAX;
	return read_whole(sim, cpmu, offset - offset % 8) >> shift &
	       (bytes == 8 ? UINT64_MAX : UINT32_MAX);
}

void sim_cpmu_write(struct sim *sim, struct sim_cpmu *cpmu, uint64_t offset, unsigned bytes,
		    uint64_t value)
{
	const uint64_t whole = offset - offset % 8;
	const unsigned shift = offset % 8 * 8;

	if (cpmu->dead)
		return;
	update_cpmu(sim, cpmu);
	/* a zero in the other half leaves the bits of a write-1-to-clear register */
	const uint64_t rest = whole == SIM_REG_OVERFLOW ? 0 : read_whole(sim, cpmu, whole);
	const uint64_t half = (rest & ~(UINT64_C(0xFFFFFFFF) << shift)) | (uint64_t)(uint32_t)value
										  << shift;
	write_whole(cpmu, whole, bytes == 8 ? value : half);
}
