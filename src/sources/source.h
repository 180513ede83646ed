/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sources of numbers that the sampling thread does not read, such as files of the kernel, answers
 * of devices, and bytes counted by caches. A source reads the numbers of all its subjects (nodes,
 * devices, ...) into plain data, a reading. The next sample takes the reading. Its cells are
 * computed from the readings taken, so that computing a cell reads nothing.
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

/* A row of the table, for which a source computes cells. Nothing is owned. */
struct source_cell {
	const struct place *place;
	size_t subject; /* index of the row's device, node, ... in the source; SIZE_MAX: none */
	const char *sockets; /* number list of the selected sockets: "0-3,8"; NULL: all */
};

struct source_kind {
	const char *name; /* "nodes" */
	/*
	 * Reads all subjects into out, source->size bytes. May take long, and may run in another
	 * thread than the other functions. With a virtual clock, reads the numbers at wall_ns.
	 * Returns true if more data waits, for another call at once.
	 */
	bool (*read)(struct source *source, uint64_t wall_ns, void *out);
	/* Called for each sample, before it takes readings. NULL: does nothing. */
	void (*age)(struct source *source);
	/*
	 * Takes a reading made at wall_ns, and adds marks for changes. Called in the order of
	 * readings. If source->fresh is set, the same sample has taken a reading before. This
	 * reading then replaces it. If an earlier sample has a reading, rates stay relative to
	 * that.
	 */
	void (*take)(struct source *source, const void *reading, uint64_t wall_ns,
		     struct marks *marks);
	/*
	 * Sets the inputs of a cell from the readings taken. If the value is unknown, sets
	 * out->formula to NULL. Returns the seconds that the row covers; NAN: unknown. .inputs is
	 * NULL for a source whose numbers are in no cell.
	 */
	double (*inputs)(const struct source *source, const struct source_cell *cell,
			 const struct metric *metric, struct inputs *out);
	/* Adds the counts of the readings taken, by device and kind. NULL: does nothing. */
	void (*tally)(const struct source *source, struct tallies *out);
	/* Frees the members after struct source. NULL: does nothing. */
	void (*close)(struct source *source);
};

/* The first member of each source. */
struct source {
	const struct source_kind *kind; /* NULL: not open */
	struct platform *platform;	/* not owned */
	size_t size;			/* bytes of a reading */
	void *reading;			/* room for a reading; owned */
	uint64_t period_ns;		/* least time between readings; 0: read for each sample */
	uint64_t due_ns;		/* wall-clock time of the next reading; 0: at once */
	bool fresh;			/* the latest sample has taken a reading */
	/* no reading came for three periods or intervals of samples, whichever is longer */
	bool silent;
	bool reported;	   /* a warning said that the reading in progress takes so long */
	uint64_t taken_ns; /* time of the latest sample with a reading, or of the first sample */
	struct slot_ring *ring; /* readings not taken yet; owned; NULL: read without a thread */
	double sample_s;	/* s from the previous sample to the latest; NAN: unknown */
};

/*
 * Initializes *source, with room for a reading of size bytes. Returns 0 or -ENOMEM; after an error
 * *source is not open.
 */
int source_init(struct source *source, const struct source_kind *kind, struct platform *p,
		size_t size);

/*
 * Sets the inputs of a value that needs only one number. seconds: the time that the number covers.
 * formula: a formula with source_program.
 */
void source_input(struct inputs *out, const struct formula *formula, double number, double seconds);

/* Adds a tally. Drops it if *out has no room. */
void source_add_tally(struct tallies *out, const struct tally *tally);

/* The program of formulas whose value is their only input. */
extern const struct program source_program;
/* Formulas of such values: the rate of a counter, and a level. */
extern const struct formula source_rate, source_level;

/*
 * Sets the inputs of a metric's value by source_input(). If the metric is a counter, number is a
 * rate in the metric's unit. Otherwise number is a level in the base unit of the metric's family.
 */
void source_metric_input(struct inputs *out, const struct metric *metric, double number,
			 double seconds);

#endif
