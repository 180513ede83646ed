/* SPDX-License-Identifier: BSD-3-Clause */
/* The system calls that are left, in one table. */
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <seccomp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/seccomp.h>

#include "linux/rights.h"

/* The sanitizers' run time has needs of its own, at any time and above all at exit. */
#if defined(__SANITIZE_ADDRESS__)
#define INSTRUMENTED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define INSTRUMENTED true
#endif
#endif
#ifndef INSTRUMENTED
#define INSTRUMENTED false
#endif

/* Which argument is looked at, and how: (argument & mask) == value. What is equal are ints. */
#define ANY		 -1, 0, 0
#define EQUALS(n, value) n, UINT32_MAX, value
#define NONE_OF(n, bits) n, bits, 0

/* Values of a row that are known only when the filter is made. */
enum subject { SAYS_ROW, OURSELVES, COMMAND };

struct call {
	int number;
	int argument; /* -1: whatever they are */
	uint64_t mask, value;
	enum subject subject; /* the value, instead */
};

static const struct call calls[] = {
	/* registers: what is open is read and written */
	{SCMP_SYS(pread64), ANY},
	{SCMP_SYS(pwrite64), ANY},
	/* output, messages, and reading the files that explain an error */
	{SCMP_SYS(read), ANY},
	{SCMP_SYS(write), ANY},
	{SCMP_SYS(writev), ANY},
	{SCMP_SYS(lseek), ANY},
	{SCMP_SYS(close), ANY},
	{SCMP_SYS(getdents64), ANY},
	{SCMP_SYS(fstat), ANY},
	{SCMP_SYS(newfstatat), ANY},
	{SCMP_SYS(statx), ANY},
	{SCMP_SYS(access), ANY},
	{SCMP_SYS(faccessat), ANY},
	{SCMP_SYS(faccessat2), ANY},
	{SCMP_SYS(openat), NONE_OF(2, O_ACCMODE | O_CREAT | O_TRUNC)},
	/* an output is made not to wait for its reader when a signal comes */
	{SCMP_SYS(fcntl), EQUALS(1, F_GETFD)},
	{SCMP_SYS(fcntl), EQUALS(1, F_SETFD)},
	{SCMP_SYS(fcntl), EQUALS(1, F_GETFL)},
	{SCMP_SYS(fcntl), EQUALS(1, F_SETFL)},
	{SCMP_SYS(poll), ANY},
	{SCMP_SYS(ppoll), ANY},
	{SCMP_SYS(pselect6), ANY},
	/* whether it is a terminal, how wide, and whether it sent the signal to COMMAND, too */
	{SCMP_SYS(ioctl), EQUALS(1, TCGETS)},
	{SCMP_SYS(ioctl), EQUALS(1, TCGETS2)},
	{SCMP_SYS(ioctl), EQUALS(1, TIOCGWINSZ)},
	{SCMP_SYS(ioctl), EQUALS(1, TIOCGPGRP)},
	{SCMP_SYS(getpgrp), ANY},
	/* at the end: a file that says what was programmed goes, an output takes its name */
	{SCMP_SYS(unlink), ANY},
	{SCMP_SYS(unlinkat), ANY},
	{SCMP_SYS(rename), ANY},
	{SCMP_SYS(renameat), ANY},
	{SCMP_SYS(renameat2), ANY},
	{SCMP_SYS(fsync), ANY},
	{SCMP_SYS(fdatasync), ANY},
	{SCMP_SYS(ftruncate), ANY},
	/* an output that is replaced as a whole: a new file beside it, which is nobody's yet */
	{SCMP_SYS(openat), EQUALS(2, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC)},
	{SCMP_SYS(fchmod), ANY},
	{SCMP_SYS(readlink), ANY},
	{SCMP_SYS(readlinkat), ANY},
	/* time */
	{SCMP_SYS(clock_gettime), ANY},
	{SCMP_SYS(gettimeofday), ANY},
	{SCMP_SYS(time), ANY},
	{SCMP_SYS(clock_nanosleep), ANY},
	{SCMP_SYS(nanosleep), ANY},
	/* signals that come, and those that are passed on */
	{SCMP_SYS(rt_sigaction), ANY},
	{SCMP_SYS(rt_sigprocmask), ANY},
	{SCMP_SYS(rt_sigreturn), ANY},
	{SCMP_SYS(rt_sigtimedwait), ANY},
	{SCMP_SYS(rt_sigpending), ANY},
	{SCMP_SYS(rt_sigsuspend), ANY},
	{SCMP_SYS(sigaltstack), ANY},
	{SCMP_SYS(restart_syscall), ANY},
	{SCMP_SYS(kill), EQUALS(0, 0), COMMAND},
	{SCMP_SYS(tgkill), EQUALS(0, 0), OURSELVES},
	{SCMP_SYS(wait4), ANY},
	{SCMP_SYS(waitid), ANY},
	/* memory, of which none is ever made executable */
	{SCMP_SYS(mmap), NONE_OF(2, PROT_EXEC)},
	{SCMP_SYS(mprotect), NONE_OF(2, PROT_EXEC)},
	{SCMP_SYS(munmap), ANY},
	{SCMP_SYS(mremap), ANY},
	{SCMP_SYS(brk), ANY},
	{SCMP_SYS(madvise), ANY},
	/* threads that run already; malloc() asks how many CPUs there are */
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

/* Who serves takes connections, and makes none: sockets send to nobody but their peers. */
static const struct call serving_calls[] = {
	{SCMP_SYS(accept4), ANY},     {SCMP_SYS(epoll_ctl), ANY},
	{SCMP_SYS(epoll_wait), ANY},  {SCMP_SYS(epoll_pwait), ANY},
	{SCMP_SYS(recvfrom), ANY},    {SCMP_SYS(sendto), NONE_OF(4, UINT64_MAX)},
	{SCMP_SYS(sendmsg), ANY},     {SCMP_SYS(shutdown), ANY},
	{SCMP_SYS(getsockname), ANY}, {SCMP_SYS(setsockopt), EQUALS(1, IPPROTO_TCP)},
};

static int add_call(scmp_filter_ctx filter, const struct call *call, pid_t command)
{
	const pid_t pids[] = {[OURSELVES] = getpid(), [COMMAND] = command};

	if (call->argument < 0)
		return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call->number, 0, NULL);
	if (call->subject == COMMAND && !command)
		return 0; /* pid 0 would be our own process group */
	const struct scmp_arg_cmp compare = {
		.arg = (unsigned)call->argument,
		.op = SCMP_CMP_MASKED_EQ,
		.datum_a = call->mask,
		.datum_b = call->subject ? (scmp_datum_t)pids[call->subject] : call->value,
	};
	return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call->number, 1, &compare);
}

