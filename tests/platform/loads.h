/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a load is injected into a published machine: linux/linux_private.h. */
#ifndef CXLMON_TEST_LOADS_H
#define CXLMON_TEST_LOADS_H

#include <stdint.h>

#include "platform/platform.h"

#define LOADS_FILES 5 /* one listens, the others are connections */

struct loads {
	struct platform *platform;
	int fds[LOADS_FILES];	     /* to be polled; -1: free */
	uint64_t nodes[LOADS_FILES]; /* that each connection has a load on, as bits */
};

/* Listens below root. Fails by errx(). */
void loads_open(struct loads *loads, const char *root, struct platform *p);
void loads_close(struct loads *loads);

/* fds[index] can be read. */
void loads_serve(struct loads *loads, size_t index);

#endif
