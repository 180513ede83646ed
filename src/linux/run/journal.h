/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of a journal: the process that programmed registers, and the writes that restore them.
 * It is one line of JSON and a line with its CRC-32, which detects truncation and damage.
 *
 *   {"cxlmon journal": 2, "pid": .., "started": .., "namespace": .., "boot": "..",
 *    "processor": "..", "serves": false, "steps": [..], "ours": [[step, "0x.."], ..]}
 *   crc32 0123abcd
 *
 * "steps" and "ours" are the arrays of struct undo. "ours" has the values that the run may have
 * written.
 */
#ifndef CXLMON_LINUX_RUN_JOURNAL_H
#define CXLMON_LINUX_RUN_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "linux/run/process.h"
#include "platform/undo.h"

/* The version that is encoded. In version 1, which is still decoded, all steps are applied. */
#define JOURNAL_VERSION	  2
#define JOURNAL_MAX_BYTES (16 << 20) /* a hundred times the size for eight sockets */
#define JOURNAL_MAX_STEPS 100000

struct journal {
	struct process process; /* the writer; .namespace and .started may be 0 (old journals) */
	char boot[64];		/* id of the boot: /proc/sys/kernel/random/boot_id */
	char processor[32];	/* short name of the model */
	bool serves;		/* the run is cxlmon serve */
	struct undo undo;	/* after decoding, its MMIO registers have no window yet */
};

/* Encodes a journal as *size bytes, which the caller frees. 0 or -ENOMEM. */
int journal_encode(const struct journal *journal, char **text, size_t *size, struct error *err);

/*
 * Decodes a journal, whose bytes are not trusted. Returns 0, or:
 *
 * - -EBADMSG: it is truncated, damaged, or not a journal
 * - -ENOTSUP: a later version of cxlmon has written it
 * - -ENOMEM
 *
 * The caller frees *out by journal_free(), also after an error.
 */
int journal_decode(const char *text, size_t size, struct journal *out, struct error *err);
void journal_free(struct journal *journal);

#endif
