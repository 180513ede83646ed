/* SPDX-License-Identifier: BSD-3-Clause */
/* HTML pages about recordings: their common template, and parts of their contents. */
#ifndef CXLMON_SHOW_PAGE_PAGE_H
#define CXLMON_SHOW_PAGE_PAGE_H

#include <stdio.h>

#include "show/page/plotted.h"

/*
 * The template page.html, which loads no other resource. Its parts are title, kind (of page),
 * heading, flags (after the heading), contents, notes, sources (of the contents), version, style
 * and script. page_put() prints the last three. Its Content-Security-Policy has the hashes of
 * page.css and page.js, and forbids all others, whatever strings a recording has. The script shows
 * the values at the pointer's position in all charts at the same time, a single series, and an
 * enlarged range of time. The page is complete without it.
 */
extern const char page_html[];
/* Prints the version, style or script, by this name; nothing for any other name. */
void page_put(const char *name, FILE *out);

/* Prints ns since 1970 as "2026-11-29 12:00:00 UTC". */
void page_time(uint64_t ns, FILE *out);

#define PAGE_TILES_MOST 6 /* most tiles of a page: see IMPORTANT_TILES */
/*
 * Prints a tile: a large number of a series (NAN: unknown), and below it another number with its
 * name, and the maximum. All are in the series' unit.
 */
void page_tile(const struct plotted *series, double number, const char *name, double beside,
	       FILE *out);

/*
 * Prints a paragraph if the recording is simulated, and one if it is incomplete (flaw->code is not
 * 0).
 */
void page_flags(const struct recording_info *info, const struct error *flaw, FILE *out);
/* Prints a list of the recording's time, length, samples and options. */
void page_facts(const struct report *report, FILE *out);
/* Prints an entry of the notes, if lines are drawn through means: plot_is_reduced(). */
void page_note_reduced(const struct report *report, FILE *out);

#endif
