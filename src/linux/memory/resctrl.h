/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of ROOT/sys/fs/resctrl: counts of memory traffic by L3 cache (platform/mbm.h), and groups
 * of tasks that are counted separately (platform/task_groups.h). Functions that return int return 0
 * or a negative errno.
 *
 * A setting selects the traffic that an event counts. In info/L3_MON, mbm_*_bytes_config has the
 * event's setting for each cache. If counters are assigned (mbm_event mode of Linux 6.18),
 * event_configs has one setting for all caches instead.
 */
#ifndef CXLMON_LINUX_MEMORY_RESCTRL_H
#define CXLMON_LINUX_MEMORY_RESCTRL_H

#include "linux/kernel/kernel_text.h"
#include "platform/mbm.h"
#include "platform/platform.h"
#include "platform/task_groups.h"

#define RESCTRL_DIRECTORY "sys/fs/resctrl"

struct resctrl;

/* Creates a resctrl without opening files. NULL: out of memory. root must outlive it. */
struct resctrl *resctrl_new(const char *root);
void resctrl_close(struct resctrl *resctrl); /* NULL does nothing */

/* Implements mbm_ops.open. */
int resctrl_open(struct resctrl *resctrl, const struct mbm **out, struct error *err);
/*
 * Reads or writes the setting (MBM_... bits) of an event in a cache; MBM_EVERY_CACHE stands for the
 * setting of all caches. resctrl_open() need not be called before. resctrl_get() returns -ENXIO if
 * there is no such setting, for example because no CPU of the cache is online.
 */
int resctrl_get(struct resctrl *resctrl, unsigned cache, enum mbm_event event, uint64_t *setting);
int resctrl_set(struct resctrl *resctrl, unsigned cache, enum mbm_event event, uint64_t setting);
/* Implements mbm_ops.read, except that the caller reads the time. */
int resctrl_read(struct resctrl *resctrl, enum mbm_event event, double *bytes);

/* Sets *out to the reason and the remedy for code, a negative errno of an access. */
void resctrl_explain(const char *root, int code, struct error *out);
/* Sets *err to "resctrl: " and the reason of resctrl_explain(), with the remedy. Returns code. */
int resctrl_error(const char *root, int code, struct error *err);

/*
 * Calls visit for each group, the default group first, with its path below RESCTRL_DIRECTORY: ""
 * (the default group), "a", "mon_groups/b", "a/mon_groups/c". If visit returns a value other than
 * 0, ends and returns this value. -E2BIG: there are too many groups.
 */
typedef int resctrl_visitor(void *context, const char *group);
int resctrl_groups(const char *root, resctrl_visitor *visit, void *context);

/* Returns the bytes that a group has counted in all caches; NAN: unknown for some cache. */
double resctrl_group_bytes(const char *root, const char *group, const struct mbm *mbm,
			   enum mbm_event event);

/*
 * Returns the RMID by which processors count a group: 0 for the default group; for others the
 * kernel reports it only if resctrl is mounted with -o debug (Linux 6.8). -1: unknown.
 *
 * Source: the kernel's Documentation/filesystems/resctrl.rst (mon_hw_id).
 */
int resctrl_group_rmid(const char *root, const char *group);

/*
 * Tells if a group has CPUs, or may have, because its list cannot be read: it then also counts
 * tasks of the default group that run on them. False for the default group ("").
 *
 * Source: the kernel's Documentation/filesystems/resctrl.rst (Resource monitoring rules).
 */
bool resctrl_group_has_cpus(const char *root, const char *group);

/*
 * Tells if groups have several RMIDs, because an L3 cache has several NUMA nodes (Sub-NUMA
 * Clustering), and tasks have one RMID on each node.
 *
 * Source: the kernel's Documentation/filesystems/resctrl.rst (mon_sub_L3_YY), and
 * logical_rmid_to_physical_rmid() of arch/x86/kernel/cpu/resctrl/monitor.c.
 */
bool resctrl_has_node_rmids(const char *root);

/*
 * Parses the setting of a cache in a text such as "0=0x7f;1=0x15". MBM_UNKNOWN: it is missing or
 * invalid. If cache is MBM_EVERY_CACHE, text is names of bits, separated by commas; a name that is
 * unknown sets MBM_UNKNOWN among the bits.
 */
uint32_t resctrl_parse_setting(struct span text, unsigned cache);

/* Telemetry counts by group of tasks (platform/task_groups.h): telemetry.c. */

/*
 * Returns the count of a group, summed over all packages. group is a path of resctrl_groups(). NAN:
 * unknown for some package, or there is no such count.
 */
double telemetry_group_count(const char *root, const char *group, enum group_event event);

/* The files of all groups. */
struct telemetry;

/* Opens the counts of all groups, for task_group_ops.open. root need not outlive the call. */
int telemetry_open(const char *root, struct telemetry **out, struct error *err);
/* Returns the groups, valid until telemetry_close(). */
struct task_groups telemetry_groups(const struct telemetry *telemetry);
/* Reads the counts of a group, by its index; out->at_ns is unchanged. */
void telemetry_read(const struct telemetry *telemetry, size_t group, struct group_counts *out);
void telemetry_close(struct telemetry *telemetry); /* NULL does nothing */

/* Groups of tasks, their threads and counts: task_groups.c. */

/* Implements task_group_ops.list. */
int resctrl_list(const char *root, const struct mbm *mbm, enum mbm_event event,
		 task_group_visitor *visit, void *context, struct error *err);

/* The platform's functions for groups. */
extern const struct task_group_ops linux_task_groups;

#endif
