/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MSR handle: one open /dev/cpu/N/msr, or, where that may not be opened, msr-safe's
 * /dev/cpu/N/msr_safe.
 *
 * Source of every fact here: the kernel's msr driver (arch/x86/kernel/msr.c) and msr-safe
 * (msr_entry.c, msr_allowlist.c in github.com/LLNL/msr-safe). The offset of a pread or pwrite is
 * the register's number; 8 bytes are one access, which the driver carries out on CPU N. msr-safe
 * reads only registers that are on its allowlist, and of what is written takes only the bits that
 * its mask has; others stay as they are.
 */
#ifndef CXLMON_MSR_DEVICE_H
#define CXLMON_MSR_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "platform/platform.h"

/* The system calls that a handle makes, so that a test can stand in for the kernel. */
struct msr_calls {
	int (*open)(const char *path, int flags);
	ssize_t (*pread)(int fd, void *buffer, size_t bytes, off_t offset);
	ssize_t (*pwrite)(int fd, const void *buffer, size_t bytes, off_t offset);
	int (*close)(int fd);
};

extern const struct msr_calls msr_system_calls;

struct msr_handle {
	const struct msr_calls *calls;
	int fd;	   /* -1 while closed */
	bool safe; /* it is msr-safe's */
};

/*
 * Opens root/dev/cpu/<cpu>/msr for reading and writing, or msr_safe beside it. Errors are those of
 * msr: -EACCES (file permission), -EPERM (CAP_SYS_RAWIO), -ENXIO (CPU offline), -ENOENT (CPU
 * offline, or no module).
 */
int msr_open(struct msr_handle *handle, const struct msr_calls *calls, const char *root,
	     unsigned cpu);
void msr_close(struct msr_handle *handle);

/*
 * -EIO: the processor refused (unknown register, or a reserved bit written). -EACCES: msr-safe did,
 * because of its allowlist.
 */
int msr_read(const struct msr_handle *handle, uint32_t msr, uint64_t *value);
/* -EPERM besides: kernel lockdown, or the driver's allow_writes is off. */
int msr_write(const struct msr_handle *handle, uint32_t msr, uint64_t value);

/*
 * Tells apart what the same errno can mean, by looking at root/dev/cpu and root/sys. safe: the
 * access went through msr-safe.
 */
void msr_explain(const char *root, unsigned cpu, bool safe, bool write, int code,
		 struct reason *out);

#endif
