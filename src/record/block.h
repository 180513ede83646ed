/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks, of which a recording file consists: length, type, payload (compressed if that is shorter)
 * and checksum. See docs/dev/recording.md.
 */
#ifndef CXLMON_BLOCK_H
#define CXLMON_BLOCK_H

#include "platform/error.h"
#include "record/bytes.h"

#define BLOCK_COMPRESSED 0x80		     /* bit of the type byte */
#define BLOCK_MAX	 ((size_t)16 << 20)  /* maximum payload bytes */
#define BLOCK_OVERHEAD	 ((size_t)4 + 1 + 4) /* length, type, checksum */

/* Appends a block of this type (below BLOCK_COMPRESSED) to out. */
void block_put(struct bytes *out, uint8_t type, const struct bytes *payload);

struct block {
	uint8_t type; /* without BLOCK_COMPRESSED */
	bool compressed;
	const uint8_t *payload; /* points into data */
	size_t size;		/* of the payload as stored */
	size_t used;		/* size of the whole block */
};

/*
 * Parses the block at the beginning of data. 1: *out is filled; 0: data is too short; -EBADMSG:
 * invalid.
 */
int block_find(const void *data, size_t size, struct block *out, struct error *err);

/*
 * Replaces *out by the uncompressed payload. -EBADMSG: invalid, or longer than max bytes. -ENOMEM.
 */
int block_unpack(const struct block *block, size_t max, struct bytes *out, struct error *err);

#endif
