/* SPDX-License-Identifier: BSD-3-Clause */
/* The platform of the running kernel: its device files, sysfs, procfs, perf events and clocks. */
#ifndef CXLMON_LINUX_LINUX_H
#define CXLMON_LINUX_LINUX_H

#include "platform/platform.h"

/*
 * Creates the platform, which the caller frees with platform_destroy(). root is "/", or a directory
 * with dev, sys and proc (--root). root and log are copied. Opens no device: the first access to a
 * device opens it. Returns 0 or -ENOMEM. If root is not a directory, returns -ENOTDIR
 * (ERROR_USAGE).
 */
int platform_linux(const char *root, const struct log *log, struct platform **out,
		   struct error *err);

#endif
