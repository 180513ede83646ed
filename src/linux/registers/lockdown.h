/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernel lockdown: it forbids MSR writes and mapping of device memory.
 * Source: the kernel's security/lockdown/lockdown.c.
 */
#ifndef CXLMON_LINUX_REGISTERS_LOCKDOWN_H
#define CXLMON_LINUX_REGISTERS_LOCKDOWN_H

#include <stdbool.h>

#define LOCKDOWN_STATE_SIZE 64

/* Disables lockdown if Secure Boot has enabled it; takes effect at the next boot. */
#define LOCKDOWN_COMMAND "sudo mokutil --disable-validation"

/* Whether lockdown is active; state is then "integrity" or "confidentiality". */
bool lockdown_in_force(const char *root, char state[LOCKDOWN_STATE_SIZE]);

#endif
