/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to src/record/recording*.c. */
#ifndef CXLMON_RECORDING_PRIVATE_H
#define CXLMON_RECORDING_PRIVATE_H

#include "record/recording.h"

#define BLOCK_HEADER 'H'
#define BLOCK_MEMORY 'M'
#define BLOCK_DOUBT  'D'
#define BLOCK_MARKS  'K'
#define BLOCK_SAMPLE 'S'
#define BLOCK_END    'E'

/* Limits: above the needs of any machine, but small enough for hostile files. */
#define MAX_ROWS    ((size_t)1 << 15)
#define MAX_COLUMNS ((size_t)256)
#define MAX_CELLS   ((size_t)1 << 17)
#define MAX_INPUTS  ((size_t)1 << 20)

/*
 * Decoders of blocks. What is invalid is c->bad, or what is left over. Else 0, or a negative errno
 * with its error in c->err.
 */
typedef int block_decoder(struct coder *c, struct recording *recording);

/* recording_header.c: the header; and behind it, the memory, where something is known of it. */
void recording_encode_header(struct coder *c, const struct recording_info *info,
			     const struct table *table);
block_decoder recording_decode_header;
void recording_put_memory(struct bytes *out, const struct recording_info *info);
block_decoder recording_decode_memory;

/*
 * recording_cells.c: what the cells of a column may be counted by, behind the column; and what was
 * counted for those of a row, written from what they show. What was read is in table.inputs.
 */
void recording_put_formulas(struct coder *c, const struct table *table, size_t column);
int recording_decode_formulas(struct coder *c, struct recording *recording, size_t column);
void recording_code_cells(struct coder *c, const struct table *table, size_t row);
void recording_free_formulas(struct recording *recording);

/*
 * recording_blocks.c: blocks of the kinds that are known. NULL: there is none of that type. A
 * sample begins: what blocks have said so far is of samples before.
 */
const struct block_kind *recording_find_kind(const struct recording *recording, uint8_t type);
int recording_decode_block(struct coder *c, struct recording *recording,
			   const struct block_kind *kind);
void recording_begin_blocks(struct recording *recording);
void recording_free_blocks(struct recording *recording);

#endif
