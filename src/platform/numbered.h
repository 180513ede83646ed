/* SPDX-License-Identifier: BSD-3-Clause */
/* Names with a number at their end, as the kernel gives them in sysfs: cpu12, node3, mem0. */
#ifndef CXLMON_NUMBERED_H
#define CXLMON_NUMBERED_H

#include <stdbool.h>
#include <stddef.h>

/* "cpu12" and "node3", but not "cpufreq" or "node_list". */
bool numbered_name(const char *name, const char *prefix, unsigned *number);

/*
 * The numbers of all such entries of a directory below root, ascending; none where there is no such
 * directory. *out is freed by the caller. 0 or -ENOMEM.
 */
int numbered_list(const char *root, const char *directory, const char *prefix, unsigned **out,
		  size_t *count);

/* The lowest of them; -1 where there is none. */
int numbered_first(const char *root, const char *directory, const char *prefix);

#endif
