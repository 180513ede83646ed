/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the screen shows: a panel per port (or device), NUMA node, socket and for the system, with
 * histories.
 */
#ifndef CXLMON_SCREEN_MODEL_H
#define CXLMON_SCREEN_MODEL_H

#include "metrics/sample.h"
#include "metrics/view.h"
#include "screen/history.h"

/* The metrics of a panel. Those before HISTORY_COUNT have a history. */
enum shown {
	SHOWN_CXL_READ,
	SHOWN_CXL_WRITE,
	SHOWN_DRAM_READ,
	SHOWN_DRAM_WRITE,
	HISTORY_COUNT,
	SHOWN_CACHE_D2H = HISTORY_COUNT,
	SHOWN_CACHE_H2D,
	SHOWN_CPMU_READ,
	SHOWN_CPMU_WRITE,
	SHOWN_DEVICE_READ,
	SHOWN_DEVICE_WRITE,
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
	SHOWN_QUEUE_RESIDENCY,
	SHOWN_DRAM_RETRIES,
	SHOWN_DRAM_THROTTLING,
	SHOWN_PROMOTED,
	SHOWN_DEMOTED,
	SHOWN_HINTING_FAULTS,
	SHOWN_IPC,
	SHOWN_AMPLIFICATION,
	SHOWN_QUEUE_CLOCKS,
	SHOWN_FREQUENCY,
	SHOWN_NODE_USED,
	SHOWN_NODE_FREE,
	SHOWN_COUNT,
};

#define OWN_VALUES 6 /* metrics of the user's own; the table has more */

struct own_value {
	char label[24], unit[8];
	unsigned decimals;
	double number; /* NAN: not known */
	bool scaled;
};

/* One row of the view. Has no pointers: can be copied. */
struct panel {
	enum scope scope;
	bool of_node;	  /* of a NUMA node; its scope is SCOPE_PORT */
	int socket, port; /* -1: does not apply */
	unsigned ports;	  /* number of ports whose links are summed up */
	char title[96];	  /* "s0 p0  mem0  node 2  0000:35:00.0" */
	struct shown_value {
		bool has;      /* the metric was requested, and rows of this scope have it */
		double number; /* NAN: not known */
		bool scaled;
	} values[SHOWN_COUNT];
	struct own_value own[OWN_VALUES]; /* those that rows of this scope have */
	size_t own_columns[OWN_VALUES];	  /* index in the view's columns */
	unsigned own_count;
	double cxl_peak, dram_peak; /* MB/s: the highest of reads or writes so far; 0: none */
	struct history history[HISTORY_COUNT];
};

struct panels {
	struct panel *all; /* in the order of the view's rows: ports, sockets, the system */
	size_t count;
	size_t columns[SHOWN_COUNT]; /* index in the view's columns; SIZE_MAX: none */
	uint64_t wall_ns;	     /* of the last sample; 0: none yet */
};

/* 0 or -ENOMEM. Freed by panels_free(), also after failure. */
int panels_init(struct panels *panels, const struct view *view);
void panels_free(struct panels *panels);

/* Copies the view's values after a sample; samples are interval_ns apart. */
void panels_update(struct panels *panels, const struct view *view, const struct sample *sample,
		   uint64_t interval_ns);

/* Both were made from the same view. */
void panels_copy(struct panels *to, const struct panels *from);

/* The next coarser scope with panels; after the coarsest, the finest. */
enum scope panels_next_scope(const struct panels *panels, enum scope scope);

/*
 * Selects the panels of a scope, in the view's order or sorted by the traffic of their last
 * ten steps of history (unknown last). At most
 * panels->count; returns how many.
 */
size_t panels_choose(const struct panels *panels, enum scope scope, bool by_traffic,
		     const struct panel **out);

#endif
