/* SPDX-License-Identifier: BSD-3-Clause */
/* Spelling of rows and numbers: names of places, decimals and units, the same in all outputs. */
#ifndef CXLMON_TABLE_SPELL_H
#define CXLMON_TABLE_SPELL_H

#include "table/table.h"

#define LOCATION_SIZE 160

/* Writes "s0 p1 mem2"; without the device if it is unknown. Returns text. */
const char *location(const struct row *row, char text[LOCATION_SIZE]);

/*
 * Writes "s0 cha 3", or in full "socket 0 port 1 mem2": with the unit if the row is an event's.
 * Returns text.
 */
const char *location_with_unit(const struct row *row, bool full, char text[LOCATION_SIZE]);

/*
 * Writes "s0 p1  mem2  node 2  0000:35:00.0": everything known about the place, separated by two
 * blanks. Returns text.
 */
const char *location_title(const struct row *row, char text[LOCATION_SIZE]);

extern const char *const row_kind_names[ROW_KINDS]; /* "port", "device" */

/*
 * Returns "cpu", "port", "socket" or "system"; for other rows "device", "node", "ccm", "domain" or
 * "group".
 */
const char *row_scope_name(const struct row *row);

/* Returns the name of a device that tells the place from others; empty: none, or unknown. */
const char *place_device_label(const struct place *place);

/* Returns the number of a NUMA node; -1: the place is not a node. */
int place_node_number(const struct place *place);

/* Compare two places, and two rows by event and place, which may be of two tables; 0: equal. */
int place_compare(const struct place *a, const struct place *b);
int row_compare(const struct row *a, const struct row *b);

#define RATE_DECIMALS 3 /* decimals in files of rates that are not metrics */

/* Decimals of numbers in files, and for people, who need fewer. */
struct decimals {
	unsigned exact, brief;
};

/* Returns the decimals of a metric; NULL: for rates of events. */
struct decimals decimals_of(const struct metric *metric);

/* Returns the unit, "MB/s"; empty: none. NULL: the unit of rates of events. */
const char *unit_text(const struct metric *metric);

#endif
