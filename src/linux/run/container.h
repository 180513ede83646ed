/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Detection of containers, which see only the devices passed to them.
 *
 * Source: systemd's src/basic/virt.c, and the container interface that systemd documents.
 */
#ifndef CXLMON_LINUX_RUN_CONTAINER_H
#define CXLMON_LINUX_RUN_CONTAINER_H

#include <stdbool.h>

#define CONTAINER_NAME_SIZE 32

/*
 * Tells if this process runs in a container. If so, sets name to the container's manager, such as
 * "docker", or to the sign by which the container was found.
 */
bool linux_container(const char *root, char name[CONTAINER_NAME_SIZE]);

#endif
