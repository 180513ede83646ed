/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of metrics, and of figures derived from them, in words for people. */
#ifndef CXLMON_TABLE_WORDS_H
#define CXLMON_TABLE_WORDS_H

#define WORDS_SIZE 64

/*
 * Writes the name of a metric or a figure in words, without its unit: "CXL read" for
 * cxl_mem_read_MBps, "CXL reads" for cxl_reads_pct. Returns text.
 */
const char *name_words(const char *name, char text[WORDS_SIZE]);

/* Returns the unit of a metric or a figure: "%" for cxl_reads_pct; "": none. */
const char *name_unit(const char *name);

#endif
