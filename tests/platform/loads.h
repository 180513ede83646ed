/* SPDX-License-Identifier: BSD-3-Clause */
/* The socket by which loads are injected into a published machine: linux/linux_private.h. */
#ifndef CXLMON_TEST_LOADS_H
#define CXLMON_TEST_LOADS_H

#include <stdint.h>

#include "platform/platform.h"

#define LOADS_FILES 5 /* one socket that listens, and connections */

struct loads {
	struct platform *platform;
	int fds[LOADS_FILES];	     /* descriptors to be polled; -1: free */
	uint64_t nodes[LOADS_FILES]; /* bit i: the connection has a load on node i */
};

/* Listens below root. Ends the process by errx() on failure. */
void loads_open(struct loads *loads, const char *root, struct platform *p);
void loads_close(struct loads *loads);

/* Serves fds[index], which can be read. */
void loads_serve(struct loads *loads, size_t index);

#endif
