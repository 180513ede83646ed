/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinds of blocks that a recording may have before a sample, beside those that every recording has:
 * what is known of the sample beyond the rows of its table. A kind is with those whose data it
 * holds. Who reads a recording says which kinds it knows (.kinds of struct recording); blocks of
 * others are skipped.
 */
#ifndef CXLMON_BLOCK_KIND_H
#define CXLMON_BLOCK_KIND_H

#include "record/block.h"

struct block_kind {
	uint8_t type;	     /* its letter in docs/dev/recording.md */
	const char *invalid; /* the message of one that cannot be */
	void (*encode)(struct coder *c, const void *content);
	size_t size; /* of the content that is decoded */
	/*
	 * content is what the block of this kind before has left; all zero at first. Of invalid
	 * data, sets c->bad, or leaves bytes unread. 0, or a negative errno with its error in
	 * c->err.
	 */
	int (*decode)(struct coder *c, void *content);
	/* Frees what the content has, also after an error; NULL: it has nothing. */
	void (*release)(void *content);
};

#endif
