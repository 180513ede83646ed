/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks that every recording may have, and their coding. Private to src/record/recording*.c. */
#ifndef CXLMON_RECORDING_PRIVATE_H
#define CXLMON_RECORDING_PRIVATE_H

#include "record/recording.h"

/* Types of blocks. */
#define BLOCK_HEADER 'H' /* the run, columns and rows */
#define BLOCK_MEMORY 'M' /* CXL devices and memory of the machine */
#define BLOCK_DOUBT  'D' /* time since which earlier samples are doubtful */
#define BLOCK_MARKS  'K' /* marks of the next sample */
#define BLOCK_SAMPLE 'S'
#define BLOCK_END    'E' /* number of samples */

/* Limits of a table: more than any machine needs, but small enough for hostile files. */
#define MAX_ROWS    ((size_t)1 << 15)
#define MAX_COLUMNS ((size_t)256)
#define MAX_CELLS   ((size_t)1 << 17)
#define MAX_INPUTS  ((size_t)1 << 20)

/*
 * Decodes a block into *recording. Returns 0 or, with *c->err set, a negative errno. If the block
 * is invalid, sets c->bad or leaves bytes unread, and returns 0.
 */
typedef int block_decoder(struct coder *c, struct recording *recording);

/* recording_header.c: the header, and the memory that may follow it. */
void recording_encode_header(struct coder *c, const struct recording_info *info,
			     const struct table *table);
block_decoder recording_decode_header;
/* Appends a block with the devices and memory of info, if it has any. */
void recording_put_memory(struct bytes *out, const struct recording_info *info);
block_decoder recording_decode_memory;

/* recording_cells.c: formulas of columns, and counts of cells. */

/* Encodes the formulas that cells of a column may have. */
void recording_put_formulas(struct coder *c, const struct table *table, size_t column);
/* Decodes the formulas of a column, and owns them in .formulas. 0 or -ENOMEM. */
int recording_decode_formulas(struct coder *c, struct recording *recording, size_t column);
/* Encodes the counts of a row's cells; c->out NULL: decodes them into table_inputs(). */
void recording_code_cells(struct coder *c, const struct table *table, size_t row);
void recording_free_formulas(struct recording *recording);

/* recording_blocks.c: blocks of optional kinds. */

/* Returns the kind with this type of recording->kinds; NULL: the reader does not know it. */
const struct block_kind *recording_find_kind(const struct recording *recording, uint8_t type);
/* Decodes a block of the next sample; returns as kind->decode(), or -ENOMEM. */
int recording_decode_block(struct coder *c, struct recording *recording,
			   const struct block_kind *kind);
/* Begins the next sample, which has no blocks yet. */
void recording_begin_blocks(struct recording *recording);
void recording_free_blocks(struct recording *recording);

#endif
