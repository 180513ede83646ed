/* SPDX-License-Identifier: BSD-3-Clause */
/* The two forms in which `cxlmon info` shows a machine. */
#ifndef CXLMON_INFO_H
#define CXLMON_INFO_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "info/probe.h"

#define INFO_SCHEMA 1

/* What can't be known is said in its place. all: every unit by itself. */
void info_print(FILE *out, const struct probe *probe, bool all);

/* What can't be known is null, and why stands in "errors". NULL where memory ran out. */
json_t *info_json(const struct probe *probe);

/* "cha", or "type 21" where no table names it. Returns name. */
#define INFO_BOX_NAME_SIZE 16
const char *info_box_name(const struct unit *unit, char name[INFO_BOX_NAME_SIZE]);

#endif
