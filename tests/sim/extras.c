/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of --sim that only tests have, and the changes that they make to a simulated machine. */
#include "sim/sim_extras.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "sim/sim_private.h"
#include "tests/sim/cpmu_kinds.h"
#include "tests/sim/cxl_pmu.h"
#include "tests/sim/deviation.h"
#include "tests/sim/faults.h"
#include "tests/sim/keys.h"
#include "tests/sim/miscount.h"
#include "tests/sim/tables.h"

_Static_assert(sizeof(struct test_values) <= SIM_EXTRA_BYTES, "there is room");

struct test_values test_values_of(const struct sim_spec *spec)
{
	struct test_values values;

	memcpy(&values, spec->extra, sizeof(values));
	return values;
}

void test_values_set(struct sim_spec *spec, const struct test_values *values)
{
	memcpy(spec->extra, values, sizeof(*values));
}

#define VALUE(name) #name, offsetof(struct sim_spec, extra) + offsetof(struct test_values, name)

/* Names of enum sim_regions. */
static const char *const regions[] = {"four",	 "none",     "mixed", "total",
				      "unknown", "overflow", NULL};

/* Counters of UPI units that count. LIKWID saw on Sapphire Rapids that the odd counters stay 0. */
enum { UPI_ALL, UPI_EVEN, UPI_OFF };
static const char *const upis[] = {"all", "even", "off", NULL};

static const struct sim_key keys[] = {
	{VALUE(isolated), SIM_INTEGER, 0, 256, .layout = true,
	 .help = "CPUs of each socket, the first ones, that are isolated"},
	{VALUE(extra_chas), SIM_INTEGER, 0, 16, .layout = true,
	 .help = "records of CHAs that do not exist, of each discovery table"},
	{VALUE(still_chas), SIM_INTEGER, 0, 127, .layout = true,
	 .help = "CHAs of each socket, the last ones, that do not exist: their clocks stand"},
	{VALUE(invalid), SIM_BOOLEAN, .words = sim_booleans, .layout = true,
	 .help = "whether discovery tables have a record of each invalid kind, too"},
	{VALUE(cpmu_kind), SIM_WORD, .initial = UINT_MAX, .words = cpmu_kind_names, .layout = true,
	 .help = "which CPMUs memory devices have, which have some then"},
	{VALUE(cxl_pmu), SIM_BOOLEAN, .words = sim_booleans,
	 .help = "whether the kernel's driver of CPMUs is loaded"},
	{SIM_FIELD(memspecrd), SIM_REAL, 0, 100,
	 .help = "percent of CXL.mem reads that a speculative one precedes, without data"},
	{VALUE(tor_leak), SIM_REAL, 0, 1e3,
	 .help = "clocks that each read of DRAM is in the occupancy of CXL reads (spr, emr)"},
	{SIM_FIELD(exp_local), SIM_BOOLEAN, .words = sim_booleans,
	 .help = "whether CXL reads are of the CHAs' class CXL_EXP_LOCAL, not of CXL_ACC"},
	{SIM_FIELD(ocr_cxl), SIM_BOOLEAN, .words = sim_booleans,
	 .help = "whether offcore responses of persistent memory count CXL memory (spr, emr)"},
	{SIM_FIELD(link_max_width), SIM_INTEGER, 1, 32,
	 .help = "lanes that both ends of a device's link could do (16)"},
	{VALUE(aer_advisory), SIM_REAL, 0, 1e9,
	 .help = "correctable errors NonFatalErr per second of a device"},
	{VALUE(aer_internal), SIM_REAL, 0, 1e9,
	 .help = "correctable errors CorrIntErr per second of a device"},
	{VALUE(aer_unsupported), SIM_REAL, 0, 1e9,
	 .help = "nonfatal errors UnsupReq per second of a device"},
	{VALUE(tiers), SIM_INTEGER, 0, 2, .layout = true,
	 .help = "memory tiers of DRAM and CXL memory; 0: the kernel shows none"},
	{VALUE(miscount), SIM_WORD, .words = miscount_names, .help = "counts that are wrong"},
	{VALUE(miscount_pct), SIM_REAL, 0, 1000, 50, .help = "percent that they count instead"},
	{VALUE(miscount_port), SIM_INTEGER, 0, 127, EVERY_PORT,
	 .help = "the port whose counts are wrong, numbered through all sockets"},
	{VALUE(upi), SIM_WORD, .words = upis, .help = "which counters of UPI units count"},
	{VALUE(swap), SIM_BOOLEAN, .words = sim_booleans,
	 .help = "whether each memory device is behind its neighbour's port"},
	{VALUE(pause), SIM_REAL, 0, 1e4,
	 .help = "ms for which the program is held up behind each 101st access to a register"},
	{SIM_FIELD(regions), SIM_WORD, .words = regions, .layout = true,
	 .help = "of dmr, which regions of memory have counters, and what these do"},
	{SIM_FIELD(region_width), SIM_INTEGER, 8, 62, .layout = true,
	 .help = "bits of these counters (48)"},
	{SIM_FIELD(region_factor), SIM_REAL, 0, 1000, .layout = true,
	 .help = "by which their counts are to be multiplied; 0: by none"},
	{SIM_FIELD(read_set), SIM_REAL, 0.01, 16,
	 .help = "GiB of each node that each process reads (4)"},
	{SIM_FIELD(hot_pct), SIM_REAL, 0.1, 100, .help = "percent of these that are hot (10)"},
	{SIM_FIELD(hot_reads_pct), SIM_REAL, 0, 100, .help = "percent of reads that go there (90)"},
	{SIM_FIELD(hot_moves), SIM_REAL, 0, 1e5,
	 .help = "seconds after which the next part is hot; 0: never"},
	{SIM_FIELD(sampled_pct), SIM_REAL, 0, 100,
	 .help = "percent of reads that are loads, which can be sampled (50)"},
	{SIM_FIELD(dram_streamed_pct), SIM_REAL, 0, 100,
	 .help = "percent of loads from DRAM whose data is prefetched, and so not sampled"},
	{SIM_FIELD(cache_hits), SIM_REAL, 0, 1000,
	 .help = "loads that caches answer, for each of memory (99)"},
	{SIM_FIELD(sample_running), SIM_REAL, 0, 100,
	 .help = "percent of the time in which sampled events have counters (100)"},
	{SIM_FIELD(parallelism), SIM_REAL, 1, 48,
	 .help = "reads that a CPU has outstanding while it waits for one (3)"},
	{SIM_FIELD(overlap), SIM_REAL, 0, 1e4,
	 .help = "cycles of CXL memory's longer latency in which a CPU works (20)"},
	{SIM_FIELD(prefetched), SIM_REAL, 0, 100,
	 .help = "percent of waits for caches that are for prefetches of memory (25)"},
	{VALUE(deviation), SIM_REAL, 0, 100,
	 .help = "standard deviation, in percent, of how waits grow beside their model"},
	{VALUE(seed), SIM_INTEGER, 0, 1e9, .help = "number that decides how they deviate"},
	{.name = NULL},
};

