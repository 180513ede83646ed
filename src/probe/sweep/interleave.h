/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The best distribution of pages among nodes by weighted interleave, from the loaded latency of
 * each node that a sweep has measured. Pure functions.
 *
 * The model: a program has the same number N of outstanding reads, wherever its pages are. By
 * Little's law, N is its bandwidth D times its mean latency. A node with the share s of the traffic
 * carries s x D, and its curve tells its latency at s x D. D is the bandwidth for which this holds
 * or, if a node would then carry more than its peak, the highest bandwidth within all peaks. If all
 * pages are used alike, shares of traffic are shares of pages.
 */
#ifndef CXLMON_PROBE_SWEEP_INTERLEAVE_H
#define CXLMON_PROBE_SWEEP_INTERLEAVE_H

#include "platform/memory.h"
#include "probe/sweep/sweep_point.h"

#define INTERLEAVE_NODES 32 /* most nodes; further ones are left out */
#define INTERLEAVE_STEPS 32 /* most steps of a curve */

/*
 * The loaded latency of a node for one mix (share of reads), in steps of rising bandwidth. Latency
 * never falls from step to step.
 */
struct interleave_node {
	int node;
	int socket; /* socket whose CPUs have measured it; -1: unknown */
	bool cxl;   /* has CXL memory; false: DRAM */
	struct curve_point steps[INTERLEAVE_STEPS]; /* the last is the peak */
	size_t step_count;
};

/* The nodes. Arrays of shares (0 to 1, of the traffic) and weights have the same order. */
struct interleave {
	struct interleave_node nodes[INTERLEAVE_NODES];
	size_t count;
	double least_read_share, most_read_share; /* range of mixes measured on all nodes */
};

/*
 * Collects the nodes of a sweep, with their curves at this share of reads. Between measured mixes,
 * curves are interpolated; outside their range, the nearest mix is taken. Nodes without a complete
 * curve are left out. table and layout: of the sweep. Returns 0, or -ENODATA: DRAM or CXL memory is
 * missing.
 */
int interleave_make(const struct sweep_points *points, double read_share, const struct table *table,
		    const struct memory_layout *layout, struct interleave *out);

/* Returns the sum of the peaks of all CXL nodes or, if cxl is false, of all DRAM nodes, in MB/s. */
double interleave_peak(const struct interleave *all, bool cxl);

/*
 * Sets the share of the traffic on each node. cxl_share is for all CXL nodes together, the rest for
 * DRAM nodes. Nodes of one kind share in proportion to their peaks.
 */
void interleave_shares(const struct interleave *all, double cxl_share,
		       double shares[INTERLEAVE_NODES]);

/* Returns the outstanding reads of a program with this bandwidth, in MB/s times ns. */
double interleave_waiting(const struct interleave *all, const double *shares, double MBps);

/*
 * Returns the bandwidth in MB/s of a program. waiting: its outstanding reads, as
 * interleave_waiting() returns them; INFINITY: enough for the highest bandwidth of the nodes.
 */
double interleave_MBps(const struct interleave *all, const double *shares, double waiting);

/*
 * Returns the share of the traffic on CXL nodes for which a program with these outstanding reads
 * has the highest bandwidth.
 */
double interleave_best(const struct interleave *all, double waiting);

/*
 * Finds the smallest weights close to cxl_share: a program with these outstanding reads has at
 * least 0.99 of the bandwidth that it would have with exactly this share. Returns false if
 * cxl_share is 0 or 1, or needs a weight above NODE_WEIGHT_MOST.
 */
bool interleave_weights(const struct interleave *all, double cxl_share, double waiting,
			unsigned weights[INTERLEAVE_NODES]);

/*
 * Computes the weights that the kernel chooses itself from bandwidths that firmware reports, from
 * Linux 6.16 on (mm/mempolicy.c, reduce_interleave_weights()). Returns false if firmware reports no
 * bandwidth for a node, or if the layout lacks a node.
 */
bool interleave_auto_weights(const struct interleave *all, const struct memory_layout *layout,
			     unsigned weights[INTERLEAVE_NODES]);

/* Sets shares[] to each node's share of the sum of all weights. */
void interleave_shares_of(const struct interleave *all, const unsigned weights[INTERLEAVE_NODES],
			  double shares[INTERLEAVE_NODES]);

#endif
