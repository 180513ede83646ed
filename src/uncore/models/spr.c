/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sapphire Rapids.
 *
 * Sources: events from Intel's published event lists (perfmon, sapphirerapids_uncore and
 * sapphirerapids_uncore_experimental); boxes, steps and the wrong UPI records from the kernel's
 * uncore_snbep.c; the global freeze register and the write formulas from Intel PCM.
 *
 * RxC data inserts don't count CXL.mem reads reliably on this processor (PCM's maintainers call it
 * a limit of the hardware, intel/pcm issue 572), and nobody vouches for them with CXL.cache either:
 * they are events, but no metric rests on them. Reads come from the requests that leave instead,
 * an upper estimate: a request without data, such as MemInv, counts as a line. Of CXL.cache the
 * device-to-host direction stays unknown.
 */
#include "uncore/models/models.h"

const struct box spr_boxes[] = {
	{.type = BOX_CHA, .name = "cha"},
	{.type = BOX_IIO, .name = "iio"},
	{.type = BOX_IRP, .name = "irp"},
	{.type = BOX_M2PCIE, .name = "m2pcie"},
	{.type = BOX_PCU, .name = "pcu"},
	{.type = BOX_UBOX, .name = "ubox"},
	{.type = BOX_IMC, .name = "imc", .mmio_control_step = 4},
	{.type = BOX_M2M, .name = "m2m"},
	{.type = BOX_UPI, .name = "upi", .ignored = true},
	{.type = BOX_M3UPI, .name = "m3upi", .ignored = true},
	{.type = BOX_MDF, .name = "mdf"},
	{.type = BOX_CXLCM, .name = "cxlcm", .mmio_control_step = 8},
	{.type = BOX_CXLDP, .name = "cxldp", .mmio_control_step = 8},
	{.type = BOX_HBM, .name = "hbm"},
	{.name = NULL},
};

