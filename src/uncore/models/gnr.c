/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Granite Rapids, and Granite Rapids-D beside it.
 *
 * Sources: events from Intel's published event lists (intel_events.c), but for CACHE_DATA: Intel
 * PCM programs those on these processors with Sapphire Rapids' codes (PCM::programCXLCM) and shows
 * the result. Boxes from the kernel's uncore_discovery.c and uncore_snbep.c (UNCORE_GNR_*).
 *
 * No global freeze register is verified for this processor, so units are frozen one by one.
 */
#include "uncore/models/models.h"

const struct box gnr_boxes[] = {
	{.type = BOX_CHA, .name = "cha", .layout = &control_cha},
	{.type = BOX_IIO, .name = "iio"},
	{.type = BOX_IRP, .name = "irp"},
	{.type = BOX_M2PCIE, .name = "m2pcie"},
	{.type = BOX_PCU, .name = "pcu"},
	{.type = BOX_UBOX, .name = "ubox"},
	{.type = BOX_IMC,
	 .name = "imc",
	 .mmio_control_step = 4,
	 .may_be_absent = true,
	 .layout = &control_narrow},
	{.type = BOX_UPI, .name = "upi"},
	{.type = BOX_CXLCM, .name = "cxlcm", .mmio_control_step = 8},
	{.type = BOX_CXLDP, .name = "cxldp", .mmio_control_step = 8},
	{.type = BOX_B2HOT, .name = "b2hot"},
	{.type = BOX_B2CMI, .name = "b2cmi"},
	{.type = BOX_B2CXL,
	 .name = "b2cxl",
	 .mmio_control_step = 8}, /* the kernel from 6.11, PCM */
	{.type = BOX_B2UPI, .name = "b2upi"},
	{.type = BOX_MDF_GNR, .name = "mdf", .perf_name = "mdf_sbo"},
	{.type = BOX_PCIE5_X16, .name = "pcie5_x16", .perf_name = "pciex16"},
	{.type = BOX_PCIE5_X8, .name = "pcie5_x8", .perf_name = "pciex8"},
	{.name = NULL},
};

static const struct formula gnr_formulas[] = {
	GNR_MEM_FORMULAS,
	GNR_CACHE_FORMULAS,
	DRD_LATENCY_FORMULAS,
	LATENCY("ddr_local_read_latency_ns", "DRD_LOCAL_DDR", NULL),
	LATENCY("ddr_remote_read_latency_ns", "DRD_REMOTE_DDR", NULL),
	CORE_BYTES("cxl_read_local_MBps", "OCR.READS_TO_CORE.LOCAL_CXL_MEM"),
	CORE_BYTES("cxl_read_remote_MBps", "OCR.READS_TO_CORE.REMOTE_CXL_MEM"),
	{.metric = NULL},
};

const struct model model_gnr = {
	.name = "Granite Rapids",
	.short_name = "gnr",
	.family = 6,
	.display_model = 0xAD,
	.perf_kernel = "6.14",
	.offcore_rsp_bits = OFFCORE_RSP_BITS,
	.boxes = gnr_boxes,
	.events = intel_events,
	.event_list = GNR,
	.formulas = gnr_formulas,
};

const struct model model_gnr_d = {
	.name = "Granite Rapids-D",
	.short_name = "gnr-d",
	.family = 6,
	.display_model = 0xAE,
	.perf_kernel = "6.14",
	.offcore_rsp_bits = OFFCORE_RSP_BITS,
	.boxes = gnr_boxes,
	.events = intel_events,
	.event_list = GNR,
	.formulas = gnr_formulas,
};
