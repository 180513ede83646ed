/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MSR device of one CPU: /dev/cpu/N/msr, or /dev/cpu/N/msr_safe of the module msr-safe.
 * Functions that return int return 0 or a negative errno.
 *
 * The offset of a pread() or pwrite() is the register's number; the driver executes an 8-byte
 * access on CPU N. msr-safe permits only registers on its allowlist. The list has a write mask for
 * each register: a write changes only the bits of the mask, and ignores other bits.
 *
 * Source of every fact here: the kernel's msr driver (arch/x86/kernel/msr.c) and msr-safe
 * (msr_entry.c, msr_allowlist.c in github.com/LLNL/msr-safe).
 */
#ifndef CXLMON_LINUX_REGISTERS_MSR_DEVICE_H
#define CXLMON_LINUX_REGISTERS_MSR_DEVICE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/error.h"

struct msr_handle {
	int fd;	   /* -1 while closed */
	bool safe; /* msr-safe's device */
};

/*
 * Opens root/dev/cpu/<cpu>/msr for reading and writing. After -EACCES, -EPERM or -ENOENT, opens
 * msr_safe in the same directory. The caller closes handle->fd. If neither opens, returns the error
 * of msr:
 *
 * - -EACCES: permissions of the file
 * - -EPERM: CAP_SYS_RAWIO is missing
 * - -ENXIO: the CPU is offline
 * - -ENOENT: the CPU is offline, or the msr module is not loaded
 */
int msr_open(struct msr_handle *handle, const char *root, unsigned cpu);

/*
 * Converts the result of a pread() or pwrite(). Returns 0 for 8 bytes, and -errno after a failure.
 * -EBADFD: another length, so the file is not the driver's.
 */
static inline int msr_result(ssize_t transferred)
{
	if (transferred == sizeof(uint64_t))
		return 0;
	return transferred < 0 ? -errno : -EBADFD;
}

/*
 * Reads an MSR. -EIO: the processor rejected the access (unknown register). -EACCES: the register
 * is not on msr-safe's allowlist.
 */
static inline int msr_read(int fd, uint32_t msr, uint64_t *value)
{
	return msr_result(pread(fd, value, sizeof(*value), msr));
}

/*
 * Writes an MSR. -EIO: unknown register, or a reserved bit. -EACCES: the register is not on
 * msr-safe's allowlist, or has a write mask of 0. -EPERM: kernel lockdown, or the driver's
 * allow_writes is off.
 */
static inline int msr_write(int fd, uint32_t msr, uint64_t value)
{
	return msr_result(pwrite(fd, &value, sizeof(value), msr));
}

/*
 * Checks if msr_write() is permitted, without writing a register. It tries to write one byte: the
 * driver checks lockdown and allow_writes, and then rejects the length. Returns 0 if permitted.
 * -ENOTSUP: unknown, because either the file is not a device, or msr-safe decides by register.
 * Other errors are as from msr_write().
 */
int msr_may_write(const struct msr_handle *handle);

/*
 * Sets *out to the cause and the remedy of code, a negative errno of the functions above. Reads
 * files in root/sys to tell causes apart. safe: the access was through msr-safe; write: it was a
 * write.
 */
void msr_explain(const char *root, unsigned cpu, bool safe, bool write, int code,
		 struct error *out);

#endif
