/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/share.h"

#include <errno.h>
#include <stdlib.h>

int share_init(struct share *share, size_t most)
{
	*share = (struct share){
		.most = most,
		.users = calloc(1 + SHARE_USERS_MOST, sizeof(*share->users)),
		.user_count = 1,
	};
	return share->users ? 0 : -ENOMEM;
}

void share_free(struct share *share)
{
	free(share->users);
	share->users = NULL;
}

/* Returns the account of a user. Users keep their account for ever, also the shared one. */
static struct share_user *find_user(struct share *share, uid_t uid)
{
	for (size_t i = 1; i < share->user_count; i++)
		if (share->users[i].uid == uid)
			return &share->users[i];
	if (share->user_count > SHARE_USERS_MOST)
		return &share->users[0];
	share->users[share->user_count].uid = uid;
	return &share->users[share->user_count++];
}

bool share_take(struct share *share, uid_t uid, size_t entries)
{
	struct share_user *user = find_user(share, uid);
	const size_t free_now = share->most - share->used;

	if (entries > free_now || user->held + entries > free_now - entries)
		return false;
	user->held += entries;
	share->used += entries;
	return true;
}

void share_give(struct share *share, uid_t uid, size_t entries)
{
	find_user(share, uid)->held -= entries;
	share->used -= entries;
}