static int add_table(scmp_filter_ctx filter, const struct call *table, size_t count, pid_t command)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < count; i++)
		rc = add_call(filter, &table[i], command);
	return rc;
}

static int add_calls(scmp_filter_ctx filter, enum rights_use use, pid_t command)
{
	/* all threads; errors as the kernel has them; rules as a tree, since there are many */
	int rc = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);

	if (!rc)
		rc = seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1);
	if (!rc)
		rc = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	if (!rc)
		rc = add_table(filter, calls, sizeof(calls) / sizeof(calls[0]), command);
	if (!rc && use == RIGHTS_SERVE)
		rc = add_table(filter, serving_calls,
			       sizeof(serving_calls) / sizeof(serving_calls[0]), command);
	return rc;
}

/* seccomp(2): asked for a filter at no address, a kernel that knows filters says EFAULT. */
static bool kernel_has_filters(void)
{
	return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) || errno == EFAULT;
}

bool rights_can_filter(void)
{
	return !INSTRUMENTED && kernel_has_filters();
}

/*
 * What isn't in the table fails, and doesn't kill: registers that are still programmed matter more
 * than a call that nobody thought of, and a process that was killed puts nothing back.
 */
int rights_filter(enum rights_use use, pid_t command, const struct log *log, struct error *err)
{
	if (!rights_can_filter()) {
		log_write(log, LEVEL_DETAIL, "system calls are not restricted: %s",
			  INSTRUMENTED ? "this build has sanitizers"
				       : "this kernel has no seccomp filters");
		return 0;
	}
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int rc = filter ? add_calls(filter, use, command) : -ENOMEM;

	if (!rc)
		rc = seccomp_load(filter);
	seccomp_release(filter);
	return rc ? error_set(err, EXIT_FAILED, rc, "system calls can't be restricted: %s",
			      strerror(rc < 0 ? -rc : rc))
		  : 0;
}
