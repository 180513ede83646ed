/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of a simulated machine that are not registers. */
#ifndef CXLMON_TEST_PUBLISH_H
#define CXLMON_TEST_PUBLISH_H

#include <stdbool.h>

#include "sim/sim_machine.h"

/*
 * Creates everything below root/sys and root/proc; BARs and root/dev/mem are empty files.
 * registers: the directory below root to which config files lead (regfs.h), or NULL.
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

#endif
