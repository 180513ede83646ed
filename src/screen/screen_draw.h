/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws a screen on a canvas. Knows nothing of terminals. */
#ifndef CXLMON_SCREEN_DRAW_H
#define CXLMON_SCREEN_DRAW_H

#include "screen/canvas.h"
#include "screen/screen_keys.h"
#include "screen/screen_layout.h"
#include "screen/screen_model.h"

/* What is drawn. Nothing of it is owned. */
struct scene {
	const struct panels *panels;
	const struct panel **room; /* for as many as there are */
	const struct screen_choice *choice;
	const char *processor;
	uint64_t interval_ns; /* of the samples that come */
	uint64_t samples, missed, frozen_ns;
	double link_MBps;    /* that a port's link carries in one direction; 0: the highest seen */
	const char *message; /* the last one; empty: none */
};

/* Draws all of it on a blank canvas. Returns where things went. */
struct layout screen_draw(struct canvas *canvas, const struct scene *scene);

/* screen_panel.c: one panel, with its frame */
void screen_draw_panel(struct canvas *canvas, const struct area *area, const struct panel *panel,
		       double link_MBps);

/* "~" in front of what was counted for a part of the time only; returns the column behind it. */
int screen_draw_bandwidth(struct canvas *canvas, int row, int column,
			  const struct shown_value *value);

/* Text of one of the metrics, with its unit. */
struct scaled_text screen_value_text(enum shown shown, double number);

#endif
