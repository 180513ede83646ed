/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/rights/sudo_user.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* The highest valid id: the next one means "unchanged" in system calls. */
#define MAX_ID (UINT32_MAX - 1)

static int parse_id(const char *name, uint32_t *id, struct error *err)
{
	const char *text = getenv(name);
	uint64_t value;

	if (!text || text[strspn(text, "0123456789")] || !text_number(text, &value) ||
	    value > MAX_ID)
		return error_set(
			err, ERROR_USAGE, -EINVAL,
			"%s='%s' is not a user or group id as sudo sets it; to run without sudo's "
			"user: unset SUDO_UID SUDO_GID",
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

/* Sets the groups. A user who is not in the user database has no supplementary groups. */
static int set_groups(const struct sudo_user *user)
{
	const struct passwd *entry = getpwuid(user->uid);

	if (entry ? initgroups(entry->pw_name, user->gid) : setgroups(1, &user->gid))
		return -errno;
	return 0;
}

/* Sets groups, and then the user: after setresuid() groups cannot be changed any more. */
int sudo_user_become(const struct sudo_user *user)
{
	uid_t real, effective, saved;

	if (!user->known)
		return 0;
	int rc = set_groups(user);
	if (rc)
		return rc;
	if (setresgid(user->gid, user->gid, user->gid) ||
	    setresuid(user->uid, user->uid, user->uid) || getresuid(&real, &effective, &saved))
		return -errno;
	return real == user->uid && effective == user->uid && saved == user->uid ? 0 : -EPERM;
}
