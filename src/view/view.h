/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table that is shown. It has a row for each CPU, port, socket and the system, and a column for
 * each metric; then, with -e, rows of events. It is set up once, and computed for each sample.
 * Outputs only print it.
 *
 * Example: how one cell is computed, row socket 1, column cxl_read_latency_ns of
 *    cxlmon --sim=gnr,sockets=2,read=20,latency=250,clock=virtual -m latency 1 3 --csv
 *
 * 1. Alternatives. Granite Rapids has two formulas of this metric (uncore/models), and the cell has
 *    both: for reads from memory of accelerators ("acc"), and from expanders of this socket
 *    ("exp_local").
 * 2. Units. The operands of the formula of "acc" are three events of CHAs:
 *        UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD_CXL_ACC   entries of a queue, summed over clocks
 *        UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_ACC     reads
 *        UNC_CHA_CLOCKTICKS                          clocks
 *    The row's units of that type are CHA 0 to 7 of socket 1. A term is one unit that counts one
 *    event. So the alternative has three ranges of 8 terms; term t of all three is the same CHA.
 *    Each term is a request to the plan, which assigns counters. Several cells may make the same
 *    request: the row of the system has terms for these CHAs, and for the CHAs of socket 0.
 * 3. Groups and rounds. The formula has .same_group: its events must be counted at the same time.
 *    So the three requests of a CHA are a group, which plan_make() counts together. Equal requests
 *    of a group share a counter; those of different groups do not. A CHA can count only one group
 *    at a time, because occupancy fits only on counter 0 of its 4 counters.
 *    The columns need four groups (acc and exp_local; DRAM of this socket, and of the other). They
 *    are multiplexed in rounds, in one of two ways:
 *    - LATENCY_SPATIAL. The formula has .any_unit: counts of some CHAs are enough. CHA 0 and 4
 *      begin with the first group, CHA 1 and 5 with the second. All change to their next group at
 *      the end of a sample, at most once per second. Each socket needs a CHA for each group. CHAs
 *      may count other events only for formulas with .any_unit: for kinds of reads, cross-checks
 *      and averages of user-defined metrics.
 *    - LATENCY_ROTATE. Each CHA counts all groups in turn within a sample.
 *    view_bind() takes each term's counter from the plan.
 * 4. Counts. In the first second CHA 0 and 4 count acc; the terms of the other six are unknown:
 *        39062500000 entries x clocks    78125000 reads    2000000000 clocks    by each of the two
 *    A rate is events / time_running, here 1 s. A term that did not count has a time_running of 0.
 *    A CHA with an unknown count is left out of all three sums.
 * 5. Value. per_unit() divides the occupancy of each CHA by its own clocks: there are
 *    39062500000 / 2000000000 = 19.53 reads in its queue at any time. The sum over the two is
 *    multiplied by 8 / 2 for the six that did not count: 156.25 reads in all queues, and 625000000
 *    reads per second. The whole formula is Little's law: 156.25 / 625000000 s = 250 ns.
 *    If a CHA's clock does not run, it has no part in the sum: the factor is 7 / 2. The factor does
 *    not make the value an estimate (value.scaled). The value is an estimate if
 *    - a CHA that counted has time_running < time_enabled, or count.estimate,
 *    - there are few reads, or
 *    - there are so many DRAM reads that the occupancy may include them.
 * 6. Two numbers are kept, in value.inputs: 156.25, and 625000000 per second, both for 1 s. The
 *    value follows from them, also in recordings and for longer intervals: formula/value.h.
 * 7. The first alternative with a known value is shown, with its source: "acc". If its CHAs saw
 *    fewer than FEWEST_READS, its value is unknown, and the cell shows the value of exp_local. If
 *    both are unknown, the cell is empty.
 */
#ifndef CXLMON_VIEW_H
#define CXLMON_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "counts/sample.h"
#include "events/event_list.h"
#include "formula/formulas.h"
#include "formula/value.h"
#include "metrics/metric.h"
#include "plan/plan.h"
#include "platform/memory.h"
#include "sources/sources.h"
#include "table/table.h"
#include "uncore/machine.h"

