/* SPDX-License-Identifier: BSD-3-Clause */
/* ROOT/sys/fs/resctrl: what telemetry has counted of each group of tasks (platform/task_groups.h).
 */
#ifndef CXLMON_LINUX_MEMORY_TELEMETRY_H
#define CXLMON_LINUX_MEMORY_TELEMETRY_H

#include "platform/task_groups.h"

/* What it has counted of a group, by its path as resctrl_groups() has it, in all packages. NAN: not
 * known of some package, or there is no such count. */
double telemetry_group_count(const char *root, const char *group, enum group_event event);

/* The files of all groups. */
struct telemetry;

/* As task_group_ops.open. *out is closed by the caller; root is not kept. */
int telemetry_open(const char *root, struct telemetry **out, struct error *err);
struct task_groups telemetry_groups(const struct telemetry *telemetry);
/* counts->at_ns is left alone. */
void telemetry_read(const struct telemetry *telemetry, size_t group, struct group_counts *out);
void telemetry_close(struct telemetry *telemetry); /* NULL does nothing */

/* Those of the platform. */
extern const struct task_group_ops linux_task_groups;

#endif
