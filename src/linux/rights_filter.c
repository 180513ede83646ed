/* SPDX-License-Identifier: BSD-3-Clause */
/* The seccomp filter: a table of the allowed system calls. */
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <seccomp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <linux/seccomp.h>

#include "linux/rights.h"

/* A condition on argument n: (argument & mask) == value. EQUALS compares ints. */
#define ANY                                                                                        \
	{                                                                                          \
		{                                                                                  \
			-1, 0, 0                                                                   \
		}                                                                                  \
	}
#define EQUALS(n, value)                                                                           \
	{                                                                                          \
		{                                                                                  \
			n, UINT32_MAX, value                                                       \
		}                                                                                  \
	}
#define NONE_OF(n, bits)                                                                           \
	{                                                                                          \
		{                                                                                  \
			n, bits, 0                                                                 \
		}                                                                                  \
	}
/* on two arguments */
#define NONE_AND_ALL(n, none, m, all)                                                              \
	{                                                                                          \
		{n, none, 0},                                                                      \
		{                                                                                  \
			m, all, all                                                                \
		}                                                                                  \
	}
#define EQUALS_AND_NONE(n, value, m, none)                                                         \
	{                                                                                          \
		{n, UINT32_MAX, value},                                                            \
		{                                                                                  \
			m, none, 0                                                                 \
		}                                                                                  \
	}

#define MAX_CONDITIONS 2

/* Where the first condition's value comes from: the row, or process ids known only at run time. */
enum value_source { FROM_ROW, OWN_PID, CHILD_PID };

struct condition {
	int argument; /* index; -1: no condition */
	uint64_t mask, value;
};

struct call {
	int number;
	struct condition conditions[MAX_CONDITIONS]; /* a mask of 0 ends them */
	enum value_source source;		     /* if not FROM_ROW, replaces value */
};

/* of every role */
static const struct call common_calls[] = {
	/* files that are open, and messages; what is written to is up to rights_writes.c */
	{SCMP_SYS(read), ANY},
	{SCMP_SYS(write), ANY},
	{SCMP_SYS(writev), ANY},
	{SCMP_SYS(close), ANY},
	{SCMP_SYS(fstat), ANY},
	{SCMP_SYS(poll), ANY},
	{SCMP_SYS(ppoll), ANY},
	/* time */
	{SCMP_SYS(clock_gettime), ANY},
	{SCMP_SYS(gettimeofday), ANY},
	{SCMP_SYS(time), ANY},
	{SCMP_SYS(clock_nanosleep), ANY},
	{SCMP_SYS(nanosleep), ANY},
	/* receiving signals, and passing them on */
	{SCMP_SYS(rt_sigaction), ANY},
	{SCMP_SYS(rt_sigprocmask), ANY},
	{SCMP_SYS(rt_sigreturn), ANY},
	{SCMP_SYS(rt_sigtimedwait), ANY},
	{SCMP_SYS(rt_sigpending), ANY},
	{SCMP_SYS(rt_sigsuspend), ANY},
	{SCMP_SYS(sigaltstack), ANY},
	{SCMP_SYS(restart_syscall), ANY},
	{SCMP_SYS(kill), EQUALS(0, 0), CHILD_PID},
	{SCMP_SYS(tgkill), EQUALS(0, 0), OWN_PID},
	{SCMP_SYS(wait4), ANY},
	{SCMP_SYS(waitid), ANY},
	/* memory: never executable, never a file, and what is mapped stays as it is */
	{SCMP_SYS(mmap), NONE_AND_ALL(2, PROT_EXEC, 3, MAP_ANONYMOUS)},
	{SCMP_SYS(munmap), ANY},
	{SCMP_SYS(brk), ANY},
	{SCMP_SYS(madvise), ANY},
	/* running threads; malloc() asks for the number of CPUs */
	{SCMP_SYS(futex), ANY},
	{SCMP_SYS(set_robust_list), ANY},
	{SCMP_SYS(rseq), ANY},
	{SCMP_SYS(sched_yield), ANY},
	{SCMP_SYS(sched_getaffinity), ANY},
	{SCMP_SYS(getpid), ANY},
	{SCMP_SYS(gettid), ANY},
	{SCMP_SYS(getrandom), ANY},
	{SCMP_SYS(exit), ANY},
	{SCMP_SYS(exit_group), ANY},
};

