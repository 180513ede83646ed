/* SPDX-License-Identifier: BSD-3-Clause */
/* The two forms in which `cxlmon info` shows a machine. */
#ifndef CXLMON_SHOW_INFO_INFO_H
#define CXLMON_SHOW_INFO_INFO_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "platform/device_health.h"
#include "platform/memory.h"
#include "show/info/probe.h"

#define INFO_SCHEMA 1

/*
 * Prints a machine as text, with the reason in place of unknown values. all: a line for every unit.
 */
void info_print(FILE *out, const struct probe *probe, bool all);

/*
 * Returns a machine as JSON. Unknown values are null; "errors" has the reasons. NULL: out of
 * memory.
 */
json_t *info_json(const struct probe *probe);

/* Writes "cha", or "type 21" if the type has no name. Returns name. */
#define INFO_TYPE_NAME_SIZE 16
const char *info_type_name(const struct unit *unit, char name[INFO_TYPE_NAME_SIZE]);

/* Returns a number for JSON; null if unknown. */
static inline json_t *info_integer(bool known, uint64_t number)
{
	return known ? json_integer((json_int_t)number) : json_null();
}

static inline json_t *info_real(bool known, double number)
{
	return known ? json_real(number) : json_null();
}

/* Nodes with known properties, and regions; nothing if there are none. */
void info_print_memory(FILE *out, const struct memory_layout *memory);
json_t *info_nodes(const struct memory_layout *memory);
json_t *info_regions(const struct memory_layout *memory);

/* Ranges of memory by the region whose bytes L3 caches count; nothing if firmware defines none. */
void info_print_memory_ranges(FILE *out, const struct probe *probe);
json_t *info_memory_ranges(const struct probe *probe);

/* CXL devices. */
/*
 * Prints links, and their protocols as far as their configuration space is readable; nothing if no
 * link is known.
 */
void info_print_links(FILE *out, const struct machine *machine);
/* Prints errors since boot from root ports to memory devices; nothing if no device has counts. */
void info_print_errors(FILE *out, const struct machine *machine);
/* Prints the health that memory devices report; nothing if there are none. */
void info_print_health(FILE *out, const struct machine *machine);
/* Prints CPMUs; nothing if there are none. */
void info_print_cpmus(FILE *out, const struct machine *machine);
json_t *info_links(const struct machine *machine);
json_t *info_aer(const struct machine *machine);
json_t *info_health(const struct machine *machine);
json_t *info_cpmus(const struct machine *machine);

/* Asks a device for its health, as cxl_ops.health does; -ENOTTY also if the platform cannot ask. */
int info_ask_health(const struct machine *machine, const struct cxl_device *device,
		    struct device_health *out);

#endif
