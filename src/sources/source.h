/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sources of numbers that the sampling thread does not read, such as files of the kernel, answers
 * of devices, and bytes counted by caches. A source reads them into plain data, a reading, with its
 * own time. The next sample takes the reading, and cells are computed from the two latest ones, so
 * that computing a cell reads nothing.
 */
#ifndef CXLMON_SOURCES_SOURCE_H
#define CXLMON_SOURCES_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slot_ring.h"
#include "formula/value.h"
#include "metrics/metric.h"
#include "platform/platform.h"
#include "table/table.h"

struct source;

/* A row for which a source has numbers. */
struct source_cell {
	const struct place *place;
	size_t subject; /* index in the source of the row's device, node, ...; SIZE_MAX: none */
	const char *sockets; /* number list of the selected sockets; NULL: all. Not owned */
};

struct source_kind {
	const char *name; /* "nodes" */
	/*
	 * Reads all subjects into out, source->size bytes. May take long, and may run in another
	 * thread than the other functions. With a virtual clock, reads the numbers at wall_ns.
	 * Returns true if it is to be called again at once, for more data.
	 */
	bool (*read)(struct source *source, uint64_t wall_ns, void *out);
	/* Called for each sample, before it takes readings. NULL: only source.fresh changes. */
	void (*age)(struct source *source);
	/*
	 * Takes a reading made at wall_ns, and adds marks for changes. Called in the order of
	 * readings. If source->fresh, this sample has taken a reading before: this one replaces it,
	 * and rates stay relative to the reading of an earlier sample.
	 */
	void (*take)(struct source *source, const void *reading, uint64_t wall_ns,
		     struct marks *marks);
	/*
	 * Sets the inputs of a cell, from the readings taken; out->formula NULL: its value is
	 * unknown. Returns the seconds that they cover; NAN: unknown. .inputs NULL: no cell has a
	 * number of the source.
	 */
	double (*inputs)(const struct source *source, const struct source_cell *cell,
			 const struct metric *metric, struct inputs *out);
	/* Adds counts by device and kind, from the readings taken. NULL: there are none. */
	void (*tally)(const struct source *source, struct tallies *out);
	/* Frees the source's own members, outside struct source. NULL: there are none. */
	void (*close)(struct source *source);
};

/* First member of each source. */
struct source {
	const struct source_kind *kind; /* NULL: not open */
	struct platform *platform;	/* not owned */
	size_t size;			/* bytes of a reading */
	void *reading;			/* room for a reading; owned */
	uint64_t period_ns;		/* least time between readings; 0: one for each sample */
	uint64_t due_ns;		/* wall-clock time of the next reading; 0: at once */
	bool fresh;			/* the latest sample has taken a reading */
	/* the latest sample came over three periods after a reading: numbers are outdated */
	bool silent;
	bool reported;		/* a warning says that a reading takes over three periods */
	uint64_t taken_ns;	/* sample.at_ns of the latest sample with a reading; 0: none */
	struct slot_ring *ring; /* readings not taken yet; owned; NULL: read without a thread */
	double sample_s;	/* time from the previous sample to the latest; NAN: unknown */
};

/*
 * Initializes *source, with room for a reading of size bytes. 0; -ENOMEM: *source is not open.
 */
int source_init(struct source *source, const struct source_kind *kind, struct platform *p,
		size_t size);

/* Sets the input of a formula whose value is its only input: a number, and the time it covers. */
void source_input(struct inputs *out, const struct formula *formula, double number, double seconds);

/* Adds a tally; drops it if there is no room. */
void source_add_tally(struct tallies *out, const struct tally *tally);

/* Program of formulas whose value is their only input. */
extern const struct program source_program;
/* Formulas of such values: the rate of a counter of the kernel, and a level. */
extern const struct formula source_rate, source_level;

/*
 * Sets the input of source_rate if the metric is a counter, else of source_level. number: a rate as
 * it is shown, or a level in the base unit, which is divided by the metric's factor.
 */
void source_metric_input(struct inputs *out, const struct metric *metric, double number,
			 double seconds);

#endif
