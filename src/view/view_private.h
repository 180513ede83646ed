/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that set up a view. Private to the view. */
#ifndef CXLMON_VIEW_PRIVATE_H
#define CXLMON_VIEW_PRIVATE_H

#include "formula/custom_metric.h"
#include "uncore/devices/cpmus.h"
#include "view/view.h"

/* Numbers of request.group: formulas have those from 1, groups of -e those behind this. */
#define FORMULA_GROUPS_MOST 1024

/* What the columns of a view are, all together. */
struct column_facts {
	unsigned scopes;    /* 1 << scope of the rows that have some column that units count */
	bool of_ports;	    /* rows of ports have some column that is not of their devices */
	bool of_devices;    /* rows of devices have some column */
	bool without_ports; /* some column is not a sum over ports */
	bool of_uncore;	    /* some column needs units of the uncore, or a CXL device's */
	bool of_cores;
	bool of_nodes;		/* some column is the kernel's, of NUMA nodes */
	bool of_kernel_devices; /* or of CXL devices */
	/* rows of ports have some column, or some has events of ports among others */
	bool need_ports;
};

/* The units of a machine that a view needs; used while it is set up. */
struct selection {
	struct machine *machine;
	const struct view_options *options;
	const struct formulas *formulas; /* the view's */
	struct column_facts columns;
	bool *ports;		       /* by port: selected */
	bool nodes;		       /* some NUMA node has a row */
	bool devices;		       /* some CXL device has one, for what the kernel says of it */
	bool mbm;		       /* CXL reads are counted by resctrl */
	const struct formula **needed; /* those of all columns, and of devices that have rows */
	size_t needed_count;
	uint16_t *types; /* of units that they need, in their order */
	size_t type_count;
	bool staggered;		   /* each formula of a latency on its own CHAs */
	bool cross_check;	   /* cross-checks are computed */
	bool split_sums;	   /* sums of a CPMU's events are counted event by event */
	bool compare_dram;	   /* what is only compared is counted */
	size_t left_out;	   /* CPMUs that can't be opened */
	struct error device_error; /* why the first of them can't */
	struct error core_error;   /* CPUs have no PMU */
};

/* view_columns.c: which columns were asked for, what they are of, and which can't be had. */
int view_choose_columns(struct view *view, struct selection *selection, struct error *err);
/* The columns have rows of the scope. */
static inline bool view_columns_at(const struct selection *selection, enum scope scope)
{
	return selection->columns.scopes >> scope & 1;
}
/* Whether rows of the finest scope asked for, or of coarser ones, have the metric. */
static inline bool view_has_rows_of(const struct view_options *options, const struct metric *metric)
{
	return metric->scopes >> options->finest;
}
/* Whether rows of devices have the metric. */
bool view_is_of_devices(const struct selection *selection, const struct metric *metric);
/* A formula as the metric has it that was found by metric_formulas(). */
static inline const struct formula *view_formula_of(const struct metric *metric,
						    const struct formula *found)
{
	return found && metric->share_of ? found->share : found;
}
/* An alternative of a column on this processor, from 0; NULL: none. */
const struct formula *view_formula(const struct selection *selection, const struct metric *metric,
				   unsigned a);
/* EXIT_NO_UNIT where nothing can count the columns, EXIT_USAGE where no row has them. */
int view_check_columns(const struct view *view, struct selection *selection, struct error *err);
/* Sets never_known, once there are cells; fails where it is so of all columns. */
int view_find_never_known(struct view *view, const struct selection *selection, struct error *err);
/* Messages, once there are cells. */
void view_report(const struct view *view, const struct selection *selection);

/* view_select.c: which ports and units are needed; no register is accessed. */
static inline bool view_is_port_pmu_type(uint16_t pmu_type)
{
	return pmu_type_is_cxlcm(pmu_type) || pmu_type == PMU_CXLDP;
}
bool view_selected(const char *list, int number); /* a NULL list has every number */
bool view_port_selected(const struct view_options *options, const struct port *port);
/* Something that belongs to no port, by its socket (-1: not known) and device (NULL: likewise). */
bool view_portless_selected(const struct view_options *o, const struct cxl_device *device,
			    int socket);
