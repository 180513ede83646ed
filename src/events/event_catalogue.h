/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The catalogue: all events known by name. They are loaded from files, or are in the model's tables
 * or in tables of CPUs and of CXL devices.
 */
#ifndef CXLMON_EVENTS_EVENT_CATALOGUE_H
#define CXLMON_EVENTS_EVENT_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "uncore/model/event.h"
#include "uncore/model/model.h"

/* Events created at run time. Initially all zero. */
struct event_set {
	/* each is allocated separately: pointers to events stay valid while the set grows */
	struct event **events;
	size_t count;
};

void event_set_free(struct event_set *set);

/*
 * Adds a copy of an event, its name and its help, and sets *out to it, unless out is NULL. Returns
 * 0 or -ENOMEM.
 */
int event_set_add(struct event_set *set, const struct event *event, const struct event **out,
		  struct error *err);

/* Keeps the first count events, and frees the others. */
void event_set_truncate(struct event_set *set, size_t count);

struct event_catalogue {
	const struct model *model; /* NULL: the processor is unknown */
	struct event_set extras;   /* events loaded from files */
	/* events of files that cannot be counted; .help has the reason */
	struct event_set left_out;
};

/* Initializes a catalogue without events from files. model may be NULL. */
void catalogue_init(struct event_catalogue *catalogue, const struct model *model);
void catalogue_free(struct event_catalogue *catalogue);

/*
 * Finds an event by name, ignoring case. Loaded events take precedence over tables, and events
 * loaded earlier over later ones. NULL: none.
 */
const struct event *catalogue_find(const struct event_catalogue *catalogue, const char *name);

/*
 * Returns the reason why an event of this name in a file cannot be counted. NULL: no event of this
 * name was left out.
 */
const char *catalogue_obstacle(const struct event_catalogue *catalogue, const char *name);

/*
 * Writes the names of other supported processors with an event of this name: "A, B"; for Intel's
 * processors only Intel's, for others only others. Returns false, and writes "", if there are none.
 */
bool catalogue_find_elsewhere(const struct event_catalogue *catalogue, const char *name, char *text,
			      size_t size);

/* Returns the most similar event name, for "did you mean"; NULL: none is similar. */
const char *catalogue_nearest(const struct event_catalogue *catalogue, const char *name);

/*
 * Returns all events that catalogue_find() can return, in its search order, in an array to be
 * freed. NULL: out of memory.
 */
const struct event **catalogue_events(const struct event_catalogue *catalogue, size_t *count);

/*
 * Returns the first event with the PMU type, code and umasks of `like`, which is not a CPMU's
 * event; modifiers are ignored. NULL: none.
 */
const struct event *catalogue_find_encoding(const struct event_catalogue *catalogue,
					    const struct event *like);

/* Counters that can count events that are not in the model's tables. */

/* Returns the counters of a unit of the type; for a CPU, the most general-purpose counters. */
unsigned rules_counter_count(uint16_t pmu_type);

/*
 * Returns the counters that can count an event, by its PMU type, code, umask and modifiers; bit i:
 * counter i.
 */
uint32_t rules_counters(const struct event *event);

/*
 * Finds the number of a PMU type by its name, "core" or "cpmu", ignoring case. Returns false if the
 * model, which may be NULL, does not have it.
 */
bool rules_find_pmu_type(const struct model *model, const char *name, uint16_t *type);

/* Loading of Intel's published event lists: https://github.com/intel/perfmon */

/*
 * Adds a file's events to the catalogue, and sets *added to their number, unless added is NULL.
 * Leaves out events of units that the model does not have, core events, and events of fixed and
 * free-running counters; also events with port or class masks that do not fit into the unit's
 * counter control. -EINVAL (ERROR_USAGE): the file is not an event list (the message has the line),
 * or an event is invalid (its number and name). After an error nothing is added.
 */
int perfmon_load(struct event_catalogue *catalogue, const char *path, size_t *added,
		 struct error *err);

#endif
