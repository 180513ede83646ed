/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbered names of sysfs entries: cpu12, node3, mem0. */
#ifndef CXLMON_NUMBERED_H
#define CXLMON_NUMBERED_H

#include <stdbool.h>
#include <stddef.h>

/* Whether name is prefix + number ("cpu12"; not "cpufreq"); *number is set. */
bool numbered_name(const char *name, const char *prefix, unsigned *number);

/*
 * The numbers of all such entries of a directory below root, ascending; none if the directory does
 * not exist. *out is freed by the caller. 0 or -ENOMEM.
 */
int numbered_list(const char *root, const char *directory, const char *prefix, unsigned **out,
		  size_t *count);

/* The lowest of them; -1: none. */
int numbered_first(const char *root, const char *directory, const char *prefix);

#endif
