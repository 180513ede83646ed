/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel's event lists as published (https://github.com/intel/perfmon), for events newer than us. */
#ifndef CXLMON_PERFMON_JSON_H
#define CXLMON_PERFMON_JSON_H

#include <stddef.h>

#include "events/event_catalogue.h"
#include "platform/error.h"

/*
 * Adds a file's events to the catalogue; *taken (which may be NULL) says how many. Left out are
 * events of units that the model doesn't have (core events among them), of counters that can't be
 * programmed (fixed, free running), and those whose port or class masks have no place in their
 * unit's control. A file that is no such list is refused with its line, an event that makes no
 * sense with its number and name: -EINVAL (EXIT_USAGE), and nothing is taken.
 */
int perfmon_load(struct event_catalogue *catalogue, const char *path, size_t *taken,
		 struct error *err);

#endif
