/* SPDX-License-Identifier: BSD-3-Clause */
/* Counter constraints of events that are not in the model's table, by box and encoding. */
#ifndef CXLMON_EVENT_RULES_H
#define CXLMON_EVENT_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "uncore/core_unit.h"
#include "uncore/event.h"
#include "uncore/model.h"

/* Counters per unit of that type; for a core the maximum number of general-purpose counters. */
unsigned rules_counter_count(uint16_t box);

/* Bit i: counter i can count the event; from its box, code, umask and modifiers. */
uint32_t rules_counters(const struct event *event);

/* The type of a box by name (or "core"), ignoring case. False: the model has no such box. */
bool rules_find_box(const struct model *model, const char *name, uint16_t *type);

#endif
