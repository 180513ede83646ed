/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turin: EPYC of Zen 5. Its data fabric counts each of the four CXL master ports of a socket.
 *
 * Sources: see amd_events.h. Fills by source are those of the kernel's amdzen5/load-store.json.
 */
#include "uncore/models/amd_events.h"

#define READ  0xFFE
#define WRITE 0xCFD

#define PORT_EVENTS(n, code)                                                                       \
	{"cxl_port_read_data_beats_" n,		  BOX_DF, code, READ, 0, DF_ANY,                   \
	 "64 bytes read from CXL master port " n, 0},                                              \
	{                                                                                          \
		"cxl_port_write_data_beats_" n, BOX_DF, code, WRITE, 0, DF_ANY,                    \
			"64 bytes written to CXL master port " n, 0                                \
	}

static const struct event turin_events[] = {
	PORT_EVENTS("0", 0x31F),
	PORT_EVENTS("1", 0x35F),
	PORT_EVENTS("2", 0x39F),
	PORT_EVENTS("3", 0x3DF),
	AMD_L3_EVENTS,
	AMD_UMC_EVENTS,
	CORE_FILLS("ls_dmnd_fills_from_sys", 0x43, "demand fills from "),
	CORE_FILLS("ls_any_fills_from_sys", 0x44, "fills from "),
	{.name = NULL},
};

static const struct formula turin_formulas[] = {
	DF_BYTES("cxl_mem_read_MBps", MB_PER_LINE, "df", "cxl_port_read_data_beats_0",
		 "cxl_port_read_data_beats_1", "cxl_port_read_data_beats_2",
		 "cxl_port_read_data_beats_3"),
	DF_BYTES("cxl_mem_write_MBps", MB_PER_LINE, NULL, "cxl_port_write_data_beats_0",
		 "cxl_port_write_data_beats_1", "cxl_port_write_data_beats_2",
		 "cxl_port_write_data_beats_3"),
	AMD_FORMULAS,
	CORE_BYTES("cxl_fill_MBps", "ls_any_fills_from_sys.alternate_memories"),
	{.metric = NULL},
};

const struct model model_turin = {
	.name = "Turin",
	.short_name = "turin",
	.vendor = "AuthenticAMD",
	.family = 0x1A,
	.display_model = 0x00,
	.last_model = 0x1F,
	.units_by_cpuid = true,
	.ports_of_df = 4,
	.far_is_node = true,
	.perf_prefix = "amd_",
	.perf_driver = "amd_uncore",
	.core = &core_amd,
	.boxes = amd_boxes,
	.events = turin_events,
	.formulas = turin_formulas,
};
