/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-week.so, for LD_PRELOAD: the clocks of a program go faster, and so does whatever waits by
 * them; or they stand, and are moved on by others, and by a wait that no signal can end.
 * CXLMON_WEEK names a file of struct week, in which the clocks may be moved on, the wall clock be
 * set and a suspension be added at any time; all programs that share it have the same time.
 *
 * Time that a process has used is its own, but none where clocks stand; waits without a timeout are
 * its own, too. The functions are those by which cxlmon, cxlmon-http and libmicrohttpd ask for the
 * time or wait for it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define EXPORTED  __attribute__((visibility("default")))
#define NS_PER_S  INT64_C(1000000000)
#define NS_PER_MS 1000000
#define LOOK_NS	  NS_PER_MS /* a wait by a clock that stands ends early, to look at it again */

/* All in ns, but the first; tests/week/week writes it. */
struct week {
	int64_t speed;		   /* how much faster, a whole number; 0: clocks stand */
	int64_t began;		   /* CLOCK_MONOTONIC of this machine when the week began */
	int64_t utc;		   /* since 1970, at that moment of the week */
	_Atomic int64_t suspended; /* in total */
	_Atomic int64_t set;	   /* how far the wall clock was also set since */
	_Atomic int64_t moved;	   /* how far all clocks were moved on */
};

/* The kernel's functions, of the C library. */
struct kernel {
	int (*gettime)(clockid_t clock, struct timespec *time);
	int (*sleep)(const struct timespec *time, struct timespec *left);
	int (*poll)(struct pollfd *files, nfds_t count, const struct timespec *time,
		    const sigset_t *mask);
	int (*wait)(const sigset_t *set, siginfo_t *info, const struct timespec *time);
};

/* Set once: a clock brings no context along. */
static pthread_once_t opened = PTHREAD_ONCE_INIT;
static struct week *week;
static struct kernel kernel;

static void *find(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (!found) {
		fprintf(stderr, "cxlmon-week: no %s\n", name);
		abort();
	}
	return found;
}

static void open_week(void)
{
	const char *name = getenv("CXLMON_WEEK");
	const int fd = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
	void *mapped =
		fd < 0 ? MAP_FAILED
		       : mmap(NULL, sizeof(*week), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	kernel.gettime = (int (*)(clockid_t, struct timespec *))find("clock_gettime");
	kernel.sleep = (int (*)(const struct timespec *, struct timespec *))find("nanosleep");
	kernel.poll = (int (*)(struct pollfd *, nfds_t, const struct timespec *,
			       const sigset_t *))find("ppoll");
	kernel.wait = (int (*)(const sigset_t *, siginfo_t *, const struct timespec *))find(
		"sigtimedwait");
	if (mapped == MAP_FAILED) {
		perror("cxlmon-week: CXLMON_WEEK");
		abort();
	}
	close(fd);
	week = mapped;
}

/* Before main(), after which files cannot be opened; another library's constructor may be earlier.
 */
__attribute__((constructor)) static void open_once(void)
{
	pthread_once(&opened, open_week);
}

static int64_t ns_of(const struct timespec *time)
{
	return time->tv_sec * NS_PER_S + time->tv_nsec;
}

static struct timespec time_of(int64_t ns)
{
	return (struct timespec){.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
}

/* How long this machine waits for so many ns of the week: none too early, unless clocks stand. */
static struct timespec wait_of(int64_t ns)
{
	open_once();
	if (!week->speed)
		return time_of(ns < LOOK_NS ? ns : LOOK_NS);
	return time_of((ns + week->speed - 1) / week->speed);
}

/* ns of the week since it began. */
static int64_t passed(void)
{
	struct timespec now;

	kernel.gettime(CLOCK_MONOTONIC, &now);
	return (ns_of(&now) - week->began) * week->speed + atomic_load(&week->moved);
}

EXPORTED int clock_gettime(clockid_t clock, struct timespec *time)
{
	open_once();
	switch (clock) {
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
		*time = time_of(week->began + passed());
		return 0;
	case CLOCK_BOOTTIME:
		*time = time_of(week->began + passed() + atomic_load(&week->suspended));
		return 0;
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
		*time = time_of(week->utc + passed() + atomic_load(&week->suspended) +
				atomic_load(&week->set));
		return 0;
	default:
		*time = time_of(0);
		return week->speed ? kernel.gettime(clock, time) : 0;
	}
}

EXPORTED time_t time(time_t *out)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (out)
		*out = now.tv_sec;
	return now.tv_sec;
}

EXPORTED int nanosleep(const struct timespec *time, struct timespec *left)
{
	const struct timespec wait = wait_of(ns_of(time));
	const int rc = kernel.sleep(&wait, left);

	if (rc && left)
		*left = time_of(ns_of(left) * week->speed);
	return rc;
}

EXPORTED int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *time)
{
	const struct timespec wait = wait_of(time ? ns_of(time) : 0);

	if (!week->speed && time && sigisemptyset(set)) {
		atomic_fetch_add(&week->moved, ns_of(time));
		errno = EAGAIN;
		return -1;
	}
	return kernel.wait(set, info, time ? &wait : NULL);
}

EXPORTED int ppoll(struct pollfd *files, nfds_t count, const struct timespec *time,
		   const sigset_t *mask)
{
	const struct timespec wait = wait_of(time ? ns_of(time) : 0);

	return kernel.poll(files, count, time ? &wait : NULL, mask);
}

EXPORTED int poll(struct pollfd *files, nfds_t count, int ms)
{
	const struct timespec time = time_of((int64_t)ms * NS_PER_MS);

	return ppoll(files, count, ms < 0 ? NULL : &time, NULL);
}
