/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the table of a processor. Other folders see struct model (uncore/model/model.h); only files
 * of this one know which processor a table belongs to.
 */
#ifndef CXLMON_UNCORE_MODELS_MODELS_H
#define CXLMON_UNCORE_MODELS_MODELS_H

#include "msr/cpuid.h"
#include "uncore/model/model.h"

/* A processor without a table has a model without PMU types; if its vendor is neither Intel nor
 * AMD, also without CPUs. */
const struct model *model_find(const struct cpu_identity *cpu);

/* NULL: there is none of that name. */
const struct model *model_by_name(const char *short_name);

/* All models with PMU types; ends with NULL. */
const struct model *const *model_list(void);

/*
 * The next model that can be simulated; some of these are not in model_list(). For NULL, the first.
 * NULL: there are no more.
 */
const struct model *model_next_simulated(const struct model *model);

/* Never NULL; Intel's if model is NULL. */
const struct core_model *model_core(const struct model *model);
/* Whether the model says anything about the PMU of its CPUs. */
bool model_has_core(const struct model *model);

/* The PMU type of an event's units; NULL: the model has no such PMU type. */
const struct pmu_type *model_pmu_type_of(const struct model *model, const struct event *event);

#endif
