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

#define BLOCK_HEADER 'H'
#define BLOCK_SAMPLE 'S'
#define BLOCK_END    'E'

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

#endif
