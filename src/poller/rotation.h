/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rotation: a unit with more events than counters counts rounds of them, one after the other. Units
 * are numbered as in plan.units, freeze domains as in plan.domains; rotation is a set of
 * ROTATES_...
 */
#ifndef CXLMON_POLLER_ROTATION_H
#define CXLMON_POLLER_ROTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "poller/poller_private.h"

/* What is due in a reading: ROTATES_... */
unsigned poller_rotation_due(const struct poller *poller, enum read_reason reason);
/* Whether a unit is to count another round now. */
bool poller_takes_turn(struct poller *poller, size_t u, unsigned rotation);

/* Prepares the reads of the round that a unit counts. */
void poller_use_round(struct poller *poller, size_t u);
/* Joins the reads of a domain to ranges of consecutive reads. */
void poller_find_ranges(struct poller *poller, size_t d);
/* Compares controls, if due, before a rotation overwrites them. */
void poller_check_before_rotation(struct poller *poller, size_t d, unsigned rotation);
/* Programs the next round of each unit of a domain that rotates now. */
int poller_rotate(struct poller *poller, size_t d, unsigned rotation, struct error *err);

#endif
