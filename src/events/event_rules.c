/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sources: the Counter fields of Intel's published event lists (perfmon) for CXLCM and for the
 * CHA's TOR occupancy, and the kernel's uncore_snbep.c for the number of counters and (commit
 * 171b5292a82d) for Diamond Rapids, and its amd/uncore.c. Other events are assumed to work on every
 * counter of their box.
 */
#include "events/event_rules.h"

#include <stddef.h>
#include <strings.h>

#include "msr/core_pmu.h"
#include "uncore/cpmu_unit.h"
#include "uncore/models/models.h"

static const struct rule {
	uint16_t box;
	uint8_t first, last; /* event codes */
	uint32_t counters;
} rules[] = {
	{BOX_CXLCM, 0x02, 0x02, CXLCM_TX}, /* TxC_PACK_BUF_INSERTS */
	{BOX_CXLCM, 0x05, 0x05, CXLCM_TX}, /* TxC_FLITS */
	{BOX_CXLCM, 0x40, 0x40, CXLCM_RX}, /* RxC_MISC */
	{BOX_CXLCM, 0x41, 0x41, CXLCM_RX}, /* RxC_PACK_BUF_INSERTS */
	{BOX_CXLCM, 0x42, 0x42, CXLCM_RX}, /* RxC_PACK_BUF_NE */
	{BOX_CXLCM, 0x43, 0x43, CXLCM_RX}, /* RxC_AGF_INSERTS */
	{BOX_CXLCM, 0x4B, 0x4B, CXLCM_RX}, /* RxC_FLITS */
	{BOX_CXLCM, 0x52, 0x52, CXLCM_RX}, /* RxC_PACK_BUF_FULL */
	{BOX_CHA, 0x36, 0x36, 0x01},	   /* TOR_OCCUPANCY */
	{BOX_CXLCM_DMR, 0x01, 0x24, CXLCM_TX}, {BOX_CXLCM_DMR, 0x41, 0x41, CXLCM_RX},
	{BOX_CXLCM_DMR, 0x50, 0x5E, CXLCM_RX}, {BOX_CXLCM_DMR, 0x60, 0x61, CXLCM_RX},
	{BOX_CBO, 0x11, 0x11, ONLY_0},	       {BOX_CBO, 0x19, 0x1A, ONLY_0},
	{BOX_CBO, 0x1F, 0x1F, ONLY_0},	       {BOX_CBO, 0x21, 0x21, ONLY_0},
	{BOX_CBO, 0x25, 0x25, ONLY_0},	       {BOX_CBO, 0x36, 0x36, ONLY_0},
	{BOX_SBO, 0x1F, 0x1F, ONLY_0},	       {BOX_SBO, 0x25, 0x25, ONLY_0},
};

/* Events of fixed counters, which have no modifiers except usr and os: Intel SDM vol. 3B. */
static const struct {
	uint8_t code, umask;
	enum fixed_counter fixed;
} fixed_events[] = {
	{0xC0, 0x00, FIXED_INSTRUCTIONS},
	{0x3C, 0x00, FIXED_CYCLES},
};

unsigned rules_counter_count(uint16_t box)
{
	switch (box) {
	case BOX_CORE:
		return CORE_COUNTER_TSC - CORE_COUNTER_GENERAL;
	case BOX_CXLCM:
	case BOX_CXLCM_DMR:
		return 8;
	case BOX_DF:
		return 16;
	case BOX_L3:
		return 6;
	case BOX_CPMU:
		return UNIT_MAX_COUNTERS;
	default:
		return 4;
	}
}

static uint32_t core_counters(const struct event *event)
{
	uint32_t counters = CORE_COUNTERS_GENERAL;

	for (size_t i = 0; i < sizeof(fixed_events) / sizeof(fixed_events[0]); i++)
		if (event->code == fixed_events[i].code && event->umask == fixed_events[i].umask &&
		    event->modifiers == (PERFEVTSEL_USR | PERFEVTSEL_OS))
			counters |= CORE_FIXED(fixed_events[i].fixed);
	return counters;
}

uint32_t rules_counters(const struct event *event)
{
	if (event->box == BOX_CORE)
		return core_counters(event);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (event->box == rules[i].box && event->code >= rules[i].first &&
		    event->code <= rules[i].last)
			return rules[i].counters;
	return UINT32_MAX >> (32 - rules_counter_count(event->box));
}

bool rules_find_box(const struct model *model, const char *name, uint16_t *type)
{
	if (!strcasecmp(name, core_box.name) || !strcasecmp(name, cpmu_box.name)) {
		*type = strcasecmp(name, core_box.name) ? BOX_CPMU : BOX_CORE;
		return true;
	}
	for (const struct box *box = model ? model->boxes : NULL; box && box->name; box++) {
		if (!strcasecmp(name, box->name)) {
			*type = box->type;
			return true;
		}
	}
	return false;
}
