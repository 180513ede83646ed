/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of processes as CSV: what the key that saves leaves in a file. */
#ifndef CXLMON_SHOW_SCREEN_TOP_SAVE_H
#define CXLMON_SHOW_SCREEN_TOP_SAVE_H

#include <stdio.h>

#include "show/screen/top_list.h"

/* All processes of the last update, with a header, whatever is shown of them. */
void top_save(const struct top_list *list, FILE *out);

#endif
