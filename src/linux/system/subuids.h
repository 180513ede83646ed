/* SPDX-License-Identifier: BSD-3-Clause */
/* Subordinate user ids, which users have in user namespaces: subuid(5). */
#ifndef CXLMON_LINUX_SYSTEM_SUBUIDS_H
#define CXLMON_LINUX_SYSTEM_SUBUIDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct subuid_range {
	uid_t first, last, owner;
};

/* Initially all zero: they are read at first use. */
struct linux_subuids {
	struct subuid_range *ranges; /* ascending */
	size_t count;
	bool read;
};

/* Whose id it is, by etc/subuid below root: the id itself, if it is nobody's subordinate id. */
uid_t linux_subuid_owner(struct linux_subuids *subuids, const char *root, uid_t uid);
void linux_subuids_free(struct linux_subuids *subuids);

#endif
