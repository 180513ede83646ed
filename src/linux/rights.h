/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dropping of privileges. A run opens everything it needs, and then drops its rights in three
 * steps, none of which can be undone:
 *
 *     rights_drop_rawio()  before the first register write, if MSRs are written
 *     rights_drop()        after counters have been programmed and COMMAND has been started
 *     rights_filter()      after all threads have been started
 */
#ifndef CXLMON_RIGHTS_H
#define CXLMON_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "linux/sudo_user.h"
#include "platform/error.h"
#include "platform/log.h"

/* Whether a capability of <linux/capability.h>, such as CAP_SYS_RAWIO, is effective. */
bool linux_capable(unsigned capability);

/*
 * Drops CAP_SYS_RAWIO from the effective set, so that registers are programmed with the same rights
 * as they are restored with: msr-safe before 2.0 would allow writes with the capability that it
 * forbids after rights_drop().
 */
int rights_drop_rawio(struct error *err);

/*
 * Calls action(context) without the capabilities that override permissions of files, as they are
 * after rights_drop(), and returns what it returns; or a negative errno with *err.
 */
int rights_try(int (*action)(const void *context), const void *context, struct error *err);

/*
 * Drops all capabilities (effective, permitted, inheritable, ambient, and the bounding set if
 * CAP_SETPCAP allows it) and the supplementary groups, disables core dumps and sets no_new_privs.
 * If user->known, the real user id becomes that user, so that signals can still be sent to a
 * COMMAND running as that user; the effective user id does not change. user may be NULL. Must be
 * called while the process has one thread.
 */
int rights_drop(const struct sudo_user *user, struct error *err);

/* Whether rights_filter() works: not without kernel support, nor in a build with sanitizers. */
bool rights_can_filter(void);

/* What the process does after the filter is installed. */
enum rights_use {
	RIGHTS_MONITOR, /* takes samples and writes output */
	RIGHTS_SERVE,	/* also accepts connections on a socket that is already listening */
};

/*
 * Installs a seccomp filter in all threads: system calls other than those for sampling, output,
 * restoring registers and exiting fail with EPERM. Signals may be sent only to command (0: none)
 * and to this process. Does nothing except log a detail if rights_can_filter() is false.
 */
int rights_filter(enum rights_use use, pid_t command, const struct log *log, struct error *err);

#endif
