/* SPDX-License-Identifier: BSD-3-Clause */
/* The processor by the kernel, in /proc/cpuinfo below a root directory (--root). */
#ifndef CXLMON_CPUINFO_H
#define CXLMON_CPUINFO_H

#include <stdbool.h>

#include "platform/platform.h"

/* Whether it is one of Arm's architecture, which has no CPUID. */
bool cpuinfo_is_arm(const char *root);

/*
 * Its name, or on Arm, where the file has none, who implements it and the number of the part; empty
 * where the file does not say.
 */
void cpuinfo_name(const char *root, char name[PROCESSOR_NAME_SIZE]);

#endif
