/* SPDX-License-Identifier: BSD-3-Clause */
/* The platform of the running kernel: its device files, sysfs, procfs, perf events and clocks. */
#ifndef CXLMON_LINUX_LINUX_H
#define CXLMON_LINUX_LINUX_H

#include "platform/platform.h"

/*
 * Creates the platform. root is "/", or a directory with dev, sys and proc (--root). Opens nothing:
 * each device is opened at the first access to it. log is copied. Freed by platform_destroy().
 */
int platform_linux(const char *root, const struct log *log, struct platform **out,
		   struct error *err);

#endif
