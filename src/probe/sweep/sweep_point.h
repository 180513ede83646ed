/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loaded latency. A point is the traffic that a node's memory carried at one load, and the time of
 * a read meanwhile. The points of one mix (share of reads) are a curve. Pure functions; NAN:
 * unknown.
 */
#ifndef CXLMON_PROBE_SWEEP_SWEEP_POINT_H
#define CXLMON_PROBE_SWEEP_SWEEP_POINT_H

#include "record/block_kind.h"
#include "table/table.h"

/* The values of a point that counters measured. */
struct sweep_counted {
	double read_MBps, write_MBps, latency_ns;
};

struct sweep_point {
	int node;		      /* node whose memory was used */
	int socket;		      /* socket of the node, and of the CPUs that used it */
	double read_share;	      /* part of the bytes that was read, from 0 to 1 */
	double asked_MBps;	      /* 0: only the chase; NAN: as much as possible */
	double read_MBps, write_MBps; /* traffic reached, without the chase */
	double chase_ns;	      /* latency of dependent reads */
	uint64_t start_ns, end_ns;    /* since 1970 in UTC */
	struct sweep_counted counted;
};

/* Tells if a node has CXL memory: the layout has a region, or the table a port, of this node. */
bool sweep_is_cxl(const struct table *table, const struct memory_layout *layout, int node);

/*
 * Returns the counted values of a point's node, from a table: the sum over the ports of a CXL node,
 * or the DRAM of the point's socket. Latency is the socket's. If the port of a CXL node is unknown
 * (as on Turin), its traffic is NAN.
 */
struct sweep_counted sweep_counted(const struct table *table, const struct memory_layout *layout,
				   const struct sweep_point *point);

/* Points of a sweep. Points with the same node and mix are consecutive. Initially {0}. */
struct sweep_points {
	struct sweep_point *points;
	size_t count;
};

/* Adds a copy of a point. 0 or -ENOMEM. The caller frees *all by sweep_points_free(). */
int sweep_points_add(struct sweep_points *all, const struct sweep_point *point);
void sweep_points_free(struct sweep_points *all);

/* Returns the index after the last point that has the node and mix of the point `first`. */
size_t sweep_mix_end(const struct sweep_points *all, size_t first);

enum measured_by { BY_CHASE, BY_COUNTERS };

struct curve_point {
	double MBps; /* reads and writes together */
	double ns;
};

/* Returns the point of this index, as the chase or the counters measured it. */
struct curve_point sweep_curve_point(const struct sweep_points *all, size_t point,
				     enum measured_by by);

#define KNEE_FACTOR 2 /* latency at the knee, relative to latency without load */

struct curve {
	double unloaded_ns; /* latency at the first known step without load */
	/*
	 * The point from which on, in all later steps, a read takes at least twice as long as
	 * without load. It lies on the line between two points. NAN: latency does not double, or
	 * does not stay doubled until the last step.
	 *
	 * From the knee on a read waits longer than it is served: the definition of queueing ("2S":
	 * B. Schwartz, xaprb.com/blog/queueing-knee-slope). A visible bend, or the point farthest
	 * from the chord, would depend on the scale of an axis (M. Ley, Does the Knee in a Queuing
	 * Curve Exist, CMG MeasureIT 7.07, 2009) or on how far the sweep went.
	 */
	struct curve_point knee;
	struct curve_point most;    /* point with the highest bandwidth */
	struct curve_point slowest; /* point with the slowest reads */
	bool complete;		    /* a step had full load, so that .most is the peak */
};

/* Returns the curve of the points first to end - 1. Skips points whose values are unknown. */
struct curve sweep_curve(const struct sweep_points *all, size_t first, size_t end,
			 enum measured_by by);

/* Option of a recording that was made under a load of cxlmon, and its value for a sweep. */
#define RECORDED_LOAD  "load"
#define RECORDED_SWEEP "sweep"

/* Block of a recording with the next sample's struct sweep_point, without .counted. */
extern const struct block_kind sweep_block;

#endif
