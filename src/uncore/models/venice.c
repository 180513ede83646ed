/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Venice: EPYC of Zen 6. Its data fabric counts CXL traffic by the CCM (core complex master)
 * through which cores reach it: reads and writes by the cores of a socket to memory of any socket,
 * without the traffic of devices.
 *
 * Source of the codes: only Meta's dynolog, which took them from AMD's PPR and marks them as yet to
 * be validated on hardware; its pull request 575 reports that stepping A0 counts writes wrongly,
 * and expects B0 to be right. The family, and the models of A0 (50h) and B0 (51h), are from the
 * same source.
 */
#include "uncore/models/amd_models_private.h"

#define CCM(n, code)                                                                               \
	AMD_DF("ccm_cxl_read_data_beats_" n, code, 0xFE0,                                          \
	       "32 bytes that the cores of CCM " n " read from CXL memory", .one_source = true),   \
		AMD_DF("ccm_cxl_write_data_beats_" n, code, 0xFE1,                                 \
		       "64 bytes that the cores of CCM " n " write to CXL memory",                 \
		       .one_source = true)

static const struct event df_events[] = {
	CCM("0", 0x41E),  CCM("1", 0x45E),  CCM("2", 0x49E),  CCM("3", 0x4DE),	CCM("4", 0x51E),
	CCM("5", 0x55E),  CCM("6", 0x59E),  CCM("7", 0x5DE),  CCM("8", 0x61E),	CCM("9", 0x65E),
	CCM("10", 0x69E), CCM("11", 0x6DE), CCM("12", 0x71E), CCM("13", 0x75E), CCM("14", 0x79E),
	CCM("15", 0x7DE), {.name = NULL},
};

#define OF_ALL_CCMS(name)                                                                          \
	name "0, " name "1, " name "2, " name "3, " name "4, " name "5, " name "6, " name          \
	     "7, " name "8, " name "9, " name "10, " name "11, " name "12, " name "13, " name      \
	     "14, " name "15"

static const struct formula venice_formulas[] = {
	DF_BYTES("cxl_mem_read_MBps", 32, "df", OF_ALL_CCMS("ccm_cxl_read_data_beats_")),
	DF_BYTES("cxl_mem_write_MBps", 64, NULL, OF_ALL_CCMS("ccm_cxl_write_data_beats_")),
	AMD_FORMULAS,
	{.metric = NULL},
};

static const struct sim_event_rate sim_df_events[] = {
	{PMU_DF, 0x41E, 0xFE0, 0, 0xFFFF, RATE_CCM_READS, .last = 0x7DE},
	{PMU_DF, 0x41E, 0xFE1, 0, 0xFFFF, RATE_CCM_WRITES, .last = 0x7DE},
	{.counters = 0},
};
static const struct sim_model simulated = {SIM_AMD_UNCORE,
					   .events = SIM_EVENTS(sim_df_events, sim_amd_events)};

#define VENICE_B0_OR_A0                                                                            \
	OF_AMD, .measured = "as Turin, but bandwidth by CPU complex", .family = 0x1A,              \
		.ports_of_df = 16, .port_name = "ccm",                                             \
		.events = EVENTS(df_events, amd_events, amd_fill_events),                          \
		.formulas = venice_formulas

const struct model model_venice_a0 = {
	.name = "Venice A0",
	.short_name = "venice-a0",
	.display_model = 0x50,
	.wrong_metric = "cxl_mem_write_MBps",
	.wrong_why = "stepping A0 counts CXL writes wrongly, and leaves out the traffic of devices "
		     "(dynolog pull request 575)",
	VENICE_B0_OR_A0,
};

const struct model model_venice = {
	.name = "Venice",
	.short_name = "venice",
	.display_model = 0x51,
	.last_model = 0x57,
	.simulated = &simulated,
	VENICE_B0_OR_A0,
};
