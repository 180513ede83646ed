/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turin: EPYC of Zen 5. Its data fabric counts each of the four CXL master ports of a socket.
 *
 * Sources: see amd.c.
 */
#include "uncore/models/amd_models_private.h"

#define PORT(n, code)                                                                              \
	AMD_DF("cxl_port_read_data_beats_" n, code, 0xFFE,                                         \
	       "64 bytes read from CXL master port " n),                                           \
		AMD_DF("cxl_port_write_data_beats_" n, code, 0xCFD,                                \
		       "64 bytes written to CXL master port " n)

static const struct event df_events[] = {
	PORT("0", 0x31F), PORT("1", 0x35F), PORT("2", 0x39F), PORT("3", 0x3DF), {.name = NULL},
};

/* Fills of a CPU's data cache, by their source. */
#define CORE_FILLS(name, code, of)                                                                 \
	AMD_CORE(name ".local_l2", code, 0x01, of "its L2"),                                       \
		AMD_CORE(name ".local_ccx", code, 0x02, of "its L3, or another L2 below it"),      \
		AMD_CORE(name ".near_cache", code, 0x04, of "another L3 of the same NUMA node"),   \
		AMD_CORE(name ".dram_io_near", code, 0x08,                                         \
			 of "DRAM or MMIO of the same NUMA node"),                                 \
		AMD_CORE(name ".far_cache", code, 0x10, of "an L3 of another NUMA node"),          \
		AMD_CORE(name ".dram_io_far", code, 0x40, of "DRAM or MMIO of another NUMA node"), \
		AMD_CORE(name ".alternate_memories", code, 0x80, of "CXL memory")

static const struct event core_events[] = {
	/* amdzen5/load-store.json */
	CORE_FILLS("ls_dmnd_fills_from_sys", 0x43, "demand fills from "),
	CORE_FILLS("ls_any_fills_from_sys", 0x44, "fills from "),
	{.name = NULL},
};

static const struct formula turin_formulas[] = {
	DF_BYTES("cxl_mem_read_MBps", 64, "df",
		 "cxl_port_read_data_beats_0, cxl_port_read_data_beats_1, "
		 "cxl_port_read_data_beats_2, cxl_port_read_data_beats_3"),
	DF_BYTES("cxl_mem_write_MBps", 64, NULL,
		 "cxl_port_write_data_beats_0, cxl_port_write_data_beats_1, "
		 "cxl_port_write_data_beats_2, cxl_port_write_data_beats_3"),
	AMD_FORMULAS,
	{.metric = NULL},
};

static const struct sim_event_rate sim_df_events[] = {
	{PMU_DF, 0x31F, 0xFFE, 0, 0xFFFF, RATE_READS, .last = 0x3DF},
	{PMU_DF, 0x31F, 0xCFD, 0, 0xFFFF, RATE_WRITES, .last = 0x3DF},
	{.counters = 0},
};
/* a socket has the four ports that have events */
static const struct sim_model simulated = {
	SIM_AMD_UNCORE,
	.display_model = 0x02,
	.ports = 4,
	.max_ports = 4,
	.events = SIM_EVENTS(sim_df_events, sim_amd_events),
};

const struct model model_turin = {
	.name = "Turin",
	.short_name = "turin",
	.measured = "bandwidth of each CXL port, latency, DRAM, cores, which CPU reads CXL memory",
	.family = 0x1A,
	.display_model = 0x00,
	.last_model = 0x1F,
	.ports_of_df = 4,
	.events = EVENTS(df_events, amd_events, core_events),
	.formulas = turin_formulas,
	.simulated = &simulated,
	OF_AMD,
};
