/* SPDX-License-Identifier: BSD-3-Clause */
/* HTML pages of recordings: their common template, and parts of its contents. */
#ifndef CXLMON_SHOW_PAGE_PAGE_H
#define CXLMON_SHOW_PAGE_PAGE_H

#include <stdio.h>

#include "show/page/plotted.h"

/*
 * The template page.html, which loads no other resource. Its parts are title, kind (of page),
 * heading, flags (after the heading), contents, notes, sources (of the contents), and version,
 * style and script, which page_put() prints. Its Content-Security-Policy has the hashes of page.css
 * and page.js, and forbids all others, whatever strings a recording has. The script shows the
 * values at the pointer's position in all charts at the same time, a single series, and an enlarged
 * range of time. The page is complete without it.
 */
extern const char page_html[];
void page_put(const char *name, FILE *out);

/* Writes a time since 1970 in UTC, "2026-11-29 12:00:00 UTC". */
void page_time(uint64_t ns, FILE *out);

#define PAGE_TILES_MOST 6 /* for known metrics of the whole system: IMPORTANT_TILES */
/* Writes a tile with a number (NAN: unknown), and below it another with a name, and the maximum. */
void page_tile(const struct plotted *series, double number, const char *name, double beside,
	       FILE *out);

/* Writes paragraphs if the recording is simulated, or incomplete. */
void page_flags(const struct recording_info *info, const struct error *flaw, FILE *out);
/* Writes a list of the recording's time and options. */
void page_facts(const struct report *report, FILE *out);
/* Writes an entry of the notes, if lines are drawn through means. */
void page_note_reduced(const struct report *report, FILE *out);

#endif
