/* SPDX-License-Identifier: BSD-3-Clause */
/* Reasons why default metrics cannot be measured on this machine. */
#ifndef CXLMON_VIEW_UNMEASURED_H
#define CXLMON_VIEW_UNMEASURED_H

#include "view/selection.h"

#define UNMEASURED_TEXT_SIZE 640

/*
 * Sets .why and .told of columns of default groups that nothing on this machine can fill;
 * .never_known must be set. Columns get no reason if they are metric.extra or metric.remote, or if
 * the selection has no rows for them.
 */
void view_find_unmeasured(struct view *view, const struct selection *selection);

/*
 * Lists columns that have a reason: "dram_read_MBps, dram_write_MBps (reason); ...". Without all,
 * leaves out columns that no machine with this processor has, if others of their group have values.
 * An empty text means that nothing is missing.
 */
void view_list_unmeasured(const struct view *view, bool all, char text[UNMEASURED_TEXT_SIZE]);

#endif
