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
 *    The row's units of that type are CHA 0 to 7 of socket 1. A term is one unit that counts one
 *    event. So the alternative has three ranges of 8 terms; term t of all three is the same CHA.
 *    Each term is a request to the plan. Several cells may make the same request: the row of the
 *    system has terms for these CHAs, and for the CHAs of socket 0.
 * 3. Groups and rounds. The formula has .same_group: its events must be counted at the same time.
 *    So the three requests of a CHA are a group, which plan_make() counts together. Equal requests
 *    share a counter, but the clock ticks of another formula belong to another group. A CHA can
 *    count only one group at a time: occupancy fits only on counter 0 of its 4 counters.
 *    The columns need four groups (acc and exp_local; DRAM of this socket, and of the other), so
 *    they are multiplexed in rounds. formula.any_unit says that some CHAs are enough: CHA 0 and 4
 *    begin with the first group, CHA 1 and 5 with the second. All change to their next group at
 *    the end of a sample, at most once per second. This is LATENCY_SPATIAL. For it, each socket
 *    needs a CHA for each group, and CHAs may count nothing else except cross-checks and averages
 *    of user-defined metrics. Otherwise each CHA counts all groups in turn within a sample.
 *    view_bind() takes each term's counter from the plan.
 * 4. Counts. In the first second CHA 0 and 4 count acc; the terms of the other six are unknown:
 *        39062500000 entries x clocks    78125000 reads    2000000000 clocks    by each of the two
 *    A rate is events / time_running, here 1 s. A term that did not count has a time_running of 0,
 *    and a CHA with one unknown count is left out of all three sums.
 * 5. Value. per_unit() divides the occupancy of each CHA by its own clocks: there are
 *    39062500000 / 2000000000 = 19.53 reads in its queue at any time. The sum over the two is
 *    multiplied by 8 / 2 for the six that did not count: 156.25 reads in all queues, and 625000000
 *    reads per second. The whole formula is Little's law: 156.25 / 625000000 s = 250 ns.
 *    The factor does not make the value an estimate. value.scaled is set if a CHA that counted has
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

/*
 * Policy by which the formulas of latencies share CHAs (units of the L3 cache), each of which can
 * count for one formula at a time.
 */
enum latency_policy {
	LATENCY_SPATIAL, /* each formula has its own CHAs, which change at most once per second */
	LATENCY_ROTATE,	 /* each formula is counted on all CHAs, multiplexed */
};

/* Requested columns and rows. Lists have the form of the options of cxlmon that set them. */
struct view_options {
	/* comma-separated metric groups: see view_check_groups(); NULL: none */
	const char *groups;
	/* user-defined metrics, shown after the groups' columns; NULL: none */
	const struct custom_metrics *custom;
	/*
	 * Rows of this scope and coarser ones are shown. Events are summed over the units of a
	 * socket or of the system; with finer scopes they have a row for each unit.
	 */
	enum scope finest;
	const char *sockets; /* number list; NULL: all */
	const char *ports;   /* number list; NULL: all */
	/* comma-separated memory devices: mem0 or /dev/cxl/mem0; NULL: all */
	const char *devices;
	const char *nodes; /* number list of NUMA nodes of devices; NULL: all */
	/* group cxl shows bytes by region of memory, if no unit counts CXL bandwidth */
	bool regions_instead;
	/* resctrl counts CXL reads if no unit counts them: sources/resctrl_source.h */
	bool resctrl;
	/* bytes per second in each direction of each port; 0: the rate of its link */
	double link_rate;
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
	/* index in view.terms: terms of the formula's first event, then of the other events */
	size_t first_terms;
	/* .formula is NULL because a unit of the sum was left out */
	bool lacks_unit;
};

/* Data about a row of the table with the same index. */
struct counted_row {
	/* row of an event: its range of view.requests, with one for each unit */
	size_t first_term, term_count;
	bool lacks_unit; /* row of an event: its sum is unknown, as a unit cannot be counted */
	size_t subject;	 /* row of metrics: .subject of struct source_cell; SIZE_MAX: none */
};

/* The doubtful values of one kind, since the view was made. */
struct doubts {
	unsigned long count;
	size_t row, column;	/* the first doubtful cell, if count is not 0 */
	double numbers[2];	/* numbers of that cell: see struct noticed */
	const char *sources[2]; /* sources of these numbers, as shown in columns */
};

