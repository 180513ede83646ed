/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Venice: EPYC of Zen 6. Its data fabric counts CXL traffic by the CCM (core complex master)
 * through which cores reach it: what the cores of a socket read and write, on whatever socket the
 * memory is, without the traffic of devices.
 *
 * Source of the codes: Meta's dynolog alone, which took them from AMD's PPR; its issue 575 reports
 * that stepping A0 counts writes wrongly. The family and models are of the same source.
 */
#include "uncore/models/amd_events.h"

#define READ  0xFE0
#define WRITE 0xFE1

#define MB_PER_READ_BEAT (32 / 1e6)

#define CCM_EVENTS(n, number)                                                                      \
	{.name = "ccm_cxl_read_data_beats_" n,                                                     \
	 .box = BOX_DF,                                                                            \
	 .code = number,                                                                           \
	 .umask = READ,                                                                            \
	 .counters = DF_ANY,                                                                       \
	 .help = "32 bytes that the cores of CCM " n " read from CXL memory",                      \
	 .one_source = true},                                                                      \
	{                                                                                          \
		.name = "ccm_cxl_write_data_beats_" n, .box = BOX_DF, .code = number,              \
		.umask = WRITE, .counters = DF_ANY,                                                \
		.help = "64 bytes that the cores of CCM " n                                        \
			" write to CXL memory; wrong on stepping A0",                              \
		.one_source = true                                                                 \
	}

#define OF_ALL_CCMS(name)                                                                          \
	name "0", name "1", name "2", name "3", name "4", name "5", name "6", name "7", name "8",  \
		name "9", name "10", name "11", name "12", name "13", name "14", name "15"

static const struct event venice_events[] = {
	CCM_EVENTS("0", 0x41E),	 CCM_EVENTS("1", 0x45E),  CCM_EVENTS("2", 0x49E),
	CCM_EVENTS("3", 0x4DE),	 CCM_EVENTS("4", 0x51E),  CCM_EVENTS("5", 0x55E),
	CCM_EVENTS("6", 0x59E),	 CCM_EVENTS("7", 0x5DE),  CCM_EVENTS("8", 0x61E),
	CCM_EVENTS("9", 0x65E),	 CCM_EVENTS("10", 0x69E), CCM_EVENTS("11", 0x6DE),
	CCM_EVENTS("12", 0x71E), CCM_EVENTS("13", 0x75E), CCM_EVENTS("14", 0x79E),
	CCM_EVENTS("15", 0x7DE), AMD_L3_EVENTS,		  AMD_UMC_EVENTS,
	{.name = NULL},
};

static const struct formula venice_formulas[] = {
	DF_BYTES("cxl_mem_read_MBps", MB_PER_READ_BEAT, "df",
		 OF_ALL_CCMS("ccm_cxl_read_data_beats_")),
	DF_BYTES("cxl_mem_write_MBps", MB_PER_LINE, NULL, OF_ALL_CCMS("ccm_cxl_write_data_beats_")),
	AMD_FORMULAS,
	{.metric = NULL},
};

const struct model model_venice = {
	.name = "Venice",
	.short_name = "venice",
	.vendor = "AuthenticAMD",
	.family = 0x1A,
	.display_model = 0x50,
	.last_model = 0x57,
	.units_by_cpuid = true,
	.ports_of_df = 16,
	.port_name = "ccm",
	.far_is_node = true,
	.perf_prefix = "amd_",
	.perf_driver = "amd_uncore",
	.core = &core_amd,
	.boxes = amd_boxes,
	.events = venice_events,
	.formulas = venice_formulas,
};
