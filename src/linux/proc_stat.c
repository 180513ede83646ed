/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/proc_stat.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/rootfs.h"

bool proc_stat_read(struct proc_stat *stat, const char *root, const char *path, ...)
{
	char name[64];
	va_list args;

	va_start(args, path);
	const int length = vsnprintf(name, sizeof(name), path, args);
	va_end(args);
	stat->fields = NULL;
	/* a name may have a newline: the line does not end there */
	if (length > 0 && (size_t)length < sizeof(name) &&
	    rootfs_read(root, name, stat->text, sizeof(stat->text)) > 0)
		stat->fields = strrchr(stat->text, ')');
	return stat->fields != NULL;
}

static const char *field_text(const struct proc_stat *stat, unsigned number)
{
	const char *at = stat->fields;

	for (unsigned n = 2; at && n < number; n++)
		at = strchr(at + 1, ' ');
	return at ? at + 1 : "";
}

uint64_t proc_stat_number(const struct proc_stat *stat, unsigned field)
{
	return strtoull(field_text(stat, field), NULL, 10);
}

bool proc_stat_is_zombie(const struct proc_stat *stat)
{
	return *field_text(stat, STAT_STATE) == 'Z' && proc_stat_number(stat, STAT_THREADS) <= 1;
}
