/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/kernel/limits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/rootfs.h"

struct affinity affinity_get(void)
{
	struct affinity affinity;

	if (sched_getaffinity(0, sizeof(affinity.sets), affinity.sets))
		CPU_ZERO_S(sizeof(affinity.sets), affinity.sets);
	return affinity;
}

bool affinity_has(const struct affinity *affinity, unsigned cpu)
{
	return cpu < AFFINITY_CPUS && CPU_ISSET_S(cpu, sizeof(affinity->sets), affinity->sets);
}

int affinity_set(const struct affinity *affinity)
{
	return sched_setaffinity(0, sizeof(affinity->sets), affinity->sets) ? -errno : 0;
}

int affinity_set_cpu(unsigned cpu)
{
	struct affinity one;

	CPU_ZERO_S(sizeof(one.sets), one.sets);
	CPU_SET_S(cpu, sizeof(one.sets), one.sets);
	return affinity_set(&one);
}

/*
 * 8 groups of 8 events on each of 1024 units. A higher number would slow down programs that close
 * all possible files.
 */
#define ENOUGH_FILES 65536

bool file_limit_raise(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return false;
	const rlim_t raised = limit.rlim_max < ENOUGH_FILES ? limit.rlim_max : ENOUGH_FILES;
	if (limit.rlim_cur >= raised)
		return false;
	limit.rlim_cur = raised;
	return !setrlimit(RLIMIT_NOFILE, &limit);
}

/* Reads lockdown's state, which is in brackets: "none [integrity] confidentiality". */
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

bool lockdown_explain(const char *root, const char *access, int code, struct error *out)
{
	char state[LOCKDOWN_STATE_SIZE];

	if (!lockdown_in_force(root, state))
		return false;
	error_set(out, ERROR_PERMISSION, code,
		  "kernel lockdown (%s) forbids %s; boot without Secure Boot, or without "
		  "lockdown= on the kernel's command line",
		  state, access);
	error_hint(out, LOCKDOWN_COMMAND);
	return true;
}
