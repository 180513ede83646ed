/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table whose entries users share: each user may hold as many as are then still free. One greedy
 * user gets half of the table, two get a third each, and there is always room for another.
 *
 * Source: A. K. Choudhury and E. L. Hahne, "Dynamic queue length thresholds for shared-memory
 * packet switches", IEEE/ACM Transactions on Networking 6 (1998).
 */
#ifndef CXLMON_BASE_SHARE_H
#define CXLMON_BASE_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define SHARE_USERS_MOST 1024 /* further users share one account */

struct share_user {
	uid_t uid;
	size_t held; /* entries that the user holds */
};

struct share {
	size_t most, used;	  /* entries of the table, and entries in use */
	struct share_user *users; /* the first is the account that further users share */
	size_t user_count;	  /* with that account */
};

/*
 * Initializes a table of `most` entries. Returns 0 or -ENOMEM. Freed by share_free(), also after
 * failure.
 */
int share_init(struct share *share, size_t most);
void share_free(struct share *share);

/* Takes entries for a user. Returns false, and takes none, if the user may not hold so many. */
bool share_take(struct share *share, uid_t uid, size_t entries);

/* Gives back entries that the user holds. */
void share_give(struct share *share, uid_t uid, size_t entries);

#endif
