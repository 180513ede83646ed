/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data that the files which set up a view share: the selected metrics and rows, and the machine's
 * units that they need. Private to the view.
 */
#ifndef CXLMON_VIEW_SELECTION_H
#define CXLMON_VIEW_SELECTION_H

#include "formula/custom_metric.h"
#include "view/view.h"

/* Properties of all columns of a view together. */
struct column_facts {
	unsigned scopes; /* 1 << scope for each scope of rows with a column that units count */
	/* some column applies to rows of ports, and not only to their devices */
	bool of_ports;
	bool of_devices;	/* some column applies to rows of devices */
	bool without_ports;	/* some column is not a sum over ports */
	bool of_uncore;		/* some column needs units of the uncore, or a CXL device's */
	bool of_cores;		/* some column is counted by CPUs */
	bool of_nodes;		/* some column is the kernel's, about NUMA nodes */
	bool of_kernel_devices; /* some column is the kernel's, about CXL devices */
	/* a column applies to rows of ports, or its formula has events of ports */
	bool need_ports;
};

/* The units of a machine that a view needs; used while it is set up. */
struct selection {
	struct machine *machine;
	const struct view_options *options;
	const struct formulas *formulas; /* the view's */
	struct column_facts columns;
	bool *ports;		       /* by port: it is selected */
	bool nodes;		       /* some NUMA node has a row */
	bool devices;		       /* some CXL device has a row, for numbers of the kernel */
	bool regions_tried;	       /* opening the counters of regions was tried */
	bool regions;		       /* bytes by region of memory are counted */
	bool mbm;		       /* CXL reads are counted by resctrl */
	const struct formula **needed; /* formulas of all columns, and of devices that have rows */
	size_t needed_count;
	uint16_t *types; /* types of units that these formulas need, in their order */
	size_t type_count;
	bool staggered;	  /* each formula of a latency counts on its own CHAs */
	bool cross_check; /* cross-checks are computed */
	/* sums of a CPMU's events are counted separately, event by event */
	bool split_sums;
	bool compare_dram;	   /* events that are only compared are counted */
	size_t left_out;	   /* CPMUs that cannot be opened */
	struct error device_error; /* the reason why the first of them cannot */
	struct error core_error;   /* the reason why CPUs have no PMU */
};

#endif
