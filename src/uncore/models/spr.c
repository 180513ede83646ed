/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sapphire Rapids.
 *
 * Sources: PMU types, steps and the wrong UPI records from the kernel's uncore_snbep.c; the global
 * freeze register and the write formulas from Intel PCM; the register with the number of CHAs from
 * the kernel's commits 38776cc45eb7 (firmware of some Sapphire Rapids lists more than there are)
 * and 6f7f984fa85b (it reads as 0 on Emerald Rapids XCC). Its events are in intel_events.c.
 *
 * Xeon Max has HBM, whose column accesses move 32 bytes each: a burst of 4 on a pseudo-channel of
 * 64 bits (JESD235). PCM (getHBMCASTransferSize()) and VTune (HBMReadBandwidth) count them so.
 *
 * RxC data inserts do not count CXL.mem reads reliably on this processor (PCM's maintainers call it
 * a hardware limitation, intel/pcm issue 572), and for CXL.cache their accuracy is unknown: they
 * are available as events, but no metric uses them. Reads are counted as requests sent instead,
 * which is an upper estimate: a request without data, such as MemInv, counts as a cache line.
 * CXL.cache device-to-host bandwidth is not known.
 */
#include "uncore/models/models_private.h"

/* Source: spr_uncore_upi in Linux uncore_snbep.c; devices and function also PCM's types.h. */
static const struct pmu_functions upi_functions = {
	.device = 0x3241,
	.first_device = 1,
	.most = 4,
	.function = 1,
	.control = 0x318,
	.control_offset = 0x38,
	.counter_offset = 0x08,
	.counters = 4,
	.width = 48,
};

/* The UBOX. Source: the kernel's spr_uncore_pci_init(), SKX_CPUNODEID and SKX_GIDNIDMAP. */
const struct package_map spr_packages = {.device = 0x3250, .node = 0xC0, .nodes = 0xD4};

const struct pmu_type spr_pmu_types[] = {
	{.type = PMU_CHA, .name = "cha", .count_msr = 0x2FFE, .layout = &control_cha},
	{.type = PMU_IIO, .name = "iio"},
	{.type = PMU_IRP, .name = "irp"},
	{.type = PMU_M2PCIE, .name = "m2pcie"},
	{.type = PMU_PCU, .name = "pcu"},
	{.type = PMU_UBOX, .name = "ubox", .perf_name = "type_5"},
	{.type = PMU_IMC,
	 .name = "imc",
	 .mmio_control_step = 4,
	 .may_be_absent = true,
	 .layout = &control_narrow},
	{.type = PMU_M2M, .name = "m2m"},
	{.type = PMU_UPI, .name = "upi", .ignored = true, .functions = &upi_functions},
	{.type = PMU_M3UPI, .name = "m3upi", .ignored = true},
	{.type = PMU_MDF, .name = "mdf"},
	{.type = PMU_CXLCM, .name = "cxlcm", .mmio_control_step = 8},
	{.type = PMU_CXLDP, .name = "cxldp", .mmio_control_step = 8},
	/* only on Xeon Max; a generic MMIO unit, as the kernel and PCM program it */
	{.type = PMU_HBM,
	 .name = "hbm",
	 .mmio_control_step = 4,
	 .may_be_absent = true,
	 .layout = &control_narrow},
	{.name = NULL},
};

static const struct formula spr_formulas[] = {
	DRD_LATENCY_FORMULAS(SPR_LEAK_NS),
	SPR_FORMULAS,
	/* a machine may have no HBM, or nothing else */
	LINES("dram_read_MBps", "(or_0(UNC_M_CAS_COUNT.RD) + or_0(UNC_MCHBM_CAS_COUNT.RD) * 0.5)"),
	LINES("dram_write_MBps", "(or_0(UNC_M_CAS_COUNT.WR) + or_0(UNC_MCHBM_CAS_COUNT.WR) * 0.5)"),
	{BYTES("hbm_read_MBps", "UNC_MCHBM_CAS_COUNT.RD", 32)},
	{BYTES("hbm_write_MBps", "UNC_MCHBM_CAS_COUNT.WR", 32)},
	TOR_ACC_BYTES("cxl_mem_read_MBps", false),
	KINDS_OF_ACC(""),
	{.metric = NULL},
};

/* Rates of Xeon Max, in the last table. */
static const struct sim_event_rate sim_hbm_events[] = {
	{PMU_HBM, 0x05, 0xCF, 0, 0x0F, RATE_HBM_READS},
	{PMU_HBM, 0x05, 0xF0, 0, 0x0F, RATE_HBM_WRITES},
	{.counters = 0},
};
static const struct sim_model simulated = {
	SIM_SPR_UNCORE,
	.kernel = SIM_KERNEL(5, 14),
	.events = SIM_EVENTS(sim_intel_events, sim_cache_data_events, sim_spr_events,
			     sim_drd_events, sim_kind_events, sim_hbm_events),
};

const struct model model_spr = {
	.name = "Sapphire Rapids",
	.short_name = "spr",
	.measured = SPR_MEASURED,
	.family = 6,
	.display_model = 0x8F,
	.perf_kernel = "6.11",
	.packages = &spr_packages,
	.global_freeze_msr = 0x2FF0,
	.offcore_rsp_bits = OFFCORE_RSP_BITS,
	.candidate_reads = SPR_CANDIDATE_READS,
	.unreliable_metric = "cxl_cache_d2h_MBps",
	.pmu_types = spr_pmu_types,
	.events = EVENTS(intel_events),
	.load_events = intel_load_events,
	.event_list = SPR,
	.formulas = spr_formulas,
	.simulated = &simulated,
};
