/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the kernel is locked down: then it lets nobody write MSRs or map memory of devices.
 * Source: the kernel's security/lockdown/lockdown.c.
 */
#ifndef CXLMON_LOCKDOWN_H
#define CXLMON_LOCKDOWN_H

#include <stdbool.h>

#define LOCKDOWN_STATE_SIZE 64

/* Where Secure Boot is what turned it on; it takes effect at the next boot. */
#define LOCKDOWN_COMMAND "sudo mokutil --disable-validation"

/* True where it is in force: state is then "integrity" or "confidentiality". */
bool lockdown_in_force(const char *root, char state[LOCKDOWN_STATE_SIZE]);

#endif
