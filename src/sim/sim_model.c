/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Apart from src/uncore/models, so that errors there show. Sources: CHA, IIO, IRP and UBOX
 * registers, and the PCI devices of M2M, B2CMI and UPI, from Intel PCM (types.h). For PCU and MDF,
 * which programs find in the discovery table only, no address is published: theirs are free ones,
 * and so is their number. Nothing is published of where Clearwater Forest has its units: they are
 * where Granite Rapids has them, whose socket it shares.
 *
 * Of AMD: family and model from Linux's and Meta's lists of processors; the four CXL ports of Turin
 * are those that have events. Its units are in sim_layout.c.
 */
#include "sim/sim_spec.h"

enum { IIO = 1, IRP = 2, PCU = 4, UBOX = 5, M2M = 7, UPI = 8, MDF = 11, B2CMI = 16, MDF_GNR = 20 };

static const struct sim_msr_units spr_msr_units[] = {
	{MDF, 0x2800, 2, 4},  {PCU, 0x2FC0, 1, 4},  {UBOX, 0x2FD0, 1, 2},
	{IIO, 0x3000, 12, 4}, {IRP, 0x3400, 12, 4}, {.count = 0},
};

static const struct sim_msr_units gnr_msr_units[] = {
	{MDF_GNR, 0x2800, 2, 4}, {IIO, 0x2900, 16, 4}, {IRP, 0x2A00, 16, 4},
	{PCU, 0x2FC0, 1, 4},	 {UBOX, 0x3FF0, 1, 2}, {.count = 0},
};

static const struct sim_pci_units spr_pci_units[] = {
	{M2M, 0x324A, 4, false, 12, 0, 1, 0x438, 0x30, 0x08},
	{UPI, 0x3241, 3, false, 1, 1, 1, 0x318, 0x38, 0x08},
	{.count = 0},
};

static const struct sim_pci_units gnr_pci_units[] = {
	{B2CMI, 0x324A, 12, true, 5, 1, 7, 0x438, 0x30, 0x08},
	{UPI, 0x3241, 6, false, 16, 1, 1, 0x318, 0x38, 0x08},
	{.count = 0},
};

#define SPR_UNCORE                                                                                 \
	.half_lines = true, .imc_offset = 0x2800, .msr_units = spr_msr_units,                      \
	.pci_units = spr_pci_units

#define GNR_UNCORE(imc)                                                                            \
	.rxc = true, .cha_count_msr = true, .scf_offset = 0x100000, .imc_offset = imc,             \
	.msr_units = gnr_msr_units, .pci_units = gnr_pci_units

/* The first channel behind the SCF BAR. Granite Rapids-D: on every stepping but the first. */
#define IMC_GNR	  0x24E800
#define IMC_GNR_D 0x208800

/* CPUID has 6 bits for the counters of a socket's memory controllers, which have 4 each. */
#define AMD .max_imcs = 15, .cxl_fills = true

static const struct sim_model_facts facts[SIM_MODELS] = {
	[SIM_SPR] = {"spr", SIM_INTEL, 6, 0x8F, SPR_UNCORE},
	[SIM_EMR] = {"emr", SIM_INTEL, 6, 0xCF, SPR_UNCORE},
	[SIM_GNR] = {"gnr", SIM_INTEL, 6, 0xAD, .offcore_cxl = true, GNR_UNCORE(IMC_GNR)},
	[SIM_GNR_D] = {"gnr-d", SIM_INTEL, 6, 0xAE, .offcore_cxl = true, GNR_UNCORE(IMC_GNR_D)},
	[SIM_SRF] = {"srf", SIM_INTEL, 6, 0xAF, GNR_UNCORE(IMC_GNR)},
	[SIM_CWF] = {"cwf", SIM_INTEL, 6, 0xDD, GNR_UNCORE(IMC_GNR)},
	[SIM_DMR] = {"dmr", SIM_INTEL, 19, 1, .rxc = true, .dies_have_tables = true},
	[SIM_TURIN] = {"turin", SIM_AMD, 0x1A, 0x02, .ports = 4, .max_ports = 4, AMD},
	[SIM_VENICE] = {"venice", SIM_AMD, 0x1A, 0x51, AMD},
	[SIM_GENOA] = {"genoa", SIM_AMD, 0x19, 0x11, AMD},
	/* numbers that no processor has */
	[SIM_ANY_INTEL] = {"intel", SIM_INTEL, 6, 0xFE, .no_uncore = true},
	[SIM_ANY_AMD] = {"amd", SIM_AMD, 0x1A, 0xFE, .no_uncore = true},
	[SIM_ANY_ARM] = {"arm", SIM_ARM, .no_uncore = true},
};

const struct sim_model_facts *sim_model_facts(enum sim_model model)
{
	return &facts[model];
}

unsigned sim_l3_count(unsigned cpus)
{
	return (cpus + SIM_L3_CPUS - 1) / SIM_L3_CPUS;
}
