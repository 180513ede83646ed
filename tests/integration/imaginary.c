/* SPDX-License-Identifier: BSD-3-Clause */
/* A processor that does not exist, as test_processor adds it: with events that no other has. */
#include "uncore/models/models_private.h"

static const struct event imaginary_events[] = {
	{"UNC_CXLCM_IMAGINARY.READ", PMU_CXLCM, 0x77, 0x01, 0, CXLCM_ANY, "lines from the moon"},
	{"UNC_CXLCM_IMAGINARY.WRITE", PMU_CXLCM, 0x78, 0x01, 0, CXLCM_ANY, "lines to the moon"},
	{.name = NULL},
};

static const struct formula imaginary_formulas[] = {
	LINES("cxl_mem_read_MBps", "UNC_CXLCM_IMAGINARY.READ"),
	LINES("cxl_mem_write_MBps", "UNC_CXLCM_IMAGINARY.WRITE"),
	CORE_FORMULAS,
	{.metric = NULL},
};

static const struct sim_event_rate simulated_events[] = {
	{PMU_CXLCM, 0x77, 0x01, 0, 0xFF, RATE_READS},
	{PMU_CXLCM, 0x78, 0x01, 0, 0xFF, RATE_WRITES},
	{.counters = 0},
};

static const struct sim_model simulated = {
	SIM_GNR_UNCORE(SIM_IMC_GNR),
	.kernel = SIM_KERNEL(6, 14),
	.events = SIM_EVENTS(simulated_events),
};

const struct model model_imaginary = {
	.name = "Imaginary Rapids",
	.short_name = "imr",
	.measured = "bandwidth to the moon",
	.family = 6,
	.display_model = 0xFC,
	.pmu_types = gnr_pmu_types,
	.events = EVENTS(imaginary_events),
	.formulas = imaginary_formulas,
	.load_events = intel_load_latencies,
	.simulated = &simulated,
};