static int finish_spec(struct sim_spec *spec, struct error *err)
{
	const struct test_values values = test_values_of(spec);

	if (values.still_chas >= spec->chas)
		return error_set(
			err, ERROR_USAGE, -EINVAL,
			"--sim: still_chas=%u: expected fewer than the CHAs of a socket (%u)",
			values.still_chas, spec->chas);
	if (cpmu_kind_blocks(values.cpmu_kind))
		spec->cpmu = true;
	return 0;
}

static const struct sim_cpmu_block *choose_cpmus(const struct sim_spec *spec)
{
	return cpmu_kind_blocks(test_values_of(spec).cpmu_kind);
}

static void stop_chas(struct sim *sim, unsigned count)
{
	for (size_t u = 0; u < sim->unit_count; u++) {
		struct sim_unit *unit = &sim->units[u];

		if (unit->type == PMU_CHA && unit->index + count >= sim->spec.chas)
			unit->still = UINT32_MAX;
	}
	sim->loads.chas -= count;
}

static void stop_upi_counters(struct sim *sim, uint32_t counters)
{
	for (size_t u = 0; u < sim->unit_count; u++)
		if (sim->units[u].type == PMU_UPI)
			sim->units[u].still = counters;
}

/* Adds clocks for each read of DRAM to the occupancy of the TOR. */
static void leak_occupancy(struct sim_loads *loads, double clocks)
{
	loads->flows[RATE_LEAKED_OCCUPANCY].rate = sim_lines(loads->spec->dram_read) * clocks;
	loads->reads[RATE_LEAKED_OCCUPANCY].rate = sim_lines(1) * clocks;
}

/* Linux's numbers of the tiers of DRAM and of CXL memory. */
#define DRAM_TIER 4
#define CXL_TIER  22

/* Shows tiers of all nodes; firmware reports no bandwidth of DRAM nodes. */
static void show_tiers(struct sim *sim, unsigned tiers)
{
	struct memory_layout *memory = &sim->memory;
	const unsigned sockets = sim->spec.sockets;

	if (!memory->node_count || memory->nodes[0].node != 0) {
		memmove(memory->nodes + sockets, memory->nodes,
			memory->node_count * sizeof(*memory->nodes));
		memory->node_count += sockets;
		for (unsigned s = 0; s < sockets; s++)
			memory->nodes[s] = (struct memory_node){.node = (int)s};
	}
	for (size_t i = 0; i < memory->node_count; i++)
		memory->nodes[i].tier =
			tiers == 1 || memory->nodes[i].node < (int)sockets ? DRAM_TIER : CXL_TIER;
}

#define PAUSE_ACCESSES 101 /* accesses from one pause to the next */

static int change_machine(struct sim *sim)
{
	static const uint32_t stopped[] = {
		[UPI_ALL] = 0, [UPI_EVEN] = 0xAAAAAAAA, [UPI_OFF] = UINT32_MAX};
	const struct test_values values = test_values_of(&sim->spec);

	for (size_t cpu = 0; cpu < sim->core_count; cpu++)
		sim->cores[cpu].isolated = cpu % sim->spec.cpus < values.isolated;
	stop_chas(sim, values.still_chas);
	stop_upi_counters(sim, stopped[values.upi]);
	leak_occupancy(&sim->loads, values.tor_leak);
	sim->swapped = values.swap;
	/* the kernel's driver refuses a CPMU without an interrupt */
	for (size_t i = 0; values.cxl_pmu && i < sim->cpmu_count; i++)
		if (sim->cpmus[i].block)
			sim->cpmus[i].capability |= SIM_CPMU_INTERRUPT;
	if (!sim->snapshot)
		tables_add_records(sim, values.extra_chas, values.invalid);
	if (values.tiers)
		show_tiers(sim, values.tiers);
	if (values.pause > 0)
		sim_set_pauses(sim, PAUSE_ACCESSES, UINT64_MAX, (uint64_t)(values.pause * 1e6));
	if (values.aer_advisory > 0 || values.aer_internal > 0 || values.aer_unsupported > 0)
		sim_set_errors(sim);
	return 0;
}

const struct sim_extras sim_extras = {
	.keys = keys,
	.finish = finish_spec,
	.cpmus = choose_cpmus,
	.count = miscount,
	.growth = deviation,
	.cxl_driver = &cxl_driver,
	.change = change_machine,
};
