/* SPDX-License-Identifier: BSD-3-Clause */
/* The user who called sudo. */
#ifndef CXLMON_LINUX_RIGHTS_SUDO_USER_H
#define CXLMON_LINUX_RIGHTS_SUDO_USER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct sudo_user {
	bool known; /* root through sudo of another user; else the ids are our own */
	uid_t uid;
	gid_t gid;
};

/*
 * Finds the caller by SUDO_UID and SUDO_GID, only if the effective user is root. ERROR_USAGE: they
 * are not valid ids; ignoring this would run COMMAND as root.
 */
int sudo_user_find(struct sudo_user *out, struct error *err);

/*
 * Permanently switches this process to the user's user, group and supplementary groups; for use
 * before exec(). Does nothing if user->known is false. 0 or a negative errno.
 */
int sudo_user_become(const struct sudo_user *user);

#endif
