/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a scan: processes, and groups: cgroups, containers, VMs, users, groups of resctrl. */
#ifndef CXLMON_PROBE_WHO_ROWS_H
#define CXLMON_PROBE_WHO_ROWS_H

#include "linux/system/numa_maps.h"
#include "probe/who/watch.h"

/*
 * Adds a row without memory; valid until the next is added. Those of the same key become one in
 * who_rows_compare(). NULL: no memory.
 */
struct who_row *who_rows_add(struct who_rows *rows, const struct who_nodes *nodes, const char *key,
			     const char *name);
void who_rows_free(struct who_rows *rows);

/* Sets its memory to these bytes of all nodes, and what it has mapped of each device. */
void who_row_set_memory(struct who_row *row, const struct who_nodes *nodes,
			const uint64_t bytes[NUMA_NODES_MOST]);
void who_row_set_dax(struct who_row *row, const struct who_nodes *nodes, const uint64_t *mapped);
/* Adds the memory of another row. */
void who_row_add(struct who_row *row, const struct who_nodes *nodes, const struct who_row *other);

/* Adds a group for each process of watch->scan: its user. -ENOMEM. */
int who_rows_add_users(struct who_watch *watch);

/* By key: processes ascending. Then a row may be found. NULL: there is none. */
void who_rows_sort(struct who_rows *rows);
const struct who_row *who_rows_find(const struct who_rows *rows, char *key);
const struct who_row *who_rows_find_process(const struct who_rows *rows, unsigned pid);

/* The most bytes on the watched nodes first. */
void who_rows_sort_by_bytes(struct who_rows *rows);

/*
 * Sorts rows of watch->scan by key, adds up those of the same key, compares them with those of the
 * last scan, which are sorted so, and drops those without memory on the watched nodes, now and
 * then, or of their devices; but not groups of resctrl, which may read that of others.
 */
void who_rows_compare(const struct who_watch *watch, struct who_rows *rows,
		      const struct who_rows *last);

#endif
