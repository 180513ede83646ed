/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What differs between processors, as one constant table each. Nobody outside src/uncore/models
 * asks which processor it is: they ask its table.
 */
#ifndef CXLMON_MODEL_H
#define CXLMON_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "msr/cpuid.h"
#include "uncore/event.h"
#include "uncore/formula.h"

/*
 * Box types of the discovery tables. Source: the kernel's uncore_discovery.h and uncore_snbep.c
 * (UNCORE_SPR_*, UNCORE_GNR_*).
 */
enum box_type {
	BOX_CHA = 0,
	BOX_IIO = 1,
	BOX_IRP = 2,
	BOX_M2PCIE = 3,
	BOX_PCU = 4,
	BOX_UBOX = 5,
	BOX_IMC = 6,
	BOX_M2M = 7,
	BOX_UPI = 8,
	BOX_M3UPI = 9,
	BOX_MDF = 11,
	BOX_CXLCM = 12,
	BOX_CXLDP = 13,
	BOX_HBM = 14,
	BOX_B2HOT = 15,
	BOX_B2CMI = 16,
	BOX_B2CXL = 17,
	BOX_B2UPI = 18,
	BOX_MDF_GNR = 20,
	BOX_PCIE5_X16 = 21,
	BOX_PCIE5_X8 = 22,
	BOX_CORE = 0xFFFF, /* no box of the uncore: the PMU of a logical CPU */
};

struct box {
	uint16_t type;
	const char *name;	   /* as users type it: "cxlcm" */
	uint8_t mmio_control_step; /* bytes from one counter control to the next; 0: not known */
	bool ignored;		   /* its discovery records are known to be wrong */
};

struct model {
	const char *name;	/* "Sapphire Rapids" */
	const char *short_name; /* "spr" */
	unsigned family, display_model;

	/* MSR whose bit 0 freezes every unit of the socket; 0: freeze each unit by itself */
	uint32_t global_freeze_msr;

	/*
	 * An event of a CXLDP that counts the uncore clock, which never rests: where it stands
	 * still, somebody has frozen the socket. NULL where none is published.
	 */
	const char *clock_event;

	/* each ends with a row whose name (metric) is NULL */
	const struct box *boxes;
	const struct event *events;
	const struct formula *formulas;
};

/* One without boxes for a processor of Intel's that has no table; NULL for those of others. */
const struct model *model_find(const struct cpu_identity *cpu);

/* All that have boxes, NULL at the end. */
const struct model *const *model_list(void);

/* NULL where the model has none of that type, event or metric. */
const struct box *model_box(const struct model *model, uint16_t type);
const struct event *model_event(const struct model *model, const char *name);
/* The nth (from 0) way to make a metric; the next is taken where one has nothing to say. */
const struct formula *model_formula(const struct model *model, const char *metric, unsigned nth);

#endif
