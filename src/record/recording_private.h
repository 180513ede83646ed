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

#define BLOCK_HEADER  'H'
#define BLOCK_WEIGHTS 'W'
#define BLOCK_POINT   'P'
#define BLOCK_SAMPLE  'S'
#define BLOCK_END     'E'

/* Limits: above the needs of any machine, but small enough for hostile files. */
#define MAX_ROWS    ((size_t)1 << 15)
#define MAX_COLUMNS ((size_t)256)
#define MAX_CELLS   ((size_t)1 << 17)
#define MAX_HEADER  ((size_t)4 << 20) /* bytes */

/* recording_header.c: decodes recording->header. 0, -EBADMSG, -ENOTSUP or -ENOMEM. */
int recording_decode_header(struct recording *recording, struct error *err);

/* recording_sample.c: decodes recording->body; the maximum length of a sample's payload. */
int recording_decode_sample(struct recording *recording, struct error *err);
size_t recording_max_sample(const struct view *view);

/*
 * recording_weights.c: the weights of a sample's values, before it. Decoding body sets those of all
 * values.
 */
void recording_put_weights(struct bytes *out, const struct view *view);
int recording_decode_weights(struct recording *recording, struct error *err);
void recording_clear_weights(struct recording *recording);
size_t recording_max_weights(const struct view *view);

/* recording_point.c: decodes recording->body to recording->point; the maximum length. */
int recording_decode_point(struct recording *recording, struct error *err);
size_t recording_max_point(void);

#endif
