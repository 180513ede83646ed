/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/rights.h"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

bool linux_capable(unsigned capability)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {{0}};

	/* libc has no wrapper that it declares */
	if (capability / 32 >= _LINUX_CAPABILITY_U32S_3 || syscall(SYS_capget, &header, sets))
		return false;
	return sets[capability / 32].effective >> (capability % 32) & 1;
}
