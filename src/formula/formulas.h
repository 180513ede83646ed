/* SPDX-License-Identifier: BSD-3-Clause */
/* The formulas of a processor, and of CXL devices on it, read from the texts of their tables. */
#ifndef CXLMON_FORMULAS_H
#define CXLMON_FORMULAS_H

#include "base/error.h"
#include "events/event_catalogue.h"
#include "formula/program.h"
#include "metrics/metric.h"
#include "uncore/model/model.h"

struct formulas {
	struct formula *items; /* the processor's, then devices'; item i has number i + 1 */
	size_t count, of_model;
	struct formula *shares;	  /* formulas of metrics with .share_of; see struct formula */
	struct program *programs; /* programs of items and shares */
};

/*
 * Reads the formulas of the model and of CXL devices. Freed by formulas_free(), also after failure.
 */
int formulas_read(struct formulas *out, const struct model *model, struct error *err);
void formulas_free(struct formulas *formulas);

/*
 * Returns the nth formula (from 0) of a metric, in the order of its table; view/values.c shows the
 * first that yields a value. If the processor has no formula of the metric, devices' formulas are
 * searched. NULL: none.
 */
const struct formula *formulas_find(const struct formulas *formulas, const char *metric,
				    unsigned nth);
/* Does the same for a device whose port is unknown: searches only devices' formulas. */
const struct formula *formulas_find_device(const struct formulas *formulas, const char *metric,
					   unsigned nth);

#endif
