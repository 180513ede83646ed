/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The seccomp filter: a table of the allowed system calls. The last step of rights.h, which is also
 * a part of rights_give_up().
 */
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>

#include "linux/cxl/cxl_mailbox.h"
#include "linux/rights/rights.h"
#include "linux/rights/rights_writes.h"

/* Sources of the first condition's value: the row, or process ids known only at run time. */
enum value_source { FROM_ROW, OWN_PID, CHILD_PID };

/* (argument & mask) == value; mask 0: no condition */
struct condition {
	unsigned argument; /* index */
	uint64_t mask, value;
};

/* A call, allowed if both conditions hold. */
struct call {
	int number;
	struct condition first, second;
	enum value_source source; /* if not FROM_ROW, it replaces the value of .first */
};

/* Conditions on argument n. EQUALS compares ints. */
#define EQUALS(n, wanted) .first = {n, UINT32_MAX, wanted}
#define NONE_OF(n, bits)  .first = {n, bits, 0}
/* Further conditions, on argument m. */
#define AND_ALL_OF(m, bits)   .second = {m, bits, bits}
#define AND_NONE_OF(m, bits)  .second = {m, bits, 0}
#define AND_EQUALS(m, wanted) .second = {m, UINT32_MAX, wanted}

/* Calls of every role. */
static const struct call common_calls[] = {
	/* open files, and messages; rights_writes.c limits the files that are written */
	{SCMP_SYS(read)},
	{SCMP_SYS(write)},
	{SCMP_SYS(writev)},
	{SCMP_SYS(close)},
	{SCMP_SYS(fstat)},
	{SCMP_SYS(poll)},
	{SCMP_SYS(ppoll)},
	/* time */
	{SCMP_SYS(clock_gettime)},
	{SCMP_SYS(gettimeofday)},
	{SCMP_SYS(time)},
	{SCMP_SYS(clock_nanosleep)},
	{SCMP_SYS(nanosleep)},
	/* receiving signals, and passing them on */
	{SCMP_SYS(rt_sigaction)},
	{SCMP_SYS(rt_sigprocmask)},
	{SCMP_SYS(rt_sigreturn)},
	{SCMP_SYS(rt_sigtimedwait)},
	{SCMP_SYS(rt_sigpending)},
	{SCMP_SYS(rt_sigsuspend)},
	{SCMP_SYS(sigaltstack)},
	{SCMP_SYS(restart_syscall)},
	{SCMP_SYS(kill), EQUALS(0, 0), .source = CHILD_PID},
	{SCMP_SYS(tgkill), EQUALS(0, 0), .source = OWN_PID},
	{SCMP_SYS(wait4)},
	{SCMP_SYS(waitid)},
	/* memory: never executable, never a file, and mappings do not change */
	{SCMP_SYS(mmap), NONE_OF(2, PROT_EXEC), AND_ALL_OF(3, MAP_ANONYMOUS)},
	{SCMP_SYS(munmap)},
	{SCMP_SYS(brk)},
	{SCMP_SYS(madvise)},
	/* running threads; malloc() asks for the number of CPUs */
	{SCMP_SYS(futex)},
	{SCMP_SYS(set_robust_list)},
	{SCMP_SYS(rseq)},
	{SCMP_SYS(sched_yield)},
	{SCMP_SYS(sched_getaffinity)},
	{SCMP_SYS(getpid)},
	{SCMP_SYS(gettid)},
	{SCMP_SYS(getrandom)},
	{SCMP_SYS(exit)},
	{SCMP_SYS(exit_group)},
};

