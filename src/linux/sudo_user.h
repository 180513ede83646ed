/* SPDX-License-Identifier: BSD-3-Clause */
/* Who called sudo: the user for whom root's work is done here. */
#ifndef CXLMON_SUDO_USER_H
#define CXLMON_SUDO_USER_H

#include <stdbool.h>
#include <sys/types.h>

#include "platform/error.h"

struct sudo_user {
	bool known; /* we are root, and another user called sudo; else the ids are our own */
	uid_t uid;
	gid_t gid;
};

/*
 * From SUDO_UID and SUDO_GID, which are looked at only where we are root. EXIT_USAGE where they are
 * no numbers of a user and a group: to take that for nobody would let COMMAND run as root.
 */
int sudo_user_find(struct sudo_user *out, struct error *err);

/*
 * For good, in a process that is about to become another program: the caller's user, group, and
 * supplementary groups. Does nothing where there is none. 0 or a negative errno.
 */
int sudo_user_become(const struct sudo_user *caller);

#endif
