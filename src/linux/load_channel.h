/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine of files (--root) has no memory to move bytes to and from. It is told of a load on the
 * socket dev/cxlmon-load below its root: a SOCK_SEQPACKET socket on which each message is a struct
 * load_message, and so is its answer.
 */
#ifndef CXLMON_LOAD_CHANNEL_H
#define CXLMON_LOAD_CHANNEL_H

#include "platform/platform.h"

#define LOAD_CHANNEL "dev/cxlmon-load"

struct load_message {
	struct told_load load;
	int code; /* of the answer: 0 or a negative errno */
};

/*
 * As platform_ops.tell_load. *fd is the connection, -1 before the first call; closed by the caller.
 * -ENOTSUP: root is "/", or there is no such socket.
 */
int load_channel_tell(const char *root, int *fd, struct told_load *load, struct error *err);

#endif