static const struct call monitor_calls[] = {
	/* registers, through open files */
	{SCMP_SYS(pread64)},
	{SCMP_SYS(pwrite64)},
	/* truncating an output with an incomplete last row, and the journal when it is done */
	{SCMP_SYS(lseek)},
	{SCMP_SYS(ftruncate)},
	{SCMP_SYS(fallocate), EQUALS(1, FALLOC_FL_KEEP_SIZE)},
	{SCMP_SYS(flock), EQUALS(1, LOCK_UN)},
	{SCMP_SYS(flock), EQUALS(1, LOCK_EX | LOCK_NB)},
	{SCMP_SYS(fsync)},
	{SCMP_SYS(fdatasync)},
	{SCMP_SYS(geteuid)},
	/* files that explain an error */
	{SCMP_SYS(newfstatat)},
	{SCMP_SYS(statx)},
	{SCMP_SYS(access)},
	{SCMP_SYS(faccessat)},
	{SCMP_SYS(faccessat2)},
	{SCMP_SYS(openat), NONE_OF(2, O_ACCMODE | O_CREAT | O_TRUNC)},
	/* making outputs non-blocking when a signal arrives */
	{SCMP_SYS(fcntl), EQUALS(1, F_GETFD)},
	{SCMP_SYS(fcntl), EQUALS(1, F_SETFD)},
	{SCMP_SYS(fcntl), EQUALS(1, F_GETFL)},
	{SCMP_SYS(fcntl), EQUALS(1, F_SETFL)},
	{SCMP_SYS(pselect6)},
	/* terminal: its existence, width, and foreground process group */
	{SCMP_SYS(ioctl), EQUALS(1, TCGETS)},
	{SCMP_SYS(ioctl), EQUALS(1, TCGETS2)},
	{SCMP_SYS(ioctl), EQUALS(1, TIOCGWINSZ)},
	{SCMP_SYS(ioctl), EQUALS(1, TIOCGPGRP)},
	{SCMP_SYS(getpgrp)},
	/* the screen restores the terminal's modes, and sets them again after SIGCONT */
	{SCMP_SYS(ioctl), EQUALS(1, TCSETS)},
	{SCMP_SYS(ioctl), EQUALS(1, TCSETSW)},
	{SCMP_SYS(ioctl), EQUALS(1, TCSETS2)},
};

/* Modes that a file of root's must not get: its users would become root. */
#define PRIVILEGED (S_ISUID | S_ISGID | S_ISVTX)

/* Calls of a RIGHTS_FILE process: output/output_file.c, output/file_process.c. */
static const struct call file_calls[] = {
	/* answers with a descriptor */
	{SCMP_SYS(sendmsg)},
	/* opening an existing file again, or a new one */
	{SCMP_SYS(newfstatat)},
	{SCMP_SYS(geteuid)},
	{SCMP_SYS(openat), EQUALS(2, O_PATH | O_NOFOLLOW | O_CLOEXEC)},
	{SCMP_SYS(openat), EQUALS(2, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY)},
	{SCMP_SYS(openat),
	 EQUALS(2, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_CREAT | O_EXCL),
	 AND_NONE_OF(3, PRIVILEGED)},
	/* replacing a file by a temporary file with its mode and name */
	{SCMP_SYS(openat), EQUALS(2, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC),
	 AND_NONE_OF(3, PRIVILEGED)},
	{SCMP_SYS(fchmod), NONE_OF(1, PRIVILEGED)},
	{SCMP_SYS(renameat)},
	{SCMP_SYS(renameat2)},
	{SCMP_SYS(unlinkat)},
};

/*
 * Flags that clone() must not have: a thread would share memory, and a namespace would give other
 * privileges.
 */
#define SHARING                                                                                    \
	(CLONE_VM | CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |  \
	 CLONE_NEWPID | CLONE_NEWNET)

/* Calls of linux/run/bounded_process.c: children, with limits, that end with their parent. */
static const struct call parent_calls[] = {
	{SCMP_SYS(clone), NONE_OF(0, SHARING)},
	{SCMP_SYS(socketpair), EQUALS(0, AF_UNIX)},
	{SCMP_SYS(prctl), EQUALS(0, PR_SET_PDEATHSIG), AND_EQUALS(1, SIGKILL)},
	{SCMP_SYS(getppid)},
	{SCMP_SYS(setitimer), EQUALS(0, ITIMER_REAL)},
	{SCMP_SYS(prlimit64), EQUALS(0, 0)}, /* its own limits */
	{SCMP_SYS(close_range)},
};

