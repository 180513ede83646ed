/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of a machine, as procfs shows them below the platform's root: proc(5). */
#ifndef CXLMON_LINUX_SYSTEM_PROCESSES_H
#define CXLMON_LINUX_SYSTEM_PROCESSES_H

#include "platform/process.h"

struct linux_platform;
struct linux_user;

/* Names of users, each of which is looked for once. */
struct linux_users {
	struct linux_user *at;
	size_t count;
};

extern const struct process_ops linux_processes;

void linux_users_free(struct linux_users *users);

#endif
