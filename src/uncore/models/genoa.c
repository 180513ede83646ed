/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Genoa and Bergamo: EPYC of Zen 4. No event that counts CXL bandwidth is published for them;
 * latency is measured by the L3 caches. Sources: see amd.c.
 */
#include "uncore/models/amd_models_private.h"

/*
 * The L3 bytes of a CCX from which latencies are certain. One copy of AMD's register reference of
 * Genoa has units of 10 ns if a CCX has at least 32 MiB of L3, and of 30 ns if it has less. The
 * kernel's metrics, and references of later processors, always have 10 ns.
 */
#define SURE_L3_BYTES (UINT64_C(32) << 20)

static const struct formula genoa_formulas[] = {AMD_FORMULAS, {.metric = NULL}};

static const struct sim_model simulated = {
	SIM_AMD_UNCORE,
	.display_model = 0x11,
	.events = SIM_EVENTS(sim_amd_events),
};

#define OF_ZEN_4                                                                                   \
	OF_AMD, .measured = "as Turin, but CXL bandwidth only of reads (`--resctrl`)",             \
		.family = 0x19, .events = EVENTS(amd_events, amd_fill_events),                     \
		.formulas = genoa_formulas, .sure_l3_bytes = SURE_L3_BYTES

const struct model model_genoa = {
	.name = "Genoa",
	.short_name = "genoa",
	.display_model = 0x10,
	.last_model = 0x1F,
	.simulated = &simulated,
	OF_ZEN_4,
};

const struct model model_bergamo = {
	.name = "Bergamo",
	.short_name = "bergamo",
	.display_model = 0xA0,
	.last_model = 0xAF,
	OF_ZEN_4,
};