/*
 * Calls of process/symbol_opener.c, which passes files on, and symbol_reader.c, which reads them.
 */
static const struct call opener_calls[] = {
	{SCMP_SYS(openat), EQUALS(2, RIGHTS_OPENER_FLAGS)},
	{SCMP_SYS(newfstatat)},
	{SCMP_SYS(pread64)},
	{SCMP_SYS(sendmsg)},
};

static const struct call symbols_calls[] = {
	{SCMP_SYS(recvmsg)},
	{SCMP_SYS(newfstatat)},
	{SCMP_SYS(pread64)},
};

/*
 * Calls of probe/top/top_watcher.c: files and directories of procfs, and files with names of users.
 */
static const struct call watcher_calls[] = {
	{SCMP_SYS(openat), NONE_OF(2, O_ACCMODE | O_CREAT | O_TRUNC)},
	{SCMP_SYS(newfstatat)},
	{SCMP_SYS(getdents64)},
	{SCMP_SYS(readlinkat)},
	{SCMP_SYS(fcntl), EQUALS(1, F_GETFL)},
	{SCMP_SYS(pread64)},
	{SCMP_SYS(lseek)},
	/* qsort() asks for the amount of memory */
	{SCMP_SYS(sysinfo)},
};

/* Calls of a RIGHTS_WATCHER that starts events, before rights_begin_sampling(). */
static const struct call starting_calls[] = {
	{SCMP_SYS(ioctl), EQUALS(1, PERF_EVENT_IOC_ENABLE)},
	{SCMP_SYS(ioctl), EQUALS(1, PERF_EVENT_IOC_DISABLE)},
	{SCMP_SYS(ioctl), EQUALS(1, PERF_EVENT_IOC_PERIOD)},
	/* adding filters; this one stays in force */
	{SCMP_SYS(seccomp)},
	{SCMP_SYS(prctl), EQUALS(0, PR_SET_SECCOMP)},
	{SCMP_SYS(prctl), EQUALS(0, PR_SET_NO_NEW_PRIVS)},
	/* without no_new_privs it would not gain capabilities either */
	{SCMP_SYS(capset)},
};

/*
 * Calls of a RIGHTS_WATCHER that opens events, their rings, and files of sysfs that describe them.
 */
static const struct call opening_calls[] = {
	{SCMP_SYS(perf_event_open)},
	{SCMP_SYS(ioctl), EQUALS(1, PERF_EVENT_IOC_ID)},
	{SCMP_SYS(ioctl), EQUALS(1, PERF_EVENT_IOC_SET_OUTPUT)},
	/* maps rings only: files are open only for reading, so they cannot be mapped like this */
	{SCMP_SYS(mmap), EQUALS(2, PROT_READ | PROT_WRITE), AND_ALL_OF(3, MAP_SHARED)},
	{SCMP_SYS(readlink)},
	{SCMP_SYS(getcwd)},
	/* realpath() of glibc looks for directories */
	{SCMP_SYS(faccessat)},
	{SCMP_SYS(faccessat2)},
	{SCMP_SYS(fcntl), EQUALS(1, F_SETFD)},
	{SCMP_SYS(capget)},
};

/* Calls of cli/health_process.c. The kernel cannot limit the commands to a mailbox. */
static const struct call health_calls[] = {
	{SCMP_SYS(ioctl), EQUALS(1, CXL_SEND_COMMAND)},
};

/* Calls that receive descriptors of an output that was opened again. */
static const struct call receiving_calls[] = {
	{SCMP_SYS(recvmsg)},
};

/* Notifications to systemd, on a connected socket: never to another address. */
static const struct call notifying_calls[] = {
	{SCMP_SYS(sendto), NONE_OF(4, UINT64_MAX)},
};

/* Calls for open events; rights_writes.c limits which. */
static const struct call perf_calls[] = {
	{SCMP_SYS(ioctl), EQUALS(1, PERF_EVENT_IOC_ENABLE)},
	{SCMP_SYS(ioctl), EQUALS(1, PERF_EVENT_IOC_DISABLE)},
};

