/* SPDX-License-Identifier: BSD-3-Clause */
/* Loading of Intel's published event lists: https://github.com/intel/perfmon */
#ifndef CXLMON_PERFMON_JSON_H
#define CXLMON_PERFMON_JSON_H

#include <stddef.h>

#include "events/event_catalogue.h"
#include "platform/error.h"

/*
 * Adds a file's events to the catalogue; *added (which may be NULL) is their number. Left
 * out are events of units that the model does not have (including core events), of fixed and
 * free-running counters, and with port or class masks that do not fit into the unit's counter
 * control. -EINVAL (EXIT_USAGE): not an event list (the message has the line) or an invalid event
 * (its number and name); nothing is added.
 */
int perfmon_load(struct event_catalogue *catalogue, const char *path, size_t *added,
		 struct error *err);

#endif
