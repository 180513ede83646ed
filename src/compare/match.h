/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns and rows of two views are the same. */
#ifndef CXLMON_MATCH_H
#define CXLMON_MATCH_H

#include <stdint.h>

#include "metrics/view.h"

#define NO_MATCH SIZE_MAX

/* For each column or row of one view, the index of that of the other, or NO_MATCH. */
struct match {
	size_t *of;
	size_t count;
};

struct matches {
	struct match columns[2], rows[2]; /* of the first view, and of the second */
};

/*
 * Columns are the same if they are numbers of the same name and unit; rows, if what they are about
 * has the same scope, name and numbers, whatever the device behind a port. Of several rows alike,
 * which only a hostile recording has, the first is that of the first. 0 or -ENOMEM. Freed by
 * matches_free(), also after failure.
 */
int matches_make(const struct view *a, const struct view *b, struct matches *out);
void matches_free(struct matches *matches);

#endif