/* Calls of a run that samples events. */
static const struct call sampling_calls[] = {
	{SCMP_SYS(ioctl), EQUALS(1, PERF_EVENT_IOC_PERIOD)},
};

/* Calls that accept connections, but cannot connect or send to other addresses. */
static const struct call http_calls[] = {
	/* libmicrohttpd's threads wait for events */
	{SCMP_SYS(epoll_ctl)},
	{SCMP_SYS(epoll_wait)},
	{SCMP_SYS(epoll_pwait)},
	/* accepting connections */
	{SCMP_SYS(accept4)},
	{SCMP_SYS(getsockname)},
	{SCMP_SYS(setsockopt), EQUALS(1, IPPROTO_TCP)},
	/* answering, and closing them */
	{SCMP_SYS(recvfrom)},
	{SCMP_SYS(sendmsg)},
	{SCMP_SYS(sendto), NONE_OF(4, UINT64_MAX)},
	{SCMP_SYS(shutdown)},
};

static struct scmp_arg_cmp filter_comparison(const struct condition *condition, uint64_t value)
{
	return (struct scmp_arg_cmp){
		.arg = condition->argument,
		.op = SCMP_CMP_MASKED_EQ,
		.datum_a = condition->mask,
		.datum_b = value,
	};
}

static int add_call(scmp_filter_ctx filter, const struct call *call, const pid_t *pids)
{
	const uint64_t value = call->source ? (uint64_t)pids[call->source] : call->first.value;
	const struct scmp_arg_cmp compare[] = {
		filter_comparison(&call->first, value),
		filter_comparison(&call->second, call->second.value)};
	const unsigned count = !call->first.mask ? 0 : !call->second.mask ? 1 : 2;

	if (call->source == CHILD_PID && !pids[CHILD_PID])
		return 0; /* kill(0) would signal our own process group */
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
		TABLE(health_calls, use->role == RIGHTS_HEALTH),
		TABLE(parent_calls, use->role == RIGHTS_OPENER || use->role == RIGHTS_SYMBOLS),
		TABLE(opener_calls, use->role == RIGHTS_OPENER),
		TABLE(symbols_calls, use->role == RIGHTS_SYMBOLS),
		TABLE(watcher_calls, use->role == RIGHTS_WATCHER),
		TABLE(starting_calls, use->starts_sampling),
		TABLE(opening_calls, use->opens_events),
		TABLE(receiving_calls, use->receives),
		TABLE(notifying_calls, use->notifies),
		TABLE(perf_calls, use->perf_event_count),
		TABLE(sampling_calls, use->perf_event_count && use->samples),
		TABLE(http_calls, use->role == RIGHTS_HTTP),
	};
	int rc = 0;

	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
		for (size_t i = 0; !rc && tables[t].wanted && i < tables[t].count; i++)
			rc = add_call(filter, &tables[t].calls[i], pids);
	return rc;
}

/*
 * Sets attributes: all threads; the kernel's error codes; rules as a binary tree, because there are
 * many.
 */
static int set_attributes(scmp_filter_ctx filter)
{
	int rc = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);

	if (!rc)
		rc = seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1);
	return rc ? rc : seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
}

/* Tells if the kernel supports filters: then a NULL filter gives EFAULT (seccomp(2)). */
static bool kernel_has_filters(void)
{
	return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) || errno == EFAULT;
}

bool rights_can_filter(void)
{
	return !RIGHTS_INSTRUMENTED && kernel_has_filters();
}

/*
 * Loads the filter. Other system calls fail instead of killing the process, because a killed
 * process could not restore registers.
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
	/* load_filter() comes last, because it allows no further filter */
	int rc = use->platform ? rights_filter_registers(use->platform) : 0;
	if (!rc && use->perf_event_count)
		rc = rights_filter_perf(use->perf_events, use->perf_event_count);
	if (!rc)
		rc = load_filter(use);
	return rc ? error_set(err, ERROR_FAILED, rc, "cannot restrict system calls: %s",
			      strerror(rc < 0 ? -rc : rc))
		  : 0;
}
