/* SPDX-License-Identifier: BSD-3-Clause */
/* Which CPU is in which socket and on which NUMA node, from root/sys/devices/system. */
#ifndef CXLMON_LINUX_TOPOLOGY_H
#define CXLMON_LINUX_TOPOLOGY_H

#include "platform/platform.h"

int linux_topology(const char *root, struct topology *out, struct error *err);

/* The lowest CPU that the machine has but that is offline; -1 where there is none. */
int linux_offline_cpu(const char *root);

#endif
