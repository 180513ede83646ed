/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/block.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#define RAW_LENGTH_SIZE 4 /* the length of the uncompressed data precedes compressed data */

static int refuse_block(struct error *err, const char *why)
{
	return error_set(err, ERROR_FAILED, -EBADMSG, "%s", why);
}

/* Compresses at the fastest level: samples are short, and their repetitions are literal. */
static bool compress_payload(const struct bytes *payload, struct bytes *out)
{
	struct coder c = {.out = out};
	uLongf size = compressBound(payload->size);
	uint8_t *data = malloc(size);
	const bool smaller =
		data &&
		compress2(data, &size, payload->data, payload->size, Z_BEST_SPEED) == Z_OK &&
		size + RAW_LENGTH_SIZE < payload->size;

	if (smaller) {
		code_u32(&c, (uint32_t)payload->size);
		bytes_put(out, data, size);
	}
	free(data);
	return smaller && !out->failed;
}

void block_put(struct bytes *out, uint8_t type, struct bytes *payload)
{
	struct coder c = {.out = out};
	struct bytes packed = {.failed = false};
	const bool smaller = compress_payload(payload, &packed);
	const struct bytes *stored = smaller ? &packed : payload;
	const size_t start = out->size;

	code_u32(&c, (uint32_t)stored->size);
	code_u8(&c, (uint8_t)(smaller ? type | BLOCK_COMPRESSED : type));
	bytes_put(out, stored->data, stored->size);
	out->failed |= payload->failed || payload->size > BLOCK_MAX;
	if (!out->failed)
		code_u32(&c, (uint32_t)crc32(0, out->data + start, (uInt)(out->size - start)));
	bytes_free(&packed);
	bytes_free(payload);
}

int block_find(const void *data, size_t size, struct block *out, struct error *err)
{
	struct coder c = {.at = data, .left = size};
	const size_t length = code_u32(&c, 0);
	const uint8_t type = code_u8(&c, 0);

	if (!c.bad && length > BLOCK_MAX)
		return refuse_block(err, "block too long");
	if (c.bad || c.left < length + 4)
		return 0;
	*out = (struct block){
		.type = type & (uint8_t)~BLOCK_COMPRESSED,
		.compressed = type & BLOCK_COMPRESSED,
		.payload = c.at,
		.size = length,
		.used = length + BLOCK_OVERHEAD,
	};
	c.at += length;
	return code_u32(&c, 0) == crc32(0, data, (uInt)(length + BLOCK_OVERHEAD - 4))
		       ? 1
		       : refuse_block(err, "wrong block checksum");
}

int block_unpack(const struct block *block, struct bytes *out, struct error *err)
{
	struct coder c = {.at = block->payload, .left = block->size};
	const size_t size = block->compressed ? code_u32(&c, 0) : block->size;
	uLongf got = size;

	if (c.bad || size > BLOCK_MAX)
		return refuse_block(err, "block content too long");
	bytes_free(out);
	out->data = malloc(size + 1);
	if (!out->data)
		return error_no_memory(err);
	out->capacity = size + 1;
	if (!block->compressed)
		bytes_put(out, c.at, size);
	else if (uncompress(out->data, &got, c.at, c.left) != Z_OK || got != size)
		return refuse_block(err, "cannot decompress block");
	out->size = size;
	return 0;
}
