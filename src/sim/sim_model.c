/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_model.h"

static const struct sim_model_facts facts[SIM_MODELS] = {
	[SIM_SPR] = {.name = "spr", .display_model = 0x8F, .half_lines = true},
	[SIM_EMR] = {.name = "emr", .display_model = 0xCF, .half_lines = true},
	[SIM_GNR] = {.name = "gnr", .display_model = 0xAD, .rxc = true, .b2cmi = true},
	[SIM_GNR_D] = {.name = "gnr-d", .display_model = 0xAE, .rxc = true, .b2cmi = true},
	[SIM_SRF] = {.name = "srf", .display_model = 0xAF, .rxc = true, .b2cmi = true},
	[SIM_CWF] = {.name = "cwf", .display_model = 0xDD, .rxc = true, .b2cmi = true},
};

const struct sim_model_facts *sim_model_facts(enum sim_model model)
{
	return &facts[model];
}
