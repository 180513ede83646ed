/* SPDX-License-Identifier: BSD-3-Clause */
/* The supported processors, a line each, in the order of model_list(): model_NAME. */
#ifndef CXLMON_UNCORE_MODELS_LIST_H
#define CXLMON_UNCORE_MODELS_LIST_H

#define FOR_EACH_MODEL(DO)                                                                         \
	DO(spr)                                                                                    \
	DO(emr)                                                                                    \
	DO(gnr)                                                                                    \
	DO(gnr_d)                                                                                  \
	DO(srf)                                                                                    \
	DO(cwf)                                                                                    \
	DO(dmr)                                                                                    \
	DO(turin)                                                                                  \
	DO(venice_a0)                                                                              \
	DO(venice)                                                                                 \
	DO(genoa)                                                                                  \
	DO(bergamo)                                                                                \
	DO(vera)

#endif