static const struct call monitor_calls[] = {
	/* registers, through files that are open */
	{SCMP_SYS(pread64), ANY},
	{SCMP_SYS(pwrite64), ANY},
	/* an output is truncated where its last row is incomplete, the journal when it is done */
	{SCMP_SYS(lseek), ANY},
	{SCMP_SYS(ftruncate), ANY},
	{SCMP_SYS(fallocate), EQUALS(1, FALLOC_FL_KEEP_SIZE)},
	{SCMP_SYS(flock), EQUALS(1, LOCK_UN)},
	{SCMP_SYS(flock), EQUALS(1, LOCK_EX | LOCK_NB)},
	{SCMP_SYS(fsync), ANY},
	{SCMP_SYS(fdatasync), ANY},
	{SCMP_SYS(geteuid), ANY},
	/* files that explain an error */
	{SCMP_SYS(newfstatat), ANY},
	{SCMP_SYS(statx), ANY},
	{SCMP_SYS(access), ANY},
	{SCMP_SYS(faccessat), ANY},
	{SCMP_SYS(faccessat2), ANY},
	{SCMP_SYS(openat), NONE_OF(2, O_ACCMODE | O_CREAT | O_TRUNC)},
	/* outputs are made non-blocking when a signal arrives */
	{SCMP_SYS(fcntl), EQUALS(1, F_GETFD)},
	{SCMP_SYS(fcntl), EQUALS(1, F_SETFD)},
	{SCMP_SYS(fcntl), EQUALS(1, F_GETFL)},
	{SCMP_SYS(fcntl), EQUALS(1, F_SETFL)},
	{SCMP_SYS(pselect6), ANY},
	/* terminal: whether it is one, its width, its foreground process group */
	{SCMP_SYS(ioctl), EQUALS(1, TCGETS)},
	{SCMP_SYS(ioctl), EQUALS(1, TCGETS2)},
	{SCMP_SYS(ioctl), EQUALS(1, TIOCGWINSZ)},
	{SCMP_SYS(ioctl), EQUALS(1, TIOCGPGRP)},
	{SCMP_SYS(getpgrp), ANY},
	/* the screen restores the terminal's modes, and sets them again after SIGCONT */
	{SCMP_SYS(ioctl), EQUALS(1, TCSETS)},
	{SCMP_SYS(ioctl), EQUALS(1, TCSETSW)},
	{SCMP_SYS(ioctl), EQUALS(1, TCSETS2)},
};

/* Modes that a file of root's must not get: who runs it would become root. */
#define PRIVILEGED (S_ISUID | S_ISGID | S_ISVTX)

/* A process of RIGHTS_FILE. See output/output_file.c, output/replace.c, output/file_process.c. */
static const struct call file_calls[] = {
	/* requests, and answers with a descriptor */
	{SCMP_SYS(recvfrom), ANY},
	{SCMP_SYS(sendmsg), ANY},
	/* a file that exists, or a new one, is opened again */
	{SCMP_SYS(newfstatat), ANY},
	{SCMP_SYS(geteuid), ANY},
	{SCMP_SYS(openat), EQUALS(2, O_PATH | O_NOFOLLOW | O_CLOEXEC)},
	{SCMP_SYS(openat), EQUALS(2, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY)},
	{SCMP_SYS(openat),
	 EQUALS_AND_NONE(2, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_CREAT | O_EXCL, 3,
			 PRIVILEGED)},
	/* a temporary file, with the old one's mode and name, replaces it */
	{SCMP_SYS(openat),
	 EQUALS_AND_NONE(2, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 3, PRIVILEGED)},
	{SCMP_SYS(fchmod), NONE_OF(1, PRIVILEGED)},
	{SCMP_SYS(renameat), ANY},
	{SCMP_SYS(renameat2), ANY},
	{SCMP_SYS(unlinkat), ANY},
};

/* Descriptors of an output that was opened again. */
static const struct call receiving_calls[] = {
	{SCMP_SYS(recvmsg), ANY},
};

/* Notifications to systemd, on a connected socket: never to another address. */
static const struct call notifying_calls[] = {
	{SCMP_SYS(sendto), NONE_OF(4, UINT64_MAX)},
};

/* Events that were opened; which ones is up to rights_writes.c. */
static const struct call perf_calls[] = {
	{SCMP_SYS(ioctl), EQUALS(1, PERF_EVENT_IOC_ENABLE)},
	{SCMP_SYS(ioctl), EQUALS(1, PERF_EVENT_IOC_DISABLE)},
};

