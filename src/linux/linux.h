/* SPDX-License-Identifier: BSD-3-Clause */
/* The platform of a running Linux: device files, libpci, physical memory, the kernel's clocks. */
#ifndef CXLMON_LINUX_H
#define CXLMON_LINUX_H

#include "platform/platform.h"

/*
 * root is "/", or a directory below which dev, sys and proc lie. Nothing is opened yet: each device
 * is opened when the first of its registers is asked for. Freed by platform_destroy().
 */
int platform_linux(const char *root, const struct log *log, struct platform **out,
		   struct error *err);

#endif
