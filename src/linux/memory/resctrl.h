/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ROOT/sys/fs/resctrl: what L3 caches count of memory traffic (platform/mbm.h), and groups of tasks
 * that are counted separately. Settings are in info/L3_MON: mbm_*_bytes_config, of each cache; or,
 * where counters are assigned (mbm_event mode of Linux 6.18), in event_configs, one for all.
 */
#ifndef CXLMON_LINUX_MEMORY_RESCTRL_H
#define CXLMON_LINUX_MEMORY_RESCTRL_H

#include "linux/kernel/kernel_text.h"
#include "platform/mbm.h"
#include "platform/platform.h"
#include "platform/task_groups.h"

#define RESCTRL_DIRECTORY "sys/fs/resctrl"

struct resctrl;

/* Opens no file. NULL: out of memory. root must outlive it. */
struct resctrl *resctrl_new(const char *root);
void resctrl_close(struct resctrl *resctrl); /* NULL does nothing */

/* As mbm_ops.open, mbm_get, mbm_set and mbm_read. */
int resctrl_open(struct resctrl *resctrl, const struct mbm **out, struct error *err);
int resctrl_get(struct resctrl *resctrl, unsigned cache, enum mbm_event event, uint64_t *setting);
int resctrl_set(struct resctrl *resctrl, unsigned cache, enum mbm_event event, uint64_t setting);
int resctrl_read(struct resctrl *resctrl, enum mbm_event event, double *bytes);

/* Why an access has failed with code (a negative errno). */
void resctrl_explain(const char *root, int code, struct error *out);
int resctrl_error(const char *root, int code, struct error *err); /* returns code */

/*
 * Calls visit for each group, by its path below the directory: "" (the default group), "a",
 * "mon_groups/b", "a/mon_groups/c". What visit returns but 0 ends it. -E2BIG: there are too many.
 */
typedef int resctrl_visitor(void *context, const char *group);
int resctrl_groups(const char *root, resctrl_visitor *visit, void *context);

/* The bytes that a group has counted, in all caches; NAN: not known of some cache. */
double resctrl_group_bytes(const char *root, const char *group, const struct mbm *mbm,
			   enum mbm_event event);

/*
 * The RMID by which processors count a group: that of the default group is 0, of others the kernel
 * says it where resctrl is mounted with -o debug (Linux 6.8). -1: not known.
 *
 * Source: the kernel's Documentation/filesystems/resctrl.rst (mon_hw_id).
 */
int resctrl_group_rmid(const char *root, const char *group);

/*
 * Whether a group other than the default one has CPUs, or may have: tasks of the default group that
 * run on these are counted by it.
 *
 * Source: the kernel's Documentation/filesystems/resctrl.rst (Resource monitoring rules).
 */
bool resctrl_group_has_cpus(const char *root, const char *group);

/*
 * Whether a group has other RMIDs than that, as one L3 cache is of several NUMA nodes (Sub-NUMA
 * Clustering), on each of which tasks have one of their own.
 *
 * Source: the kernel's Documentation/filesystems/resctrl.rst (mon_sub_L3_YY), and
 * logical_rmid_to_physical_rmid() of arch/x86/kernel/cpu/resctrl/monitor.c.
 */
bool resctrl_has_node_rmids(const char *root);

/* The setting of a cache in "0=0x7f;1=0x15"; of all, by names behind commas. MBM_UNKNOWN: none. */
uint32_t resctrl_parse_setting(struct span text, unsigned cache);

/* telemetry.c: counts of telemetry by group of tasks (platform/task_groups.h). */

/* What it has counted of a group, by its path as resctrl_groups() has it, in all packages. NAN: not
 * known of some package, or there is no such count. */
double telemetry_group_count(const char *root, const char *group, enum group_event event);

/* The files of all groups. */
struct telemetry;

/* As task_group_ops.open. *out is closed by the caller; root is not kept. */
int telemetry_open(const char *root, struct telemetry **out, struct error *err);
struct task_groups telemetry_groups(const struct telemetry *telemetry);
/* counts->at_ns is left alone. */
void telemetry_read(const struct telemetry *telemetry, size_t group, struct group_counts *out);
void telemetry_close(struct telemetry *telemetry); /* NULL does nothing */

/* task_groups.c: groups of tasks, their threads and counts. */

/* As task_group_ops.list. */
int resctrl_list(const char *root, const struct mbm *mbm, enum mbm_event event,
		 task_group_visitor *visit, void *context, struct error *err);

/* Those of the platform. */
extern const struct task_group_ops linux_task_groups;

#endif
