/* SPDX-License-Identifier: BSD-3-Clause */
/* CPU topology: socket and NUMA node of each CPU, from root/sys/devices/system. */
#ifndef CXLMON_LINUX_TOPOLOGY_H
#define CXLMON_LINUX_TOPOLOGY_H

#include "platform/platform.h"

int linux_topology(const char *root, struct topology *out, struct error *err);

/* The lowest-numbered CPU that is present but offline; -1: none. */
int linux_offline_cpu(const char *root);

#endif
