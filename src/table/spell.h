/* SPDX-License-Identifier: BSD-3-Clause */
/* Spelling of rows and numbers: names of places, decimals and units, the same in all outputs. */
#ifndef CXLMON_TABLE_SPELL_H
#define CXLMON_TABLE_SPELL_H

#include "table/table.h"

#define LOCATION_SIZE 160

/* "s0 p1 mem2"; without the device if it is unknown. Returns text. */
const char *location(const struct row *row, char text[LOCATION_SIZE]);

/* "s0 cha 3", or in full "socket 0 port 1 mem2": with the unit if the row is of an event. */
const char *location_with_unit(const struct row *row, bool full, char text[LOCATION_SIZE]);

/* "s0 p1  mem2  node 2  0000:35:00.0": all that is known of the place, two blanks between. */
const char *location_title(const struct row *row, char text[LOCATION_SIZE]);

extern const char *const row_kind_names[ROW_KINDS]; /* "port", "device" */

/* "cpu", "port", "socket" or "system"; for rows of others "device", "node", "ccm", "domain" or
 * "group". */
const char *row_scope_name(const struct row *row);

/* Name of a device that tells the place from others; empty: none, or unknown. */
const char *place_device_label(const struct place *place);

/* The number of a NUMA node; -1: the place is not a node. */
int place_node_number(const struct place *place);

/* Orders two places, which may be of two tables; 0: they are equal. Rows also have an event. */
int place_compare(const struct place *a, const struct place *b);
int row_compare(const struct row *a, const struct row *b);

#define RATE_DECIMALS 3 /* in files, of rates that are no metric */

/* Decimals of numbers in files, and for people, who need fewer. */
struct decimals {
	unsigned exact, brief;
};

/* NULL: of rates of events. */
struct decimals decimals_of(const struct metric *metric);

/* "MB/s"; empty: it has none. NULL: of rates of events. */
const char *unit_text(const struct metric *metric);

#endif
