/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files that set up a view hand on: what was chosen, and which of the machine's units that
 * needs. Private to the view.
 */
#ifndef CXLMON_VIEW_SELECTION_H
#define CXLMON_VIEW_SELECTION_H

#include "formula/custom_metric.h"
#include "view/view.h"

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
	bool regions_tried;	       /* whether there are counters of them was found out */
	bool regions;		       /* bytes by region of memory are counted */
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

#endif
