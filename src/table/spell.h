/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of places, decimals and units of numbers, as all outputs write them. */
#ifndef CXLMON_TABLE_SPELL_H
#define CXLMON_TABLE_SPELL_H

#include "table/table.h"

#define LOCATION_SIZE 160

/* Writes a row's short name: "s0 p1 mem2", "s0 p1", "cpu3", "node2", "system". Returns text. */
const char *location(const struct row *row, char text[LOCATION_SIZE]);

/*
 * Writes a row's name: short, as location() does, or in full: "socket 0 port 1 mem2". In a row of
 * one unit's event, the unit follows: "s0 cha 3". A row of a CPU has no unit. Returns text.
 */
const char *location_with_unit(const struct row *row, bool full, char text[LOCATION_SIZE]);

/*
 * Writes a title of the row's place: "s0 p1  mem2  node 2  0000:35:00.0" for a port, "mem2  node 2"
 * for a device, the full name for a CPU, a socket and the system. Leaves out unknown parts. Returns
 * text.
 */
const char *location_title(const struct row *row, char text[LOCATION_SIZE]);

extern const char *const row_kind_names[ROW_KINDS]; /* "cpu", "port", "device", "node", ... */

/*
 * Returns the name of the row's kind. For a ROW_PORT that is not a CXL port, returns
 * place.port_name.
 */
const char *row_scope_name(const struct row *row);

/*
 * Returns the name of the place's device; "": unknown, or the place has none. For a ROW_DEVICE
 * without a name, returns the PCI address.
 */
const char *place_device_label(const struct place *place);

/* Returns the number of a NUMA node; -1: the place is not a node. */
int place_node_number(const struct place *place);

/*
 * Compares two places, also of different tables. Returns a number below, above or equal to 0, as
 * strcmp() does. Ports are compared by socket and number, not by their devices.
 */
int place_compare(const struct place *a, const struct place *b);
/* Compares two rows in the same way, by event, then place, then unit. */
int row_compare(const struct row *a, const struct row *b);

#define RATE_DECIMALS 3 /* decimals of rates of events in files */

/* Numbers of decimals: .exact for files, .brief for people. */
struct decimals {
	unsigned exact, brief;
};

/* Returns the decimals of a metric's numbers. If metric is NULL, of events per second. */
struct decimals decimals_of(const struct metric *metric);

/* Returns a metric's unit: "MB/s"; "": none. If metric is NULL, returns "1/s", for events. */
const char *unit_text(const struct metric *metric);

#endif
