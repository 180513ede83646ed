/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file /proc/PID/numa_maps: the memory of each mapping of a process, by NUMA node. A line is a
 * mapping, such as
 *
 *   7f2c00000000 default anon=512 dirty=512 N0=128 N2=384 kernelpagesize_kB=4
 *   7f2c40000000 bind:2 file=/mnt/huge\040pages/a huge anon=2 dirty=2 N2=2 kernelpagesize_kB=2048
 *
 * N0=128 means 128 pages on node 0, each of kernelpagesize_kB. That size is 4 also for mappings
 * with transparent huge pages; only hugetlbfs has others. Blanks, tabs, newlines and "=" in the
 * name of a file are escaped, so that no name reads as a count.
 *
 * Source: the kernel's fs/proc/task_mmu.c (show_numa_map), proc(5).
 */
#ifndef CXLMON_LINUX_SYSTEM_NUMA_MAPS_H
#define CXLMON_LINUX_SYSTEM_NUMA_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/memory.h"

/*
 * Adds the bytes of one line to bytes[node]. The line may end with a newline. Returns 0, or
 * -EBADMSG if the line is malformed: nothing is then added.
 */
int numa_maps_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);

/* Decides after each line if reading goes on: returns 0, or a value that ends it. */
typedef int numa_maps_go_on(void *context);

/*
 * Reads the file of a process below root, line by line. Sets bytes to the sum of the lines that
 * were read, also after an error. The kernel cannot be interrupted within a line. Returns:
 *
 * - 0, or the value with which go_on() has ended it
 * - -EACCES or -EPERM: the process may not be inspected
 * - -ENOENT or -ESRCH: the process does not exist, or the kernel has no NUMA support
 * - -EBADMSG: a line is malformed
 * - -EINVAL: it is not a regular file
 * - another negative errno
 */
int numa_maps_read(const char *root, unsigned pid, numa_maps_go_on *go_on, void *context,
		   uint64_t bytes[NUMA_NODES_MOST]);

/*
 * The file memory.numa_stat of a cgroup: memory charged to it and to cgroups below it, by kind and
 * node. In version 2 of cgroups, a line is a kind and its bytes, such as
 *
 *   anon N0=4096 N1=0
 *
 * If a kind is a part of another one, it is not added: "shmem" is a part of "file". Huge pages of
 * hugetlbfs are in other files, one for each size, such as hugetlb.2MB.numa_stat:
 *
 *   total=2097152 N0=2097152 N1=0
 *
 * Version 1 counts pages on LRU lists: anonymous, page cache and unevictable, without the kernel's
 * own memory. A line "total" is for the cgroup only; "hierarchical_total" adds cgroups below it.
 *
 *   total=7016 N0=7016
 *   hierarchical_total=231790 N0=231790
 *
 * The hugetlb.SIZE.numa_stat of version 1 has both lines, too, in bytes.
 *
 * Source: the kernel's Documentation/admin-guide/cgroup-v2.rst, mm/memcontrol.c
 * (memory_numa_stat_show), mm/memcontrol-v1.c (memcg_numa_stat_show), mm/hugetlb_cgroup.c
 * (hugetlb_cgroup_read_numa_stat).
 */

/*
 * Add the bytes of one line to bytes[node]. A line is from memory.numa_stat or, for hugetlb_, from
 * hugetlb.SIZE.numa_stat. The file is of cgroup version 2 or, for _v1_, of version 1. Returns 0, or
 * -EBADMSG if the line is malformed: nothing is then added.
 */
int numa_stat_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);
int numa_stat_v1_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);
int hugetlb_stat_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);
int hugetlb_stat_v1_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);

/*
 * Read memory.numa_stat, or the hugetlb file called `file`, in the directory `path` below root. Set
 * bytes[node] to the sum of all lines. v1: version 1 of cgroups. 0 or a negative errno, as
 * numa_maps_read().
 */
int numa_stat_read(const char *root, const char *path, bool v1, uint64_t bytes[NUMA_NODES_MOST]);
int hugetlb_stat_read(const char *root, const char *path, const char *file, bool v1,
		      uint64_t bytes[NUMA_NODES_MOST]);

#endif
