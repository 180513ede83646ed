/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The best distribution of pages among nodes by weighted interleave, from the loaded latency of
 * each node that a sweep has measured. Pure functions.
 *
 * The model: a program has as many outstanding reads as before, wherever its pages are. With the
 * share s of its traffic on each node it transfers D, such that D times the mean of the latencies
 * at s x D equals that number of reads (Little's law), and no node carries more than its peak.
 * Shares of traffic are shares of pages if all pages are used alike.
 */
#ifndef CXLMON_PROBE_SWEEP_INTERLEAVE_H
#define CXLMON_PROBE_SWEEP_INTERLEAVE_H

#include "platform/memory.h"
#include "probe/sweep/sweep_point.h"

#define INTERLEAVE_NODES 32
#define INTERLEAVE_STEPS 32 /* steps of a curve */
#define WEIGHT_MOST                                                                                \
	255 /* Documentation/ABI/testing/sysfs-kernel-mm-mempolicy-weighted-interleave */

/* The loaded latency of a node for one mix: latency never falls, bandwidth rises. */
struct interleave_node {
	int node;
	int socket; /* socket whose CPUs have measured it; -1: unknown */
	bool cxl;   /* behind a port */
	struct curve_point steps[INTERLEAVE_STEPS]; /* the last is the peak */
	size_t step_count;
};

struct interleave {
	struct interleave_node nodes[INTERLEAVE_NODES];
	size_t count;
	double least_read_share, most_read_share; /* range of mixes measured on all */
};

/*
 * Collects the nodes of a sweep whose curves are complete, at this share of reads, between the
 * mixes that were measured. is_cxl: tells if a node is CXL memory. -ENODATA: there are not both
 * DRAM and CXL memory.
 */
int interleave_make(const struct sweep_points *points, double read_share,
		    bool (*is_cxl)(void *context, int node), void *context, struct interleave *out);

/* Returns the bandwidth of all nodes of a kind at this share of reads, MB/s. */
double interleave_peak(const struct interleave *all, bool cxl);

/*
 * Sets shares of the traffic, by node: cxl_share for all of CXL memory together, the rest for DRAM.
 */
void interleave_shares(const struct interleave *all, double cxl_share,
		       double shares[INTERLEAVE_NODES]);

/* Returns MB/s times ns, the outstanding reads of a program with this bandwidth. */
double interleave_waiting(const struct interleave *all, const double *shares, double MBps);

/*
 * Returns a program's bandwidth, MB/s. waiting: as above; INFINITY: as much as the nodes can carry.
 */
double interleave_MBps(const struct interleave *all, const double *shares, double waiting);

/* Returns the share of CXL memory with the highest bandwidth. */
double interleave_best(const struct interleave *all, double waiting);

/*
 * Finds the smallest weights with at least 0.99 of the highest bandwidth. False: there are none,
 * because only one kind of memory is best, or the share of the other is too small.
 */
bool interleave_weights(const struct interleave *all, double cxl_share, double waiting,
			unsigned weights[INTERLEAVE_NODES]);

/*
 * Computes the weights that the kernel chooses itself, from the bandwidths that firmware reports
 * (mm/mempolicy.c, reduce_interleave_weights(), from Linux 6.16 on). False: firmware reports none
 * for some node, or the layout has other nodes.
 */
bool interleave_auto_weights(const struct interleave *all, const struct memory_layout *layout,
			     unsigned weights[INTERLEAVE_NODES]);

void interleave_shares_of(const struct interleave *all, const unsigned weights[INTERLEAVE_NODES],
			  double shares[INTERLEAVE_NODES]);

#endif
