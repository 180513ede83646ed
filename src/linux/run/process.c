/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "linux/run/packet.h"

bool proc_stat_read(struct proc_stat *stat, const char *root, const char *path, ...)
{
	char name[64];
	va_list args;

	va_start(args, path);
	const int length = vsnprintf(name, sizeof(name), path, args);
	va_end(args);
	stat->fields = NULL;
	/* the line may go on after a newline in the name */
	if (length > 0 && (size_t)length < sizeof(name) &&
	    rootfs_read(stat->text, sizeof(stat->text), root, "%s", name) > 0)
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

/* Skips the rest of a line that is longer than its buffer: another process may have chosen it. */
static void skip_line(FILE *in)
{
	int byte;

	do
		byte = getc(in);
	while (byte != '\n' && byte != EOF);
}

bool proc_maps_next(FILE *in, char *line, int size, struct proc_mapping *out)
{
	while (fgets(line, size, in)) {
		const size_t length = strcspn(line, "\n");
		int name = 0;

		if (!line[length])
			skip_line(in);
		line[length] = '\0';
		/* address perms offset dev inode pathname */
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %" SCNu64 " %n",
			   &out->start, &out->end, out->permissions, &out->offset, &out->inode,
			   &name) < 5 ||
		    !name || out->end < out->start)
			continue;
		out->name = line + name;
		return true;
	}
	return false;
}

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
	/* procfs may hide the process (hidepid) */
	return here && kill(process->pid, 0) && errno == ESRCH ? PROCESS_ENDED : PROCESS_UNKNOWN;
}

bool process_exists(pid_t pid)
{
	struct proc_stat line;

	if (read_stat(pid, &line))
		return !proc_stat_is_zombie(&line);
	return !kill(pid, 0) || errno != ESRCH;
}

/* Leaves the child's status in place for a later wait. */
bool process_is_stopped(pid_t child)
{
	siginfo_t info = {.si_pid = 0};

	return !waitid(P_PID, (id_t)child, &info, WSTOPPED | WNOHANG | WNOWAIT) && info.si_pid;
}

const char *process_text(pid_t pid, char text[PROCESS_TEXT_SIZE])
{
	char name[32];

	if (rootfs_line(name, sizeof(name), "/", "proc/%d/comm", (int)pid))
		snprintf(text, PROCESS_TEXT_SIZE, "pid %d", (int)pid);
	else
		snprintf(text, PROCESS_TEXT_SIZE, "pid %d (%s)", (int)pid, name);
	return text;
}

typedef struct __user_cap_data_struct capability_sets[_LINUX_CAPABILITY_U32S_3];

static struct __user_cap_header_struct this_thread(void)
{
	return (struct __user_cap_header_struct){.version = _LINUX_CAPABILITY_VERSION_3};
}

static bool read_sets(unsigned capability, capability_sets sets)
{
	struct __user_cap_header_struct header = this_thread();

	return capability <= CAP_LAST_CAP && !syscall(SYS_capget, &header, sets);
}

bool linux_capable(unsigned capability)
{
	capability_sets sets = {{.effective = 0}};

	return read_sets(capability, sets) &&
	       sets[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability);
}

bool linux_permitted(unsigned capability)
{
	capability_sets sets = {{.permitted = 0}};

	return read_sets(capability, sets) &&
	       sets[CAP_TO_INDEX(capability)].permitted & CAP_TO_MASK(capability);
}

bool linux_make_effective(unsigned capability, bool effective)
{
	struct __user_cap_header_struct header = this_thread();
	capability_sets sets = {{.permitted = 0}};

	if (!linux_permitted(capability) || linux_capable(capability) == effective ||
	    !read_sets(capability, sets))
		return false;
	sets[CAP_TO_INDEX(capability)].effective ^= CAP_TO_MASK(capability);
	return !syscall(SYS_capset, &header, sets);
}

/* Source: the kernel's include/uapi/linux/close_range.h, which older headers lack */
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

/* glibc has close_range() since 2.34; other libraries never have it. */
#if !defined(__GLIBC__) || __GLIBC__ * 100 + __GLIBC_MINOR__ < 234
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

static int close_range(unsigned first, unsigned last, int flags)
{
	return (int)syscall(SYS_close_range, first, last, flags);
}
#endif

/* Kernels before 5.9 lack close_range(), and before 5.11 its flag. */
void close_files(int first, bool on_exec)
{
	const int limit = (int)sysconf(_SC_OPEN_MAX);

	if (!close_range((unsigned)first, ~0U, on_exec ? CLOSE_RANGE_CLOEXEC : 0))
		return;
	for (int fd = first; fd < limit; fd++) {
		if (on_exec)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
		else
			close(fd);
	}
}

bool helper_end_with(pid_t parent)
{
	return !prctl(PR_SET_PDEATHSIG, SIGKILL) && getppid() == parent;
}

pid_t helper_fork(int *socket)
{
	int ends[2], code = packet_pair(ends);

	*socket = -1;
	if (code)
		return code;
	const pid_t pid = fork();
	code = pid < 0 ? -errno : pid;
	close(ends[pid != 0]);
	if (pid < 0)
		close(ends[0]);
	else
		*socket = ends[pid == 0];
	return code;
}

bool helper_begin(const char *name, const int *descriptors, int count)
{
	int moved[STDERR_FILENO];
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_NAME, name);
	if (!helper_end_with(getppid()))
		return false;
	/* no moved descriptor has a number that another one needs */
	for (int i = 0; i < count; i++)
		moved[i] = fcntl(descriptors[i], F_DUPFD, STDERR_FILENO + 1);
	for (int i = 0; i < STDERR_FILENO; i++) {
		if (i < count && (moved[i] < 0 || dup2(moved[i], i) < 0))
			return false;
		if (i >= count)
			close(i);
	}
	close_files(STDERR_FILENO + 1, false);
	return true;
}