const struct event spr_events[] = {
	{"UNC_CXLCM_CLOCKTICKS", BOX_CXLCM, 0x01, 0x02, 0, CXLCM_ANY, ""},
	{"UNC_CXLCM_RxC_AGF_INSERTS.CACHE_DATA", BOX_CXLCM, 0x43, 0x08, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_AGF_INSERTS.CACHE_REQ0", BOX_CXLCM, 0x43, 0x01, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_AGF_INSERTS.CACHE_REQ1", BOX_CXLCM, 0x43, 0x02, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_AGF_INSERTS.CACHE_RSP0", BOX_CXLCM, 0x43, 0x04, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_AGF_INSERTS.CACHE_RSP1", BOX_CXLCM, 0x43, 0x40, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_AGF_INSERTS.MEM_DATA", BOX_CXLCM, 0x43, 0x20, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_AGF_INSERTS.MEM_REQ", BOX_CXLCM, 0x43, 0x10, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_FLITS.AK_HDR", BOX_CXLCM, 0x4B, 0x10, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_FLITS.BE_HDR", BOX_CXLCM, 0x4B, 0x20, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_FLITS.CTRL", BOX_CXLCM, 0x4B, 0x04, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_FLITS.NO_HDR", BOX_CXLCM, 0x4B, 0x08, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_FLITS.PROT", BOX_CXLCM, 0x4B, 0x02, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_FLITS.SZ_HDR", BOX_CXLCM, 0x4B, 0x40, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_FLITS.VALID", BOX_CXLCM, 0x4B, 0x01, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_FLITS.VALID_MSG", BOX_CXLCM, 0x4B, 0x80, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_MISC.CRC_ERRORS", BOX_CXLCM, 0x40, 0x08, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_MISC.INIT", BOX_CXLCM, 0x40, 0x04, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_MISC.LLCRD", BOX_CXLCM, 0x40, 0x01, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_MISC.RETRY", BOX_CXLCM, 0x40, 0x02, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_FULL.CACHE_DATA", BOX_CXLCM, 0x52, 0x04, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_FULL.CACHE_REQ", BOX_CXLCM, 0x52, 0x01, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_FULL.CACHE_RSP", BOX_CXLCM, 0x52, 0x02, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_DATA", BOX_CXLCM, 0x52, 0x10, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_REQ", BOX_CXLCM, 0x52, 0x08, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_INSERTS.CACHE_DATA", BOX_CXLCM, 0x41, 0x04, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_INSERTS.CACHE_REQ", BOX_CXLCM, 0x41, 0x01, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_INSERTS.CACHE_RSP", BOX_CXLCM, 0x41, 0x02, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_DATA", BOX_CXLCM, 0x41, 0x10, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_REQ", BOX_CXLCM, 0x41, 0x08, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_NE.CACHE_DATA", BOX_CXLCM, 0x42, 0x04, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_NE.CACHE_REQ", BOX_CXLCM, 0x42, 0x01, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_NE.CACHE_RSP", BOX_CXLCM, 0x42, 0x02, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_NE.MEM_DATA", BOX_CXLCM, 0x42, 0x10, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_RxC_PACK_BUF_NE.MEM_REQ", BOX_CXLCM, 0x42, 0x08, 0, CXLCM_RX, ""},
	{"UNC_CXLCM_TxC_FLITS.AK_HDR", BOX_CXLCM, 0x05, 0x10, 0, CXLCM_TX, ""},
	{"UNC_CXLCM_TxC_FLITS.BE_HDR", BOX_CXLCM, 0x05, 0x20, 0, CXLCM_TX, ""},
	{"UNC_CXLCM_TxC_FLITS.CTRL", BOX_CXLCM, 0x05, 0x04, 0, CXLCM_TX, ""},
	{"UNC_CXLCM_TxC_FLITS.NO_HDR", BOX_CXLCM, 0x05, 0x08, 0, CXLCM_TX, ""},
	{"UNC_CXLCM_TxC_FLITS.PROT", BOX_CXLCM, 0x05, 0x02, 0, CXLCM_TX, ""},
	{"UNC_CXLCM_TxC_FLITS.SZ_HDR", BOX_CXLCM, 0x05, 0x40, 0, CXLCM_TX, ""},
	{"UNC_CXLCM_TxC_FLITS.VALID", BOX_CXLCM, 0x05, 0x01, 0, CXLCM_TX, ""},
	{"UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_DATA", BOX_CXLCM, 0x02, 0x04, 0, CXLCM_TX, ""},
	{"UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_REQ0", BOX_CXLCM, 0x02, 0x01, 0, CXLCM_TX, ""},
	{"UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_REQ1", BOX_CXLCM, 0x02, 0x40, 0, CXLCM_TX, ""},
	{"UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_RSP0", BOX_CXLCM, 0x02, 0x02, 0, CXLCM_TX, ""},
	{"UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_RSP1", BOX_CXLCM, 0x02, 0x20, 0, CXLCM_TX, ""},
	{"UNC_CXLCM_TxC_PACK_BUF_INSERTS.MEM_DATA", BOX_CXLCM, 0x02, 0x10, 0, CXLCM_TX, ""},
	{"UNC_CXLCM_TxC_PACK_BUF_INSERTS.MEM_REQ", BOX_CXLCM, 0x02, 0x08, 0, CXLCM_TX, ""},
	{"UNC_CXLDP_CLOCKTICKS", BOX_CXLDP, 0x01, 0x01, 0, CXLDP_ANY, ""},
	{"UNC_CXLDP_TxC_AGF_INSERTS.M2S_DATA", BOX_CXLDP, 0x02, 0x20, 0, CXLDP_ANY, ""},
	{"UNC_CXLDP_TxC_AGF_INSERTS.M2S_REQ", BOX_CXLDP, 0x02, 0x10, 0, CXLDP_ANY, ""},
	{"UNC_CXLDP_TxC_AGF_INSERTS.U2C_DATA", BOX_CXLDP, 0x02, 0x08, 0, CXLDP_ANY, ""},
	{"UNC_CXLDP_TxC_AGF_INSERTS.U2C_REQ", BOX_CXLDP, 0x02, 0x01, 0, CXLDP_ANY, ""},
	{"UNC_CXLDP_TxC_AGF_INSERTS.U2C_RSP0", BOX_CXLDP, 0x02, 0x02, 0, CXLDP_ANY, ""},
	{"UNC_CXLDP_TxC_AGF_INSERTS.U2C_RSP1", BOX_CXLDP, 0x02, 0x04, 0, CXLDP_ANY, ""},
	{.name = NULL},
};

/* An insert into a TxC packing buffer is half a line (PCM: CXLBWWrScalingFactor 0.5). */
const struct formula spr_formulas[] = {
	{
		.metric = "cxl_mem_read_MBps",
		.events = {"UNC_CXLDP_TxC_AGF_INSERTS.M2S_REQ"},
		.value = formula_scaled,
		.factor = MB_PER_LINE,
		.source = "m2s_req",
	},
	{
		.metric = "cxl_mem_write_MBps",
		.events = {"UNC_CXLCM_TxC_PACK_BUF_INSERTS.MEM_DATA"},
		.value = formula_scaled,
		.factor = MB_PER_HALF_LINE,
	},
	{
		.metric = "cxl_cache_h2d_MBps",
		.events = {"UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_DATA"},
		.value = formula_scaled,
		.factor = MB_PER_HALF_LINE,
	},
	{.metric = NULL},
};

const struct model model_spr = {
	.name = "Sapphire Rapids",
	.short_name = "spr",
	.family = 6,
	.display_model = 0x8F,
	.global_freeze_msr = 0x2FF0,
	.clock_event = "UNC_CXLDP_CLOCKTICKS",
	.boxes = spr_boxes,
	.events = spr_events,
	.formulas = spr_formulas,
};
