/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/capable.h"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct __user_cap_data_struct capability_sets[_LINUX_CAPABILITY_U32S_3];

static struct __user_cap_header_struct this_thread(void)
{
	return (struct __user_cap_header_struct){.version = _LINUX_CAPABILITY_VERSION_3};
}

static bool read_sets(unsigned capability, capability_sets sets)
{
	struct __user_cap_header_struct header = this_thread();

	return capability <= CAP_LAST_CAP && !syscall(SYS_capget, &header, sets);
}

bool linux_capable(unsigned capability)
{
	capability_sets sets = {{.effective = 0}};

	return read_sets(capability, sets) &&
	       sets[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability);
}

bool linux_permitted(unsigned capability)
{
	capability_sets sets = {{.permitted = 0}};

	return read_sets(capability, sets) &&
	       sets[CAP_TO_INDEX(capability)].permitted & CAP_TO_MASK(capability);
}

bool linux_make_effective(unsigned capability, bool effective)
{
	struct __user_cap_header_struct header = this_thread();
	capability_sets sets = {{.permitted = 0}};

	if (!linux_permitted(capability) || linux_capable(capability) == effective ||
	    !read_sets(capability, sets))
		return false;
	sets[CAP_TO_INDEX(capability)].effective ^= CAP_TO_MASK(capability);
	return !syscall(SYS_capset, &header, sets);
}
