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
	struct formula *items;	  /* the processor's, then devices'; .number of item i is i + 1 */
	size_t count, of_model;	  /* number of items; number of the processor's items */
	struct formula *shares;	  /* formulas to which formula.share of items points */
	struct program *programs; /* programs of items and shares */
};

/*
 * Parses the formulas of the model, not NULL, and of CXL devices. If an operand is the unit's clock
 * event, it becomes the last operand, because any counter can count it. Returns 0, -ENOMEM, or
 * -EINVAL: a text is invalid. After an error, *out is all zero. Freed by formulas_free().
 */
int formulas_read(struct formulas *out, const struct model *model, struct error *err);
void formulas_free(struct formulas *formulas);

/*
 * Returns the nth formula, from 0, of the metric with this name (metric_formulas()), in the order
 * of preference. If the processor has formulas of the metric, devices' formulas are not used. NULL:
 * there are no more.
 */
const struct formula *formulas_find(const struct formulas *formulas, const char *metric,
				    unsigned nth);
/* Returns the nth formula, from 0, among devices' formulas; NULL: there are no more. */
const struct formula *formulas_find_device(const struct formulas *formulas, const char *metric,
					   unsigned nth);

#endif
