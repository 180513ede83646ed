/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the table of a processor. Other folders see struct model (uncore/model/model.h); only files
 * of this folder know to which processor a table belongs.
 */
#ifndef CXLMON_UNCORE_MODELS_MODELS_H
#define CXLMON_UNCORE_MODELS_MODELS_H

#include "msr/cpuid.h"
#include "uncore/model/model.h"

/*
 * Returns a processor's model. If no table is its own, the model has no PMU types; if it is neither
 * Intel's nor AMD's from Zen 4 on, its CPUs are unknown as well.
 */
const struct model *model_find(const struct cpu_identity *cpu);

/* Returns the model of that short name; NULL: none. */
const struct model *model_by_name(const char *short_name);

/* Returns all models with PMU types; the list ends with NULL. */
const struct model *const *model_list(void);

/*
 * Returns the next model that can be simulated, the first for NULL; some are not in model_list().
 * NULL: no more.
 */
const struct model *model_next_simulated(const struct model *model);

/* Returns the model's core PMU; Intel's if model is NULL. Never NULL. */
const struct core_model *model_core(const struct model *model);
/* Returns true if the model has events of its CPUs. */
bool model_has_core(const struct model *model);

/* Returns the PMU type of an event's units; NULL: the model does not have it. */
const struct pmu_type *model_pmu_type_of(const struct model *model, const struct event *event);

#endif
