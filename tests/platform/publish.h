/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of a simulated machine that are not registers. */
#ifndef CXLMON_TEST_PUBLISH_H
#define CXLMON_TEST_PUBLISH_H

#include <stdbool.h>

#include "sim/sim_machine.h"

/*
 * Creates everything below root/sys and root/proc; BARs and root/dev/mem are empty files. registers
 * is the directory below root to which config files lead (fusefs.h); NULL: none.
 */
void publish_machine(const char *root, struct platform *p, const char *registers);

/* Updates the files of online CPUs, after a CPU has gone offline or come back. */
void publish_online(const char *root, struct platform *p);

/* Publishes the kernel's lockdown: "none", "integrity" or "confidentiality". */
void publish_lockdown(const char *root, const char *state);
/* Publishes the msr module's parameter allow_writes: "on", "off" or "default". */
void publish_allow_writes(const char *root, const char *value);
/* Returns true if the CPUs have MSRs, so that the msr module has files. */
bool publish_has_msrs(const struct sim *sim);

void publish_watchdog(const char *root, bool runs);

/*
 * Publishes the kernel's CXL and DAX buses: memory devices, and for each its endpoint, a region
 * with all its memory, and the dax device that makes this the memory of its NUMA node.
 */
void publish_cxl(const char *root, struct platform *p);

/* Updates links and errors of devices. A device that is gone gets no directory on the PCI bus. */
void publish_update_devices(const char *root, struct platform *p);

/* Files of NUMA nodes: vmstat and meminfo of each node, and /proc/vmstat. */
#define NODE_STATS_PERIOD_NS UINT64_C(10000000) /* time between updates */

void publish_node_files(const char *root, struct platform *p);

/*
 * Updates the files of nodes in place, each with one call and without a change of its length,
 * because programs have them open. A removed file stays removed.
 */
void publish_update_nodes(const char *root, struct platform *p);

/*
 * Creates root/sys/bus/event_source, and in proc/sys/kernel the files perf_event_paranoid and the
 * kernel's release. Also for use after a CPU has gone offline or come back.
 */
void publish_perf(const char *root, struct platform *p);

#endif
