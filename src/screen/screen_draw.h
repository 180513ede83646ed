/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the screen on a canvas, without knowing the terminal. */
#ifndef CXLMON_SCREEN_DRAW_H
#define CXLMON_SCREEN_DRAW_H

#include "screen/canvas.h"
#include "screen/screen_keys.h"
#include "screen/screen_layout.h"
#include "screen/screen_model.h"

/* What is drawn. Not owned. */
struct scene {
	const struct panels *panels;
	const struct panel **chosen; /* buffer for panels_choose() */
	const struct screen_state *state;
	const char *processor;
	uint64_t interval_ns; /* of the next samples */
	uint64_t samples, missed, frozen_ns;
	double link_MBps;    /* of a port's link, in one direction; 0: unknown */
	const char *message; /* the last message; empty: none */
};

/* Draws everything on a blank canvas. Returns the layout. */
struct layout screen_draw(struct canvas *canvas, const struct scene *scene);

/* screen_panel.c: one panel, with its frame */
void screen_draw_panel(struct canvas *canvas, const struct area *area, const struct panel *panel,
		       double link_MBps);

/* Draws "~" before a scaled value. Returns the column after it. */
int screen_draw_bandwidth(struct canvas *canvas, int row, int column,
			  const struct shown_value *value);

/* The value's text, with its unit. */
struct scaled_text screen_value_text(enum shown shown, double number);

#endif
