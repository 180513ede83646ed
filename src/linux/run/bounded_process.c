/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/bounded_process.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/number.h"
#include "linux/kernel/clock.h"
#include "linux/run/process.h"

static bool set_limit(int resource, uint64_t value)
{
	const struct rlimit limit = {value, value};

	return !setrlimit(resource, &limit);
}

/*
 * Sets limits of this process. SIGALRM ends it in time; a process that did so would not end with
 * the run.
 */
static bool set_limits(const struct bounded_limits *limits)
{
	const struct itimerval timer = {.it_value.tv_sec = (time_t)limits->seconds};
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	return signal(SIGALRM, SIG_DFL) != SIG_ERR && !sigprocmask(SIG_UNBLOCK, &alarm, NULL) &&
	       !setitimer(ITIMER_REAL, &timer, NULL) && set_limit(RLIMIT_NPROC, 0) &&
	       (!limits->cpu_seconds || set_limit(RLIMIT_CPU, limits->cpu_seconds)) &&
	       (!limits->memory_bytes || set_limit(RLIMIT_AS, limits->memory_bytes));
}

static void close_others(int socket, int kept)
{
	const int low = kept < socket ? kept : socket, high = kept < socket ? socket : kept;

	for (int fd = 0; fd < high; fd++)
		if (fd != low)
			close(fd);
	close_files(high + 1, false);
}

pid_t bounded_fork(const struct bounded_limits *limits, int kept, struct bounded_process *out)
{
	const pid_t parent = getpid();
	int socket;
	const pid_t pid = helper_fork(&socket);

	if (!pid) {
		if (!helper_end_with(parent) || !set_limits(limits))
			_exit(EXIT_FAILURE);
		close_others(socket, kept);
	}
	*out = (struct bounded_process){.socket = socket};
	if (pid > 0)
		out->deadline_ns = clock_monotonic() + limits->seconds * NS_PER_S;
	return pid;
}