/* Doubtful values, for output/diagnostics.h; readers of the table do not need them. */
struct noticed {
	struct doubts implausible; /* values above the rate of a link, which are not shown */
	/*
	 * values that differ from their cross-checks by more than 10 %; numbers[0]: the value,
	 * numbers[1]: the cross-check, in MB/s
	 */
	struct doubts mismatches;
	/*
	 * devices whose DRAM traffic differs by more than 10 % from the requests to them;
	 * numbers[0]: DRAM, numbers[1]: requests, in MB/s
	 */
	struct doubts dram;
	/*
	 * values of CXL devices that count nothing while the processor counts reads from them;
	 * these values are not shown
	 */
	struct doubts without_counts;
	/* CXL latencies that may include DRAM reads; numbers[0]: DRAM reads per CXL read */
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
	struct request *requests;    /* requests (an event on a unit) that the plan must count */
	size_t request_count;
	struct noticed noticed; /* doubtful values since the view was made */

	/* The remaining members compute the cells: see the first comment. */
	struct formulas formulas; /* formulas of the processor and of CXL devices */
	struct sources sources;	  /* the kernel's sources that columns need, and CXL devices */
	size_t mbm_column;	  /* column that resctrl fills; SIZE_MAX: none */
	const char *sockets;	  /* as in struct view_options. Not owned */
	struct alternative *alternatives; /* by row, column (shown or not) and alternative */
	struct terms *terms;		  /* terms of all alternatives: see view_terms() */
	size_t terms_count;
	/* by request: index in sample.counts; set by view_bind(). Not owned */
	const size_t *counters;
	struct view_link *links; /* links of the machine's ports, then of its devices */
	size_t link_count;
	/* by request: index in links; link_count: the unit counts no link */
	size_t *link_of_request;
};

/*
 * Makes a view: opens the units that the selected metrics and events need. A port or unit that does
 * not respond is skipped with a warning. The machine must outlive the view. Freed by view_free(),
 * also after failure.
 *
 * Returns 0 or a negative errno. ERROR_USAGE: a selection matches nothing, or the machine has no
 * unit for an event. ERROR_NO_UNIT: nothing on this machine can measure any of the selection. If a
 * metric needs a unit of the uncore, and there is none, returns machine.uncore_error. If no port
 * responds, returns the last error.
 */
int view_make(struct machine *machine, const struct view_options *options, struct view *out,
	      struct error *err);
void view_free(struct view *view);

/* Returns true if some part of the selection is counted by units, not by the kernel. */
bool view_needs_units(const struct view_options *options);

/*
 * Returns true if CPUs count all metrics of these groups. groups must be valid:
 * view_check_groups().
 */
bool view_is_of_cpus(const char *groups);

/*
 * Returns true if units would fill further columns of a selection, even if view_needs_units() is
 * false. options->groups must not be NULL.
 */
bool view_wants_units(const struct view_options *options);

/* Checks a list of metric groups, not NULL. Returns 0 or -EINVAL (ERROR_USAGE): a name is wrong. */
int view_check_groups(const char *groups, struct error *err);

/* Returns the terms of an alternative that has a formula: an array by event of the formula. */
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
 * Sets view->counters, the counter of each request. The plan must have been made from
 * view->requests, and outlive all uses of the view. Call it once, before view_update().
 */
void view_bind(struct view *view, const struct plan *plan);

/*
 * Returns the formula of alternative a of a cell, 0 to ALTERNATIVES - 1; NULL: the row cannot be
 * counted with it.
 */
const struct formula *view_alternative(const struct view *view, size_t row, size_t column,
				       unsigned a);
/* Returns an alternative's value for a sample; NAN: unknown. The table is unchanged. */
double view_alternative_value(const struct view *view, size_t row, size_t column, unsigned a,
			      const struct sample *sample);

/*
 * Returns an alternative's value as a quotient (see inputs_quotient()): 0 and 0 if it is unknown.
 */
struct quotient view_alternative_quotient(const struct view *view, size_t row, size_t column,
					  unsigned a, const struct sample *sample);

/*
 * Computes the table from the counts of a sample and the sources' latest readings. Marks of the
 * previous sample are removed. Allocates nothing.
 */
void view_update(struct view *view, const struct sample *sample);

#endif
