/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table that is shown: a row for each CPU, port, socket and the system, and a column for each
 * metric; then, with -e, rows of events. It is set up once, and computed for each sample; outputs
 * only print it.
 *
 * How one cell comes to its value: row socket 1, column cxl_read_latency_ns of
 *    cxlmon --sim=gnr,sockets=2,read=20,latency=250,clock=virtual -m latency 1 3 --csv
 *
 * 1. Alternatives. Granite Rapids has two formulas of this metric (uncore/models), and the cell has
 *    both: of reads from memory of accelerators ("acc"), and of expanders of this socket
 *    ("exp_local").
 * 2. Units. The operands of the formula of "acc" are three events of CHAs:
 *        UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD_CXL_ACC   entries of a queue, summed over clocks
 *        UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_ACC     reads
 *        UNC_CHA_CLOCKTICKS                          clocks
 *    The row's units of that type are CHA 0 to 7 of socket 1. So the alternative has three ranges
 *    of 8 terms; term t of each is the same CHA. A term is one unit that counts one event: a
 *    request to the plan. Several cells may ask for the same: the row of the system has terms for
 *    these, and for those of socket 0.
 * 3. Groups and rounds. same_group gives the three requests of a CHA the number of their formula
 *    as their group: plan_make() counts a group at the same time. Equal requests share a
 *    counter, but the clock ticks of another formula are of another group. A CHA's 4 counters
 *    hold one group, as two would be five events, and occupancy fits on counter 0 alone. The
 *    columns need four groups (acc and exp_local; DRAM of this socket, and of the other), so that
 *    they are rounds which take turns: since formula.any_unit says that some CHAs
 *    are enough, CHA 0 and 4 begin with the first, CHA 1 and 5 with the second, and all go on
 *    to their next one at the end of a sample, once a second at most. So it is with
 *    LATENCY_SPATIAL, where each socket has a CHA for each group, and CHAs
 *    count nothing else but cross-checks and averages of users' metrics; otherwise each CHA counts
 *    all groups in turn within a sample. view_bind() takes from the plan which of its counters each
 *    term has.
 * 4. Counts. In the first second CHA 0 and 4 count acc; the terms of the other six are not known:
 *        39062500000 entries x clocks    78125000 reads    2000000000 clocks    by each of the two
 *    A rate is events / time_running, here 1 s. What did not count has a time_running of 0, and a
 *    CHA of which one of the three counts is not known is left out of all.
 * 5. Value. per_unit() divides the occupancy of each CHA by its own clocks: there are
 *    39062500000 / 2000000000 = 19.53 reads in its queue at any time. The sum over the two is
 *    multiplied by 8 / 2 for the six that did not count: 156.25 reads in all queues, and 625000000
 *    reads a second. The whole formula is Little's law: 156.25 / 625000000 s = 250 ns.
 *    This alone marks no estimate: value.scaled is set where a CHA that counted has time_running <
 *    time_enabled or count.estimate, of few reads, and of so many of DRAM that the occupancy may
 * include them. A CHA whose clock stands still is not counted: with one, the factor is 7 / 2.
 * 6. Two numbers are kept, in value.inputs: 156.25, and 625000000 a second, both of 1 s. All else
 *    follows from them, also for recordings, and for longer intervals: formula/value.h.
 * 7. The first alternative whose value is known is shown, with its source: "acc". It is not known
 *    where the CHAs that counted saw fewer than FEWEST_READS; then the cell shows that of
 *    exp_local. If none is known, it is empty.
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

/* A CHA can count one formula of a latency at a time: how the formulas share the CHAs. */
enum latency_policy {
	LATENCY_SPATIAL, /* each on its own CHAs, which change once a second at most */
	LATENCY_ROTATE,	 /* each on all CHAs, multiplexed */
};

struct view_options {
	/* comma separated names of metric groups, or "all", as view_check_groups() takes them;
	 * NULL: none */
	const char *groups;
	const struct custom_metrics *custom; /* columns behind those of the groups; NULL: none */
	/*
	 * Rows of this scope and coarser ones. Events are summed over the units of a socket or of
	 * the system; for finer scopes they have a row for each unit.
	 */
	enum scope finest;
	const char *sockets; /* number lists; NULL: all */
	const char *ports;
	/* of memory devices behind ports, comma separated: mem0 or /dev/cxl/mem0; NULL: all */
	const char *devices;
	const char *nodes; /* number list of their NUMA nodes; NULL: all */
	/* Bytes by region of memory beside group cxl, where no unit counts that: view_select.h */
	bool regions_instead;
	bool resctrl;	  /* CXL reads by resctrl, where no unit counts them: see
			     sources/resctrl_source.h */
	double link_rate; /* of each port, in place of its link's, bytes/s each way; 0: none */
	enum latency_policy latency;
	const struct event_choice *events;
	size_t event_count;
};

#define ALTERNATIVES 5 /* formulas of a metric, at most */

/* The terms of one event of a formula: a range of view.requests, one for each unit. */
struct terms {
	size_t first, count;
};

