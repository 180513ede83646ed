/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table that is shown: a row for each CPU, port, socket and the system, and a column for each
 * metric; then, with -e, rows of events. It is set up once, and computed for each sample; outputs
 * only print it.
 *
 * Computation of one cell: row socket 1, column cxl_read_latency_ns of
 *    cxlmon --sim=gnr,sockets=2,read=20,latency=250,clock=virtual -m latency 1 3 --csv
 *
 * 1. Alternatives. Granite Rapids has two formulas of this metric (uncore/models), and the cell has
 *    both: for reads from memory of accelerators ("acc"), and from expanders of this socket
 *    ("exp_local").
 * 2. Units. The operands of the formula of "acc" are three events of CHAs:
 *        UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD_CXL_ACC   entries of a queue, summed over clocks
 *        UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_ACC     reads
 *        UNC_CHA_CLOCKTICKS                          clocks
 *    The row's units of that type are CHA 0 to 7 of socket 1. So the alternative has three ranges
 *    of 8 terms; term t of each is the same CHA. A term is one unit that counts one event: a
 *    request to the plan. Several cells may make the same request: the row of the system has terms
 *    for these CHAs, and for the CHAs of socket 0.
 * 3. Groups and rounds. same_group gives the three requests of a CHA the number of their formula
 *    as their group: plan_make() counts a group at the same time. Equal requests share a
 *    counter, but the clock ticks of another formula belong to another group. A CHA's 4 counters
 *    hold one group: two would be five events, and occupancy fits only on counter 0. The
 *    columns need four groups (acc and exp_local; DRAM of this socket, and of the other), so they
 *    are multiplexed in rounds. formula.any_unit says that some CHAs are enough: CHA 0 and 4 begin
 *    with the first group, CHA 1 and 5 with the second. All change to their next group at the end
 *    of a sample, at most once per second. This is LATENCY_SPATIAL, for which each socket needs a
 *    CHA for each group, and CHAs may count nothing else except cross-checks and averages of
 *    user-defined metrics; otherwise each CHA counts all groups in turn within a sample.
 *    view_bind() takes each term's counter from the plan.
 * 4. Counts. In the first second CHA 0 and 4 count acc; the terms of the other six are unknown:
 *        39062500000 entries x clocks    78125000 reads    2000000000 clocks    by each of the two
 *    A rate is events / time_running, here 1 s. A term that did not count has a time_running of 0,
 *    and a CHA with one unknown count is left out of all three sums.
 * 5. Value. per_unit() divides the occupancy of each CHA by its own clocks: there are
 *    39062500000 / 2000000000 = 19.53 reads in its queue at any time. The sum over the two is
 *    multiplied by 8 / 2 for the six that did not count: 156.25 reads in all queues, and 625000000
 *    reads per second. The whole formula is Little's law: 156.25 / 625000000 s = 250 ns.
 *    This does not make the value an estimate. value.scaled is set if a CHA that counted has
 *    time_running < time_enabled or count.estimate, if there are few reads, or if DRAM reads are so
 *    many that the occupancy may include them. A CHA whose clock does not run is not counted: with
 *    one, the factor is 7 / 2.
 * 6. Two numbers are kept, in value.inputs: 156.25, and 625000000 per second, both for 1 s. All
 *    else follows from them, also for recordings, and for longer intervals: formula/value.h.
 * 7. The first alternative with a known value is shown, with its source: "acc". It is unknown if
 *    the CHAs that counted saw fewer than FEWEST_READS; then the cell shows the value of
 *    exp_local. If all are unknown, the cell is empty.
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

/* The sharing of CHAs by the formulas of latencies: a CHA can count one of them at a time. */
enum latency_policy {
	LATENCY_SPATIAL, /* each has its own CHAs, which change at most once per second */
	LATENCY_ROTATE,	 /* each is counted on all CHAs, multiplexed */
};

struct view_options {
	/* comma separated names of metric groups, or "all", as view_check_groups() takes them;
	 * NULL: none */
	const char *groups;
	const struct custom_metrics *custom; /* columns after the groups' columns; NULL: none */
	/*
	 * Rows of this scope and coarser ones are shown. Events are summed over the units of a
	 * socket or of the system; with finer scopes they have a row for each unit.
	 */
	enum scope finest;
	const char *sockets; /* number list; NULL: all */
	const char *ports;   /* number list; NULL: all */
	/* comma separated memory devices of ports: mem0 or /dev/cxl/mem0; NULL: all */
	const char *devices;
	const char *nodes; /* number list of the devices' NUMA nodes; NULL: all */
	/* shows bytes by region of memory with group cxl, if no unit counts that group:
	 * view_regions.h */
	bool regions_instead;
	/* counts CXL reads by resctrl, if no unit counts them: see sources/resctrl_source.h */
	bool resctrl;
	/* bytes/s in each direction of each port, instead of its link's rate; 0: its link's */
	double link_rate;
	enum latency_policy latency;
	const struct event_choice *events;
	size_t event_count;
};

#define ALTERNATIVES 5 /* the most formulas of a metric */

/* The terms of one event of a formula: a range of view.requests, one for each unit. */
struct terms {
	size_t first, count;
};

