/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to src/record/recording*.c. */
#ifndef CXLMON_RECORDING_PRIVATE_H
#define CXLMON_RECORDING_PRIVATE_H

#include "record/recording.h"

/*
 * The magic number. As in PNG, the first byte and both kinds of line ends detect a transfer in text
 * mode.
 */
#define RECORDING_MAGIC                                                                            \
	"\x89"                                                                                     \
	"CXLREC\r\n\n"
#define RECORDING_MAGIC_SIZE 10

#define BLOCK_HEADER   'H'
#define BLOCK_FORMULAS 'F'
#define BLOCK_POINT    'P'
#define BLOCK_INPUTS   'I'
#define BLOCK_DOUBT    'D'
#define BLOCK_WEIGHTS  'W' /* directly before its sample: earlier versions expect that */
#define BLOCK_SAMPLE   'S'
#define BLOCK_END      'E'

/*
 * Weights, and what is divided by them, are in these parts of a count: where a few counts were
 * scaled to all units, the whole number of parts is as good as exact. Only the ratio of weights
 * matters.
 */
#define WEIGHT_PARTS 1024

/* Limits: above the needs of any machine, but small enough for hostile files. */
#define MAX_ROWS    ((size_t)1 << 15)
#define MAX_COLUMNS ((size_t)256)
#define MAX_CELLS   ((size_t)1 << 17)
#define MAX_INPUTS  ((size_t)1 << 20)
#define MAX_HEADER  ((size_t)4 << 20) /* bytes */

/* recording_header.c: decodes recording->header. 0, -EBADMSG, -ENOTSUP or -ENOMEM. */
int recording_decode_header(struct recording *recording, struct error *err);

/* recording_sample.c: decodes recording->body; the maximum length of a sample's payload. */
int recording_decode_sample(struct recording *recording, struct error *err);
int recording_decode_doubt(struct recording *recording, struct error *err);
size_t recording_max_sample(const struct view *view);

/*
 * recording_weights.c: the weights of a sample's values, before it. Decoding body sets those of all
 * values.
 */
void recording_put_weights(struct bytes *out, const struct view *view);
int recording_decode_weights(struct recording *recording, struct error *err);
void recording_clear_weights(struct recording *recording);
size_t recording_max_weights(const struct view *view);

/*
 * recording_inputs.c: behind the header, the programs of columns; before a sample, what its cells
 * are computed from. Decoding body sets those of all values.
 */
void recording_put_formulas(struct bytes *out, const struct view *view);
int recording_decode_formulas(struct recording *recording, struct error *err);
size_t recording_max_formulas(const struct view *view);
void recording_put_inputs(struct bytes *out, const struct view *view);
int recording_decode_inputs(struct recording *recording, struct error *err);
void recording_clear_inputs(struct recording *recording);
size_t recording_max_inputs(const struct view *view);
size_t recording_input_count(const struct view *view);

/* recording_point.c: decodes recording->body to recording->point; the maximum length. */
int recording_decode_point(struct recording *recording, struct error *err);
size_t recording_max_point(void);

#endif