/*
 * One formula of a cell, and the units that count its events. Most cells have one or two, and each
 * sample looks at all: so this is small.
 */
struct alternative {
	const struct formula *formula; /* NULL: the row can't be counted with it */
	size_t first_terms; /* in view.terms: a range as long as the formula has events */
	bool lacks_unit;    /* no formula, as a unit was left out that the value should include */
};

/* Units and sources that a row's values come from. */
struct counted_row {
	size_t first_term, term_count; /* of an event: its units, a range of view.requests */
	bool lacks_unit;	       /* one of them cannot be counted: the sum is unknown */
	size_t subject;		       /* of a source: struct source_cell */
};

/* Doubtful values of one kind, since the start. */
struct doubts {
	unsigned long count;
	size_t row, column;	/* of the first, if there is one */
	double numbers[2];	/* likewise, by kind */
	const char *sources[2]; /* likewise */
};

/* What messages say of values, once each; no reader of the table needs it. */
struct noticed {
	struct doubts implausible; /* above the link's rate; not shown */
	struct doubts mismatches;  /* numbers: the value and its cross-check, MB/s, by source */
	struct doubts dram;	   /* DRAM of a device and the requests to it, likewise */
	/* not shown: of CXL devices that count nothing while the processor counts reads */
	struct doubts without_counts;
	struct doubts leaks; /* CXL latencies; numbers[0]: reads of DRAM per CXL read */
};

/* A link that data is counted on. */
struct view_link {
	const struct cxl_device *device; /* at its end; NULL: not known */
	double counted;			 /* bytes a second, of the value that is being computed */
};

struct view {
	struct table table;
	struct counted_row *counted; /* by row of the table */
	bool unsure_latency;	     /* see struct machine */
	bool has_cpmus;		     /* some CXL device of the machine counts itself */
	enum scope finest;	     /* as asked for */
	double link_rate;	     /* likewise: see struct view_options */
	bool selective;		     /* sockets, ports, devices or nodes were selected */
	struct request *requests;    /* what the plan must count */
	size_t request_count;
	struct noticed noticed;

	/* how the cells are computed: see above */
	struct formulas formulas; /* of the processor and of CXL devices */
	struct sources sources;	  /* those that columns need; devices always */
	size_t mbm_column;	  /* that resctrl fills; SIZE_MAX: none */
	const char *sockets; /* number list of those that were selected; NULL: all. Not owned */
	struct alternative *alternatives; /* rows x all columns x ALTERNATIVES */
	struct terms *terms;		  /* all alternatives have a range of them */
	size_t terms_count;
	const size_t *counters;	 /* of the plan, by request; after view_bind(). Not owned */
	struct view_link *links; /* of the machine's ports, then of its devices */
	size_t link_count;
	size_t *link_of_request; /* index in links, or link_count: none */
};

/*
 * Opens the units that the selected metrics need, and no others. A port or unit that doesn't
 * respond is skipped with a warning; if none responds, the last error is returned. ERROR_USAGE: a
 * selection matches nothing, or the machine has no unit for an event.
 * ERROR_NO_UNIT: only ports were asked for, and the machine has no CXL port. machine.uncore_error:
 * a unit of the uncore was asked for, and there is none. Freed by view_free(), also after failure.
 */
int view_make(struct machine *machine, const struct view_options *options, struct view *out,
	      struct error *err);
void view_free(struct view *view);

/* Whether something is chosen that units count, and not the kernel's figures alone. */
bool view_needs_units(const struct view_options *options);

/* Whether CPUs count all metrics of these groups, which are valid. */
bool view_is_of_cpus(const char *groups);

/* Otherwise: whether a part of it is. */
bool view_wants_units(const struct view_options *options);

/* ERROR_USAGE where the list has a name that is no metric group. */
int view_check_groups(const char *groups, struct error *err);

/* By event of its formula. */
static inline const struct terms *view_terms(const struct view *view, const struct alternative *e)
{
	return &view->terms[e->first_terms];
}

/* The rest of what the view knows of a row of its table. */
static inline struct counted_row *view_counted(const struct view *view, const struct row *row)
{
	return &view->counted[row - view->table.rows];
}

/* The plan was made of view->requests, and must outlive its use. */
void view_bind(struct view *view, const struct plan *plan);

/*
 * An alternative of a cell, from 0, below ALTERNATIVES: its formula (NULL: the row can't be counted
 * with it), and its value (NAN: not known).
 */
const struct formula *view_alternative(const struct view *view, size_t row, size_t column,
				       unsigned a);
double view_alternative_value(const struct view *view, size_t row, size_t column, unsigned a,
			      const struct sample *sample);

/* Such a value as a quotient: see inputs_quotient(). */
struct quotient view_alternative_quotient(const struct view *view, size_t row, size_t column,
					  unsigned a, const struct sample *sample);

/* Computes the table from the counts of a sample, and from the kernel's files, which it reads. */
void view_update(struct view *view, const struct sample *sample);

#endif
