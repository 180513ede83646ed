/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A record: its length, its type, its bytes (compressed where that makes them fewer), and a
 * checksum of all that. See docs/recording.md.
 */
#ifndef CXLMON_FRAME_H
#define CXLMON_FRAME_H

#include "platform/error.h"
#include "record/bytes.h"

#define FRAME_COMPRESSED 0x80		     /* with the type */
#define FRAME_MOST	 ((size_t)16 << 20)  /* bytes that any record holds */
#define FRAME_OVERHEAD	 ((size_t)4 + 1 + 4) /* length, type, checksum */

/* Adds a record of this type (below FRAME_COMPRESSED) to out. */
void frame_put(struct bytes *out, uint8_t type, const struct bytes *payload);

struct frame {
	uint8_t type; /* without FRAME_COMPRESSED */
	bool compressed;
	const uint8_t *payload; /* within the bytes that it was found in */
	size_t size;
	size_t used; /* bytes of the whole record */
};

/*
 * The record that data begins with: 1, or 0 where more bytes are needed, or -EBADMSG where they are
 * no record.
 */
int frame_find(const void *data, size_t size, struct frame *out, struct error *err);

/*
 * What the record holds, as it was put; in place of what *out held. -EBADMSG where that is more
 * than most bytes, or they can't be had; -ENOMEM.
 */
int frame_open(const struct frame *frame, size_t most, struct bytes *out, struct error *err);

#endif
