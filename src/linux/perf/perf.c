/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/perf/perf.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "linux/kernel/limits.h"
#include "linux/run/container.h"
#include "linux/run/process.h"
#include "linux/system/linux_platform.h"
#include "platform/perf.h"

#define EVERY_CPU (~0U) /* -1 of perf_event_open(2) */

#define READING_HEADER offsetof(struct perf_reading, values)

/* read(2) stores a group directly in struct perf_reading. */
_Static_assert(offsetof(struct perf_reading, enabled_ns) == 8 &&
		       offsetof(struct perf_reading, running_ns) == 16 && READING_HEADER == 24,
	       "struct perf_reading has the layout of PERF_FORMAT_GROUP with both times");

static bool is_this_machine(const char *root)
{
	struct stat given, own;

	return !stat(root, &given) && !stat("/", &own) && given.st_dev == own.st_dev &&
	       given.st_ino == own.st_ino;
}

static int open_event(struct perf_event_attr *attr, const struct perf_target *target)
{
	const long fd = syscall(SYS_perf_event_open, attr, target->process, (int)target->cpu,
				target->leader, PERF_FLAG_FD_CLOEXEC | target->flags);

	return fd < 0 ? -errno : (int)fd;
}

/*
 * Opens an event with CAP_PERFMON. If a program's file has only the permitted capability (setcap
 * cap_perfmon=p), the capability is not effective at the start. Unlike with cap_perfmon=ep, such a
 * file can also be executed if the bounding set lacks the capability, as in a container without it.
 */
static int open_as_perfmon(struct perf_event_attr *attr, const struct perf_target *target,
			   int refused)
{
	if (!linux_make_effective(CAP_PERFMON, true))
		return refused;
	const int fd = open_event(attr, target);

	/* a program that uses the library keeps its capabilities unchanged */
	linux_make_effective(CAP_PERFMON, false);
	return fd;
}

static int open_as_allowed(struct perf_event_attr *attr, const struct perf_target *target)
{
	int fd = open_event(attr, target);

	if (fd == -EMFILE && file_limit_raise())
		fd = open_event(attr, target);
	return fd == -EACCES || fd == -EPERM ? open_as_perfmon(attr, target, fd) : fd;
}

/*
 * Tells if KVM's mediated PMU gives virtual machines the counters of CPUs. While such a machine
 * runs, an event of a CPU must exclude guests (else: -EOPNOTSUPP); while an event does not exclude
 * them, no such machine can be started. Source: kernel/events/core.c, mediated_pmu_account_event()
 * and perf_create_mediated_pmu() of Linux 7.0.
 */
static bool kvm_mediates(const char *root)
{
	static const char *const modules[] = {"kvm_intel", "kvm_amd"};
	char line[8];

	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (!rootfs_line(line, sizeof(line), root,
				 "sys/module/%s/parameters/enable_mediated_pmu", modules[i]) &&
		    !strcmp(line, "Y"))
			return true;
	return false;
}

static void say_without_guests(struct linux_platform *l)
{
	if (!l->said_without_guests)
		log_write(&l->base.log, LEVEL_NOTE,
			  "events in virtual machines are not counted: KVM gives them the "
			  "counters (enable_mediated_pmu)");
	l->said_without_guests = true;
}

int linux_perf_open_attr(struct platform *p, struct perf_event_attr *attr,
			 const struct perf_target *target)
{
	struct linux_platform *l = linux_of(p);

	if (!is_this_machine(l->root))
		return -EOPNOTSUPP;
	attr->exclude_guest = attr->type == PERF_TYPE_RAW && kvm_mediates(l->root);
	int fd = open_as_allowed(attr, target);
	/* the module may be hidden, as in a container */
	if (fd == -EOPNOTSUPP && !attr->exclude_guest) {
		attr->exclude_guest = true;
		const int without = open_as_allowed(attr, target);
		fd = without < 0 ? fd : without;
	}
	if (fd >= 0 && attr->exclude_guest)
		say_without_guests(l);
	return fd;
}

bool linux_perf_is_permitted(void)
{
	struct perf_event_attr attr = {.size = sizeof(attr),
				       .type = PERF_TYPE_SOFTWARE,
				       .config = PERF_COUNT_SW_DUMMY,
				       .disabled = true};
	const int fd = open_event(&attr, &(struct perf_target){.process = -1,
							       .cpu = (unsigned)sched_getcpu(),
							       .leader = -1});

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Opens an event. Members are not disabled, because they count only while their leader does. */
int linux_perf_open(struct platform *p, const struct perf_event *event)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = event->type,
		.config = event->config[0],
		.config1 = event->config[1],
		.config2 = event->config[2],
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = event->leader < 0,
		.exclude_user = event->exclude_user,
		.exclude_kernel = event->exclude_kernel,
		.inherit = event->thread != 0,
	};
	const struct perf_target target = {
		.process = event->thread ? (int)event->thread : -1,
		.cpu = event->thread ? EVERY_CPU : event->cpu,
		.leader = event->leader,
	};

	return linux_perf_open_attr(p, &attr, &target);
}

int linux_perf_threads(struct platform *p, unsigned pid, unsigned **out, size_t *count,
		       struct error *err)
{
	if (linux_processes.threads(p, pid, out, count))
		return error_no_memory(err);
	if (*count)
		return 0;
	free(*out);
	*out = NULL;
	return error_set(err, ERROR_NO_UNIT, -ESRCH, "process %u does not exist", pid);
}

/*
 * Enables or disables a group, without PERF_IOC_FLAG_GROUP, which would interrupt the CPU once for
 * each member.
 */
int linux_perf_enable(struct platform *p, int leader, bool on)
{
	(void)p;
	return ioctl(leader, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0) ? -errno : 0;
}

/*
 * Reads a group. Reading 0 bytes means that the event is in an error state, and has stopped
 * counting.
 */
int linux_perf_read(struct platform *p, int leader, struct perf_reading *out)
{
	const ssize_t got = read(leader, out, sizeof(*out));

	(void)p;
	if (got < 0)
		return -errno;
	if ((size_t)got < READING_HEADER || out->count > PERF_GROUP_MAX ||
	    (size_t)got != READING_HEADER + out->count * sizeof(out->values[0]))
		return -EIO;
	return 0;
}

void linux_perf_close(struct platform *p, int handle)
{
	(void)p;
	close(handle);
}

struct perf_rights linux_perf_rights(const char *root)
{
	char name[CONTAINER_NAME_SIZE];

	return (struct perf_rights){
		.paranoid = rootfs_int(root, -2, "proc/sys/kernel/perf_event_paranoid"),
		.perfmon = linux_permitted(CAP_PERFMON),
		.admin = linux_capable(CAP_SYS_ADMIN),
		.container = linux_container(root, name),
		.mediated = kvm_mediates(root),
	};
}

void linux_perf_explain(struct platform *p, int code, struct error *out)
{
	const char *root = linux_of(p)->root;
	const struct perf_rights rights = linux_perf_rights(root);

	perf_explain_code(code, &rights, out);
	if (code == -EOPNOTSUPP && !is_this_machine(root))
		error_set(out, ERROR_NO_UNIT, code,
			  "a machine of files (--root) has no kernel "
			  "that counts");
}
