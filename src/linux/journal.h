/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A journal as text: who programmed which registers, and how to put them back. One line of JSON,
 * and a line with its CRC-32, so that a journal that was cut off or damaged is recognised.
 *
 *   {"cxlmon journal": 1, "pid": .., "started": .., "boot": "..", "processor": "..", "steps": [..]}
 *   crc32 0123abcd
 */
#ifndef CXLMON_JOURNAL_H
#define CXLMON_JOURNAL_H

#include <stdint.h>
#include <sys/types.h>

#include "platform/undo.h"

#define JOURNAL_VERSION	  1
#define JOURNAL_MAX_BYTES (16 << 20) /* a hundred times what eight sockets need */
#define JOURNAL_MAX_STEPS 100000

struct journal {
	pid_t pid;	  /* of the process that wrote it */
	uint64_t started; /* when that was started: clock ticks since boot, as /proc/PID/stat has it
			   */
	char boot[64];	  /* /proc/sys/kernel/random/boot_id */
	char processor[32]; /* short name of the model */
	struct undo undo;   /* registers in memory have no window yet */
};

/* *text is freed by the caller. -ENOMEM */
int journal_encode(const struct journal *journal, char **text, size_t *size, struct error *err);

/*
 * -EBADMSG: it was cut off, damaged, or is none. -ENOTSUP: of another version. *err says what is
 * wrong with it. Freed by journal_free(), also after failure.
 */
int journal_decode(const char *text, size_t size, struct journal *out, struct error *err);
void journal_free(struct journal *journal);

#endif
