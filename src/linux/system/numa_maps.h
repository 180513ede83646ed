/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /proc/PID/numa_maps: how much of what a process has mapped lies on which NUMA node.
 *
 * A line is a mapping, such as
 *   7f2c00000000 default anon=512 dirty=512 N0=128 N2=384 kernelpagesize_kB=4
 *   7f2c40000000 bind:2 file=/mnt/huge\040pages/a huge anon=2 dirty=2 N2=2 kernelpagesize_kB=2048
 * Nodes are counted in pages of the mapping's kernelpagesize_kB, at the end of the line; of a
 * mapping without hugetlbfs that is 4, also where the pages are transparent huge pages. Blanks,
 * tabs, newlines and "=" in the name of a file are escaped, so that no name reads as a count.
 *
 * Source: the kernel's fs/proc/task_mmu.c (show_numa_map), proc(5).
 */
#ifndef CXLMON_LINUX_SYSTEM_NUMA_MAPS_H
#define CXLMON_LINUX_SYSTEM_NUMA_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/memory.h"

/*
 * Adds the pages of one line, which may end with a newline, to the bytes of their nodes. -EBADMSG:
 * it is not such a line, and nothing was added.
 */
int numa_maps_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);

/*
 * Reads the file of a process below root, line by line, and sets the bytes of each node. A process
 * that has ended has none. 0 or a negative errno: -EACCES or -EPERM where the process may not be
 * looked at, -ENOENT or -ESRCH where there is none (or the kernel has no NUMA support), -EBADMSG
 * for a line that is none, -EINVAL for what is no regular file; or what go_on() returned, which is
 * called behind each line: bytes are those counted so far then. The kernel can't be interrupted
 * within a mapping.
 */
typedef int numa_maps_go_on(void *context);
int numa_maps_read(const char *root, unsigned pid, numa_maps_go_on *go_on, void *context,
		   uint64_t bytes[NUMA_NODES_MOST]);

/*
 * memory.numa_stat of a cgroup: how much memory of which kind is charged to it and to those below
 * it, on which node. A line is a kind and its bytes, such as
 *   anon N0=4096 N1=0
 * Those that are parts of others, such as shmem of file, are left out. Huge pages of hugetlbfs are
 * in files of their own, one for each size, such as hugetlb.2MB.numa_stat:
 *   total=2097152 N0=2097152 N1=0
 *
 * Version 1 has pages of LRU lists instead, of the cgroup alone and, as hierarchical_total, also of
 * those below it: anonymous memory, page cache and what is unevictable; no memory of the kernel's.
 *   total=7016 N0=7016
 *   hierarchical_total=231790 N0=231790
 * Its hugetlb.SIZE.numa_stat, in bytes, has both totals, too.
 *
 * Source: the kernel's Documentation/admin-guide/cgroup-v2.rst, mm/memcontrol.c
 * (memory_numa_stat_show), mm/memcontrol-v1.c (memcg_numa_stat_show), mm/hugetlb_cgroup.c
 * (hugetlb_cgroup_read_numa_stat).
 */

/* Adds the bytes of one line. -EBADMSG: it is not such a line, and nothing was added. */
int numa_stat_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);
int numa_stat_v1_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);
int hugetlb_stat_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);
int hugetlb_stat_v1_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);

/* Reads the file of a cgroup below root. 0 or a negative errno, as numa_maps_read(). */
int numa_stat_read(const char *root, const char *path, bool v1, uint64_t bytes[NUMA_NODES_MOST]);
int hugetlb_stat_read(const char *root, const char *path, const char *file, bool v1,
		      uint64_t bytes[NUMA_NODES_MOST]);

#endif
