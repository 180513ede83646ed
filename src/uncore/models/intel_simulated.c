/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Units and rates that simulated processors of Intel share. Sources: IIO, IRP and UBOX registers,
 * and the PCI devices of M2M, B2CMI and UPI, from Intel PCM (types.h). No address is published for
 * PCU and MDF, which programs find only in the discovery table: theirs are free ones, and their
 * number is free as well. The places of Clearwater Forest's units are not published: they are
 * Granite Rapids', whose socket it shares.
 */
#include "uncore/models/models_private.h"

const struct sim_msr_units sim_spr_msr_units[] = {
	{PMU_MDF, 0x2800, 2, 4},  {PMU_PCU, 0x2FC0, 1, 4},  {PMU_UBOX, 0x2FD0, 1, 2},
	{PMU_IIO, 0x3000, 12, 4}, {PMU_IRP, 0x3400, 12, 4}, {.count = 0},
};

const struct sim_msr_units sim_gnr_msr_units[] = {
	{PMU_MDF_GNR, 0x2800, 2, 4}, {PMU_IIO, 0x2900, 16, 4}, {PMU_IRP, 0x2A00, 16, 4},
	{PMU_PCU, 0x2FC0, 1, 4},     {PMU_UBOX, 0x3FF0, 1, 2}, {.count = 0},
};

const struct sim_pci_units sim_spr_pci_units[] = {
	{PMU_M2M, 0x324A, 4, false, 12, 0, 1, 0x438, 0x30, 0x08},
	{PMU_UPI, 0x3241, 3, false, 1, 1, 1, 0x318, 0x38, 0x08},
	{.count = 0},
};

const struct sim_pci_units sim_gnr_pci_units[] = {
	{PMU_B2CMI, 0x324A, 12, true, 5, 1, 7, 0x438, 0x30, 0x08},
	{PMU_UPI, 0x3241, 6, false, 16, 1, 1, 0x318, 0x38, 0x08},
	{.count = 0},
};

/* Names that the kernel's PMUs have. */
const struct sim_kernel_name sim_spr_kernel_names[] = {{PMU_UBOX, NULL}, {.type = 0}};
const struct sim_kernel_name sim_gnr_kernel_names[] = {
	{PMU_MDF_GNR, "mdf_sbo"},
	{PMU_PCIE5_X16, "pciex16"},
	{PMU_PCIE5_X8, "pciex8"},
	{.type = 0},
};

const struct sim_event_rate sim_intel_events[] = {
	{PMU_CXLCM, 0x02, 0x10, 0, 0x0F, RATE_TX_MEM_DATA},
	{PMU_CXLCM, 0x02, 0x08, 0, 0x0F, RATE_REQUESTS},
	{PMU_CXLCM, 0x41, 0x10, 0, 0xF0, RATE_RX_MEM_DATA},
	{PMU_CXLCM, 0x41, 0x08, 0, 0xF0, RATE_WRITES},
	{PMU_CXLDP, 0x02, 0x20, 0, 0x0F, RATE_WRITES},
	{PMU_CXLDP, 0x02, 0x10, 0, 0x0F, RATE_REQUESTS},
	{PMU_CHA, 0x01, 0x00, 0, 0x0F, RATE_UNCORE_CLOCK},
	{PMU_IMC, 0x05, 0xCF, 0, 0x0F, RATE_DRAM_READS},
	{PMU_IMC, 0x05, 0xF0, 0, 0x0F, RATE_DRAM_WRITES},
	{PMU_IMC, 0x01, 0x01, 0, 0x0F, RATE_DCLK},
	{PMU_UPI, 0x01, 0x00, 0, 0x0F, RATE_UNCORE_CLOCK},
	{PMU_UPI, 0x02, 0x0F, 0, 0x0F, RATE_UPI_CXL},
	{PMU_UPI, 0x02, 0x0F, 0, 0x0F, RATE_UPI_DRAM},
	{PMU_UPI, 0x03, 0x0F, 0, 0x0F, RATE_UPI_CXL},
	{PMU_UPI, 0x03, 0x0F, 0, 0x0F, RATE_UPI_DRAM},
	{PMU_UPI, 0x02, 0x97, 0, 0x0F, RATE_UPI_CXL_HEADERS},
	{PMU_UPI, 0x02, 0x97, 0, 0x0F, RATE_UPI_DRAM_HEADERS},
	{PMU_UPI, 0x02, 0x27, 0, 0x0F, RATE_UPI_SLOTS},
	{PMU_UPI, 0x02, 0x27, 0, 0x0F, RATE_UPI_CXL_TAKEN},
	{PMU_UPI, 0x02, 0x27, 0, 0x0F, RATE_UPI_DRAM_TAKEN},
	{PMU_UPI, 0x03, 0x97, 0, 0x0F, RATE_UPI_CXL_HEADERS},
	{PMU_UPI, 0x03, 0x97, 0, 0x0F, RATE_UPI_DRAM_HEADERS},
	{PMU_UPI, 0x03, 0x27, 0, 0x0F, RATE_UPI_SLOTS},
	{PMU_UPI, 0x03, 0x27, 0, 0x0F, RATE_UPI_CXL_TAKEN},
	{PMU_UPI, 0x03, 0x27, 0, 0x0F, RATE_UPI_DRAM_TAKEN},
	{.counters = 0},
};

