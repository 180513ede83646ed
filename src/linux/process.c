/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/proc_stat.h"
#include "platform/rootfs.h"

static bool read_stat(pid_t pid, struct proc_stat *stat)
{
	return proc_stat_read(stat, "/", "proc/%d/stat", (int)pid);
}

static uint64_t own_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
}

struct process process_self(void)
{
	struct process self = {.pid = getpid(), .namespace = own_namespace()};
	struct proc_stat line;

	if (read_stat(self.pid, &line))
		self.started = proc_stat_number(&line, STAT_STARTED);
	return self;
}

enum process_state process_state(const struct process *process)
{
	const bool here = process->namespace && process->namespace == own_namespace();
	struct proc_stat line;

	if (!process->started)
		return PROCESS_UNKNOWN;
	if (read_stat(process->pid, &line)) {
		if (proc_stat_number(&line, STAT_STARTED) == process->started &&
		    !proc_stat_is_zombie(&line))
			return PROCESS_RUNS;
		return here ? PROCESS_ENDED : PROCESS_UNKNOWN;
	}
	/* procfs may hide it (hidepid) */
	return here && kill(process->pid, 0) && errno == ESRCH ? PROCESS_ENDED : PROCESS_UNKNOWN;
}

bool process_exists(pid_t pid)
{
	struct proc_stat line;

	if (read_stat(pid, &line))
		return !proc_stat_is_zombie(&line);
	return !kill(pid, 0) || errno != ESRCH;
}

const char *process_text(pid_t pid, char text[PROCESS_TEXT_SIZE])
{
	char path[64], name[32];

	snprintf(path, sizeof(path), "proc/%d/comm", (int)pid);
	if (rootfs_line("/", path, name, sizeof(name)))
		snprintf(text, PROCESS_TEXT_SIZE, "pid %d", (int)pid);
	else
		snprintf(text, PROCESS_TEXT_SIZE, "pid %d (%s)", (int)pid, name);
	return text;
}
