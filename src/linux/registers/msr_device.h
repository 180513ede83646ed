/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MSR device of one CPU: /dev/cpu/N/msr or, if that is missing or not permitted,
 * /dev/cpu/N/msr_safe of the module msr-safe. Functions that return int return 0 or a negative
 * errno.
 *
 * Source of every fact here: the kernel's msr driver (arch/x86/kernel/msr.c) and msr-safe
 * (msr_entry.c, msr_allowlist.c in github.com/LLNL/msr-safe). The offset of a pread or pwrite is
 * the register's number; the driver executes an 8-byte access on CPU N. msr-safe reads only
 * registers on its allowlist, and writes only the bits of their write mask; other bits of a write
 * are ignored.
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
 * Opens root/dev/cpu/<cpu>/msr for reading and writing or, after -EACCES, -EPERM or -ENOENT,
 * msr_safe in the same directory. If neither opens, returns the error of msr: -EACCES (file
 * permission), -EPERM (CAP_SYS_RAWIO is missing), -ENXIO (CPU offline), -ENOENT (CPU offline, or
 * msr module not loaded). The caller closes handle->fd.
 */
int msr_open(struct msr_handle *handle, const char *root, unsigned cpu);

/*
 * Converts the result of a pread() or pwrite(): the driver transfers 8 bytes or fails (-errno). Any
 * other length means that the file is not the driver's (-EBADFD).
 */
static inline int msr_result(ssize_t transferred)
{
	if (transferred == sizeof(uint64_t))
		return 0;
	return transferred < 0 ? -errno : -EBADFD;
}

/*
 * Reads an MSR. -EIO: the processor rejected the access (unknown register). -EACCES: not on
 * msr-safe's allowlist.
 */
static inline int msr_read(int fd, uint32_t msr, uint64_t *value)
{
	return msr_result(pread(fd, value, sizeof(*value), msr));
}

/*
 * Writes an MSR. -EIO: unknown register, or a reserved bit. -EACCES: not on msr-safe's allowlist,
 * or with a write mask of 0. -EPERM: kernel lockdown, or the driver's allow_writes is off.
 */
static inline int msr_write(int fd, uint32_t msr, uint64_t value)
{
	return msr_result(pwrite(fd, &value, sizeof(value), msr));
}

/*
 * Checks if msr_write() is permitted, without writing a register: it tries to write one byte, which
 * the driver rejects only after it has checked lockdown and allow_writes. 0: permitted. -ENOTSUP:
 * unknown, because the file is msr-safe's, in which each register has a write mask, or because the
 * file is not a device. Any other error is one that a write returns, such as -EPERM.
 */
int msr_may_write(const struct msr_handle *handle);

/*
 * Sets *out to the cause and the remedy of code, a negative errno of the functions above. Files in
 * root/sys distinguish causes. safe: the access was through msr-safe; write: it was a write.
 */
void msr_explain(const char *root, unsigned cpu, bool safe, bool write, int code,
		 struct error *out);

#endif
