/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The allowlist of msr-safe: which registers may be read, and which of their bits written.
 *
 * Source: README.md, msr_allowlist.c and msr_entry.c of github.com/LLNL/msr-safe.
 */
#ifndef CXLMON_TEST_ALLOWLIST_H
#define CXLMON_TEST_ALLOWLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define ALLOWLIST_BYTES 131072 /* that one write may have (MAX_WLIST_BSIZE) */

struct allowed {
	uint64_t msr;
	uint64_t mask; /* of bits that may be written; 0: it is only read */
};

struct allowlist {
	struct allowed *items;
	size_t count;
};

/*
 * One write to /dev/cpu/msr_allowlist: replaces the list. A line is a register and its mask, as C
 * has numbers; what is behind # is a comment. Two bytes or less empty the list. -EINVAL where it
 * can't be read (the old list stays), or has a register twice (the list is empty then).
 */
int allowlist_write(struct allowlist *list, const char *text, size_t bytes);

/* What reading it gives, to be freed; comments are not kept. NULL: no memory. */
char *allowlist_text(const struct allowlist *list);

/* NULL: the register is not on the list. */
const struct allowed *allowlist_find(const struct allowlist *list, uint64_t msr);

/*
 * *mask: the bits of a register that this process may write through msr-safe. -EACCES where it may
 * not read it. As versions below 2.0 have it, one with CAP_SYS_RAWIO is asked for no list.
 */
int allowlist_ask(const struct allowlist *list, pid_t process, uint64_t msr, uint64_t *mask);

void allowlist_free(struct allowlist *list);

#endif
