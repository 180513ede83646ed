/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The catalogue: all events known by name, from files and from tables: of the model (the
 * processor's uncore), of CPUs and of CXL devices (CPMUs).
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
	/* pointers to events stay valid while the set grows */
	struct event **events;
	size_t count;
};

void event_set_free(struct event_set *set);

/*
 * Adds a copy of an event, with its name and help. *out: the copy; out may be NULL. Returns 0 or
 * -ENOMEM.
 */
int event_set_add(struct event_set *set, const struct event *event, const struct event **out,
		  struct error *err);

/* Keeps the first count events, and frees the others. */
void event_set_truncate(struct event_set *set, size_t count);

struct event_catalogue {
	const struct model *model; /* NULL: the processor is unknown */
	struct event_set extras;   /* events loaded from files */
	/* events of files that cannot be counted; .help is the reason */
	struct event_set left_out;
};

/* Initializes a catalogue without events from files. model may be NULL. */
void catalogue_init(struct event_catalogue *catalogue, const struct model *model);
void catalogue_free(struct event_catalogue *catalogue);

/*
 * Finds an event by name, ignoring case. Searches events from files, in the order of loading, then
 * tables. NULL: none.
 */
const struct event *catalogue_find(const struct event_catalogue *catalogue, const char *name);

/*
 * Returns the reason why an event of this name in a file cannot be counted; NULL: .left_out has
 * none of this name.
 */
const char *catalogue_obstacle(const struct event_catalogue *catalogue, const char *name);

/*
 * Writes the names of supported processors of the same vendor that have an event of this name:
 * "A, B", cut to size. If there are none, or the model is NULL, writes "" and returns false.
 */
bool catalogue_find_elsewhere(const struct event_catalogue *catalogue, const char *name, char *text,
			      size_t size);

/* Returns the most similar event name, for "did you mean"; NULL: none is similar. */
const char *catalogue_nearest(const struct event_catalogue *catalogue, const char *name);

/*
 * Returns an array of all events that catalogue_find() can return, in its search order. The caller
 * frees the array. *count: its length. NULL: out of memory.
 */
const struct event **catalogue_events(const struct event_catalogue *catalogue, size_t *count);

/*
 * Returns the first event with the same PMU type, code and umasks as `like`, whatever its
 * modifiers; NULL: none. `like` must not be an event of a CPMU.
 */
const struct event *catalogue_find_encoding(const struct event_catalogue *catalogue,
					    const struct event *like);

/* Rules for the counters of events that no table has. */

/*
 * Returns the most counters that a unit of this PMU type can have; 4 if the type has no rule. Fixed
 * counters of CPUs are left out. A unit may have fewer: see unit_event_counters().
 */
unsigned rules_counter_count(uint16_t pmu_type);

/*
 * Returns the counters that can count an event of this PMU type, code, umask and modifiers. Bit i:
 * counter i.
 */
uint32_t rules_counters(const struct event *event);

/*
 * Finds the number of a PMU type by name, ignoring case: "core", "cpmu", or a type of the model,
 * such as "cha". model may be NULL. Returns false if there is none.
 */
bool rules_find_pmu_type(const struct model *model, const char *name, uint16_t *type);

/* Loading of Intel's published event lists: https://github.com/intel/perfmon */

/*
 * Adds a file's events to .extras. *added: number of these; added may be NULL. Events that cannot
 * be counted are added to .left_out:
 * - events of cores, and of units that the model lacks
 * - events of fixed and free-running counters
 * - events with a port or class mask, if the unit has no such masks
 *
 * Returns 0 or a negative errno. -EINVAL (ERROR_USAGE): the file is not JSON or not an event list,
 * an event is invalid, or the processor is AMD's and no event is for it. The message names the file
 * and, if one is at fault, the line or the event. After an error, nothing is added.
 */
int perfmon_load(struct event_catalogue *catalogue, const char *path, size_t *added,
		 struct error *err);

#endif
