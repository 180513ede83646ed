/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the inventory of a machine for cxlmon info: as text, and as JSON. */
#ifndef CXLMON_SHOW_INFO_INFO_H
#define CXLMON_SHOW_INFO_INFO_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "platform/device_health.h"
#include "platform/memory.h"
#include "show/info/probe.h"

#define INFO_SCHEMA 1 /* version of the JSON object */

/* Prints a machine as text. all: prints a line for each unit, not only numbers of units. */
void info_print(FILE *out, const struct probe *probe, bool all);

/*
 * Returns a machine as one JSON object, to be released by json_decref(); NULL: out of memory.
 * Unknown values are null. "errors", "cpmu_error" and members "error" have the reasons.
 */
json_t *info_json(const struct probe *probe);

/* Writes the name of a unit's type: "cha", or "type 21" if it has no name. Returns name. */
#define INFO_TYPE_NAME_SIZE 16
const char *info_type_name(const struct unit *unit, char name[INFO_TYPE_NAME_SIZE]);

/* Returns a number for JSON; null if known is false. */
static inline json_t *info_integer(bool known, uint64_t number)
{
	return known ? json_integer((json_int_t)number) : json_null();
}

/* Returns a number for JSON; null unless it is above 0. */
static inline json_t *info_positive(double number)
{
	return number > 0 ? json_real(number) : json_null();
}

/* Prints NUMA nodes with known properties, and CXL regions; nothing if there are none. */
void info_print_memory(FILE *out, const struct memory_layout *memory);
/* Return NUMA nodes, and CXL regions, as JSON arrays; NULL: out of memory. */
json_t *info_nodes(const struct memory_layout *memory);
json_t *info_regions(const struct memory_layout *memory);

/*
 * Prints the ranges of memory whose bytes L3 caches count by region, or the error of reading them;
 * nothing if firmware defines no range.
 */
void info_print_memory_ranges(FILE *out, const struct probe *probe);
/* Returns these ranges as JSON; NULL: out of memory. */
json_t *info_memory_ranges(const struct probe *probe);

/* info_devices.c: CXL devices. */

/*
 * Prints links with a known rate, and the protocols of devices whose configuration space can be
 * read; nothing if there are neither.
 */
void info_print_links(FILE *out, const struct machine *machine);
/* Prints errors since boot on the path to each memory device; nothing if there are no devices. */
void info_print_errors(FILE *out, const struct machine *machine);
/* Prints the health that memory devices report; nothing if there are none. */
void info_print_health(FILE *out, const struct machine *machine);
/* Prints CPMUs, and why some were left out; nothing if there are no CPMUs and no such reason. */
void info_print_cpmus(FILE *out, const struct machine *machine);
/* Return links, errors since boot, health and CPMUs as JSON; NULL: out of memory. */
json_t *info_links(const struct machine *machine);
json_t *info_aer(const struct machine *machine);
json_t *info_health(const struct machine *machine);
json_t *info_cpmus(const struct machine *machine);

/*
 * Asks a device for its health. If the platform cannot ask, returns -ENOTTY; else as
 * cxl_ops.health().
 */
int info_ask_health(const struct machine *machine, const struct cxl_device *device,
		    struct device_health *out);

#endif
