/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The allowlist of msr-safe: registers that may be read, and the bits of each that may be written.
 *
 * Source: README.md, msr_allowlist.c and msr_entry.c of github.com/LLNL/msr-safe.
 */
#ifndef CXLMON_TEST_ALLOWLIST_H
#define CXLMON_TEST_ALLOWLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define ALLOWLIST_BYTES 131072 /* most bytes of one write (MAX_WLIST_BSIZE) */

struct allowed {
	uint64_t msr;
	uint64_t mask; /* the bits that may be written; 0: the register is only read */
};

struct allowlist {
	struct allowed *items;
	size_t count;
};

/*
 * Replaces the list, as one write to /dev/cpu/msr_allowlist. A line is a register and its mask, in
 * C's notation; text after # is a comment. Two bytes or less empty the list. Returns 0, or -EINVAL:
 * the text cannot be parsed (the old list stays), or has a register twice (the list is then empty).
 */
int allowlist_write(struct allowlist *list, const char *text, size_t bytes);

/* Returns the text of the list, without comments, which the caller frees. NULL: no memory. */
char *allowlist_text(const struct allowlist *list);

/* Returns the entry of a register. NULL: it is not on the list. */
const struct allowed *allowlist_find(const struct allowlist *list, uint64_t msr);

/*
 * Sets *mask to the bits of a register that this process may write through msr-safe. Returns 0, or
 * -EACCES if it may not read the register. A process with CAP_SYS_RAWIO may access all registers,
 * as in versions below 2.0.
 */
int allowlist_ask(const struct allowlist *list, pid_t process, uint64_t msr, uint64_t *mask);

void allowlist_free(struct allowlist *list);

#endif
