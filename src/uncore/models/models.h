/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the table of a processor, a struct model (uncore/model/model.h). */
#ifndef CXLMON_UNCORE_MODELS_MODELS_H
#define CXLMON_UNCORE_MODELS_MODELS_H

#include "msr/cpuid.h"
#include "uncore/model/model.h"

/*
 * Returns a processor's model, never NULL:
 *   a supported processor             its model in model_list()
 *   other Intel; other AMD from Zen 4 a model without PMU types, but with a core PMU
 *   all others                        a model without PMU types and core PMU
 */
const struct model *model_find(const struct cpu_identity *cpu);

/* Returns the model in model_list() with a short name ("spr"); NULL: none. */
const struct model *model_by_name(const char *short_name);

/* Returns the name of the model's vendor; "GenuineIntel" if model.vendor is NULL. */
const char *model_vendor(const struct model *model);

/* Returns the models of supported processors, which have PMU types; the list ends with NULL. */
const struct model *const *model_list(void);

/*
 * Returns the first simulated model after this one, or of all if model is NULL; NULL: no more. Also
 * finds models that are not in model_list().
 */
const struct model *model_next_simulated(const struct model *model);

/* Returns the model's core PMU, never NULL; Intel's if model is NULL. */
const struct core_model *model_core(const struct model *model);
/* Returns true if the events of the model's CPUs are known. */
bool model_has_core(const struct model *model);

/*
 * Returns the PMU type of an event's units; NULL: the model does not have it. PMU_CORE and PMU_CPMU
 * have a type on every model.
 */
const struct pmu_type *model_pmu_type_of(const struct model *model, const struct event *event);

#endif
