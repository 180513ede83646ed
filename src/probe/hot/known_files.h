/* SPDX-License-Identifier: BSD-3-Clause */
/* Files by what they are, and their numbers. */
#ifndef CXLMON_PROBE_HOT_KNOWN_FILES_H
#define CXLMON_PROBE_HOT_KNOWN_FILES_H

#include "probe/hot/symbol_messages.h"

struct known_file {
	struct file_identity identity;
	enum symbol_state state; /* SYMBOLS_NO_ROOM, also at first: it is read if it is asked for */
};

struct known_files {
	struct known_file at[SYMBOL_FILES_MOST]; /* by number; the first one is the kernel */
	uint32_t count;
};

void known_files_init(struct known_files *files);

/* The number of a file. SYMBOL_NO_FILE: it is not known, or to be read. */
uint32_t known_files_find(const struct known_files *files, const struct file_identity *identity);

/* The number of a file, which gets one if it has none. SYMBOL_NO_FILE: there is no room. */
uint32_t known_files_add(struct known_files *files, const struct file_identity *identity);

#endif
