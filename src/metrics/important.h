/* SPDX-License-Identifier: BSD-3-Clause */
/* Metrics that HTML pages and the screen show first, or together in a graph. */
#ifndef CXLMON_METRICS_IMPORTANT_H
#define CXLMON_METRICS_IMPORTANT_H

#include <stdbool.h>

/* Graphs of several metrics with the same unit of measure, in the order of the screen. */
enum picture {
	PICTURE_NONE,
	PICTURE_CXL,
	PICTURE_LATENCY,
	PICTURE_DRAM,
	PICTURE_CACHE,
	PICTURE_CPMU,
	PICTURE_DEVICE_DRAM,
	PICTURE_LINK_ERRORS,
	PICTURE_BUFFERS,
	PICTURE_FLITS,
	PICTURE_CPU_READS,
	PICTURE_THROTTLING,
	PICTURE_MEMORY,
	PICTURE_PAGES,
	PICTURE_CACHE_LOADS,
	PICTURE_MEMORY_LOADS,
	PICTURE_CACHE_FILLS,
	PICTURE_MEMORY_FILLS,
	PICTURE_KINDS,
	PICTURE_KIND_RATES,
	PICTURE_KIND_LATENCIES,
	PICTURES
};

#define PICTURE_METRICS 4 /* the most metrics of a graph */

struct picture_style {
	const char *title;
	bool mirrored; /* the first metric is drawn upwards, the second downwards */
};

extern const struct picture_style picture_styles[PICTURES];

/* Places with room for few metrics. */
enum important_place {
	IMPORTANT_TILES,   /* tiles for the whole system, on the pages of report and serve */
	IMPORTANT_CHARTS,  /* charts on the page of serve */
	IMPORTANT_SOCKETS, /* columns of the screen's table of sockets */
	IMPORTANT_PLACES
};

/* An important metric. A graph has its metrics in the order of the table. */
struct important {
	const char *name;		 /* name of the metric */
	enum picture picture;		 /* graph of the metric; PICTURE_NONE: none */
	unsigned rank[IMPORTANT_PLACES]; /* rank in each place, from 1; 0: not shown there */
	bool trouble;			 /* a value above 0 is a problem */
};

/* Table of important metrics; ends with a row whose name is NULL. */
extern const struct important important_metrics[];

/* Returns the name of the metric with this rank, from 1, in a place; NULL: none. */
const char *important_at(enum important_place place, unsigned rank);

/* Returns true for a metric of CXL.cache: outputs leave it out first if room is short. */
bool important_is_minor(const char *name);

/* Returns .trouble of the metric with this name; false if the metric is not in the table. */
bool important_is_trouble(const char *name);

#endif
