/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of a recording file. Each has a length, a type, a payload and a checksum. The payload is
 * compressed if this makes it shorter. See docs/dev/recording.md.
 */
#ifndef CXLMON_BLOCK_H
#define CXLMON_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/coder.h"
#include "base/error.h"

#define BLOCK_COMPRESSED 0x80		     /* bit of the type byte */
#define BLOCK_MAX	 ((size_t)16 << 20)  /* most payload bytes, stored or uncompressed */
#define BLOCK_OVERHEAD	 ((size_t)4 + 1 + 4) /* length, type, checksum */

/*
 * Appends a block of this type (below BLOCK_COMPRESSED) to out, and frees the payload's data. Sets
 * out->failed if memory is short, payload->failed is set, or the payload is longer than BLOCK_MAX.
 */
void block_put(struct bytes *out, uint8_t type, struct bytes *payload);

struct block {
	uint8_t type; /* without BLOCK_COMPRESSED */
	bool compressed;
	const uint8_t *payload; /* points into the parsed data; not owned */
	size_t size;		/* bytes of the payload as stored */
	size_t used;		/* bytes of the whole block */
};

/*
 * Parses the block at the beginning of data. Returns 1 and fills *out, or returns 0 if data ends
 * within the block. -EBADMSG: the block is longer than BLOCK_MAX, or its checksum is wrong.
 */
int block_find(const void *data, size_t size, struct block *out, struct error *err);

/*
 * Replaces the bytes in *out, an initialized object, by the uncompressed payload. 0, or -ENOMEM, or
 * -EBADMSG: the payload is invalid, or longer than BLOCK_MAX. The caller frees *out with
 * bytes_free(), also after an error.
 */
int block_unpack(const struct block *block, struct bytes *out, struct error *err);

#endif
