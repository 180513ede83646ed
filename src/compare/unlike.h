/* SPDX-License-Identifier: BSD-3-Clause */
/* In what two recordings measure differently, and which rows that concerns. */
#ifndef CXLMON_UNLIKE_H
#define CXLMON_UNLIKE_H

#include "compare/comparison.h"

/* Fills .differences and .identical, after .compared. 0 or -ENOMEM. */
int unlike_find(struct comparison *comparison);

/*
 * Whether the pair doesn't measure the same: of different processors, counted by different sources,
 * computed by different formulas, or sums over different sockets, ports or devices.
 */
bool unlike_pair(const struct comparison *comparison, const struct compared *pair);

#endif
