/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine of files (--root) has no memory to move bytes to and from. A load is injected through
 * the socket dev/cxlmon-load below its root: a SOCK_SEQPACKET socket on which each message is a
 * struct load_message, and so is its answer.
 */
#ifndef CXLMON_LOAD_CHANNEL_H
#define CXLMON_LOAD_CHANNEL_H

#include "platform/platform.h"

#define LOAD_CHANNEL "dev/cxlmon-load"

struct load_message {
	struct injected_load load;
	int code; /* of the answer: 0 or a negative errno */
};

/*
 * As platform_ops.inject_load. *fd is the connection, -1 before the first call; closed by the
 * caller. -ENOTSUP: root is "/", or there is no such socket.
 */
int load_channel_tell(const char *root, int *fd, struct injected_load *load, struct error *err);

#endif
