/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the page of one process: who it is, and panels, the most important ones first. */
#ifndef CXLMON_SHOW_SCREEN_PROCESS_DRAW_H
#define CXLMON_SHOW_SCREEN_PROCESS_DRAW_H

#include "show/screen/process_view.h"
#include "show/screen/screen_draw.h"

/* On a blank canvas. Sets which panels are shown. */
void process_draw(struct canvas *canvas, struct scene *scene, const struct top_list *list,
		  const struct process_view *view, struct top_viewport *shown);

#endif
