/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory and configuration space as a FUSE file system, for a machine that loses no write: mem is
 * dev/mem, and each function has a directory FUNCTION with config and its resourceN. Each access is
 * one of the simulator's registers, in the order in which they come.
 *
 * The machine's config files are links to these. Memory is mapped, and FUSE sees no loads and
 * stores of mapped files; trap/trap.c turns them into pread() and pwrite() of these files, in
 * programs into which it is loaded. Other programs see the same registers through the mirror.
 */
#ifndef CXLMON_TEST_REGFS_H
#define CXLMON_TEST_REGFS_H

#include <stdio.h>

#include "sim/sim_machine.h"

#define REGFS_DIRECTORY "dev/registers" /* below the machine's root; trap/trap.c has it, too */

struct fusefs;

/* Mounts on the directory; writes go to log, if not NULL. NULL if FUSE is not available. */
struct fusefs *regfs_new(const char *directory, struct platform *p, FILE *log);

#endif
