/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of a simulated machine that are not registers. */
#ifndef CXLMON_TEST_PUBLISH_H
#define CXLMON_TEST_PUBLISH_H

#include <stdbool.h>

#include "sim/sim_machine.h"

/*
 * Creates everything below root/sys and root/proc; BARs and root/dev/mem are empty files.
 * registers: the directory below root to which config files lead (fusefs.h), or NULL.
 */
void publish_machine(const char *root, struct platform *p, const char *registers);

/* Again, after a CPU went offline or came back. */
void publish_online(const char *root, struct platform *p);

/* What the kernel says of itself: "none", "integrity" or "confidentiality"; "on", "off", "default".
 */
void publish_lockdown(const char *root, const char *state);
void publish_allow_writes(const char *root, const char *value);
/* Whether its CPUs have MSRs, and so the msr module its files. */
bool publish_has_msrs(const struct sim *sim);

void publish_watchdog(const char *root, bool runs);

/*
 * The kernel's CXL and DAX buses on a published machine: memory devices, and for each its endpoint,
 * a region of all its memory, and the dax device through which that is memory of its NUMA node.
 */
void publish_cxl(const char *root, struct platform *p);

/* Links and errors as they are now; a device that is gone has no directory on the PCI bus. */
void publish_update_devices(const char *root, struct platform *p);

/* What a kernel says of NUMA nodes: vmstat and meminfo of each, and /proc/vmstat. */
#define NODE_STATS_PERIOD_NS UINT64_C(10000000) /* how often they are updated */

void publish_node_files(const char *root, struct platform *p);

/*
 * Brings them up to date: in place, each with one call and as long as before, since programs have
 * them open. One that was removed stays away.
 */
void publish_update_nodes(const char *root, struct platform *p);

/*
 * Creates root/sys/bus/event_source, and in proc/sys/kernel the level of perf_event_paranoid and
 * the kernel's release; again, after a CPU went offline or came back.
 */
void publish_perf(const char *root, struct platform *p);

#endif
