/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What this process may do, and gives up. A run opens all that it needs, and then keeps nothing but
 * what is open:
 *
 *     rights_drop_rawio()  before the first register is written, where MSRs are
 *     rights_drop()      once registers are programmed and COMMAND runs
 *     rights_filter()    once every thread runs
 *
 * None of it can be had back.
 */
#ifndef CXLMON_RIGHTS_H
#define CXLMON_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "linux/sudo_user.h"
#include "platform/error.h"
#include "platform/log.h"

/* Whether a capability, a number of <linux/capability.h> such as CAP_SYS_RAWIO, is in effect. */
bool linux_capable(unsigned capability);

/*
 * Gives up CAP_SYS_RAWIO (its effect): registers are programmed with the rights that will be there
 * when they are put back. msr-safe below 2.0 would let root write what it refuses later.
 */
int rights_drop_rawio(struct error *err);

/*
 * Gives up all capabilities (effective, permitted, inheritable, ambient, and the bounding set where
 * CAP_SETPCAP allows it), the supplementary groups, core dumps, and rights that a program could
 * give (no_new_privs). With a caller who is known, the real user becomes the caller, so that a
 * COMMAND that runs as that user can still be sent signals; files stay those of the effective user.
 * NULL: nobody else's. Call it while there is one thread.
 */
int rights_drop(const struct sudo_user *caller, struct error *err);

/* Whether there can be a filter: the kernel may lack it, and sanitizers don't bear it. */
bool rights_can_filter(void);

/* What the process goes on to do. */
enum rights_use {
	RIGHTS_MONITOR, /* samples, and writes what comes of it */
	RIGHTS_SERVE,	/* answers connections besides, to a socket that listens already */
};

/*
 * From here on the kernel refuses (EPERM) every system call but those that sampling, ending and
 * putting back need, in all threads. Signals may be sent to command (0: to nobody) and to
 * ourselves. Does nothing where there can be no filter, and says so in the log, as a detail.
 */
int rights_filter(enum rights_use use, pid_t command, const struct log *log, struct error *err);

#endif
