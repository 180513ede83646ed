/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Granite Rapids and Granite Rapids-D.
 *
 * Sources: events from Intel's published event lists (intel_events.c), except CACHE_DATA: Intel PCM
 * programs those events on these processors with Sapphire Rapids' codes (PCM::programCXLCM) and
 * shows the result. PMU types from the kernel's uncore_discovery.c and uncore_snbep.c
 * (UNCORE_GNR_*).
 *
 * No global freeze register is verified for this processor, so units are frozen one by one.
 */
#include "uncore/models/models_private.h"

const struct pmu_type gnr_pmu_types[] = {
	{.type = PMU_CHA, .name = "cha", .layout = &control_cha},
	{.type = PMU_IIO, .name = "iio"},
	{.type = PMU_IRP, .name = "irp"},
	{.type = PMU_M2PCIE, .name = "m2pcie"},
	{.type = PMU_PCU, .name = "pcu"},
	{.type = PMU_UBOX, .name = "ubox"},
	{.type = PMU_IMC,
	 .name = "imc",
	 .mmio_control_step = 4,
	 .may_be_absent = true,
	 .layout = &control_narrow},
	{.type = PMU_UPI, .name = "upi"},
	{.type = PMU_CXLCM, .name = "cxlcm", .mmio_control_step = 8},
	{.type = PMU_CXLDP, .name = "cxldp", .mmio_control_step = 8},
	{.type = PMU_B2HOT, .name = "b2hot"},
	{.type = PMU_B2CMI, .name = "b2cmi"},
	{.type = PMU_B2CXL,
	 .name = "b2cxl",
	 .mmio_control_step = 8}, /* the kernel from 6.11, PCM */
	{.type = PMU_B2UPI, .name = "b2upi"},
	{.type = PMU_MDF_GNR, .name = "mdf", .perf_name = "mdf_sbo"},
	{.type = PMU_PCIE5_X16, .name = "pcie5_x16", .perf_name = "pciex16"},
	{.type = PMU_PCIE5_X8, .name = "pcie5_x8", .perf_name = "pciex8"},
	{.name = NULL},
};

/* Events of its cores: graniterapids_core. */
static const struct event core_events[] = {
	{"MEM_LOAD_L3_MISS_RETIRED.REMOTE_CXL_MEM", PMU_CORE, 0xD3, 0x10, 0, CORE_0_TO_3,
	 "retired loads that CXL memory of another socket supplied", CORE_ALL_RINGS,
	 .limit = LIMIT_CLOCK},
	{"MEM_LOAD_RETIRED.LOCAL_CXL_MEM", PMU_CORE, 0xD1, 0x80, 0, CORE_0_TO_3,
	 "retired loads that CXL memory of this socket supplied", CORE_ALL_RINGS,
	 .limit = LIMIT_CLOCK},
	{"OCR.READS_TO_CORE.CXL_MEM", PMU_CORE, 0x2A, 0x01, 0, CORE_0_TO_3,
	 "reads by the core, prefetches included, that CXL memory supplied", CORE_ALL_RINGS,
	 UINT64_C(0x703C04477), .limit = LIMIT_CLOCK},
	{"OCR.READS_TO_CORE.LOCAL_CXL_MEM", PMU_CORE, 0x2A, 0x01, 0, CORE_0_TO_3,
	 "reads by the core, prefetches included, that CXL memory of this socket supplied",
	 CORE_ALL_RINGS, UINT64_C(0x700C04477), .limit = LIMIT_CLOCK},
	{"OCR.READS_TO_CORE.REMOTE_CXL_MEM", PMU_CORE, 0x2A, 0x01, 0, CORE_0_TO_3,
	 "reads by the core, prefetches included, that CXL memory of another socket supplied",
	 CORE_ALL_RINGS, UINT64_C(0x703004477), .limit = LIMIT_CLOCK},
	{.name = NULL},
};

static const struct formula gnr_formulas[] = {
	GNR_MEM_FORMULAS,
	STALL_FORMULAS,
	LOAD_FORMULAS,
	LOADS_FROM("cxl",
		   "(MEM_LOAD_RETIRED.LOCAL_CXL_MEM + MEM_LOAD_L3_MISS_RETIRED.REMOTE_CXL_MEM)"),
	GNR_CACHE_FORMULAS,
	DRD_LATENCY_FORMULAS(0),
	LATENCY("ddr_local_read_latency_ns", "DRD_LOCAL_DDR", NULL),
	LATENCY("ddr_remote_read_latency_ns", "DRD_REMOTE_DDR", NULL),
	KINDS("CXL_ACC", "(" DATA("CXL_ACC") ")", ""),
	KIND_LATENCIES("CXL_ACC"),
	{BYTES("cxl_read_local_MBps", "OCR.READS_TO_CORE.LOCAL_CXL_MEM", 64), .pinned = true},
	{BYTES("cxl_read_remote_MBps", "OCR.READS_TO_CORE.REMOTE_CXL_MEM", 64), .pinned = true},
	{.metric = NULL},
};

#define SIM_OF_GNR(imc)                                                                            \
	SIM_GNR_UNCORE(imc), .offcore_cxl = true, .read_kinds = true, .stalls = true,              \
			     .kernel = SIM_KERNEL(6, 8),                                           \
			     .events = SIM_EVENTS(sim_intel_events, sim_cache_data_events,         \
						  sim_gnr_events, sim_drd_events, sim_kind_events)
static const struct sim_model simulated = {SIM_OF_GNR(SIM_IMC_GNR)};
/* offset as on every stepping except the first */
static const struct sim_model simulated_d = {SIM_OF_GNR(0x208800)};

#define GRANITE_RAPIDS                                                                               \
	.measured =                                                                                  \
		"bandwidth, latency, DRAM, cores, which CPU reads CXL memory; not queues and links", \
	.family = 6, .perf_kernel = "6.14", .offcore_rsp_bits = OFFCORE_RSP_BITS,                    \
	.pmu_types = gnr_pmu_types, .events = EVENTS(intel_events, core_events),                     \
	.load_events = intel_load_events, .event_list = GNR, .formulas = gnr_formulas

const struct model model_gnr = {
	.name = "Granite Rapids",
	.short_name = "gnr",
	.display_model = 0xAD,
	.simulated = &simulated,
	GRANITE_RAPIDS,
};

const struct model model_gnr_d = {
	.name = "Granite Rapids-D",
	.short_name = "gnr-d",
	.display_model = 0xAE,
	.simulated = &simulated_d,
	GRANITE_RAPIDS,
};
