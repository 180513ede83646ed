/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-opener: gives files numbers, and opens each once, for cxlmon-symbols. Several at once, but
 * one of each user, so that nobody's files make others wait.
 */
#ifndef CXLMON_PROBE_HOT_SYMBOL_OPENER_H
#define CXLMON_PROBE_HOT_SYMBOL_OPENER_H

/* Until there is an end of the questions, or of cxlmon-symbols. */
void symbol_opener_run(int questions, int symbols);

#endif
