/* SPDX-License-Identifier: BSD-3-Clause */
/* Files by what they are, and their numbers. */
#ifndef CXLMON_PROBE_HOT_KNOWN_FILES_H
#define CXLMON_PROBE_HOT_KNOWN_FILES_H

#include "base/share.h"
#include "probe/hot/symbol_messages.h"

struct known_file {
	struct file_identity identity;
	enum symbol_state state; /* SYMBOLS_NO_ROOM, also at first: it is read if it is asked for */
};

struct known_files {
	struct known_file at[SYMBOL_FILES_MOST]; /* by number; the first one is the kernel */
	uint32_t count;
	struct share share; /* parts of users */
};

/* 0 or -ENOMEM. Freed by known_files_free(), also after failure. */
int known_files_init(struct known_files *files);
void known_files_free(struct known_files *files);

/* The number of a file. SYMBOL_NO_FILE: it is not known, or to be read. */
uint32_t known_files_find(const struct known_files *files, const struct file_identity *identity);

/*
 * The number of a file, which gets one if it has none. user: who asks for it. SYMBOL_NO_FILE: this
 * user has no room for another.
 */
uint32_t known_files_add(struct known_files *files, const struct file_identity *identity,
			 uint32_t user);

#endif