const struct sim_event_rate sim_cache_data_events[] = {
	{PMU_CXLCM, 0x02, 0x04, 0, 0x0F, RATE_TX_CACHE_DATA},
	{PMU_CXLCM, 0x41, 0x04, 0, 0xF0, RATE_RX_CACHE_DATA},
	{.counters = 0},
};

const struct sim_event_rate sim_spr_events[] = {
	{PMU_CXLCM, 0x01, 0x02, 0, 0xFF, RATE_LINK_CLOCK},
	{PMU_CXLCM, 0x05, 0x01, 0, 0x0F, RATE_TX_FLITS},
	{PMU_CXLCM, 0x05, 0x02, 0, 0x0F, RATE_TX_FLITS},
	{PMU_CXLCM, 0x43, 0x20, 0, 0xF0, RATE_RX_MEM_DATA},
	{PMU_CXLCM, 0x43, 0x10, 0, 0xF0, RATE_WRITES},
	{PMU_CXLCM, 0x42, 0x10, 0, 0xF0, RATE_NOT_EMPTY},
	{PMU_CXLCM, 0x42, 0x08, 0, 0xF0, RATE_NOT_EMPTY},
	{PMU_CXLCM, 0x52, 0x10, 0, 0xF0, RATE_FULL},
	{PMU_CXLCM, 0x52, 0x08, 0, 0xF0, RATE_FULL},
	{PMU_CXLCM, 0x40, 0x08, 0, 0xF0, RATE_CRC},
	{PMU_CXLCM, 0x40, 0x02, 0, 0xF0, RATE_RETRY},
	{PMU_CXLCM, 0x4B, 0x01, 0, 0xF0, RATE_RX_FLITS},
	{PMU_CXLCM, 0x4B, 0x02, 0, 0xF0, RATE_RX_FLITS},
	{PMU_CXLDP, 0x01, 0x01, 0, 0x0F, RATE_UNCORE_CLOCK},
	{PMU_CXLDP, 0x02, 0x08, 0, 0x0F, RATE_H2D},
	{PMU_CHA, 0x36, 0x01, 0x10C81782, 0x01, RATE_LEAKED_OCCUPANCY},
	{.counters = 0},
};

/* Rates of the other pseudo-channel, for Granite Rapids, Sierra and Clearwater Forest. */
const struct sim_event_rate sim_gnr_events[] = {
	{PMU_IMC, 0x06, 0xCF, 0, 0x0F, RATE_DRAM_READS},
	{PMU_IMC, 0x06, 0xF0, 0, 0x0F, RATE_DRAM_WRITES},
	{.counters = 0},
};

