/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/sudo_user.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The kernel takes the highest number for "leave it as it is". */
#define MAX_ID (UINT32_MAX - 1)

static int parse_id(const char *name, uint32_t *id, struct error *err)
{
	const char *text = getenv(name);
	unsigned long long value = 0;

	errno = 0;
	/* strtoull() would take blanks and signs as well */
	if (text && *text && !text[strspn(text, "0123456789")])
		value = strtoull(text, NULL, 10);
	else
		errno = EINVAL;
	if (errno || value > MAX_ID)
		return error_set(
			err, EXIT_USAGE, -EINVAL,
			"%s is '%s', and not the number of a user or group as sudo sets it; "
			"to run as root itself: unset SUDO_UID SUDO_GID",
			name, text ? text : "");
	*id = (uint32_t)value;
	return 0;
}

int sudo_user_find(struct sudo_user *out, struct error *err)
{
	uint32_t uid, gid;

	*out = (struct sudo_user){.uid = geteuid(), .gid = getegid()};
	if (geteuid() || !getenv("SUDO_UID"))
		return 0;
	int rc = parse_id("SUDO_UID", &uid, err);
	if (!rc)
		rc = parse_id("SUDO_GID", &gid, err);
	if (rc || !uid)
		return rc;
	*out = (struct sudo_user){.known = true, .uid = uid, .gid = gid};
	return 0;
}

/* One whom the user database doesn't know has no other groups. */
static int take_groups(const struct sudo_user *caller)
{
	const struct passwd *user = getpwuid(caller->uid);

	if (user ? initgroups(user->pw_name, caller->gid) : setgroups(1, &caller->gid))
		return -errno;
	return 0;
}

/* Groups first: without the user's being root they can't be changed any more. */
int sudo_user_become(const struct sudo_user *caller)
{
	uid_t real, effective, saved;

	if (!caller->known)
		return 0;
	int rc = take_groups(caller);
	if (rc)
		return rc;
	if (setresgid(caller->gid, caller->gid, caller->gid) ||
	    setresuid(caller->uid, caller->uid, caller->uid) ||
	    getresuid(&real, &effective, &saved))
		return -errno;
	return real == caller->uid && effective == caller->uid && saved == caller->uid ? 0 : -EPERM;
}
