/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinds of optional blocks: data that a sample's table does not have. A recording may have one
 * block of each kind before each sample. A kind is defined next to its data.
 *
 * A reader of recordings lists the kinds that it knows (.kinds of struct recording), and skips all
 * other blocks.
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
	 * Decodes a block into content, which has .size bytes. Before, they hold the previous block
	 * of this kind; for the first block, they are 0. Returns 0 or, after a failure such as
	 * -ENOMEM, a negative errno with *c->err set. If the block is invalid, sets c->bad or
	 * leaves bytes unread, and returns 0.
	 */
	int (*decode)(struct coder *c, void *content);
	/* Frees the members of content, also if .decode failed. NULL: there are none. */
	void (*release)(void *content);
};

#endif
