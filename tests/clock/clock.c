/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loaded into cxlmon by LD_PRELOAD: each event that it opens becomes the clock of CPU 0, whatever
 * it was, so that the kernel of any machine counts on PMUs that only a published machine has. Every
 * event then counts 10^9 a second. All else is the kernel's: groups, times, rights.
 */
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARGUMENTS 6 /* of a system call, at most */

typedef long (*syscall_fn)(long number, ...);

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
	if (number == SYS_perf_event_open)
		replace((struct perf_event_attr *)arguments[0], &arguments[2]);
	return next(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
		    arguments[5]);
}
