/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loaded latency: a point is the traffic that a node's memory carried at one load, and the time of
 * a read meanwhile; the points of a mix of reads and writes are a curve. Pure functions.
 */
#ifndef CXLMON_PROBE_SWEEP_SWEEP_POINT_H
#define CXLMON_PROBE_SWEEP_SWEEP_POINT_H

#include "record/block_kind.h"
#include "table/table.h"

/* NAN means unknown in this file. */

/* Counters' values for the same traffic. */
struct sweep_counted {
	double read_MBps, write_MBps, latency_ns;
};

struct sweep_point {
	int node;   /* node whose memory was used */
	int socket; /* socket of the node, and of the CPUs */
	double read_share;
	double asked_MBps; /* NAN: as much as possible */
	/* Traffic without the chase. */
	double read_MBps, write_MBps;
	double chase_ns;	   /* latency of dependent reads */
	uint64_t start_ns, end_ns; /* since 1970 in UTC */
	struct sweep_counted counted;
};

/* Tells if a node is CXL memory: it has a region, or is behind a port. */
bool sweep_is_cxl(const struct table *table, const struct memory_layout *layout, int node);

/*
 * Takes counts from the table's values: those of the node's ports, or of DRAM. The traffic of a CXL
 * node whose port is unknown (Turin) is NAN.
 */
struct sweep_counted sweep_counted(const struct table *table, const struct memory_layout *layout,
				   const struct sweep_point *point);

/* Points of a sweep; the points of a mix on a node are consecutive. */
struct sweep_points {
	struct sweep_point *points;
	size_t count;
};

/* Adds a point. -ENOMEM, else 0. Freed by sweep_points_free(). */
int sweep_points_add(struct sweep_points *all, const struct sweep_point *point);
void sweep_points_free(struct sweep_points *all);

/* Returns the index after the last point with the node and mix of this one. */
size_t sweep_mix_end(const struct sweep_points *all, size_t first);

enum measured_by { BY_CHASE, BY_COUNTERS };

struct curve_point {
	double MBps; /* reads and writes together */
	double ns;
};

struct curve_point sweep_curve_point(const struct sweep_points *all, size_t point,
				     enum measured_by by);

#define KNEE_FACTOR 2

struct curve {
	double unloaded_ns; /* latency at the first known step without load; NAN: there is none */
	/*
	 * The point from which on a read takes at least twice as long as without load, in all later
	 * steps; it is on the line between two points. From there on a read waits longer than it is
	 * served. This is the definition of queueing ("2S": B. Schwartz,
	 * xaprb.com/blog/queueing-knee-slope). Unlike a visible bend, or the point farthest from
	 * the chord, it depends neither on the scale of an axis (M. Ley, Does the Knee in a Queuing
	 * Curve Exist, CMG MeasureIT 7.07, 2009) nor on how far the sweep went. NAN: latency does
	 * not double, or not in all later steps.
	 */
	struct curve_point knee;
	struct curve_point most;    /* point with the highest bandwidth */
	struct curve_point slowest; /* point with the slowest reads */
	bool complete;		    /* the sweep has a step at full load, so .most is the peak */
};

/* Returns the curve of the points from first to before end, without unknown values. */
struct curve sweep_curve(const struct sweep_points *all, size_t first, size_t end,
			 enum measured_by by);

/* Option in recordings of a sweep: the load was the sweep's own, from idle to the maximum. */
#define RECORDED_LOAD  "load"
#define RECORDED_SWEEP "sweep"

/* A struct sweep_point, without .counted: the load during the sample. */
extern const struct block_kind sweep_block;

#endif
