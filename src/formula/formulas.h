/* SPDX-License-Identifier: BSD-3-Clause */
/* The formulas of a processor and of CXL devices, parsed from the texts of their tables. */
#ifndef CXLMON_FORMULAS_H
#define CXLMON_FORMULAS_H

#include "base/error.h"
#include "events/event_catalogue.h"
#include "formula/program.h"
#include "metrics/metric.h"
#include "uncore/model/model.h"

struct formulas {
	struct formula *items;	  /* the processor's, then devices'; item i has number i + 1 */
	size_t count, of_model;	  /* number of items, and of the processor's */
	struct formula *shares;	  /* formulas to which formula.share of items points */
	struct program *programs; /* programs of items and shares */
};

/*
 * Parses the formulas of the model, which must not be NULL, and of CXL devices. Returns 0, -ENOMEM,
 * or -EINVAL if a text is invalid; *out is then all zero. Freed by formulas_free().
 */
int formulas_read(struct formulas *out, const struct model *model, struct error *err);
void formulas_free(struct formulas *formulas);

/*
 * Returns the nth formula (from 0) of a metric, in the order of the table; view/values.c shows the
 * first one that yields a value. Searches the processor's formulas or, if the processor has none
 * for the metric, devices' formulas. NULL: there are no more.
 */
const struct formula *formulas_find(const struct formulas *formulas, const char *metric,
				    unsigned nth);
/* Does the same for a device whose port is unknown: searches only devices' formulas. */
const struct formula *formulas_find_device(const struct formulas *formulas, const char *metric,
					   unsigned nth);

#endif
