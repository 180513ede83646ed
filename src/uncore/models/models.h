/* SPDX-License-Identifier: BSD-3-Clause */
/* The processors that cxlmon knows, and what some of them share. */
#ifndef CXLMON_MODELS_H
#define CXLMON_MODELS_H

#include "uncore/model.h"

extern const struct model model_spr, model_emr, model_gnr, model_gnr_d, model_srf;

/* Tables end with a row without a name. Emerald Rapids has Sapphire Rapids' boxes, CXL events and
 * formulas. */
extern const struct box spr_boxes[];
extern const struct event spr_events[];
extern const struct formula spr_formulas[];

/* Sierra Forest and Granite Rapids-D have Granite Rapids'. */
extern const struct box gnr_boxes[];
extern const struct event gnr_events[];
extern const struct formula gnr_formulas[];

/* Metrics are in MB/s, and a MB is 10^6 bytes. */
#define MB_PER_LINE	 (64 / 1e6)
#define MB_PER_HALF_LINE (32 / 1e6)

/* Which counters of a CXLCM see which direction; a CXLDP's four see everything. */
#define CXLCM_TX  0x0F /* host to device: events 0x02, 0x05 */
#define CXLCM_RX  0xF0 /* device to host: events 0x40-0x43, 0x4B, 0x52 */
#define CXLCM_ANY 0xFF
#define CXLDP_ANY 0x0F

#endif
