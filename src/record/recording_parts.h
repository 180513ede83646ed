/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the recording share. Private to it. */
#ifndef CXLMON_RECORDING_PARTS_H
#define CXLMON_RECORDING_PARTS_H

#include "record/recording.h"

/*
 * What a file begins with. As in PNG, a byte that is no text and both kinds of line end tell at
 * once where a transfer has taken it for text.
 */
#define RECORDING_MAGIC                                                                            \
	"\x89"                                                                                     \
	"CXLREC\r\n\n"
#define RECORDING_MAGIC_SIZE 10

#define BLOCK_HEADER 'H'
#define BLOCK_SAMPLE 'S'
#define BLOCK_END    'E'

/* More than any machine needs, and no more than a hostile file should take. */
#define MAX_ROWS    ((size_t)1 << 15)
#define MAX_COLUMNS ((size_t)256)
#define MAX_CELLS   ((size_t)1 << 17)
#define MAX_HEADER  ((size_t)4 << 20) /* bytes */

/* recording_header.c: the payload that recording->header holds. 0, -EBADMSG, -ENOTSUP, -ENOMEM */
int recording_decode_header(struct recording *recording, struct error *err);

/* recording_sample.c: likewise of recording->body; and how long it may be. */
int recording_decode_sample(struct recording *recording, struct error *err);
size_t recording_max_sample(const struct view *view);

#endif
