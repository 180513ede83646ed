/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/registers/msr_device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "linux/kernel/limits.h"
#include "msr/core_pmu.h"

int msr_open(struct msr_handle *handle, const char *root, unsigned cpu)
{
	const int fd = rootfs_open(O_RDWR, root, "dev/cpu/%u/msr", cpu);

	*handle = (struct msr_handle){.fd = fd};
	if (fd == -ENOENT || fd == -EACCES || fd == -EPERM) {
		handle->fd = rootfs_open(O_RDWR, root, "dev/cpu/%u/msr_safe", cpu);
		handle->safe = handle->fd >= 0;
	}
	if (handle->fd >= 0)
		return 0;
	handle->fd = -1;
	return fd;
}

int msr_may_write(const struct msr_handle *handle)
{
	const char byte = 0;
	struct stat st;

	/* a device has no size */
	if (handle->safe || fstat(handle->fd, &st) || st.st_size)
		return -ENOTSUP;
	if (pwrite(handle->fd, &byte, sizeof(byte), IA32_PERF_GLOBAL_CTRL) >= 0)
		return -EBADFD;
	return errno == EINVAL ? 0 : -errno;
}

/* Sets the hint, and appends words and the hint to the reason. */
__attribute__((format(printf, 3, 4))) static void append_command(struct error *out,
								 const char *words,
								 const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(out->command, sizeof(out->command), format, args);
	va_end(args);
	text_append(out->text, sizeof(out->text), "%s%s", words, out->command);
}

static void explain_offline(unsigned cpu, struct error *out)
{
	error_set(out, ERROR_FAILED, out->code, "CPU %u is offline", cpu);
	append_command(out, "; to bring it online: ",
		       "echo 1 | sudo tee /sys/devices/system/cpu/cpu%u/online", cpu);
}

/*
 * Tells if a list of sysfs has a CPU. A kernel without CPU hotplug has no such files, and all its
 * CPUs are online.
 */
static bool is_in_list(const char *root, const char *name, unsigned cpu)
{
	char list[NUMLIST_SIZE];

	return rootfs_line(list, sizeof(list), root, "sys/devices/system/cpu/%s", name) ||
	       numlist_contains(list, cpu);
}

static void explain_missing_device(const char *root, unsigned cpu, struct error *out)
{
	if (!is_in_list(root, "possible", cpu)) {
		error_set(out, ERROR_FAILED, out->code, "this machine has no CPU %u", cpu);
	} else if (!is_in_list(root, "online", cpu)) {
		explain_offline(cpu, out);
	} else if (rootfs_exists(root, "sys/module/msr")) {
		error_set(out, ERROR_PERMISSION, out->code,
			  "the msr module is loaded, but /dev/cpu/%u/msr does not exist; in a "
			  "container, start it with access to /dev/cpu",
			  cpu);
		error_hint(out,
			   "docker run --privileged --user 0 -v /run/cxlmon:/run/cxlmon IMAGE");
	} else {
		error_set(out, ERROR_PERMISSION, out->code,
			  "/dev/cpu/%u/msr does not exist because the msr module is not loaded",
			  cpu);
		append_command(out, "; to load it: ", "sudo modprobe msr");
	}
}

/* Tells if lockdown, or the driver's allow_writes, refuses writes; sets the reason. */
static bool explain_refused_write(const char *root, struct error *out)
{
	char allow[16];

	if (lockdown_explain(root, "MSR writes", out->code, out))
		return true;
	rootfs_line(allow, sizeof(allow), root, "sys/module/msr/parameters/allow_writes");
	if (strcmp(allow, "off") != 0)
		return false;
	error_set(out, ERROR_PERMISSION, out->code, "the msr module's allow_writes is off");
	append_command(out, "; to allow writes: ",
		       "echo on | sudo tee /sys/module/msr/parameters/allow_writes");
	return true;
}

static void explain_eperm(const char *root, bool write, struct error *out)
{
	if (write && explain_refused_write(root, out))
		return;
	error_set(out, ERROR_PERMISSION, out->code,
		  "the capability CAP_SYS_RAWIO is missing; " ERROR_RUN_AS_ROOT
		  ", or in a container "
		  "with --cap-add SYS_RAWIO");
	error_hint(out, ERROR_COMMAND_AS_ROOT);
}

void msr_explain(const char *root, unsigned cpu, bool safe, bool write, int code, struct error *out)
{
	out->code = code;
	switch (-code) {
	case ENOENT:
		explain_missing_device(root, cpu, out);
		break;
	case ENXIO:
		explain_offline(cpu, out);
		break;
	case EACCES:
		if (safe) {
			/* its write mask may also be 0 */
			error_set(out, ERROR_PERMISSION, code,
				  "the register is not on the allowlist of msr-safe "
				  "(/dev/cpu/%u/msr_safe)",
				  cpu);
			append_command(
				out, "; to allow what cxlmon uses: ",
				"cxlmon register allowlist | sudo tee /dev/cpu/msr_allowlist");
			break;
		}
		error_set(out, ERROR_PERMISSION, out->code,
			  "no permission to open /dev/cpu/%u/msr; " ERROR_RUN_AS_ROOT, cpu);
		error_hint(out, ERROR_COMMAND_AS_ROOT);
		break;
	case EPERM:
		explain_eperm(root, write, out);
		break;
	case EIO:
		error_set(
			out, ERROR_FAILED, out->code,
			write ? "rejected by the processor: no such register, or a reserved bit is set"
			      : "rejected by the processor: no such register");
		break;
	case EBADFD:
		error_set(out, ERROR_FAILED, out->code, "/dev/cpu/%u/%s is not the %s device", cpu,
			  safe ? "msr_safe" : "msr", safe ? "msr-safe module's" : "msr driver's");
		break;
	default:
		error_set(out, ERROR_FAILED, out->code, "%s", strerror(-code));
		break;
	}
}
