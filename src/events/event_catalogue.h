/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All events known by name: events loaded from files, the model's table, and the events of core
 * PMUs and of CXL devices that are the same on every processor.
 */
#ifndef CXLMON_EVENTS_EVENT_CATALOGUE_H
#define CXLMON_EVENTS_EVENT_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "uncore/model/event.h"
#include "uncore/model/model.h"

/* Events created at run time, with stable addresses. */
struct event_set {
	struct event **
		events; /* each allocated with its texts; pointers stay valid while the set grows */
	size_t count;
};

void event_set_free(struct event_set *set);

/* Adds a copy including texts; *out (which may be NULL) points to it. 0 or -ENOMEM. */
int event_set_add(struct event_set *set, const struct event *event, const struct event **out,
		  struct error *err);

/* Frees the events behind that count. */
void event_set_truncate(struct event_set *set, size_t count);

struct event_catalogue {
	const struct model *model; /* NULL: no table for this processor */
	struct event_set extras;   /* events loaded from files */
	struct event_set left_out; /* those of the files that cannot be counted; help says why */
};

void catalogue_init(struct event_catalogue *catalogue, const struct model *model);
void catalogue_free(struct event_catalogue *catalogue);

/* Ignores case. Loaded events take precedence over the table, the first over later ones. NULL:
 * none. */
const struct event *catalogue_find(const struct event_catalogue *catalogue, const char *name);

/* Why an event of this name in a file cannot be counted. NULL: none was left out. */
const char *catalogue_obstacle(const struct event_catalogue *catalogue, const char *name);

/* The vendor's other processors with an event of this name, as "A, B"; false: there is none. */
bool catalogue_find_elsewhere(const struct event_catalogue *catalogue, const char *name, char *text,
			      size_t size);

/* The most similar event name, for "did you mean"; NULL: none is similar. */
const char *catalogue_nearest(const struct event_catalogue *catalogue, const char *name);

/*
 * All events that catalogue_find() can return, in its search order: an array to be freed. NULL: out
 * of memory.
 */
const struct event **catalogue_events(const struct event_catalogue *catalogue, size_t *count);

/* The first event with the same PMU type, code and umasks, ignoring modifiers; NULL: none, or a
 * CPMU's.
 */
const struct event *catalogue_find_encoding(const struct event_catalogue *catalogue,
					    const struct event *like);

/* Counter constraints of events that are not in the model's table, by PMU type and encoding. */

/* Counters per unit of that type; for a core the maximum number of general-purpose counters. */
unsigned rules_counter_count(uint16_t pmu_type);

/* Bit i: counter i can count the event; from its PMU type, code, umask and modifiers. */
uint32_t rules_counters(const struct event *event);

/* The number of a PMU type by name (or "core"), ignoring case. False: the model has no such PMU
 * type. */
bool rules_find_pmu_type(const struct model *model, const char *name, uint16_t *type);

/* Loading of Intel's published event lists: https://github.com/intel/perfmon */

/*
 * Adds a file's events to the catalogue; *added (which may be NULL) is their number. Left
 * out are events of units that the model does not have (including core events), of fixed and
 * free-running counters, and with port or class masks that do not fit into the unit's counter
 * control. -EINVAL (ERROR_USAGE): not an event list (the message has the line) or an invalid event
 * (its number and name); nothing is added.
 */
int perfmon_load(struct event_catalogue *catalogue, const char *path, size_t *added,
		 struct error *err);

#endif
