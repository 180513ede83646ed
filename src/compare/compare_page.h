/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as an HTML page like that of a report, with both recordings in each chart. */
#ifndef CXLMON_COMPARE_PAGE_H
#define CXLMON_COMPARE_PAGE_H

#include <stdio.h>

#include "compare/comparison.h"

void compare_page(const struct comparison *comparison, FILE *out);

#endif
