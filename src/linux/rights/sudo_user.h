/* SPDX-License-Identifier: BSD-3-Clause */
/* The user who called sudo. */
#ifndef CXLMON_LINUX_RIGHTS_SUDO_USER_H
#define CXLMON_LINUX_RIGHTS_SUDO_USER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct sudo_user {
	bool known; /* another user has run this process as root by sudo */
	uid_t uid;  /* that user's ids; if not .known, this process's effective ids */
	gid_t gid;
};

/*
 * Finds the caller by SUDO_UID and SUDO_GID, if the effective user is root. -EINVAL (ERROR_USAGE):
 * they are not valid ids. This is an error because COMMAND would otherwise run as root.
 */
int sudo_user_find(struct sudo_user *out, struct error *err);

/*
 * Permanently switches this process to the user's user, group and supplementary groups; for use
 * before exec(). Does nothing if user->known is false. 0 or a negative errno.
 */
int sudo_user_become(const struct sudo_user *user);

#endif
