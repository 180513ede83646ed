/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file /proc/PID/numa_maps: the memory of each mapping of a process, by NUMA node.
 *
 * A line is a mapping, such as
 *   7f2c00000000 default anon=512 dirty=512 N0=128 N2=384 kernelpagesize_kB=4
 *   7f2c40000000 bind:2 file=/mnt/huge\040pages/a huge anon=2 dirty=2 N2=2 kernelpagesize_kB=2048
 * Nodes are counted in pages of the mapping's kernelpagesize_kB, at the end of the line; for
 * mappings without hugetlbfs this is 4, even if they have transparent huge pages. Blanks, tabs,
 * newlines and "=" in the name of a file are escaped, so that no name reads as a count.
 *
 * Source: the kernel's fs/proc/task_mmu.c (show_numa_map), proc(5).
 */
#ifndef CXLMON_LINUX_SYSTEM_NUMA_MAPS_H
#define CXLMON_LINUX_SYSTEM_NUMA_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/memory.h"

/*
 * Adds the pages of one line, in bytes, to bytes[node]. The line may end with a newline. 0;
 * -EBADMSG: the line is malformed, and nothing was added.
 */
int numa_maps_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);

/* Decides after each line if reading goes on: 0, or a value that ends it. */
typedef int numa_maps_go_on(void *context);

/*
 * Reads the file of a process below root, line by line. Sets bytes to the sum of the lines that
 * were read, also after an error. The kernel cannot be interrupted within a line.
 *
 * Returns 0, the value with which go_on() has ended it, or a negative errno: -EACCES or -EPERM: the
 * process may not be inspected; -ENOENT or -ESRCH: there is no such process, or the kernel has no
 * NUMA support; -EBADMSG: malformed line; -EINVAL: not a regular file.
 */
int numa_maps_read(const char *root, unsigned pid, numa_maps_go_on *go_on, void *context,
		   uint64_t bytes[NUMA_NODES_MOST]);

/*
 * The file memory.numa_stat of a cgroup: memory charged to it and to cgroups below it, by kind and
 * node. A line is a kind and its bytes, such as
 *   anon N0=4096 N1=0
 * Kinds that are parts of others, such as shmem of file, are left out. Huge pages of hugetlbfs are
 * in files of their own, one for each size, such as hugetlb.2MB.numa_stat:
 *   total=2097152 N0=2097152 N1=0
 *
 * Version 1 has pages of LRU lists instead: those of the cgroup only, and, as hierarchical_total,
 * also of cgroups below it. These are anonymous, page cache and unevictable pages, without the
 * kernel's own memory.
 *   total=7016 N0=7016
 *   hierarchical_total=231790 N0=231790
 * Its hugetlb.SIZE.numa_stat, in bytes, also has both totals.
 *
 * Source: the kernel's Documentation/admin-guide/cgroup-v2.rst, mm/memcontrol.c
 * (memory_numa_stat_show), mm/memcontrol-v1.c (memcg_numa_stat_show), mm/hugetlb_cgroup.c
 * (hugetlb_cgroup_read_numa_stat).
 */

/*
 * Add the memory in one line, in bytes, to bytes[node]: of memory.numa_stat or, for hugetlb_,
 * hugetlb.SIZE.numa_stat. The file is of cgroup version 2 or, for _v1_, of version 1. 0; -EBADMSG:
 * the line is malformed, and nothing was added.
 */
int numa_stat_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);
int numa_stat_v1_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);
int hugetlb_stat_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);
int hugetlb_stat_v1_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);

/*
 * Read memory.numa_stat, or another file, in the directory path below root, and set the bytes of
 * each node. v1: the file is of cgroup version 1. 0 or a negative errno, as numa_maps_read().
 */
int numa_stat_read(const char *root, const char *path, bool v1, uint64_t bytes[NUMA_NODES_MOST]);
int hugetlb_stat_read(const char *root, const char *path, const char *file, bool v1,
		      uint64_t bytes[NUMA_NODES_MOST]);

#endif
