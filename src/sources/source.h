/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sources: numbers that are read beside the sampling thread, such as files of the kernel, answers
 * of devices, and bytes that caches count. A source reads into plain data with its own time, which
 * is taken for the next row; cells are then computed from the two latest readings. Computing a cell
 * reads nothing.
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

/* Row that a source has numbers of. */
struct source_cell {
	const struct place *place;
	size_t subject;	     /* index of a device, node, domain or group; SIZE_MAX: none */
	const char *sockets; /* number list of the selected ones; NULL: all. Not owned */
};

struct source_kind {
	const char *name; /* "nodes" */
	/*
	 * Reads all subjects into source.size bytes. It may take long. With a virtual clock,
	 * numbers are those of wall_ns. Returns whether more is left to be read at once.
	 */
	bool (*read)(struct source *source, uint64_t wall_ns, void *out);
	/* Makes what was taken for the sample before old. NULL: only source.fresh says so. */
	void (*age)(struct source *source);
	/*
	 * Takes a reading, in the order in which they were read, and adds marks for changes. If
	 * source.fresh, the row has taken one already, which this one replaces: its rates are from
	 * the reading that an earlier row has taken.
	 */
	void (*take)(struct source *source, const void *reading, uint64_t wall_ns,
		     struct marks *marks);
	/*
	 * Sets the inputs of a cell; out->formula is NULL if its value is unknown. Returns the
	 * seconds that they are of; NAN: no reading. NULL: no metric is of this source.
	 */
	double (*inputs)(const struct source *source, const struct source_cell *cell,
			 const struct metric *metric, struct inputs *out);
	/* Adds what it counts by device and kind. NULL: nothing. */
	void (*tally)(const struct source *source, struct tallies *out);
	void (*close)(struct source *source);
};

struct source {
	const struct source_kind *kind; /* NULL: not open */
	struct platform *platform;	/* not owned */
	size_t size;			/* bytes of a reading */
	void *reading;			/* room for one */
	uint64_t period_ns;		/* least time between readings; 0: read for each sample */
	uint64_t due_ns;		/* wall-clock time of the next one; 0: at once */
	bool fresh;			/* the latest sample has taken a reading */
	/* no reading came for three periods: what it has said is no longer known */
	bool silent;
	bool reported;		/* that a reading takes longer than that */
	uint64_t taken_ns;	/* sample.at_ns of the latest sample that has taken one */
	struct slot_ring *ring; /* readings that no row has taken yet; NULL: read in step */
	double sample_s;	/* from the sample before to the latest one; NAN: unknown */
};

/* Makes room for readings of that size, as a part of a source's own opening. -ENOMEM. */
int source_init(struct source *source, const struct source_kind *kind, struct platform *p,
		size_t size);

/* Sets the only input of a formula that shows it as it is. */
void source_input(struct inputs *out, const struct formula *formula, double number, double seconds);

/* Adds a tally; without room for it, none. */
void source_add_tally(struct tallies *out, const struct tally *tally);

/* Program of such formulas. */
extern const struct program source_program;
/* Counters of the kernel, and levels. */
extern const struct formula source_rate, source_level;

/* As the two above, by the metric's kind; a level is in the metric's base unit. */
void source_metric_input(struct inputs *out, const struct metric *metric, double number,
			 double seconds);

#endif
