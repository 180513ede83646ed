/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the page of processes. */
#ifndef CXLMON_SHOW_SCREEN_TOP_DRAW_H
#define CXLMON_SHOW_SCREEN_TOP_DRAW_H

#include "show/screen/screen_draw.h"
#include "show/screen/top_list.h"

/* Draws everything on a blank canvas. Returns how many lines of the list it shows. */
size_t top_draw(struct canvas *canvas, struct scene *scene, const struct top_list *list);

#endif
