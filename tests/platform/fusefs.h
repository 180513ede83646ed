/* SPDX-License-Identifier: BSD-3-Clause */
/* FUSE file systems of devices, answered request by request: nothing is cached or reordered. */
#ifndef CXLMON_TEST_FUSEFS_H
#define CXLMON_TEST_FUSEFS_H

#define FUSE_USE_VERSION 35

#include <fuse.h>
#include <stdbool.h>
#include <stdio.h>

#include "allowlist.h"
#include "tests/sim/state.h"

struct fusefs;

/*
 * Mounts a file system on the directory; name is shown in mount tables. operations must stay valid,
 * and find context as private_data; release frees it. Sets .init and .truncate itself. NULL: FUSE
 * is not available, or context is NULL.
 */
struct fusefs *fusefs_new(const char *directory, const char *name,
			  const struct fuse_operations *operations, void *context,
			  void (*release)(void *context));
void fusefs_free(struct fusefs *fs); /* unmounts; NULL does nothing */
void *fusefs_context(const struct fusefs *fs);

/*
 * Returns a descriptor to be polled for reading. When it is readable, fusefs_serve() answers one
 * request. That function returns false if another program has unmounted the file system.
 */
int fusefs_fd(const struct fusefs *fs);
bool fusefs_serve(struct fusefs *fs);

/* Returns the result of a read of a file that has this text. */
int fusefs_read_text(const char *text, char *buffer, size_t size, off_t offset);

/* File systems of a published machine: each has a function that mounts it. */

/*
 * /dev/cpu as a FUSE file system: N/msr and N/cpuid. Each access is one access to the simulator's
 * registers, with the errors of the kernel's msr and cpuid drivers. The offset is the register:
 * direct I/O keeps the offset, and prevents caching.
 */

struct msrfs {
	struct platform *platform;
	FILE *log;
	unsigned cpus;
	bool *hidden;	  /* one per CPU: the CPU is offline and has no directory */
	bool msrs_hidden; /* no CPU has its msr node, as without the msr module */
	/* msr-safe is loaded: everybody may open N/msr_safe, limited by root's msr_allowlist. */
	bool safe;
	struct allowlist allowlist;
	unsigned delay_ms; /* duration of every access */
};

/*
 * Mounts /dev/cpu on the directory. Its context is a struct msrfs, which may be changed at any
 * time. Accesses go to log, unless it is NULL. NULL: FUSE is not available.
 */
struct fusefs *msrfs_new(const char *directory, struct platform *p, FILE *log);

/*
 * Memory and configuration space as a FUSE file system, for a machine that loses no write. dev/mem
 * is the file mem; each PCI function has a directory FUNCTION with config and its resourceN. Each
 * access is one access to the simulator's registers, in the order of arrival.
 *
 * The machine's config files are links to these. FUSE sees no loads and stores of mapped files. In
 * programs into which trap/trap.c is loaded, it turns them into pread() and pwrite() of these
 * files. Other programs see the same registers through the mirror (mirror.h).
 */

#define REGFS_DIRECTORY "dev/registers" /* below the machine's root; trap/trap.c also has it */

/* Mounts it on the directory. Writes go to log, unless it is NULL. NULL: FUSE is not available. */
struct fusefs *regfs_new(const char *directory, struct platform *p, FILE *log);

/*
 * sys/fs/resctrl of a published machine, as on a processor with BMEC: info, counts of the default
 * group, and groups that mkdir makes, which count nothing. Its directory in the machine has a link
 * for each group.
 */

/* Mounts it on the directory. Writes go to log, unless it is NULL. NULL: FUSE is not available. */
struct fusefs *resctrlfs_new(const char *directory, struct platform *p, FILE *log);

/*
 * Sets a state: "mounted" or "unmounted"; counters "default" or "assigned" (mbm_event mode); writes
 * "denied" or "allowed". Returns false for another state.
 */
bool resctrlfs_set(struct fusefs *mounted, const char *state);

#endif