/*
 * One formula of a cell, and the units that count its events. It is small, as each sample reads all
 * ALTERNATIVES of a cell, though most cells have only one or two.
 */
struct alternative {
	const struct formula *formula; /* NULL: the row cannot be counted with it */
	/* index in view.terms of the first of a range, with one struct terms per event of the
	 * formula */
	size_t first_terms;
	/* has no formula because a unit was left out that the value should include */
	bool lacks_unit;
};

/* Units and sources of a row's values. */
struct counted_row {
	/* only for a row of an event: its units, a range of view.requests */
	size_t first_term, term_count;
	bool lacks_unit; /* one of them cannot be counted: the sum is unknown */
	size_t subject;	 /* only for a row of a source: see struct source_cell */
};

/* Number of doubtful values of one kind, since the start. */
struct doubts {
	unsigned long count;
	size_t row, column;	/* the first doubtful cell, if there is one */
	double numbers[2];	/* numbers of that cell, by kind of doubt */
	const char *sources[2]; /* sources of these numbers */
};

/*
 * Doubtful values, for messages that are each written once; readers of the table do not need them.
 */
struct noticed {
	struct doubts implausible; /* values above the link's rate, which are not shown */
	/* numbers: a value and its cross-check, in MB/s; sources: theirs */
	struct doubts mismatches;
	/* numbers: DRAM of a device and requests to it, in MB/s; sources: theirs */
	struct doubts dram;
	/* values of CXL devices that count nothing while the processor counts reads; not shown */
	struct doubts without_counts;
	/* CXL latencies that may include DRAM reads; numbers[0]: DRAM reads per CXL read */
	struct doubts leaks;
};

/* A link on which data is counted. */
struct view_link {
	const struct cxl_device *device; /* device at its end; NULL: unknown */
	double counted;			 /* bytes per second, of the value that is being computed */
};

struct view {
	struct table table;
	struct counted_row *counted; /* by row of the table */
	bool unsure_latency;	     /* see struct machine */
	bool has_cpmus;		     /* some CXL device of the machine has a CPMU */
	enum scope finest;	     /* as in struct view_options */
	double link_rate;	     /* as in struct view_options */
	bool selective;		     /* sockets, ports, devices or nodes were selected */
	struct request *requests;    /* requests that the plan must count */
	size_t request_count;
	struct noticed noticed;

	/* the rest computes the cells: see above */
	struct formulas formulas; /* formulas of the processor and of CXL devices */
	struct sources sources;	  /* sources that columns need; devices always */
	size_t mbm_column;	  /* column that resctrl fills; SIZE_MAX: none */
	const char *sockets;	  /* number list of the selected sockets; NULL: all. Not owned */
	struct alternative *alternatives; /* rows x all columns x ALTERNATIVES */
	struct terms *terms;		  /* ranges of all alternatives: see first_terms */
	size_t terms_count;
	/* counters of the plan, by request; set by view_bind(). Not owned */
	const size_t *counters;
	struct view_link *links; /* links of the machine's ports, then of its devices */
	size_t link_count;
	size_t *link_of_request; /* index in links, or link_count: none */
};

/*
 * Makes a view: opens only the units that the selected metrics need. A port or unit that does not
 * respond is skipped with a warning; if none responds, the last error is returned. ERROR_USAGE: a
 * selection matches nothing, or the machine has no unit for an event. ERROR_NO_UNIT: only metrics
 * of ports were requested, and the machine has no CXL port. machine.uncore_error: a metric needs a
 * unit of the uncore, and there is none. Freed by view_free(), also after failure.
 */
int view_make(struct machine *machine, const struct view_options *options, struct view *out,
	      struct error *err);
void view_free(struct view *view);

/* Returns true if units count some part of the selection, and not only the kernel. */
bool view_needs_units(const struct view_options *options);

/* Returns true if CPUs count all metrics of these groups, which must be valid. */
bool view_is_of_cpus(const char *groups);

/*
 * Returns true if units, if the machine has any, fill columns of a selection that does not need
 * them.
 */
bool view_wants_units(const struct view_options *options);

/* Checks a list of metric groups. ERROR_USAGE: a name is not a metric group. */
int view_check_groups(const char *groups, struct error *err);

/* Returns an alternative's terms, by event of its formula. */
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
 * Sets the counters of the plan, which was made from view->requests, and must outlive the view's
 * use.
 */
void view_bind(struct view *view, const struct plan *plan);

/*
 * Return an alternative of a cell, from 0, below ALTERNATIVES: its formula (NULL: the row cannot be
 * counted with it), and its value (NAN: unknown).
 */
const struct formula *view_alternative(const struct view *view, size_t row, size_t column,
				       unsigned a);
double view_alternative_value(const struct view *view, size_t row, size_t column, unsigned a,
			      const struct sample *sample);

/* Returns such a value as a quotient: see inputs_quotient(). */
struct quotient view_alternative_quotient(const struct view *view, size_t row, size_t column,
					  unsigned a, const struct sample *sample);

/* Computes the table from the counts of a sample and the sources' latest readings. */
void view_update(struct view *view, const struct sample *sample);

#endif