const struct sim_event_rate sim_drd_events[] = {
	{PMU_CHA, 0x35, 0x01, 0x10C81782, 0x0F, RATE_CXL_INSERTS},
	{PMU_CHA, 0x36, 0x01, 0x10C81782, 0x01, RATE_CXL_OCCUPANCY},
	{PMU_CHA, 0x35, 0x01, 0x10C81682, 0x0F, RATE_CXL_INSERTS},
	{PMU_CHA, 0x36, 0x01, 0x10C81682, 0x01, RATE_CXL_OCCUPANCY},
	{PMU_CHA, 0x35, 0x01, 0x20C81682, 0x0F, RATE_CXL_INSERTS},
	{PMU_CHA, 0x36, 0x01, 0x20C81682, 0x01, RATE_CXL_OCCUPANCY},
	{PMU_CHA, 0x35, 0x01, 0x10C89782, 0x0F, RATE_L2_PREFETCHES},
	{PMU_CHA, 0x36, 0x01, 0x10C89782, 0x01, RATE_L2_OCCUPANCY},
	{PMU_CHA, 0x35, 0x01, 0x20C89682, 0x0F, RATE_L2_PREFETCHES},
	{PMU_CHA, 0x36, 0x01, 0x20C89682, 0x01, RATE_L2_OCCUPANCY},
	{PMU_CHA, 0x35, 0x01, 0x00C81686, 0x0F, RATE_LOCAL_INSERTS},
	{PMU_CHA, 0x36, 0x01, 0x00C81686, 0x01, RATE_LOCAL_OCCUPANCY},
	{PMU_CHA, 0x35, 0x01, 0x00C81706, 0x0F, RATE_REMOTE_INSERTS},
	{PMU_CHA, 0x36, 0x01, 0x00C81706, 0x01, RATE_REMOTE_OCCUPANCY},
	{.counters = 0},
};

const struct sim_event_rate sim_drd_opt_events[] = {
	{PMU_CHA, 0x35, 0x01, 0x10C82782, 0x0F, RATE_CXL_INSERTS},
	{PMU_CHA, 0x36, 0x01, 0x10C82782, 0x01, RATE_CXL_OCCUPANCY},
	{PMU_CHA, 0x35, 0x01, 0x20C82682, 0x0F, RATE_CXL_INSERTS},
	{PMU_CHA, 0x36, 0x01, 0x20C82682, 0x01, RATE_CXL_OCCUPANCY},
	{.counters = 0},
};

/*
 * Kinds of CXL reads that have the same opcodes from all cores, in both classes: prefetches into
 * the L3, RFO and code.
 */
const struct sim_event_rate sim_kind_events[] = {
	{PMU_CHA, 0x35, 0x01, 0x10CCD782, 0x0F, RATE_L3_PREFETCHES},
	{PMU_CHA, 0x36, 0x01, 0x10CCD782, 0x01, RATE_L3_OCCUPANCY},
	{PMU_CHA, 0x35, 0x01, 0x10C80782, 0x0F, RATE_OWNERSHIP},
	{PMU_CHA, 0x36, 0x01, 0x10C80782, 0x01, RATE_OWNERSHIP_OCCUPANCY},
	{PMU_CHA, 0x35, 0x01, 0x10CCCF82, 0x0F, RATE_CODE},
	{PMU_CHA, 0x36, 0x01, 0x10CCCF82, 0x01, RATE_CODE_OCCUPANCY},
	{PMU_CHA, 0x35, 0x01, 0x20CCD682, 0x0F, RATE_L3_PREFETCHES},
	{PMU_CHA, 0x36, 0x01, 0x20CCD682, 0x01, RATE_L3_OCCUPANCY},
	{PMU_CHA, 0x35, 0x01, 0x20C80682, 0x0F, RATE_OWNERSHIP},
	{PMU_CHA, 0x36, 0x01, 0x20C80682, 0x01, RATE_OWNERSHIP_OCCUPANCY},
	{.counters = 0},
};
