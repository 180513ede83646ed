/* SPDX-License-Identifier: BSD-3-Clause */
/* CPUs, from ROOT/sys/devices/system/cpu. */
#ifndef CXLMON_LINUX_SYSTEM_TOPOLOGY_H
#define CXLMON_LINUX_SYSTEM_TOPOLOGY_H

#include "platform/cpus.h"
#include "platform/platform.h"

/* As cpu_ops.topology. */
int linux_topology(struct platform *p, struct topology *out, struct error *err);

/* The lowest-numbered CPU that is present but offline; -1: none. */
int linux_offline_cpu(const char *root);

#endif
