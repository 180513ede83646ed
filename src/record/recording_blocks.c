/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of optional kinds that the reader of a recording knows. */
#include <stdlib.h>

#include "base/array.h"
#include "record/recording_private.h"

/* A kind of which a block came. */
struct recorded_block {
	const struct block_kind *kind;
	void *content;
	bool is_of_sample; /* the content is about the latest sample, or the next one */
};

void recording_put_block(struct bytes *out, const struct block_kind *kind, const void *content)
{
	struct bytes b = {.failed = false};

	kind->encode(&(struct coder){.out = &b}, content);
	block_put(out, kind->type, &b);
}

static struct recorded_block *find_block(const struct recording *r, const struct block_kind *kind)
{
	for (size_t i = 0; i < r->block_count; i++)
		if (r->blocks[i].kind == kind)
			return &r->blocks[i];
	return NULL;
}

const void *recording_block(const struct recording *r, const struct block_kind *kind)
{
	const struct recorded_block *block = find_block(r, kind);

	return block && block->is_of_sample ? block->content : NULL;
}

void *recording_content(const struct recording *r, const struct block_kind *kind)
{
	const struct recorded_block *block = find_block(r, kind);

	return block ? block->content : NULL;
}

const struct block_kind *recording_find_kind(const struct recording *r, uint8_t type)
{
	for (size_t i = 0; r->kinds && r->kinds[i]; i++)
		if (r->kinds[i]->type == type)
			return r->kinds[i];
	return NULL;
}

/* Adds a kind; NULL: no memory. */
static struct recorded_block *add_block(struct recording *r, const struct block_kind *kind)
{
	if (array_room(&r->blocks, r->block_count, 1, sizeof(*r->blocks)))
		return NULL;
	void *content = calloc(1, kind->size);
	if (!content)
		return NULL;
	r->blocks[r->block_count] = (struct recorded_block){.kind = kind, .content = content};
	return &r->blocks[r->block_count++];
}

int recording_decode_block(struct coder *c, struct recording *r, const struct block_kind *kind)
{
	struct recorded_block *block = find_block(r, kind);

	if (!block)
		block = add_block(r, kind);
	if (!block)
		return error_no_memory(c->err);
	block->is_of_sample = true;
	return kind->decode(c, block->content);
}

void recording_begin_blocks(struct recording *r)
{
	for (size_t i = 0; i < r->block_count; i++)
		r->blocks[i].is_of_sample = false;
}

void recording_free_blocks(struct recording *r)
{
	for (size_t i = 0; i < r->block_count; i++) {
		if (r->blocks[i].kind->release)
			r->blocks[i].kind->release(r->blocks[i].content);
		free(r->blocks[i].content);
	}
	free(r->blocks);
}
