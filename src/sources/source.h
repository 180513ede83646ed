/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sources: numbers that are read apart from the sampling thread, such as files of the kernel,
 * answers of devices, and bytes counted by caches. A source reads into plain data with its own
 * time, which the next row takes; cells are then computed from the two latest readings. Computing a
 * cell reads nothing.
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
	size_t subject;	     /* index of a device, node, domain or group; SIZE_MAX: none */
	const char *sockets; /* number list of the selected sockets; NULL: all. Not owned */
};

struct source_kind {
	const char *name; /* "nodes" */
	/*
	 * Reads all subjects into source.size bytes. It may take long. With a virtual clock,
	 * numbers are those at wall_ns. Returns true if more is left to be read at once.
	 */
	bool (*read)(struct source *source, uint64_t wall_ns, void *out);
	/* Ages the reading that the previous sample took. NULL: only source.fresh changes. */
	void (*age)(struct source *source);
	/*
	 * Takes readings in the order in which they were made, and adds marks for changes. If
	 * source.fresh, the row has already taken a reading, which this one replaces: its rates are
	 * relative to the reading that an earlier row took.
	 */
	void (*take)(struct source *source, const void *reading, uint64_t wall_ns,
		     struct marks *marks);
	/*
	 * Sets the inputs of a cell; out->formula is NULL if its value is unknown. Returns the
	 * seconds that they cover; NAN: no reading. NULL: the source has no metric.
	 */
	double (*inputs)(const struct source *source, const struct source_cell *cell,
			 const struct metric *metric, struct inputs *out);
	/* Adds counts by device and kind. NULL: the source has none. */
	void (*tally)(const struct source *source, struct tallies *out);
	void (*close)(struct source *source);
};

struct source {
	const struct source_kind *kind; /* NULL: not open */
	struct platform *platform;	/* not owned */
	size_t size;			/* bytes of a reading */
	void *reading;			/* storage for a reading */
	uint64_t period_ns;		/* least time between readings; 0: one for each sample */
	uint64_t due_ns;		/* wall-clock time of the next reading; 0: at once */
	bool fresh;			/* the latest sample has taken a reading */
	/* No reading came for three periods: earlier numbers are no longer valid. */
	bool silent;
	bool reported;		/* slowness was reported: readings take longer than three periods */
	uint64_t taken_ns;	/* sample.at_ns of the latest sample that took a reading */
	struct slot_ring *ring; /* readings that no row has taken yet; NULL: read in step */
	double sample_s;	/* time from the previous sample to the latest; NAN: unknown */
};

/* Initializes a source with room for readings of a size, as part of its opening. -ENOMEM. */
int source_init(struct source *source, const struct source_kind *kind, struct platform *p,
		size_t size);

/* Sets the only input of a formula whose value is that input. */
void source_input(struct inputs *out, const struct formula *formula, double number, double seconds);

/* Adds a tally, if there is room for it. */
void source_add_tally(struct tallies *out, const struct tally *tally);

/* Program of formulas with one input. */
extern const struct program source_program;
/* Formulas for counters of the kernel, and for levels. */
extern const struct formula source_rate, source_level;

/*
 * Sets the input for source_rate or source_level, by the metric's kind; a level is in the metric's
 * base unit.
 */
void source_metric_input(struct inputs *out, const struct metric *metric, double number,
			 double seconds);

#endif
