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
 * Returns a processor's model, never NULL. A processor without its own table gets a model without
 * PMU types. The core PMU is known for Intel, and for AMD from Zen 4 on; for any other processor it
 * is also unknown.
 */
const struct model *model_find(const struct cpu_identity *cpu);

/* Returns the model in model_list() with a short name ("spr"); NULL: none. */
const struct model *model_by_name(const char *short_name);

/*
 * Returns the name of the model's vendor: as in CPUID, such as "GenuineIntel", or "NVIDIA". The
 * model of unknown processors has "GenuineIntel".
 */
const char *model_vendor(const struct model *model);

/* Returns all models with PMU types; the list ends with NULL. */
const struct model *const *model_list(void);

/*
 * Returns the model that can be simulated after this one; the first one if model is NULL. Some are
 * not in model_list(). NULL: no more.
 */
const struct model *model_next_simulated(const struct model *model);

/* Returns the model's core PMU, never NULL; Intel's if model is NULL. */
const struct core_model *model_core(const struct model *model);
/* Returns true if the PMU of the model's CPUs is known: it has events. */
bool model_has_core(const struct model *model);

/*
 * Returns the PMU type of an event's units; NULL: the model does not have it. Cores and CXL devices
 * have a type on every model.
 */
const struct pmu_type *model_pmu_type_of(const struct model *model, const struct event *event);

#endif
