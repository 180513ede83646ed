/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/numbered.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/rootfs.h"

bool numbered_name(const char *name, const char *prefix, unsigned *number)
{
	const size_t length = strlen(prefix);
	int used = 0;

	return !strncmp(name, prefix, length) && name[length] >= '0' && name[length] <= '9' &&
	       sscanf(name + length, "%u%n", number, &used) == 1 && !name[length + (size_t)used];
}

static int compare(const void *a, const void *b)
{
	const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	return (x > y) - (x < y);
}

int numbered_list(const char *root, const char *directory, const char *prefix, unsigned **out,
		  size_t *count)
{
	char path[ROOTFS_PATH_SIZE];
	DIR *dir = rootfs_path(path, root, "%s", directory) ? NULL : opendir(path);
	unsigned number;
	int rc = 0;

	*out = NULL;
	*count = 0;
	if (!dir)
		return 0;
	for (struct dirent *entry; !rc && (entry = readdir(dir));) {
		if (!numbered_name(entry->d_name, prefix, &number))
			continue;
		unsigned *grown = reallocarray(*out, *count + 1, sizeof(*grown));
		if (grown) {
			*out = grown;
			grown[(*count)++] = number;
		} else {
			rc = -ENOMEM;
		}
	}
	closedir(dir);
	if (*count)
		qsort(*out, *count, sizeof(**out), compare);
	return rc;
}

int numbered_first(const char *root, const char *directory, const char *prefix)
{
	unsigned *numbers;
	size_t count;
	int first = -1;

	if (!numbered_list(root, directory, prefix, &numbers, &count) && count)
		first = (int)numbers[0];
	free(numbers);
	return first;
}
