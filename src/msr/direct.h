/* SPDX-License-Identifier: BSD-3-Clause */
/* MSR access on a file that msr_system_calls have opened; results as of msr_read(), msr_write(). */
#ifndef CXLMON_MSR_DIRECT_H
#define CXLMON_MSR_DIRECT_H

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

/* The driver transfers 8 bytes or fails; any other length means that it is a different file. */
static inline int msr_result(ssize_t transferred)
{
	if (transferred == sizeof(uint64_t))
		return 0;
	return transferred < 0 ? -errno : -EBADFD;
}

static inline int msr_read_direct(int fd, uint32_t msr, uint64_t *value)
{
	return msr_result(pread(fd, value, sizeof(*value), msr));
}

static inline int msr_write_direct(int fd, uint32_t msr, uint64_t value)
{
	return msr_result(pwrite(fd, &value, sizeof(value), msr));
}

#endif
