/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loaded latency: a point is what a node's memory has carried at one load, and how long a read took
 * meanwhile; the points of a mix of reads and writes are a curve. Pure functions.
 */
#ifndef CXLMON_PROBE_SWEEP_SWEEP_POINT_H
#define CXLMON_PROBE_SWEEP_SWEEP_POINT_H

#include "record/block_kind.h"
#include "table/table.h"

/* NAN is not known. */

/* What counters say of the same traffic. */
struct sweep_counted {
	double read_MBps, write_MBps, latency_ns;
};

struct sweep_point {
	int node;   /* whose memory */
	int socket; /* near it, and of its CPUs */
	double read_share;
	double asked_MBps; /* NAN: as much as can be had */
	/* what was moved, without the chase */
	double read_MBps, write_MBps;
	double chase_ns;	   /* of dependent reads */
	uint64_t start_ns, end_ns; /* since 1970 in UTC */
	struct sweep_counted counted;
};

/* Whether a node is CXL memory: it has a region, or is behind a port. */
bool sweep_is_cxl(const struct table *table, const struct memory_layout *layout, int node);

/*
 * Takes counts from the table's values: those of the ports that the node is behind, or of DRAM. The
 * traffic of a CXL node whose port is unknown (Turin) is NAN.
 */
struct sweep_counted sweep_counted(const struct table *table, const struct memory_layout *layout,
				   const struct sweep_point *point);

/* The points of a sweep; those of a mix on a node are consecutive. */
struct sweep_points {
	struct sweep_point *points;
	size_t count;
};

/* -ENOMEM, else 0. Freed by sweep_points_free(). */
int sweep_points_add(struct sweep_points *all, const struct sweep_point *point);
void sweep_points_free(struct sweep_points *all);

/* The index after the last point with the node and mix of this one. */
size_t sweep_mix_end(const struct sweep_points *all, size_t first);

enum measured_by { BY_CHASE, BY_COUNTERS };

struct curve_point {
	double MBps; /* both ways together */
	double ns;
};

struct curve_point sweep_curve_point(const struct sweep_points *all, size_t point,
				     enum measured_by by);

#define KNEE_FACTOR 2

struct curve {
	double unloaded_ns; /* of the first known step that asks for nothing; NAN: there is none */
	/*
	 * Where a read takes twice as long as without load, on the line that joins two points, and
	 * no less in any later step: from there on it waits longer than it is served. This is the
	 * definition of queueing ("2S": B. Schwartz, xaprb.com/blog/queueing-knee-slope). Unlike a
	 * bend that is seen, or the point farthest from the chord, it depends neither on the scale
	 * of an axis (M. Ley, Does the Knee in a Queuing Curve Exist, CMG MeasureIT 7.07, 2009) nor
	 * on how far the sweep went. NAN: latency does not double, or not for good.
	 */
	struct curve_point knee;
	struct curve_point most;    /* where the bandwidth is highest */
	struct curve_point slowest; /* where a read takes longest */
	bool complete;		    /* as much as can be had was asked for: .most is the peak */
};

/* The curve of the points from first to before end, without unknown values. */
struct curve sweep_curve(const struct sweep_points *all, size_t first, size_t end,
			 enum measured_by by);

/* The option that recordings of a sweep have: the load was its own, from idle to the maximum. */
#define RECORDED_LOAD  "load"
#define RECORDED_SWEEP "sweep"

/* A struct sweep_point, without .counted: the load during the sample. */
extern const struct block_kind sweep_block;

#endif
