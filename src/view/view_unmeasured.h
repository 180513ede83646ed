/* SPDX-License-Identifier: BSD-3-Clause */
/* What the default metrics lack on this machine, and why. */
#ifndef CXLMON_VIEW_UNMEASURED_H
#define CXLMON_VIEW_UNMEASURED_H

#include "view/selection.h"

#define UNMEASURED_TEXT_SIZE 640

/*
 * Sets the reasons of columns of default groups that nothing here can fill, once .never_known is
 * set. Columns that only some processors have, those of other sockets, and those that the selection
 * left out get none.
 */
void view_find_unmeasured(struct view *view, const struct selection *selection);

/*
 * Lists columns as "dram_read_MBps, dram_write_MBps (reason); ...". all: also those that this
 * processor never has, while it has others of their group. Empty: nothing is lacking.
 */
void view_list_unmeasured(const struct view *view, bool all, char text[UNMEASURED_TEXT_SIZE]);

#endif
