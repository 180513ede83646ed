/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of ROOT/sys/fs/resctrl: counts of memory traffic by L3 cache (platform/mbm.h), and groups
 * of tasks that are counted separately. Settings are in info/L3_MON: mbm_*_bytes_config, for each
 * cache; or, if counters are assigned (mbm_event mode of Linux 6.18), in event_configs, for all
 * caches.
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

/* Implement mbm_ops.open, access to a setting, and mbm_ops.read. */
int resctrl_open(struct resctrl *resctrl, const struct mbm **out, struct error *err);
int resctrl_get(struct resctrl *resctrl, unsigned cache, enum mbm_event event, uint64_t *setting);
int resctrl_set(struct resctrl *resctrl, unsigned cache, enum mbm_event event, uint64_t setting);
int resctrl_read(struct resctrl *resctrl, enum mbm_event event, double *bytes);

/* Explains why an access failed with code (a negative errno). */
void resctrl_explain(const char *root, int code, struct error *out);
int resctrl_error(const char *root, int code, struct error *err); /* returns code */

/*
 * Calls visit for each group, with its path below the directory: "" (the default group), "a",
 * "mon_groups/b", "a/mon_groups/c". A value other than 0 that visit returns ends the calls, and is
 * returned. -E2BIG: there are too many groups.
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
 * Tells if a group other than the default one has CPUs, or may have: it counts tasks of the default
 * group that run on them.
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
 * Parses the setting of a cache in "0=0x7f;1=0x15"; or of all caches, names separated by commas.
 * MBM_UNKNOWN: there is none.
 */
uint32_t resctrl_parse_setting(struct span text, unsigned cache);

/* Telemetry counts by group of tasks (platform/task_groups.h): telemetry.c. */

/*
 * Returns the count of a group in all packages. group is a path of resctrl_groups(). NAN: unknown
 * for some package, or there is no such count.
 */
double telemetry_group_count(const char *root, const char *group, enum group_event event);

/* The files of all groups. */
struct telemetry;

/* Implements task_group_ops.open. The caller closes *out; root is not kept. */
int telemetry_open(const char *root, struct telemetry **out, struct error *err);
struct task_groups telemetry_groups(const struct telemetry *telemetry);
/* Reads the counts of a group. counts->at_ns is unchanged. */
void telemetry_read(const struct telemetry *telemetry, size_t group, struct group_counts *out);
void telemetry_close(struct telemetry *telemetry); /* NULL does nothing */

/* Groups of tasks, their threads and counts: task_groups.c. */

/* Implements task_group_ops.list. */
int resctrl_list(const char *root, const struct mbm *mbm, enum mbm_event event,
		 task_group_visitor *visit, void *context, struct error *err);

/* The platform's functions. */
extern const struct task_group_ops linux_task_groups;

#endif
