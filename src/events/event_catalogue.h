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
 * Writes the names of other supported processors of the same vendor that have an event of this
 * name: "A, B". Returns false, and writes "", if there are none, or the catalogue has no model.
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
 * Returns the first event with the PMU type, code and umasks of `like`; ignores modifiers. `like`
 * must not be an event of a CPMU. NULL: none.
 */
const struct event *catalogue_find_encoding(const struct event_catalogue *catalogue,
					    const struct event *like);

/* Counters of events that the model's tables lack. */

/*
 * Returns the number of counters of a unit of the type, 4 unless it is known to have more; a unit
 * may have fewer: see unit_event_counters(). For a CPU, returns the highest possible number of
 * general-purpose counters.
 */
unsigned rules_counter_count(uint16_t pmu_type);

/*
 * Returns the counters that can count an event, by its PMU type, code, umask and modifiers; bit i:
 * counter i.
 */
uint32_t rules_counters(const struct event *event);

/*
 * Finds the number of a PMU type by name, ignoring case: "core", "cpmu" or, unless model is NULL, a
 * type of the model, such as "cha". Returns false if there is none.
 */
bool rules_find_pmu_type(const struct model *model, const char *name, uint16_t *type);

/* Loading of Intel's published event lists: https://github.com/intel/perfmon */

/*
 * Adds a file's events to the catalogue, and sets *added to their number, unless added is NULL.
 * Events that cannot be counted are not in that number, and are added to .left_out: events of cores
 * and of units that the model lacks, events of fixed and free-running counters, and events with a
 * port or class mask on a unit without such masks.
 *
 * -EINVAL (ERROR_USAGE): the file is not JSON (the message has the line) or not an event list, an
 * event is invalid (the message has its number and name), or the processor is AMD's and no event is
 * for it. Other errors are those of reading the file, and -ENOMEM. After an error nothing is added.
 */
int perfmon_load(struct event_catalogue *catalogue, const char *path, size_t *added,
		 struct error *err);

#endif
