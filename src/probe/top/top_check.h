/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks what cxlmon-top has sent, which reads what strangers chose and may have been taken over:
 * counts against their arrays, and that texts end, are printable, and numbers can be drawn.
 */
#ifndef CXLMON_PROBE_TOP_TOP_CHECK_H
#define CXLMON_PROBE_TOP_TOP_CHECK_H

#include "probe/top/top.h"

/* Whether a rate, a time or a number of bytes is possible; NAN: it is not known. */
bool top_amount_is_valid(double amount);

bool top_summary_is_valid(const struct top_summary *summary);
bool top_row_is_valid(const struct top_row *row);
bool top_page_is_valid(const struct top_page *page);

#endif
