/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory and configuration space as a FUSE file system, for a machine that loses no write: mem is
 * dev/mem, and each function has a directory FUNCTION with config and its resourceN. Each access is
 * one of the simulator's registers, in the order in which they come.
 *
 * Configuration space is read and written through files anyway, so that a machine's own config
 * files lead here. Memory is mapped, and FUSE can't be asked at a load or a store; trap/trap.c
 * makes of these a pread() or pwrite() here, in programs into which it is loaded. To others, the
 * mirror shows the same registers.
 */
#ifndef CXLMON_TEST_REGFS_H
#define CXLMON_TEST_REGFS_H

#include <stdio.h>

#include "sim/sim.h"

#define REGFS_DIRECTORY "dev/registers" /* below the machine's root; trap/trap.c has it, too */

struct fusefs;
struct regfs;

/* Mounts on the directory; writes go to log, if not NULL. NULL where FUSE can't be had. */
struct regfs *regfs_new(const char *directory, struct platform *p, FILE *log);
void regfs_free(struct regfs *fs); /* unmounts */

/* What answers its requests. */
struct fusefs *regfs_mounted(const struct regfs *fs);

#endif
