/* SPDX-License-Identifier: BSD-3-Clause */
/* HTML pages about recordings: their common template, and parts of their contents. */
#ifndef CXLMON_SHOW_PAGE_PAGE_H
#define CXLMON_SHOW_PAGE_PAGE_H

#include <stdio.h>

#include "show/page/plotted.h"

/*
 * The template page.html, which loads no other resource. It has these names in braces, for
 * html_fill(): title, kind (of page), heading, flags, contents, notes, sources, version, style and
 * script. page_put() prints the last three. The page's Content-Security-Policy allows only page.css
 * and page.js, by their hashes, so that strings in a recording cannot add code. The script can show
 * values at the pointer in all charts, only one series, or an enlarged range of time. Without it
 * the page is complete.
 */
extern const char page_html[];
/* Prints the part "version", "style" or "script" of the template; nothing for any other name. */
void page_put(const char *name, FILE *out);

/* Writes ns since 1970 as "2026-11-29 12:00:00 UTC". Returns text. */
#define PAGE_TIME_SIZE 48
const char *page_time(uint64_t ns, char text[PAGE_TIME_SIZE]);

#define PAGE_TILES_MOST 6 /* most tiles of a page: see IMPORTANT_TILES */
/*
 * Prints a tile: number (NAN: unknown) in large digits. The line below has name with the other
 * number, and the maximum of the series. Both numbers are in the unit of the series.
 */
void page_tile(const struct plotted *series, double number, const char *name, double beside,
	       FILE *out);

/* Prints a paragraph if the recording is simulated, and one if it is damaged (flaw->code not 0). */
void page_flags(const struct recording_info *info, const struct error *flaw, FILE *out);
/* Prints one fact of a list of facts, <dl class="facts">. */
void page_fact(const char *name, const char *value, FILE *out);
/* Prints a list of the recording's start, duration, interval, samples and options. */
void page_facts(const struct report *report, FILE *out);
/* If lines are reduced (see plot_is_reduced()), prints a note on it. */
void page_note_reduced(const struct report *report, FILE *out);

#endif
