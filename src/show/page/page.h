/* SPDX-License-Identifier: BSD-3-Clause */
/* HTML pages of recordings: their common template, and parts of its contents. */
#ifndef CXLMON_SHOW_PAGE_PAGE_H
#define CXLMON_SHOW_PAGE_PAGE_H

#include <stdio.h>

#include "show/page/plotted.h"

/*
 * The template: page.html, which loads no other resource, with the parts title, kind (of page),
 * heading, flags (behind the heading), contents, notes, sources (of the contents), and those
 * that page_put() prints: version, style and script. Its Content-Security-Policy has the hashes of
 * page.css and page.js, and forbids any other, whatever texts a recording has. The script shows the
 * values at the pointer's position, in all charts at the same time; a series alone; and a range of
 * time, enlarged. The page is complete without it.
 */
extern const char page_html[];
void page_put(const char *name, FILE *out);

/* A time since 1970 in UTC, "2026-11-29 12:00:00 UTC". */
void page_time(uint64_t ns, FILE *out);

#define PAGE_TILES_MOST 6 /* of metrics of the whole system that are known: IMPORTANT_TILES */
/* A tile with a number (NAN: not known), and below it another, which has this name, and the max. */
void page_tile(const struct plotted *series, double number, const char *name, double beside,
	       FILE *out);

/* Paragraphs, if the recording is simulated, or incomplete. */
void page_flags(const struct recording_info *info, const struct error *flaw, FILE *out);
/* A list of when and how it was recorded. */
void page_facts(const struct report *report, FILE *out);
/* An entry of the notes, if lines are drawn through means. */
void page_note_reduced(const struct report *report, FILE *out);

#endif
