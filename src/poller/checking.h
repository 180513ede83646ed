/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a reading checks besides counting: whether another program has frozen units, or changed
 * their controls. Units are numbered as in plan.units, freeze domains as in plan.domains.
 */
#ifndef CXLMON_POLLER_CHECKING_H
#define CXLMON_POLLER_CHECKING_H

#include <stdbool.h>
#include <stddef.h>

#include "poller/poller_private.h"

/* Whether all counters of a unit were read, and not all of them as all ones. */
bool poller_unit_answers(const struct poller *poller, size_t u);

/*
 * Whether another program has frozen a domain that this reading is about to freeze. If so, the
 * reading must not unfreeze it.
 */
bool poller_found_frozen(struct poller *poller, size_t d);
/* Whether each reading freezes a domain by a register of its own, not by one of the whole socket.
 */
bool poller_is_frozen_alone(const struct poller *poller, size_t d);
/* Whether a unit was found frozen, by the control of its domain or by its own. */
bool poller_unit_found_frozen(const struct poller *poller, size_t u);
/* Reads a unit's own control for a freeze, unless that is the one that freezes its domain. */
void poller_check_unit_freeze(struct poller *poller, size_t u);
/*
 * After a reading: checks whether the clocks tick of sockets whose registers don't show whether
 * they are frozen.
 */
void poller_check_clocks(struct poller *poller);
/* Sets frame_unit.freeze of all units. */
void poller_mark_frozen(struct poller *poller);

/*
 * Whether the controls of a unit are free that another program had changed: it can be programmed
 * again.
 */
bool poller_can_reclaim(const struct poller *poller, size_t u);
/* Compares the controls of a unit with what was written to them. */
void poller_check_controls(struct poller *poller, size_t u);
/*
 * Compares them if due, or if the unit, which was just read, has stopped counting: another program
 * may have stopped it, and a zero must not be shown unchecked.
 */
void poller_check_unit(struct poller *poller, size_t u, bool due);
/* Checks the units of these domains, which were just read; clears their overflow status bits. */
void poller_check_domains(struct poller *poller, size_t first, size_t end);

#endif
