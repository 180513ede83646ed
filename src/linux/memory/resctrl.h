/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of ROOT/sys/fs/resctrl: counts of memory traffic by L3 cache (platform/mbm.h), and groups
 * of tasks that are counted separately (platform/task_groups.h). Functions that return int return 0
 * or a negative errno.
 *
 * A setting selects the traffic that an event counts. Each cache has one for each event, in the
 * files mbm_*_bytes_config of info/L3_MON. If counters are assigned (mbm_event mode of Linux 6.18),
 * all caches have one setting instead, in event_configs.
 */
#ifndef CXLMON_LINUX_MEMORY_RESCTRL_H
#define CXLMON_LINUX_MEMORY_RESCTRL_H

#include "linux/kernel/kernel_text.h"
#include "platform/mbm.h"
#include "platform/platform.h"
#include "platform/task_groups.h"

#define RESCTRL_DIRECTORY "sys/fs/resctrl"

struct resctrl;

/*
 * Creates a resctrl, which opens no file yet. NULL: out of memory. root must outlive it. The caller
 * frees it by resctrl_close().
 */
struct resctrl *resctrl_new(const char *root);
void resctrl_close(struct resctrl *resctrl); /* NULL does nothing */

/* Implements mbm_ops.open. */
int resctrl_open(struct resctrl *resctrl, const struct mbm **out, struct error *err);
/*
 * Read or write the setting (MBM_... bits) of an event in a cache. If counters are assigned, cache
 * must be MBM_EVERY_CACHE: all caches have the same setting. Both functions work without
 * resctrl_open(). resctrl_get() returns -ENXIO if the cache lacks the setting, for example because
 * no CPU of the cache is online.
 */
int resctrl_get(struct resctrl *resctrl, unsigned cache, enum mbm_event event, uint64_t *setting);
int resctrl_set(struct resctrl *resctrl, unsigned cache, enum mbm_event event, uint64_t setting);
/* Implements mbm_ops.read, except that it does not read the time. */
int resctrl_read(struct resctrl *resctrl, enum mbm_event event, double *bytes);

/* Sets *out to the reason and the remedy for code, a negative errno of an access to these files. */
void resctrl_explain(const char *root, int code, struct error *out);
/* Sets *err to "resctrl: " and the reason of resctrl_explain(), with the remedy. Returns code. */
int resctrl_error(const char *root, int code, struct error *err);

/*
 * Calls visit for each group, the default group first, until it returns another value than 0.
 * Returns that value. -E2BIG: there are too many groups. If resctrl is not mounted, visits only the
 * default group.
 *
 * group is a path below RESCTRL_DIRECTORY, valid during the call: "" (the default group), "a",
 * "mon_groups/b" or "a/mon_groups/c".
 */
typedef int resctrl_visitor(void *context, const char *group);
int resctrl_groups(const char *root, resctrl_visitor *visit, void *context);

/* Returns the bytes that a group has counted in all caches; NAN: unknown for some cache. */
double resctrl_group_bytes(const char *root, const char *group, const struct mbm *mbm,
			   enum mbm_event event);

/*
 * Returns the RMID by which processors count a group: 0 for the default group; -1: unknown. The
 * kernel reports the RMID of other groups only if resctrl is mounted with -o debug (Linux 6.8).
 *
 * Source: the kernel's Documentation/filesystems/resctrl.rst (mon_hw_id).
 */
int resctrl_group_rmid(const char *root, const char *group);

/*
 * Tells if a group has CPUs: it then also counts tasks of the default group that run on them. True
 * also if its list of CPUs exists, but cannot be read. False for the default group ("").
 *
 * Source: the kernel's Documentation/filesystems/resctrl.rst (Resource monitoring rules).
 */
bool resctrl_group_has_cpus(const char *root, const char *group);

/*
 * Tells if an L3 cache has several NUMA nodes (Sub-NUMA Clustering). A group then has one RMID on
 * each node.
 *
 * Source: the kernel's Documentation/filesystems/resctrl.rst (mon_sub_L3_YY), and
 * logical_rmid_to_physical_rmid() of arch/x86/kernel/cpu/resctrl/monitor.c.
 */
bool resctrl_has_node_rmids(const char *root);

/*
 * Parses the setting of a cache in a text such as "0=0x7f;1=0x15". MBM_UNKNOWN: it is missing or
 * invalid. For MBM_EVERY_CACHE, the text is names of bits, separated by commas; an unknown name
 * adds MBM_UNKNOWN to the bits.
 */
uint32_t resctrl_parse_setting(struct span text, unsigned cache);

/* Telemetry counts by group of tasks (platform/task_groups.h): telemetry.c. */

/*
 * Returns the count of a group, summed over all packages. group is a path as in resctrl_groups().
 * NAN: the group has no such count, or a package's part is unknown.
 */
double telemetry_group_count(const char *root, const char *group, enum group_event event);

/* The files of all groups. */
struct telemetry;

/*
 * Opens the counts of all groups, for task_group_ops.open. root need not outlive the call. The
 * caller frees *out by telemetry_close().
 */
int telemetry_open(const char *root, struct telemetry **out, struct error *err);
/* Returns the groups, valid until telemetry_close(). */
struct task_groups telemetry_groups(const struct telemetry *telemetry);
/* Reads the counts of the group with this index in telemetry_groups(); out->at_ns is unchanged. */
void telemetry_read(const struct telemetry *telemetry, size_t group, struct group_counts *out);
void telemetry_close(struct telemetry *telemetry); /* NULL does nothing */

/* Groups of tasks, their threads and counts: task_groups.c. */

/* Implements task_group_ops.list. */
int resctrl_list(const char *root, const struct mbm *mbm, enum mbm_event event,
		 task_group_visitor *visit, void *context, struct error *err);

/* Functions of the platform for groups. */
extern const struct task_group_ops linux_task_groups;

#endif
