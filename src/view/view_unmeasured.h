/* SPDX-License-Identifier: BSD-3-Clause */
/* Reasons why default metrics cannot be measured on this machine. */
#ifndef CXLMON_VIEW_UNMEASURED_H
#define CXLMON_VIEW_UNMEASURED_H

#include "view/selection.h"

#define UNMEASURED_TEXT_SIZE 640

/*
 * Sets the reasons for columns of default groups that nothing here can fill, once .never_known is
 * set. Columns get none that only some processors have, that concern other sockets, or that the
 * selection left out.
 */
void view_find_unmeasured(struct view *view, const struct selection *selection);

/*
 * Lists columns as "dram_read_MBps, dram_write_MBps (reason); ...". all: also columns that this
 * processor never has, even if it has others of their group. Empty: nothing is missing.
 */
void view_list_unmeasured(const struct view *view, bool all, char text[UNMEASURED_TEXT_SIZE]);

#endif
