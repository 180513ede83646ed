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

/* In place of what is not known stands the reason. all: a line for every unit. */
void info_print(FILE *out, const struct probe *probe, bool all);

/* Unknown values are null; "errors" has the reasons. NULL: out of memory. */
json_t *info_json(const struct probe *probe);

/* "cha", or "type 21" where the type is not known by name. Returns name. */
#define INFO_TYPE_NAME_SIZE 16
const char *info_type_name(const struct unit *unit, char name[INFO_TYPE_NAME_SIZE]);

/* In JSON null where it is not known. */
static inline json_t *info_integer(bool known, uint64_t number)
{
	return known ? json_integer((json_int_t)number) : json_null();
}

static inline json_t *info_real(bool known, double number)
{
	return known ? json_real(number) : json_null();
}

/* Nodes of which something is said, and regions; nothing where there is none. */
void info_print_memory(FILE *out, const struct memory_layout *memory);
json_t *info_nodes(const struct memory_layout *memory);
json_t *info_regions(const struct memory_layout *memory);

/* Ranges of memory by the region whose bytes L3 caches count; nothing where firmware has none. */
void info_print_memory_ranges(FILE *out, const struct probe *probe);
json_t *info_memory_ranges(const struct probe *probe);

/*
 * CXL devices: their links, nothing where none is known, and which protocols they speak, as far as
 * their configuration space may be read; errors since boot on the way to memory devices, and what
 * they say of their health, nothing where there is none; CPMUs, likewise.
 */
void info_print_links(FILE *out, const struct machine *machine);
void info_print_errors(FILE *out, const struct machine *machine);
void info_print_health(FILE *out, const struct machine *machine);
void info_print_cpmus(FILE *out, const struct machine *machine);
json_t *info_links(const struct machine *machine);
json_t *info_aer(const struct machine *machine);
json_t *info_health(const struct machine *machine);
json_t *info_cpmus(const struct machine *machine);

/* As cxl_ops.health; -ENOTTY also where the platform has none. */
int info_ask_health(const struct machine *machine, const struct cxl_device *device,
		    struct device_health *out);

#endif
