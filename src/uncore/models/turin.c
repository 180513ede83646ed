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
	.events = EVENTS(df_events, amd_events, amd_fill_events),
	.formulas = turin_formulas,
	.simulated = &simulated,
	OF_AMD,
};
