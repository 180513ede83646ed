/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of an event that stands in no table, from the box it belongs to. */
#ifndef CXLMON_EVENT_RULES_H
#define CXLMON_EVENT_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "uncore/core_unit.h"
#include "uncore/event.h"
#include "uncore/model.h"

/* Counters of such a unit, or the most general counters that a core may have. */
unsigned rules_counter_count(uint16_t box);

/* The counters that can count it, from its box, codes and modifiers alone. */
uint32_t rules_counters(const struct event *event);

/* Box type of a name, which may be "core"; case doesn't matter. False: the model has none. */
bool rules_find_box(const struct model *model, const char *name, uint16_t *type);

/* Does umask_ext fit into that box's counter control? Not where controls are 32 bits wide. */
bool rules_has_umask_ext(const struct model *model, uint16_t box);

#endif
