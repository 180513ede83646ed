/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sapphire Rapids.
 *
 * Sources: boxes, steps and the wrong UPI records from the kernel's uncore_snbep.c; the global
 * freeze register and the write formulas from Intel PCM. Its events are in spr_events.c.
 *
 * Xeon Max has HBM, whose column accesses move 32 bytes each: a burst of 4 on a pseudo-channel of
 * 64 bits (JESD235). PCM (getHBMCASTransferSize()) and VTune (HBMReadBandwidth) count them so.
 *
 * RxC data inserts do not count CXL.mem reads reliably on this processor (PCM's maintainers call it
 * a hardware limitation, intel/pcm issue 572), and for CXL.cache their accuracy is not known: they
 * are available as events, but no metric uses them. Reads are counted as requests sent instead,
 * which is an upper estimate: a request without data, such as MemInv, counts as a cache line.
 * CXL.cache device-to-host bandwidth is not known.
 */
#include "uncore/models/models.h"

const struct box spr_boxes[] = {
	{.type = BOX_CHA, .name = "cha", .layout = &control_cha},
	{.type = BOX_IIO, .name = "iio"},
	{.type = BOX_IRP, .name = "irp"},
	{.type = BOX_M2PCIE, .name = "m2pcie"},
	{.type = BOX_PCU, .name = "pcu"},
	{.type = BOX_UBOX, .name = "ubox", .perf_name = "type_5"},
	{.type = BOX_IMC,
	 .name = "imc",
	 .mmio_control_step = 4,
	 .may_be_absent = true,
	 .layout = &control_narrow},
	{.type = BOX_M2M, .name = "m2m"},
	{.type = BOX_UPI, .name = "upi", .ignored = true},
	{.type = BOX_M3UPI, .name = "m3upi", .ignored = true},
	{.type = BOX_MDF, .name = "mdf"},
	{.type = BOX_CXLCM, .name = "cxlcm", .mmio_control_step = 8},
	{.type = BOX_CXLDP, .name = "cxldp", .mmio_control_step = 8},
	/* of Xeon Max only; a generic MMIO unit, as the kernel and PCM program it */
	{.type = BOX_HBM,
	 .name = "hbm",
	 .mmio_control_step = 4,
	 .may_be_absent = true,
	 .layout = &control_narrow},
	{.name = NULL},
};

static const struct formula spr_formulas[] = {
	DRD_LATENCY_FORMULAS,
	SPR_FORMULAS,
	DRAM_AND_HBM_BYTES("dram_read_MBps", "UNC_M_CAS_COUNT.RD", "UNC_MCHBM_CAS_COUNT.RD"),
	DRAM_AND_HBM_BYTES("dram_write_MBps", "UNC_M_CAS_COUNT.WR", "UNC_MCHBM_CAS_COUNT.WR"),
	HBM_BYTES("hbm_read_MBps", "UNC_MCHBM_CAS_COUNT.RD"),
	HBM_BYTES("hbm_write_MBps", "UNC_MCHBM_CAS_COUNT.WR"),
	TOR_BYTES("cxl_mem_read_MBps", true, "UNC_CHA_TOR_INSERTS.IA_MISS_CRDMORPH_CXL_ACC",
		  "UNC_CHA_TOR_INSERTS.IA_MISS_RFO_CXL_ACC",
		  "UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_ACC",
		  "UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFRFO_CXL_ACC",
		  "UNC_CHA_TOR_INSERTS.IA_MISS_RFO_PREF_CXL_ACC",
		  "UNC_CHA_TOR_INSERTS.IA_MISS_DRD_PREF_CXL_ACC",
		  "UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFDATA_CXL_ACC",
		  "UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFCODE_CXL_ACC"),
	{.metric = NULL},
};

const struct model model_spr = {
	.name = "Sapphire Rapids",
	.short_name = "spr",
	.family = 6,
	.display_model = 0x8F,
	.perf_kernel = "6.11",
	.global_freeze_msr = 0x2FF0,
	.boxes = spr_boxes,
	.events = spr_events,
	.formulas = spr_formulas,
};
