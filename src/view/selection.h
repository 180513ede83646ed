/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data that only exists while view_make() sets up a view: the selected metrics and rows, and the
 * units that they need. Private to the folder view.
 */
#ifndef CXLMON_VIEW_SELECTION_H
#define CXLMON_VIEW_SELECTION_H

#include "formula/custom_metric.h"
#include "view/view.h"

/* Facts about the columns of a view. */
struct column_facts {
	/* has the bit 1 << scope if rows of that scope have a column that units count */
	unsigned scopes;
	bool of_ports;	    /* some column applies to rows of ports, whatever devices they have */
	bool of_devices;    /* some column applies to rows of devices */
	bool without_ports; /* some column is not a sum over ports */
	bool of_uncore;	    /* some column needs units of the uncore, or a CXL device's */
	bool of_cores;	    /* some column is counted by CPUs */
	bool of_nodes;	    /* some column has the kernel's numbers about NUMA nodes */
	bool of_kernel_devices; /* some column has the kernel's numbers about CXL devices */
	/* some column applies to rows of ports, or its formula has events of ports */
	bool need_ports;
};

/* The selection of a view. Nothing is owned except the arrays, which view_make() frees. */
struct selection {
	struct machine *machine;
	const struct view_options *options;
	const struct formulas *formulas; /* the view's */
	struct column_facts columns;
	bool *ports;		       /* by port: it is selected */
	bool nodes;		       /* some NUMA node has a row */
	bool devices;		       /* some CXL device has a row for numbers of the kernel */
	bool regions_tried;	       /* opening the counters of regions was tried */
	bool regions;		       /* bytes by region of memory are counted */
	bool mbm;		       /* resctrl counts CXL reads */
	const struct formula **needed; /* formulas of all columns, and of devices that have rows */
	size_t needed_count;
	uint16_t *types; /* types of units that these formulas need, each once */
	size_t type_count;
	bool staggered;	  /* each latency's formula counts on its own CHAs: LATENCY_SPATIAL */
	bool cross_check; /* formulas that only check others are counted */
	/* if a formula needs a sum of a CPMU's events, each event has its own counter */
	bool split_sums;
	/* DRAM traffic in CXL devices is counted, to be compared with requests to them */
	bool compare_dram;
	size_t left_out; /* number of CPMUs that cannot be opened */
	/* reason why the first of them cannot be opened; code 0: all can */
	struct error device_error;
	struct error core_error; /* reason why CPUs have no PMU; code 0: they have one */
};

#endif
