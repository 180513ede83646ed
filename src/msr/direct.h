/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MSR access by inline system calls, on a file that msr_system_calls have opened. A sample reads
 * dozens of MSRs; the C library's pread() checks for thread cancellation at each call, and
 * syscall() moves all arguments once more, which takes longer than the rest of the access in user
 * space.
 *
 * Results are those of msr_read() and msr_write(). Registers of a system call: System V ABI, AMD64
 * supplement, A.2.1. Processors of other architectures have no MSRs: there, it need not be fast.
 */
#ifndef CXLMON_MSR_DIRECT_H
#define CXLMON_MSR_DIRECT_H

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
static inline long msr_call(long number, int fd, void *value, uint32_t msr)
{
	register long offset __asm__("r10") = msr;
	long rc;

	__asm__ volatile("syscall"
			 : "=a"(rc)
			 : "a"(number), "D"((long)fd), "S"(value), "d"(sizeof(uint64_t)),
			   "r"(offset)
			 : "rcx", "r11", "memory");
	return rc;
}
#else
static inline long msr_call(long number, int fd, void *value, uint32_t msr)
{
	const long rc = syscall(number, fd, value, sizeof(uint64_t), (off_t)msr);

	return rc < 0 ? -errno : rc;
}
#endif

/* The driver transfers 8 bytes or fails; any other length means that it is a different file. */
static inline int msr_result(long transferred)
{
	if (transferred == sizeof(uint64_t))
		return 0;
	return transferred < 0 ? (int)transferred : -EBADFD;
}

static inline int msr_read_direct(int fd, uint32_t msr, uint64_t *value)
{
	return msr_result(msr_call(SYS_pread64, fd, value, msr));
}

static inline int msr_write_direct(int fd, uint32_t msr, uint64_t value)
{
	return msr_result(msr_call(SYS_pwrite64, fd, &value, msr));
}

#endif
