/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-symbols: reads the files of strangers, each in a child process, whose table of functions
 * it checks; and answers what functions are at which places.
 */
#ifndef CXLMON_PROBE_HOT_SYMBOL_READER_H
#define CXLMON_PROBE_HOT_SYMBOL_READER_H

#include <stdio.h>

#include "probe/hot/elf_symbols.h"

/* kernel: its list of functions; NULL: there is none. Until there is an end of what is to be read.
 */
void symbol_reader_run(const struct elf_library *library, FILE *kernel, int opener, int answers);

#endif
