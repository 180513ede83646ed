/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data that exists only while view_make() sets up a view: the selected metrics and rows, and the
 * units that they need. Private to the folder view.
 */
#ifndef CXLMON_VIEW_SELECTION_H
#define CXLMON_VIEW_SELECTION_H

#include "formula/custom_metric.h"
#include "view/view.h"

/* Facts about the columns of a view. A bool is true if it holds for some column. */
struct column_facts {
	unsigned scopes;    /* scopes of rows with a column of counts: a sum of 1 << enum scope */
	bool of_ports;	    /* rows of ports have it, even if their devices have no CPMU */
	bool of_devices;    /* rows of devices have it */
	bool without_ports; /* it is not a sum over ports */
	bool of_uncore;	    /* units of the uncore or of CXL devices count it */
	bool of_cores;	    /* CPUs count it */
	bool of_nodes;	    /* it has the kernel's numbers about NUMA nodes */
	bool of_kernel_devices; /* it has the kernel's numbers about CXL devices */
	bool need_ports;	/* rows of ports have it, or its formula has events of ports */
};

/* The selection of a view. The arrays are owned, and freed by view_make(). */
struct selection {
	struct machine *machine;
	const struct view_options *options;
	const struct formulas *formulas; /* the view's */
	struct column_facts columns;
	bool *ports;	    /* by port: it is selected, and its units were not left out */
	bool nodes;	    /* some NUMA node has a row */
	bool devices;	    /* some CXL device is selected for the kernel's numbers */
	bool regions_tried; /* opening the counters of bytes by region was tried */
	bool regions;	    /* the counters of bytes by region are open */
	bool mbm;	    /* resctrl counts CXL reads */
	const struct formula **needed; /* formulas of all columns, and of devices with rows */
	size_t needed_count;
	uint16_t *types; /* types of units to open for .needed, each once */
	size_t type_count;
	bool staggered;	   /* each latency's formula counts on its own CHAs: LATENCY_SPATIAL */
	bool cross_check;  /* formulas that only check others are counted */
	bool split_sums;   /* a CPMU counts each event of a sum on its own counter */
	bool compare_dram; /* requests to CXL devices are compared with their DRAM traffic */
	size_t left_out;   /* CPMUs that cannot be opened */
	struct error device_error; /* reason for the first of them; code 0: all are open */
	struct error core_error;   /* reason why CPUs have no PMU; code 0: they have one */
};

#endif