/* A CPMU by its port, or by its device if that is unknown; other units by their socket. */
bool view_unit_selected(const struct selection *selection, const struct unit *unit);
/* Whether a CPMU has rows of its device, since it belongs to no port, and is selected. */
bool view_has_device_row(const struct selection *selection, const struct cpmu *cpmu);
bool view_has_device_rows(const struct selection *selection);
/* Whether ports are selected by their number, device or node. */
bool view_selects_ports(const struct view_options *options);
/* EXIT_USAGE where the machine has no selected socket; the message lists those it has. */
int view_check_sockets(const struct machine *m, const struct view_options *options,
		       struct error *err);
/* EXIT_USAGE where no port has a selected device; the message lists the devices. */
int view_check_devices(const struct machine *m, const struct view_options *options,
		       struct error *err);
struct unit *view_port_unit(const struct port *port, uint16_t pmu_type);
/* No CPMU can be used: machine.cpmu_error, or there is none. */
int view_no_cpmu(const struct selection *selection, struct error *err);
/*
 * -EBUSY, EXIT_IN_USE: a selected CPMU could count the event, or any event if that is NULL, but
 * other programs use the counters that it takes. 0: there is none.
 */
int view_find_busy_cpmu(const struct selection *selection, const struct event *event,
			struct error *err);
/* EXIT_USAGE where no port of the machine is selected. */
int view_select_ports(struct selection *selection, struct error *err);

/*
 * view_select.c: opens the selected units. A port that fails is not selected any more, but sums of
 * the ports that view_port_selected() has lack it, if it may have memory: if it has a device, or
 * no device is known.
 */
bool view_port_may_have_memory(const struct machine *m, const struct port *port);
int view_open_ports(struct selection *selection, struct error *err);
int view_open_units(struct selection *selection, struct error *err);
/* Warns of CPMUs that could not be opened: where nothing else is counted, that is the error. */
void view_report_left_out(const struct selection *selection);
/*
 * Finds what the events of the columns need besides counters: offcore response registers, or fields
 * of the kernel's PMUs. What has none is left out, with a warning.
 */
void view_prepare_events(const struct selection *selection);
/* Units that were found to be absent, but not before; and those that the kernel does not count. */
struct missing_units {
	const struct unit *absent, *uncounted, *still; /* the first of each */
	size_t absent_count, uncounted_count, still_count;
};
void view_report_missing(const struct selection *selection, const struct missing_units *missing);
/* Counts a unit that the kernel does not count, and returns whether it is one. */
bool view_leave_uncounted(const struct unit *unit, struct missing_units *missing);
/*
 * unit_open(), counting the unit if it is absent. EXIT_USAGE where the unit can't count the event.
 */
int view_open_event_unit(const struct selection *selection, struct unit *unit,
			 const struct event *event, struct missing_units *missing,
			 struct error *err);

/* view_terms.c: what cells are computed from; the units are open. */
/* Sets staggered and cross_check. */
void view_choose_latency(const struct view *view, struct selection *selection);
/* NULL: the row can't have the metric, or there is none such. */
const struct formula *view_row_formula(const struct selection *selection, const struct row *row,
				       const struct metric *metric, unsigned a);
/* Whether all that CPMUs are to count fits on their counters at once. */
bool view_cpmus_fit(const struct view *view);
/* Adds the terms of an alternative; without a formula if that can't be. 0 or -ENOMEM. */
int view_make_alternative(struct view *view, const struct selection *selection,
			  const struct row *row, size_t column, unsigned a,
			  struct alternative *out);
int view_add_term(struct view *view, struct request request); /* 0 or -ENOMEM */

/* view_rows.c */
/*
 * Opens what the kernel says of CXL devices, their health, resctrl and NUMA nodes, as the columns
 * need it, and selects the nodes and devices that have rows. Of nodes: EXIT_NO_UNIT where there is
 * none, and no other column; EXIT_USAGE where none is selected, nor a port.
 */
int view_open_kernel(struct view *view, struct selection *selection, struct error *err);
int view_make_rows(struct view *view, const struct selection *selection, struct error *err);
void view_add_row(struct view *view, enum scope scope, int socket, int cpu);
void view_add_port_row(struct view *view, const struct port *port);
struct row *view_add_device_row(struct view *view, int socket, const struct cxl_device *device,
				const char *pci);

/* view_events.c */
int view_make_events(struct view *view, struct selection *selection, struct error *err);

#endif
