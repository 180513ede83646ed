/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loaded into cxlmon by LD_PRELOAD: each event that it opens becomes the clock of CPU 0, whatever
 * it was, so that the kernel of any machine counts on PMUs that only a published machine has. Every
 * event then counts 10^9 per second. All else is the kernel's: groups, times, rights.
 *
 * With CLOCK_MEDIATED in the environment, a virtual machine of KVM has the counters of CPUs: events
 * of them are refused unless they exclude guests, which other PMUs do not take.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARGUMENTS 6 /* largest number of arguments of a system call */

typedef long (*syscall_fn)(long number, ...);

/* 0: the event is opened. Source: mediated_pmu_account_event() of Linux 7.0, and
 * PERF_PMU_CAP_NO_EXCLUDE. */
static int refusal(const struct perf_event_attr *attr)
{
	if (!getenv("CLOCK_MEDIATED"))
		return 0;
	if (attr->type == PERF_TYPE_RAW)
		return attr->exclude_guest ? 0 : EOPNOTSUPP;
	return attr->exclude_guest ? EINVAL : 0;
}

static void replace(struct perf_event_attr *attr, long *cpu)
{
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	attr->config1 = 0;
	attr->config2 = 0;
	attr->exclude_user = 0;
	attr->exclude_kernel = 0;
	*cpu = 0;
}

__attribute__((visibility("default"))) long syscall(long number, ...)
{
	const syscall_fn next = (syscall_fn)dlsym(RTLD_NEXT, "syscall");
	long arguments[ARGUMENTS];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < ARGUMENTS; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	/* struct perf_event_attr *, pid, cpu, group, flags */
	if (number == SYS_perf_event_open) {
		errno = refusal((const struct perf_event_attr *)arguments[0]);
		if (errno)
			return -1;
		replace((struct perf_event_attr *)arguments[0], &arguments[2]);
	}
	return next(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
		    arguments[5]);
}