struct custom_metrics;

/* How the formulas of latencies share CHAs (units of the L3 cache): see the example, item 3. */
enum latency_policy {
	LATENCY_SPATIAL, /* each formula has its own CHAs; LATENCY_ROTATE if there are too few */
	LATENCY_ROTATE,	 /* each formula is counted on all CHAs, multiplexed */
};

/* Requested columns and rows. Lists have the form of the options of cxlmon that set them. */
struct view_options {
	/* comma-separated metric groups: see view_check_groups(); NULL: none */
	const char *groups;
	/* user-defined metrics, shown after the groups' columns; NULL: none */
	const struct custom_metrics *custom;
	/*
	 * Rows of this scope and of coarser ones are shown. An event has a row for each unit, or
	 * if .finest is SCOPE_SOCKET or SCOPE_SYSTEM, rows of sums.
	 */
	enum scope finest;
	const char *sockets;  /* number list, such as "0-3,8"; NULL: all */
	const char *ports;    /* number list; NULL: all */
	const char *devices;  /* comma-separated: mem0 or /dev/cxl/mem0; NULL: all */
	const char *nodes;    /* number list of NUMA nodes of devices; NULL: all */
	bool regions_instead; /* if no unit counts CXL bandwidth, group cxl has bytes by region */
	bool resctrl;	      /* if no unit counts CXL reads, resctrl does: resctrl_source.h */
	double link_rate; /* bytes per second of each port in each direction; 0: its link's rate */
	enum latency_policy latency;
	const struct event_choice *events; /* events of -e, which get rows */
	size_t event_count;
};

#define ALTERNATIVES 5 /* the most formulas of a metric */

/* The terms of one event of a formula: a range of view.requests, with one or more for each unit. */
struct terms {
	size_t first, count;
};

/*
 * A formula by which a cell can be computed, and the units that count its events. It is small,
 * because each sample reads all ALTERNATIVES of a cell, although most have one or two.
 */
struct alternative {
	const struct formula *formula; /* NULL: the row cannot be counted with it */
	size_t first_terms; /* index in view.terms: a struct terms for each event follows */
	bool lacks_unit;    /* .formula is NULL because a unit of the sum was left out */
};

/* Data about the row of the table with the same index. */
struct counted_row {
	/* row of an event: its range of view.requests, with one for each unit */
	size_t first_term, term_count;
	bool lacks_unit; /* row of an event: the sum is unknown, because a unit cannot be counted */
	size_t subject;	 /* row of metrics: .subject of struct source_cell; SIZE_MAX: none */
};

/* The doubtful values of one kind, since the view was made. */
struct doubts {
	unsigned long count;
	size_t row, column;	/* the first doubtful cell, if .count is not 0 */
	double numbers[2];	/* two numbers about that cell: see struct noticed */
	const char *sources[2]; /* sources of these numbers, as shown in columns */
};

/* Doubtful values, for output/diagnostics.h; readers of the table do not need them. */
struct noticed {
	/* values above the rate of a link; not shown */
	struct doubts implausible;
	/* values that differ from a cross-check by over 10 %. Numbers: value, check, in MB/s */
	struct doubts mismatches;
	/* DRAM traffic of devices that differs by over 10 % from requests to them. Numbers: both */
	struct doubts dram;
	/* counts of 0 by a device while the processor counts reads from it; not shown */
	struct doubts without_counts;
	/* CXL latencies that may include DRAM reads. Number: DRAM reads per CXL read */
	struct doubts leaks;
};

/* A link to a CXL device. Values above the rate of their links are not shown. */
struct view_link {
	const struct cxl_device *device; /* device at its end; NULL: unknown */
	double counted; /* scratch: bytes per second of the value that is being computed */
};

