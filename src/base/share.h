/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table whose entries users share. A user may take entries if the user then holds at most as many
 * as remain free. So one greedy user gets half of the table, and two get a third each.
 *
 * Source: A. K. Choudhury and E. L. Hahne, "Dynamic queue length thresholds for shared-memory
 * packet switches", IEEE/ACM Transactions on Networking 6 (1998).
 */
#ifndef CXLMON_BASE_SHARE_H
#define CXLMON_BASE_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define SHARE_USERS_MOST 1024 /* users with an account of their own; others share one account */

struct share_user {
	uid_t uid;
	size_t held; /* entries that the user holds */
};

struct share {
	size_t most, used;	  /* entries of the table, and entries in use */
	struct share_user *users; /* accounts; the first is the shared one, without .uid */
	size_t user_count;	  /* number of accounts, with the shared one */
};

/*
 * Initializes a table of `most` entries. Returns 0 or -ENOMEM. share_free() frees it, also after an
 * error.
 */
int share_init(struct share *share, size_t most);
void share_free(struct share *share);

/* Takes entries for a user. If the user may not hold so many, takes none and returns false. */
bool share_take(struct share *share, uid_t uid, size_t entries);

/* Gives back entries that the user holds. */
void share_give(struct share *share, uid_t uid, size_t entries);

#endif
