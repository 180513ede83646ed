/* SPDX-License-Identifier: BSD-3-Clause */
/* The processors that cxlmon knows, and what some of them share. */
#ifndef CXLMON_MODELS_H
#define CXLMON_MODELS_H

#include "uncore/model.h"

extern const struct model model_spr, model_emr, model_gnr, model_gnr_d, model_srf, model_cwf;

/* Tables end with a row without a name. */
extern const struct event spr_events[], emr_events[], gnr_events[], srf_events[], cwf_events[];

/* Emerald Rapids has Sapphire Rapids' boxes and formulas. */
extern const struct box spr_boxes[];
extern const struct formula spr_formulas[];

/* Granite Rapids-D and Sierra Forest have Granite Rapids'; Clearwater Forest its boxes. */
extern const struct box gnr_boxes[];
extern const struct formula gnr_formulas[];

/* Metrics are in MB/s, and a MB is 10^6 bytes. */
#define MB_PER_LINE	 (64 / 1e6)
#define MB_PER_HALF_LINE (32 / 1e6)

/* Which counters of a CXLCM see which direction; a CXLDP's four see everything. */
#define CXLCM_TX  0x0F /* host to device: events 0x02, 0x05 */
#define CXLCM_RX  0xF0 /* device to host: events 0x40-0x43, 0x4B, 0x52 */
#define CXLCM_ANY 0xFF
#define CXLDP_ANY 0x0F

/* Which of the four counters of any other unit. */
#define ANY_OF_4 0x0F
#define ONLY_0	 0x01 /* occupancy: event 0x36 of a CHA */

#endif
