/* SPDX-License-Identifier: BSD-3-Clause */
/* Reasons why metrics of the default groups cannot be measured on this machine. */
#ifndef CXLMON_VIEW_UNMEASURED_H
#define CXLMON_VIEW_UNMEASURED_H

#include "view/selection.h"

#define UNMEASURED_TEXT_SIZE 640

/*
 * Sets .why and .told of columns of default groups that are .never_known, which must be set. A
 * column gets no reason if its metric is .extra or .remote, or if no requested row has it.
 */
void view_find_unmeasured(struct view *view, const struct selection *selection);

/*
 * Lists columns that have a reason: "dram_read_MBps, dram_write_MBps (reason); ...". all: every
 * column; false: only columns that are .told, which leaves out those that no machine with this
 * processor has, if another column of their group has values. "": nothing is missing.
 */
void view_list_unmeasured(const struct view *view, bool all, char text[UNMEASURED_TEXT_SIZE]);

#endif
