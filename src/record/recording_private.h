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
 * Decoder of a block. If the block is invalid, sets c->bad or leaves bytes. Returns 0, or a
 * negative errno with its error in c->err.
 */
typedef int block_decoder(struct coder *c, struct recording *recording);

/* The header, and the memory that may follow it: recording_header.c. */
void recording_encode_header(struct coder *c, const struct recording_info *info,
			     const struct table *table);
block_decoder recording_decode_header;
void recording_put_memory(struct bytes *out, const struct recording_info *info);
block_decoder recording_decode_memory;

/* Encodes the formulas that cells of a column may have, after the column (recording_cells.c). */
void recording_put_formulas(struct coder *c, const struct table *table, size_t column);
/* Decodes the formulas of a column. */
int recording_decode_formulas(struct coder *c, struct recording *recording, size_t column);
/* Encodes or decodes the counts of a row's cells. Decoded counts are in table.inputs. */
void recording_code_cells(struct coder *c, const struct table *table, size_t row);
void recording_free_formulas(struct recording *recording);

/*
 * Returns the optional kind of a type; NULL: the reader does not know it. Code of
 * recording_blocks.c.
 */
const struct block_kind *recording_find_kind(const struct recording *recording, uint8_t type);
int recording_decode_block(struct coder *c, struct recording *recording,
			   const struct block_kind *kind);
/* Begins a sample: earlier blocks belong to earlier samples. */
void recording_begin_blocks(struct recording *recording);
void recording_free_blocks(struct recording *recording);

#endif
