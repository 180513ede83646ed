/* SPDX-License-Identifier: BSD-3-Clause */
/* What a screen shows: a panel a port, socket and the system, with what they have been. */
#ifndef CXLMON_SCREEN_MODEL_H
#define CXLMON_SCREEN_MODEL_H

#include "metrics/sample.h"
#include "metrics/view.h"
#include "screen/history.h"

/* The metrics that a panel has a place for. Those before KEPT_COUNT have a history. */
enum shown {
	SHOWN_CXL_READ,
	SHOWN_CXL_WRITE,
	SHOWN_DRAM_READ,
	SHOWN_DRAM_WRITE,
	KEPT_COUNT,
	SHOWN_CACHE_D2H = KEPT_COUNT,
	SHOWN_CACHE_H2D,
	SHOWN_CXL_LATENCY,
	SHOWN_LOCAL_LATENCY,
	SHOWN_REMOTE_LATENCY,
	SHOWN_DATA_FULL,
	SHOWN_REQUEST_FULL,
	SHOWN_DATA_BUSY,
	SHOWN_REQUEST_BUSY,
	SHOWN_CRC,
	SHOWN_RETRIES,
	SHOWN_TX_FLITS,
	SHOWN_RX_FLITS,
	SHOWN_INSTRUCTIONS,
	SHOWN_IPC,
	SHOWN_FREQUENCY,
	SHOWN_COUNT,
};

/* One row of the view. Holds no pointers, so that a copy stays as it is while samples go on. */
struct panel {
	enum scope scope;
	int socket, port; /* -1: does not apply */
	unsigned ports;	  /* whose links it adds up */
	char title[96];	  /* "s0 p0  mem0  node 2  0000:35:00.0" */
	struct shown_value {
		bool has;      /* the metric was asked for, and rows of this scope have it */
		double number; /* NAN: not known */
		bool scaled;
	} values[SHOWN_COUNT];
	double cxl_peak, dram_peak; /* MB/s: the highest of reads or writes so far; 0: none */
	struct history kept[KEPT_COUNT];
};

struct panels {
	struct panel *all; /* as the view's rows: ports, sockets, the system */
	size_t count;
	size_t columns[SHOWN_COUNT]; /* of the view; SIZE_MAX: not there */
	uint64_t wall_ns;	     /* of the last sample; 0: none yet */
};

/* 0 or -ENOMEM. Freed by panels_free(), also after failure. */
int panels_init(struct panels *panels, const struct view *view);
void panels_free(struct panels *panels);

/* Takes over what the view shows after this sample; samples are interval_ns apart. */
void panels_update(struct panels *panels, const struct view *view, const struct sample *sample,
		   uint64_t interval_ns);

/* As from is now. Both were made of the same view. */
void panels_copy(struct panels *to, const struct panels *from);

/* The next coarser scope that there are panels of, and the finest after the coarsest. */
enum scope panels_next_scope(const struct panels *panels, enum scope scope);

/*
 * The panels of a scope, in the view's order or with the most traffic first (where none is known:
 * last). At most panels->count of them; returns how many.
 */
size_t panels_choose(const struct panels *panels, enum scope scope, bool by_traffic,
		     const struct panel **out);

#endif
