/* SPDX-License-Identifier: BSD-3-Clause */
/* The page / for people: the values of the latest sample, which a browser reloads by itself. */
#ifndef CXLMON_SERVING_PAGE_H
#define CXLMON_SERVING_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "metrics/view.h"
#include "record/recording.h"

/* stale: no sample has come for long. Then there are no values, as in the expositions. */
void serving_page_put(FILE *out, const struct view *view, const struct recording_info *about,
		      uint64_t wall_ns, bool stale);

#endif
