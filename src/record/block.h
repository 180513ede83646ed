/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A record: its length, its type, its bytes (compressed where that makes them fewer), and a
 * checksum of all that. See docs/recording.md.
 */
#ifndef CXLMON_BLOCK_H
#define CXLMON_BLOCK_H

#include "platform/error.h"
#include "record/bytes.h"

#define BLOCK_COMPRESSED 0x80		     /* with the type */
#define BLOCK_MAX	 ((size_t)16 << 20)  /* bytes that any record holds */
#define BLOCK_OVERHEAD	 ((size_t)4 + 1 + 4) /* length, type, checksum */

/* Adds a record of this type (below BLOCK_COMPRESSED) to out. */
void block_put(struct bytes *out, uint8_t type, const struct bytes *payload);

struct block {
	uint8_t type; /* without BLOCK_COMPRESSED */
	bool compressed;
	const uint8_t *payload; /* within the bytes that it was found in */
	size_t size;
	size_t used; /* bytes of the whole record */
};

/*
 * The record that data begins with: 1, or 0 where more bytes are needed, or -EBADMSG where they are
 * no record.
 */
int block_find(const void *data, size_t size, struct block *out, struct error *err);

/*
 * What the record holds, as it was put; in place of what *out held. -EBADMSG where that is more
 * than most bytes, or they can't be had; -ENOMEM.
 */
int block_unpack(const struct block *block, size_t max, struct bytes *out, struct error *err);

#endif
