/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reasons why columns of the default metric groups cannot be measured on this machine. Private to
 * the folder view, except view_list_unmeasured().
 */
#ifndef CXLMON_VIEW_UNMEASURED_H
#define CXLMON_VIEW_UNMEASURED_H

#include "view/selection.h"

#define UNMEASURED_TEXT_SIZE 640

/*
 * Sets .why (the reason) and .told of columns of default groups that are .never_known:
 * view_find_never_known() must be called before. A column gets no reason if its metric is a text,
 * .extra, .remote or without .heading, or if no requested row can have it. .told is set if the
 * processor has a type of unit that counts the metric, or if the metric's group has no values.
 */
void view_find_unmeasured(struct view *view, const struct selection *selection);

/*
 * Lists columns that have a reason: "dram_read_MBps, dram_write_MBps (reason); ...". all: all of
 * them; false: only those with .told. "": none. Cuts the list to the size of text.
 */
void view_list_unmeasured(const struct view *view, bool all, char text[UNMEASURED_TEXT_SIZE]);

#endif
