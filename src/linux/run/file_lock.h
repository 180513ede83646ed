/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks of whole files: flock(2). They belong to the open file, which children of a fork share. */
#ifndef CXLMON_LINUX_RUN_FILE_LOCK_H
#define CXLMON_LINUX_RUN_FILE_LOCK_H

#include <stdint.h>
#include <sys/types.h>

/* Waits for the lock, at most timeout_ns. 0; -EWOULDBLOCK: another has it; or another errno. */
int file_lock_wait(int fd, uint64_t timeout_ns);

/*
 * The process that took the file's lock, by /proc/locks; it may have ended, and left the lock to a
 * child. 0: not known, as in another namespace of process ids.
 */
pid_t file_lock_holder(int fd);

#endif
