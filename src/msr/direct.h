/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One MSR by the shortest way: the system call itself, on what msr_system_calls have opened. There
 * are dozens in a sample. pread() of a library that knows of threads looks at each call whether its
 * thread is to be cancelled, and syscall() moves every argument once more; either takes longer than
 * all else that is done here.
 *
 * Results are those of msr_read() and msr_write(). Registers of a system call: the System V ABI,
 * AMD64 supplement, A.2.1.
 */
#ifndef CXLMON_MSR_DIRECT_H
#define CXLMON_MSR_DIRECT_H

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>

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

/* The driver moves 8 bytes or fails; anything between means that it is some other file. */
static inline int msr_outcome(long moved)
{
	if (moved == sizeof(uint64_t))
		return 0;
	return moved < 0 ? (int)moved : -EBADFD;
}

static inline int msr_read_direct(int fd, uint32_t msr, uint64_t *value)
{
	return msr_outcome(msr_call(SYS_pread64, fd, value, msr));
}

static inline int msr_write_direct(int fd, uint32_t msr, uint64_t value)
{
	return msr_outcome(msr_call(SYS_pwrite64, fd, &value, msr));
}

#endif
