/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes a recording block by block. */
#include "record/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/block.h"
#include "record/recording_private.h"

static int damaged(struct error *err, const char *why)
{
	return error_set(err, EXIT_FAILED, -EBADMSG, "%s", why);
}

void recording_put_end(struct bytes *out, uint64_t samples)
{
	struct bytes b = {.failed = false};

	bytes_put_varint(&b, samples);
	block_put(out, BLOCK_END, &b);
	bytes_free(&b);
}

/* 1: data begins with the magic number; 0: data is too short. */
static int check_magic(const void *data, size_t size, struct error *err)
{
	const size_t known = size < RECORDING_MAGIC_SIZE ? size : RECORDING_MAGIC_SIZE;

	if (memcmp(data, RECORDING_MAGIC, known))
		return damaged(err, "not a cxlmon recording");
	return known == RECORDING_MAGIC_SIZE;
}

static int decode_header(struct recording *r, const struct block *block, struct error *err)
{
	if (block->type != BLOCK_HEADER)
		return damaged(err, "the first block is not a header");
	int rc = block_unpack(block, MAX_HEADER, &r->header, err);

	if (!rc)
		rc = recording_decode_header(r, err);
	r->last = RECORDING_HEADER;
	return rc;
}

static int decode_end(struct recording *r, const struct block *block, struct error *err)
{
	int rc = block_unpack(block, 10, &r->body, err);
	struct cursor c = {.at = r->body.data, .left = r->body.size};

	if (rc)
		return rc;
	r->last = RECORDING_END;
	return cursor_varint(&c) != r->samples || c.bad || c.left
		       ? damaged(err, "samples are missing")
		       : 0;
}

/* What came before it is of this sample alone. */
static int decode_sample(struct recording *r, const struct block *block, struct error *err)
{
	if (r->last != RECORDING_WEIGHTS)
		recording_clear_weights(r);
	if (!r->inputs_came)
		recording_clear_inputs(r);
	int rc = block_unpack(block, recording_max_sample(&r->view), &r->body, err);
	if (!rc)
		rc = recording_decode_sample(r, err);
	r->samples += !rc;
	r->has_point = r->point_came;
	r->point_came = r->inputs_came = false;
	r->last = RECORDING_SAMPLE;
	return rc;
}

static int decode_block(struct recording *r, const struct block *block, struct error *err)
{
	int rc;

	switch (block->type) {
	case BLOCK_WEIGHTS:
		rc = block_unpack(block, recording_max_weights(&r->view), &r->body, err);
		r->last = RECORDING_WEIGHTS;
		return rc ? rc : recording_decode_weights(r, err);
	case BLOCK_FORMULAS:
		rc = block_unpack(block, recording_max_formulas(&r->view), &r->body, err);
		r->last = RECORDING_FORMULAS;
		return rc ? rc : recording_decode_formulas(r, err);
	case BLOCK_INPUTS:
		rc = block_unpack(block, recording_max_inputs(&r->view), &r->body, err);
		r->last = RECORDING_INPUTS;
		r->inputs_came = true;
		return rc ? rc : recording_decode_inputs(r, err);
	case BLOCK_DOUBT:
		rc = block_unpack(block, 10, &r->body, err);
		r->last = RECORDING_DOUBT;
		return rc ? rc : recording_decode_doubt(r, err);
	case BLOCK_POINT:
		rc = block_unpack(block, recording_max_point(), &r->body, err);
		r->last = RECORDING_POINT;
		r->point_came = true;
		return rc ? rc : recording_decode_point(r, err);
	case BLOCK_SAMPLE:
		return decode_sample(r, block, err);
	case BLOCK_END:
		return decode_end(r, block, err);
	case BLOCK_HEADER:
		return damaged(err, "second header");
	default:
		r->last = RECORDING_OTHER;
		return 0;
	}
}

int recording_decode(struct recording *r, const void *data, size_t size, size_t *used,
		     enum recording_item *found, struct error *err)
{
	const size_t lead = r->last == RECORDING_NOTHING ? RECORDING_MAGIC_SIZE : 0;
	struct block block;
	int rc = 1;

	*used = 0;
	*found = RECORDING_NOTHING;
	if (!size)
		return 0;
	if (r->last == RECORDING_END)
		return damaged(err, "data after the end block");
	if (lead)
		rc = check_magic(data, size, err);
	if (rc > 0)
		rc = block_find((const uint8_t *)data + lead, size - lead, &block, err);
	if (rc <= 0)
		return rc;
	rc = lead ? decode_header(r, &block, err) : decode_block(r, &block, err);
	if (rc)
		return rc;
	*used = lead + block.used;
	*found = r->last;
	return 0;
}

void recording_free(struct recording *r)
{
	free(r->view.rows);
	free(r->view.columns);
	free(r->view.source_column);
	free(r->metrics);
	free(r->programs);
	free(r->inputs);
	free(r->values);
	free(r->boxes);
	free(r->units);
	free(r->events);
	bytes_free(&r->header);
	bytes_free(&r->body);
	*r = (struct recording){0};
}
