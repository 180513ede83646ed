/* SPDX-License-Identifier: BSD-3-Clause */
/* /proc/PID/stat and /proc/PID/task/TID/stat: proc(5). */
#ifndef CXLMON_LINUX_PROC_STAT_H
#define CXLMON_LINUX_PROC_STAT_H

#include <stdbool.h>
#include <stdint.h>

/* Fields, as proc(5) numbers them. */
#define STAT_STATE   3
#define STAT_UTIME   14 /* clock ticks */
#define STAT_STIME   15 /* likewise */
#define STAT_THREADS 20
#define STAT_STARTED 22 /* clock ticks since boot */
#define STAT_CPU     39 /* on which it last ran */

struct proc_stat {
	char text[1024];
	const char *fields; /* from the end of the name, which may have blanks; NULL: none */
};

/* Reads a file below root. False: there is none. */
__attribute__((format(printf, 3, 4))) bool proc_stat_read(struct proc_stat *stat, const char *root,
							  const char *path, ...);

/* 0 where the line is too short. */
uint64_t proc_stat_number(const struct proc_stat *stat, unsigned field);

/* Only its parent has not yet asked for its status. Its first thread alone may have ended, too. */
bool proc_stat_is_zombie(const struct proc_stat *stat);

#endif
