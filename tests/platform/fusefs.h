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
 * Mounts on the directory; name is shown in mount tables. The operations, which must stay valid,
 * find context as private_data; release frees it. init and truncate are set here. NULL if FUSE is
 * not available, or context is NULL.
 */
struct fusefs *fusefs_new(const char *directory, const char *name,
			  const struct fuse_operations *operations, void *context,
			  void (*release)(void *context));
void fusefs_free(struct fusefs *fs); /* unmounts; NULL does nothing */
void *fusefs_context(const struct fusefs *fs);

/*
 * Returns a descriptor to be polled for reading; fusefs_serve() then answers one request. It
 * returns false if another program has unmounted.
 */
int fusefs_fd(const struct fusefs *fs);
bool fusefs_serve(struct fusefs *fs);

/* Returns the result of reading a file with this text. */
int fusefs_read_text(const char *text, char *buffer, size_t size, off_t offset);

/* File systems of a published machine: each has a function that mounts it. */

/*
 * /dev/cpu as a FUSE file system: N/msr and N/cpuid. Each access is one to the simulator's
 * registers, with the errors of the kernel's msr and cpuid drivers. Direct I/O makes the offset
 * the register, and prevents caching.
 */

struct msrfs {
	struct platform *platform;
	FILE *log;
	unsigned cpus;
	bool *hidden;	  /* one per CPU: it is offline, and its directory does not exist */
	bool msrs_hidden; /* no CPU has its msr node, as without the msr module */
	/*
	 * The msr-safe module is loaded: N/msr_safe is for everybody, and obeys the list that root
	 * writes to msr_allowlist.
	 */
	bool safe;
	struct allowlist allowlist;
	unsigned delay_ms; /* duration of every access */
};

/*
 * Mounts on the directory, with a struct msrfs as its context, which may be changed at any time;
 * accesses go to log, if not NULL. NULL if FUSE is not available.
 */
struct fusefs *msrfs_new(const char *directory, struct platform *p, FILE *log);

/*
 * Memory and configuration space as a FUSE file system, for a machine that loses no write. mem is
 * dev/mem, and each function has a directory FUNCTION with config and its resourceN. Each access
 * is one to the simulator's registers, in the order of arrival.
 *
 * The machine's config files are links to these. Memory is mapped, and FUSE sees no loads and
 * stores of mapped files; trap/trap.c turns them into pread() and pwrite() of these files, in
 * programs into which it is loaded. Other programs see the same registers through the mirror.
 */

#define REGFS_DIRECTORY "dev/registers" /* below the machine's root; trap/trap.c also has it */

/* Mounts on the directory; writes go to log, if not NULL. NULL if FUSE is not available. */
struct fusefs *regfs_new(const char *directory, struct platform *p, FILE *log);

/*
 * sys/fs/resctrl of a published machine, as the kernel has it on a processor with BMEC: info,
 * counts of the default group, and groups that are made by mkdir, which count nothing. Its
 * directory has a link for each group.
 */

/* Mounts on the directory; writes go to log, if not NULL. NULL if FUSE is not available. */
struct fusefs *resctrlfs_new(const char *directory, struct platform *p, FILE *log);

/*
 * Sets a state: "mounted", "unmounted"; "default" or "assigned" (counters: mbm_event mode);
 * "denied" or "allowed" (writes). Returns false for another state.
 */
bool resctrlfs_set(struct fusefs *mounted, const char *state);

#endif
