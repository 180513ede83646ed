/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinds of optional blocks, which a recording may have before a sample and which hold more about it
 * than the rows of its table. Each kind is defined next to the data that it holds. A reader of
 * recordings names the kinds it knows (.kinds of struct recording); blocks of other kinds are
 * skipped.
 */
#ifndef CXLMON_BLOCK_KIND_H
#define CXLMON_BLOCK_KIND_H

#include "record/block.h"

struct block_kind {
	uint8_t type;	     /* the kind's letter in docs/dev/recording.md */
	const char *invalid; /* message for an invalid block */
	void (*encode)(struct coder *c, const void *content);
	size_t size; /* size of the decoded content */
	/*
	 * Decodes a block into content, which holds the result of the previous block of this kind
	 * (zeros at first). If data is invalid, sets c->bad or leaves bytes unread. 0, or a
	 * negative errno with its error in c->err.
	 */
	int (*decode)(struct coder *c, void *content);
	/* Frees the members of content, also after an error; NULL: there is nothing to free. */
	void (*release)(void *content);
};

#endif