/* Accepts connections, but cannot connect or send to other addresses. */
static const struct call http_calls[] = {
	/* libmicrohttpd's threads wait for events, */
	{SCMP_SYS(epoll_ctl), ANY},
	{SCMP_SYS(epoll_wait), ANY},
	{SCMP_SYS(epoll_pwait), ANY},
	/* accept connections, */
	{SCMP_SYS(accept4), ANY},
	{SCMP_SYS(getsockname), ANY},
	{SCMP_SYS(setsockopt), EQUALS(1, IPPROTO_TCP)},
	/* answer, and close them */
	{SCMP_SYS(recvfrom), ANY},
	{SCMP_SYS(sendmsg), ANY},
	{SCMP_SYS(sendto), NONE_OF(4, UINT64_MAX)},
	{SCMP_SYS(shutdown), ANY},
};

static int add_call(scmp_filter_ctx filter, const struct call *call, const pid_t *pids)
{
	struct scmp_arg_cmp compare[MAX_CONDITIONS];
	unsigned count = 0;

	if (call->source == CHILD_PID && !pids[CHILD_PID])
		return 0; /* kill(0) would signal our own process group */
	for (; count < MAX_CONDITIONS && call->conditions[count].mask; count++) {
		const struct condition *condition = &call->conditions[count];

		compare[count] = (struct scmp_arg_cmp){
			.arg = (unsigned)condition->argument,
			.op = SCMP_CMP_MASKED_EQ,
			.datum_a = condition->mask,
			.datum_b =
				call->source ? (scmp_datum_t)pids[call->source] : condition->value,
		};
	}
	return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call->number, count, compare);
}

#define TABLE(calls, wanted)                                                                       \
	{                                                                                          \
		calls, sizeof(calls) / sizeof((calls)[0]), wanted                                  \
	}

static int add_calls(scmp_filter_ctx filter, const struct rights_use *use)
{
	const bool monitor = use->role == RIGHTS_MONITOR;
	const pid_t pids[] = {[OWN_PID] = getpid(), [CHILD_PID] = use->child};
	const struct {
		const struct call *calls;
		size_t count;
		bool wanted;
	} tables[] = {
		TABLE(common_calls, true),
		TABLE(monitor_calls, monitor),
		TABLE(file_calls, use->role == RIGHTS_FILE),
		TABLE(receiving_calls, use->receives),
		TABLE(notifying_calls, use->notifies),
		TABLE(perf_calls, use->perf_event_count),
		TABLE(http_calls, use->role == RIGHTS_HTTP),
	};
	int rc = 0;

	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
		for (size_t i = 0; !rc && tables[t].wanted && i < tables[t].count; i++)
			rc = add_call(filter, &tables[t].calls[i], pids);
	return rc;
}

/* All threads; the kernel's error codes; rules as a binary tree, because there are many. */
static int set_attributes(scmp_filter_ctx filter)
{
	int rc = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);

	if (!rc)
		rc = seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1);
	return rc ? rc : seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
}

/* With a NULL filter, a kernel that supports filters returns EFAULT: seccomp(2). */
static bool kernel_has_filters(void)
{
	return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) || errno == EFAULT;
}

bool rights_can_filter(void)
{
	return !RIGHTS_INSTRUMENTED && kernel_has_filters();
}

/*
 * Other system calls fail instead of killing the process: a killed process could not restore
 * registers.
 */
static int load_filter(const struct rights_use *use)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int rc = filter ? set_attributes(filter) : -ENOMEM;

	if (!rc)
		rc = add_calls(filter, use);
	if (!rc)
		rc = seccomp_load(filter);
	seccomp_release(filter);
	return rc;
}

int rights_filter(const struct rights_use *use, const struct log *log, struct error *err)
{
	if (!rights_can_filter()) {
		log_write(log, LEVEL_DETAIL, "system calls are not restricted: %s",
			  RIGHTS_INSTRUMENTED ? "this build has sanitizers"
					      : "this kernel has no seccomp filters");
		return 0;
	}
	/* load_filter() last, since it allows no further filter */
	int rc = use->platform ? rights_filter_registers(use->platform) : 0;
	if (!rc && use->perf_event_count)
		rc = rights_filter_perf(use->perf_events, use->perf_event_count);
	if (!rc)
		rc = load_filter(use);
	return rc ? error_set(err, EXIT_FAILED, rc, "cannot restrict system calls: %s",
			      strerror(rc < 0 ? -rc : rc))
		  : 0;
}