/* A view. Outputs use only .table. Freed by view_free(). */
struct view {
	struct table table;
	struct counted_row *counted; /* by row of the table: view_counted() */
	bool unsure_latency;	     /* sampled latencies may be wrong: see struct machine */
	bool has_cpmus;		     /* some CXL device of the machine has a CPMU */
	enum scope finest;	     /* as in struct view_options */
	double link_rate;	     /* as in struct view_options */
	bool selective;		     /* the user selected sockets, ports, devices or nodes */
	struct request *requests;    /* events on units that the plan must count */
	size_t request_count;
	struct noticed noticed; /* doubtful values since the view was made */

	/* The remaining members compute the cells: see the example. */
	struct formulas formulas;	  /* formulas of the processor and of CXL devices */
	struct sources sources;		  /* sources that columns need; CXL devices in any case */
	size_t mbm_column;		  /* column that resctrl fills; SIZE_MAX: none */
	const char *sockets;		  /* as in struct view_options. Not owned */
	struct alternative *alternatives; /* by row, column (shown or not) and alternative */
	struct terms *terms;		  /* terms of all alternatives: see view_terms() */
	size_t terms_count;
	const size_t *counters;	 /* by request: index in sample.counts; by view_bind(). Not owned */
	struct view_link *links; /* links of the machine's ports, then of its devices */
	size_t link_count;
	size_t *link_of_request; /* by request: index in .links; .link_count: none */
};

/*
 * Makes a view: opens the units that the selected metrics and events need. A port or unit that does
 * not respond is skipped with a warning. The machine must outlive the view. Freed by view_free(),
 * also after failure. Returns 0 or a negative errno:
 *
 * - ERROR_USAGE: a selection matches nothing, or the machine has no unit for an event.
 * - ERROR_NO_UNIT: nothing on this machine can measure any of the selection.
 * - machine.uncore_error: a column or event needs a unit of the uncore, and the machine has none.
 * - The error of the last port: no selected port responds.
 * - Another error: a permission or memory is missing, for example.
 */
int view_make(struct machine *machine, const struct view_options *options, struct view *out,
	      struct error *err);
void view_free(struct view *view);

/* Returns true if units count some part of the selection; false: the kernel has all of it. */
bool view_needs_units(const struct view_options *options);

/* Returns true if CPUs count all metrics of these groups, which view_check_groups() accepts. */
bool view_is_of_cpus(const char *groups);

/*
 * Returns true if units would fill further columns of a selection for which view_needs_units() is
 * false. options->groups must not be NULL.
 */
bool view_wants_units(const struct view_options *options);

/* Checks a list of metric groups. Returns 0 or -EINVAL. ERROR_USAGE: a name is wrong. */
int view_check_groups(const char *groups, struct error *err);

/* Returns an array of an alternative with a formula: the terms of each event. */
static inline const struct terms *view_terms(const struct view *view, const struct alternative *e)
{
	return &view->terms[e->first_terms];
}

/* Returns the view's data about a row of its table. */
static inline struct counted_row *view_counted(const struct view *view, const struct row *row)
{
	return &view->counted[row - view->table.rows];
}

/*
 * Sets view->counters from a plan for view->requests. The plan must outlive all uses of the view.
 * Called once, before view_update().
 */
void view_bind(struct view *view, const struct plan *plan);

/*
 * Returns the formula of an alternative of a cell; NULL: the row cannot be counted with it. a:
 * index of the alternative, below ALTERNATIVES.
 */
const struct formula *view_alternative(const struct view *view, size_t row, size_t column,
				       unsigned a);
/* Returns an alternative's value for a sample; NAN: unknown. Does not change the table. */
double view_alternative_value(const struct view *view, size_t row, size_t column, unsigned a,
			      const struct sample *sample);

/* Returns an alternative's value as a quotient: see inputs_quotient(). {0, 0}: unknown. */
struct quotient view_alternative_quotient(const struct view *view, size_t row, size_t column,
					  unsigned a, const struct sample *sample);

/*
 * Computes the table from the counts of a sample and the sources' latest readings. Replaces the
 * marks of the previous sample. Allocates nothing.
 */
void view_update(struct view *view, const struct sample *sample);

#endif
