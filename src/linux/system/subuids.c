/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/system/linux_platform.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/rootfs.h"

#define RANGES_MOST 65536 /* ids in further ranges count as users of their own */
#define LINE_SIZE   256

void linux_subuids_free(struct linux_subuids *subuids)
{
	free(subuids->ranges);
	*subuids = (struct linux_subuids){.count = 0};
}

/* Finds a user by name or number. */
static bool find_user(const char *name, uid_t *uid)
{
	char text[PASSWD_SIZE], rest;
	struct passwd passwd, *found = NULL;

	if (sscanf(name, "%u%c", uid, &rest) == 1)
		return true;
	getpwnam_r(name, &passwd, text, sizeof(text), &found);
	if (found)
		*uid = found->pw_uid;
	return found;
}

/* Parses "name:first:count". */
static bool parse_range(char *line, struct subuid_range *out)
{
	char *numbers = strchr(line, ':');
	uint64_t first, count;

	if (!numbers)
		return false;
	*numbers = '\0';
	if (sscanf(numbers + 1, "%" SCNu64 ":%" SCNu64, &first, &count) != 2 || !count ||
	    first > UINT32_MAX || count > UINT32_MAX - first + 1 || !find_user(line, &out->owner))
		return false;
	out->first = (uid_t)first;
	out->last = (uid_t)(first + count - 1);
	return true;
}

static int by_first(const void *a, const void *b)
{
	const struct subuid_range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

static void read_all(struct linux_subuids *subuids, const char *root)
{
	FILE *in = rootfs_stream(root, "etc/subuid");
	struct subuid_range range;
	char line[LINE_SIZE];

	subuids->read = true;
	while (in && subuids->count < RANGES_MOST && fgets(line, sizeof(line), in))
		if (parse_range(line, &range) &&
		    !array_room(&subuids->ranges, subuids->count, 1, sizeof(range)))
			subuids->ranges[subuids->count++] = range;
	if (in)
		fclose(in);
	if (subuids->count)
		qsort(subuids->ranges, subuids->count, sizeof(range), by_first);
}

uid_t linux_subuid_owner(struct linux_subuids *subuids, const char *root, uid_t uid)
{
	size_t low = 0, high;

	if (!subuids->read)
		read_all(subuids, root);
	high = subuids->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (subuids->ranges[middle].last < uid)
			low = middle + 1;
		else
			high = middle;
	}
	return low < subuids->count && subuids->ranges[low].first <= uid
		       ? subuids->ranges[low].owner
		       : uid;
}
