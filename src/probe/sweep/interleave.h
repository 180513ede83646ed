/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How pages are best shared out among nodes by weighted interleave, from the loaded latency of each
 * that a sweep has measured. Pure functions.
 *
 * The model: a program has as many reads waiting as before, wherever its pages are. So with the
 * share s of its traffic on each node it moves D, where D times the mean of the latencies of s x D
 * is what it was (Little's law), and no node carries more than its peak. Shares of traffic are
 * those of pages if all pages are used alike.
 */
#ifndef CXLMON_PROBE_SWEEP_INTERLEAVE_H
#define CXLMON_PROBE_SWEEP_INTERLEAVE_H

#include "platform/memory.h"
#include "probe/sweep/sweep_point.h"

#define INTERLEAVE_NODES 32
#define INTERLEAVE_STEPS 32 /* of a curve */
#define WEIGHT_MOST                                                                                \
	255 /* Documentation/ABI/testing/sysfs-kernel-mm-mempolicy-weighted-interleave */

/* The loaded latency of a node at one mix: latency never falls, bandwidth rises. */
struct interleave_node {
	int node;
	int socket;				    /* whose CPUs have measured it; -1: not known */
	bool cxl;				    /* behind a port */
	struct curve_point steps[INTERLEAVE_STEPS]; /* the last is the peak */
	size_t step_count;
};

struct interleave {
	struct interleave_node nodes[INTERLEAVE_NODES];
	size_t count;
	double least_read_share, most_read_share; /* of the mixes that were measured on all */
};

/*
 * The nodes of a sweep whose curves are complete, at this share of reads, between the mixes that
 * were measured. is_cxl: of a node. -ENODATA: there are not both DRAM and CXL memory.
 */
int interleave_make(const struct sweep_points *points, double read_share,
		    bool (*is_cxl)(void *context, int node), void *context, struct interleave *out);

/* What all nodes of a kind can carry at this share of reads, MB/s. */
double interleave_peak(const struct interleave *all, bool cxl);

/* Shares of the traffic, by node: all of CXL memory together have this one, others the rest. */
void interleave_shares(const struct interleave *all, double cxl_share,
		       double shares[INTERLEAVE_NODES]);

/* MB/s times ns, of a program that moves so much. */
double interleave_waiting(const struct interleave *all, const double *shares, double MBps);

/* What a program moves, MB/s. waiting: INFINITY: as much as the nodes can carry. */
double interleave_MBps(const struct interleave *all, const double *shares, double waiting);

/* The share of CXL memory with which it moves most. */
double interleave_best(const struct interleave *all, double waiting);

/*
 * The smallest weights with which it moves at least 0.99 of the most. False: there are none, as one
 * kind of memory alone is best, or the share of the other is too small.
 */
bool interleave_weights(const struct interleave *all, double cxl_share, double waiting,
			unsigned weights[INTERLEAVE_NODES]);

/*
 * Those that the kernel chooses itself, by what firmware promises (mm/mempolicy.c,
 * reduce_interleave_weights(), from Linux 6.16 on). False: not known of some node, or it promises
 * nothing of one.
 */
bool interleave_auto_weights(const struct interleave *all, const struct memory_layout *layout,
			     unsigned weights[INTERLEAVE_NODES]);

void interleave_shares_of(const struct interleave *all, const unsigned weights[INTERLEAVE_NODES],
			  double shares[INTERLEAVE_NODES]);

#endif
