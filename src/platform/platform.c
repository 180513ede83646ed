/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/platform.h"

#include <stddef.h>

void platform_destroy(struct platform *p)
{
	if (!p)
		return;
	guard_free(&p->guard);
	p->ops->destroy(p);
}
