/* SPDX-License-Identifier: BSD-3-Clause */
/* The processors that can be simulated. Only this table and the traffic's depend on which it is. */
#ifndef CXLMON_SIM_MODEL_H
#define CXLMON_SIM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum sim_model {
	SIM_SPR,
	SIM_EMR,
	SIM_GNR,
	SIM_GNR_D,
	SIM_SRF,
	SIM_CWF,
	SIM_MODELS, /* how many */
};

struct sim_model_facts {
	const char *name;
	uint8_t display_model; /* of family 6 */
	bool rxc;	       /* RxC data inserts count CXL.mem reads */
	bool half_lines;       /* sent data is counted in half lines */
	bool b2cmi;	       /* the uncore of Granite Rapids: B2CMI in place of M2M */
};

const struct sim_model_facts *sim_model_facts(enum sim_model model);

#endif
