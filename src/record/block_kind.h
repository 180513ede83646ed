/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinds of optional blocks. A recording may have one of each kind before a sample, with data that
 * the sample's table does not have. Each kind is defined next to its data. A reader of recordings
 * lists the kinds it knows (.kinds of struct recording); blocks of other kinds are skipped.
 */
#ifndef CXLMON_BLOCK_KIND_H
#define CXLMON_BLOCK_KIND_H

#include "record/block.h"

struct block_kind {
	uint8_t type;	     /* the kind's letter in docs/dev/recording.md */
	const char *invalid; /* message for an invalid block */
	/* Appends the encoded content to c->out. */
	void (*encode)(struct coder *c, const void *content);
	size_t size; /* bytes of the decoded content */
	/*
	 * Decodes a block into content, .size bytes that hold the result of the previous block of
	 * this kind; all are 0 before the first block. If the block is invalid, sets c->bad or
	 * leaves bytes unread, and returns 0. Another failure, such as -ENOMEM, is returned and set
	 * in *c->err.
	 */
	int (*decode)(struct coder *c, void *content);
	/*
	 * Frees the members of content, not content itself; called even if .decode failed. NULL:
	 * there is nothing to free.
	 */
	void (*release)(void *content);
};

#endif
