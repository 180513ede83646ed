/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/rootfs.h"

/* Fields of /proc/PID/stat: proc(5). */
#define FIELD_STATE   3
#define FIELD_THREADS 20
#define FIELD_STARTED 22

struct stat_line {
	char text[1024];
	const char *fields; /* from the end of the name, which may have blanks; NULL: none */
};

static bool read_stat(pid_t pid, struct stat_line *line)
{
	char path[64];

	snprintf(path, sizeof(path), "proc/%d/stat", (int)pid);
	line->fields = NULL;
	if (!rootfs_line("/", path, line->text, sizeof(line->text)))
		line->fields = strrchr(line->text, ')');
	return line->fields != NULL;
}

static const char *field(const struct stat_line *line, unsigned number)
{
	const char *at = line->fields;

	for (unsigned n = 2; at && n < number; n++)
		at = strchr(at + 1, ' ');
	return at ? at + 1 : "";
}

static uint64_t number(const struct stat_line *line, unsigned which)
{
	return strtoull(field(line, which), NULL, 10);
}

/* Only its parent has not yet asked for its status. Its first thread alone may have ended, too. */
static bool is_zombie(const struct stat_line *line)
{
	return *field(line, FIELD_STATE) == 'Z' && number(line, FIELD_THREADS) <= 1;
}

static uint64_t own_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
}

struct process process_self(void)
{
	struct process self = {.pid = getpid(), .namespace = own_namespace()};
	struct stat_line line;

	if (read_stat(self.pid, &line))
		self.started = number(&line, FIELD_STARTED);
	return self;
}

enum process_state process_state(const struct process *process)
{
	const bool here = process->namespace && process->namespace == own_namespace();
	struct stat_line line;

	if (!process->started)
		return PROCESS_UNKNOWN;
	if (read_stat(process->pid, &line)) {
		if (number(&line, FIELD_STARTED) == process->started && !is_zombie(&line))
			return PROCESS_RUNS;
		return here ? PROCESS_ENDED : PROCESS_UNKNOWN;
	}
	/* procfs may hide it (hidepid) */
	return here && kill(process->pid, 0) && errno == ESRCH ? PROCESS_ENDED : PROCESS_UNKNOWN;
}

bool process_exists(pid_t pid)
{
	struct stat_line line;

	if (read_stat(pid, &line))
		return !is_zombie(&line);
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
