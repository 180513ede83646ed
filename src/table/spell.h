/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of places, decimals and units of numbers, as all outputs write them. */
#ifndef CXLMON_TABLE_SPELL_H
#define CXLMON_TABLE_SPELL_H

#include "table/table.h"

#define LOCATION_SIZE 160

/*
 * Writes a row's short name, such as "s0 p1 mem2", "cpu3", "node2" or "system". The device is left
 * out if it is unknown. Returns text.
 */
const char *location(const struct row *row, char text[LOCATION_SIZE]);

/*
 * Writes a row's name: short, or in full as "socket 0 port 1 mem2". If the row is one unit's event,
 * the unit follows, as in "s0 cha 3", except in rows of CPUs. Returns text.
 */
const char *location_with_unit(const struct row *row, bool full, char text[LOCATION_SIZE]);

/*
 * Writes everything known about the place, separated by two blanks:
 * "s0 p1  mem2  node 2  0000:35:00.0". Returns text.
 */
const char *location_title(const struct row *row, char text[LOCATION_SIZE]);

extern const char *const row_kind_names[ROW_KINDS]; /* "cpu", "port", "device", "node", ... */

/*
 * Returns the row's kind, from row_kind_names; for parts of a socket that are not ports,
 * place.port_name.
 */
const char *row_scope_name(const struct row *row);

/*
 * Returns the device's name; "": unknown, or the place has no device. A row of a device may have
 * its PCI address instead.
 */
const char *place_device_label(const struct place *place);

/* Returns the number of a NUMA node; -1: the place is not a node. */
int place_node_number(const struct place *place);

/*
 * Compare two places, or two rows by event, place and unit; the two may belong to different tables.
 * Return a number below, above or equal to 0, as strcmp() does.
 */
int place_compare(const struct place *a, const struct place *b);
int row_compare(const struct row *a, const struct row *b);

#define RATE_DECIMALS 3 /* decimals of rates of events in files */

/* Numbers of decimals: exact for files, brief for people. */
struct decimals {
	unsigned exact, brief;
};

/* Returns the decimals of a metric's numbers; NULL: of rates of events. */
struct decimals decimals_of(const struct metric *metric);

/*
 * Returns a metric's unit, such as "MB/s"; "" if it has none. NULL: the unit of rates of events,
 * "1/s".
 */
const char *unit_text(const struct metric *metric);

#endif
