/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/registers/lockdown.h"

#include <stdio.h>
#include <string.h>

#include "base/rootfs.h"

/* The active state is in brackets: "none [integrity] confidentiality". */
bool lockdown_in_force(const char *root, char state[LOCKDOWN_STATE_SIZE])
{
	char line[128];
	char *open, *close;

	if (rootfs_line(line, sizeof(line), root, "sys/kernel/security/lockdown"))
		return false;
	open = strchr(line, '[');
	close = open ? strchr(open, ']') : NULL;
	if (!close)
		return false;
	*close = '\0';
	snprintf(state, LOCKDOWN_STATE_SIZE, "%s", open + 1);
	return strcmp(state, "none") != 0;
}
