/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether this runs in a container, which sees only the devices that it was given.
 * Source: systemd's src/basic/virt.c, and the container interface that systemd documents.
 */
#ifndef CXLMON_LINUX_CONTAINER_H
#define CXLMON_LINUX_CONTAINER_H

#include <stdbool.h>

#define CONTAINER_NAME_SIZE 32

/* True where it does: name is then what its manager calls itself, such as "docker" or "lxc". */
bool linux_container(const char *root, char name[CONTAINER_NAME_SIZE]);

#endif
