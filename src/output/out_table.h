/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a view the table shows. */
#ifndef CXLMON_OUT_TABLE_H
#define CXLMON_OUT_TABLE_H

#include "metrics/view.h"

/*
 * How many columns, from the first, fit on the terminal behind fd. Those without a heading take no
 * room.
 */
size_t out_table_columns(const struct view *view, int fd);

#endif
