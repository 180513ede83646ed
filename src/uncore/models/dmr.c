/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Diamond Rapids. No event list is published yet, so it only has raw events, and metrics of cores
 * and of regions of memory: uncore/rdt.
 *
 * Sources: Linux, uncore_snbep.c, commits 6daf2c35b835 (IMH: types and layouts; type 19 is broken)
 * and 66e2075426f3 (CBB: types and layouts; type 37 is broken). events/event_catalogue.c has which
 * counters can count which event.
 *
 * Steps of MMIO controls: these commits state none. A control with a field above bit 31 takes 8
 * bytes, and controls are 4 or 8 bytes apart everywhere. The steps of the other types are unknown.
 * So is the step of the iMC, whose threshold ends in bit 32, but whose controls Linux accesses 4
 * bytes apart; Linux also has its invert bit in its threshold, so here it has none.
 */
#include "uncore/models/models_private.h"

static const struct control_layout cxlcm_layout = {{
	[CONTROL_EDGE] = {18, 1},
	[CONTROL_INVERT] = {21, 1},
	[CONTROL_THRESHOLD] = {23, 9},
	[CONTROL_PORT_ENABLE] = {32, 4},
}};

static const struct control_layout imc_layout = {{
	[CONTROL_EDGE] = {18, 1},
	[CONTROL_THRESHOLD] = {23, 10},
}};

static const struct control_layout pcie_layout = {{
	[CONTROL_EDGE] = {18, 1},
	[CONTROL_INVERT] = {23, 1},
	[CONTROL_THRESHOLD] = {24, 12},
	[CONTROL_RS3_SEL] = {36, 1},
	[CONTROL_RX_SEL] = {37, 1},
	[CONTROL_TX_SEL] = {38, 1},
	[CONTROL_IEP_SEL] = {39, 1},
	[CONTROL_VC_SEL] = {40, 8},
	[CONTROL_PORT_SEL] = {48, 8},
}};

static const struct pmu_type dmr_pmu_types[] = {
	{.type = PMU_PCU, .name = "pcu", .layout = &control_narrow},
	{.type = PMU_UBOX, .name = "ubox", .layout = &control_narrow},
	{.type = PMU_IMC, .name = "imc", .may_be_absent = true, .layout = &imc_layout},
	{.type = PMU_MSE, .name = "mse", .ignored = true},
	{.type = PMU_SCA, .name = "sca", .mmio_control_step = 8},
	{.type = PMU_CXLCM_DMR, .name = "cxlcm", .mmio_control_step = 8, .layout = &cxlcm_layout},
	{.type = PMU_HAMVF, .name = "hamvf", .mmio_control_step = 8},
	{.type = PMU_CBO, .name = "cbo", .mmio_control_step = 8},
	{.type = PMU_SANTA, .name = "santa", .layout = &control_narrow},
	{.type = PMU_CNCU, .name = "cncu", .layout = &control_narrow},
	{.type = PMU_SNCU, .name = "sncu", .layout = &control_narrow},
	{.type = PMU_ULA, .name = "ula", .vendor_name = "d2d_ula", .mmio_control_step = 8},
	{.type = PMU_DDA, .name = "dda", .vendor_name = "d2d_dda", .mmio_control_step = 8},
	{.type = PMU_SB2UCIE, .name = "sb2ucie", .ignored = true},
	{.type = PMU_SBO, .name = "sbo", .vendor_name = "d2d_sbo", .mmio_control_step = 8},
	{.type = PMU_UBR, .name = "ubr", .mmio_control_step = 8},
	{.type = PMU_PCIE4, .name = "pcie4", .mmio_control_step = 8, .layout = &pcie_layout},
	{.type = PMU_CRS, .name = "crs", .layout = &control_narrow},
	{.type = PMU_CPC, .name = "cpc", .mmio_control_step = 8},
	{.type = PMU_ITC, .name = "itc", .mmio_control_step = 8},
	{.type = PMU_OTC, .name = "otc", .mmio_control_step = 8},
	{.type = PMU_CMS, .name = "cms", .layout = &control_narrow},
	{.type = PMU_PCIE6, .name = "pcie6", .mmio_control_step = 8, .layout = &pcie_layout},
	{.name = NULL},
};

static const struct formula dmr_formulas[] = {CORE_FORMULAS, {.metric = NULL}};

static const struct sim_event_rate sim_rates[] = {
	{PMU_CXLCM_DMR, 0x01, 0, 0, 0x0F, RATE_SENT, .last = 0x24},
	{PMU_CXLCM_DMR, 0x41, 0, 0, 0xF0, RATE_RECEIVED, .last = 0x61},
	{PMU_CBO, 0x01, 0, 0, 0x0F, RATE_CXL_INSERTS, .last = 0xFF},
	{.counters = 0},
};
static const struct sim_model simulated = {
	.rxc = true,
	.dies_have_tables = true,
	.events = SIM_EVENTS(sim_rates),
	.kernel = SIM_KERNEL(7, 0),
	.kernel_cxl = SIM_KERNEL(7, 0),
};

const struct model model_dmr = {
	.name = "Diamond Rapids",
	.short_name = "dmr",
	.measured = "bandwidth by region of memory (`-m region`), cores, raw events (`-e`)",
	.family = 19,
	.display_model = 1,
	.discovery_device = 0x09A1, /* commit 6daf2c35b835 */
	.ids_of_socket = true,	    /* ids of the second IMH begin at 0x8000 */
	/* commits 66e2075426f3 and, for frozen from power-on, b575fc0e3357 */
	.discovery_msr = 0x710,
	.pmu_types = dmr_pmu_types,
	.formulas = dmr_formulas,
	.simulated = &simulated,
	.load_events = intel_load_latencies,
};
