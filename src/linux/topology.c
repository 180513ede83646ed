/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/linux.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/numlist.h"
#include "platform/rootfs.h"

#define CPU_DIRECTORY "sys/devices/system/cpu"

/* With NUMA support, a CPU's directory has a link "nodeN" to its node. */
static int node_of_cpu(const char *root, unsigned cpu)
{
	char directory[64];

	snprintf(directory, sizeof(directory), CPU_DIRECTORY "/cpu%u", cpu);
	return numbered_first(root, directory, "node");
}

static int compare(const void *a, const void *b)
{
	const struct cpu_location *x = a, *y = b;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static int compare_dies(const void *a, const void *b)
{
	const struct cpu_location *x = a, *y = b;

	if (x->socket != y->socket)
		return x->socket < y->socket ? -1 : 1;
	return (x->die > y->die) - (x->die < y->die);
}

/* Up to 6.8 the kernel numbers the dies of each socket anew, then those of all. */
static void number_dies(struct topology *t)
{
	int socket = -1, id = 0, die = 0;

	qsort(t->cpus, t->count, sizeof(*t->cpus), compare_dies);
	for (size_t i = 0; i < t->count; i++) {
		struct cpu_location *cpu = &t->cpus[i];

		if (!i || cpu->socket != socket)
			die = 0;
		else if (cpu->die != id)
			die++;
		socket = cpu->socket;
		id = cpu->die;
		cpu->die = die;
	}
}

static int topology_number(const char *root, unsigned cpu, const char *name, int otherwise)
{
	char path[128];

	snprintf(path, sizeof(path), CPU_DIRECTORY "/cpu%u/topology/%s", cpu, name);
	return rootfs_int(root, path, otherwise);
}

/* index0 to index2 are the caches of the core. */
static int l3_of_cpu(const char *root, unsigned cpu)
{
	char path[128];

	snprintf(path, sizeof(path), CPU_DIRECTORY "/cpu%u/cache/index3/id", cpu);
	return rootfs_int(root, path, -1);
}

static int append(struct topology *t, const char *root, unsigned cpu)
{
	struct cpu_location *grown = realloc(t->cpus, (t->count + 1) * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	t->cpus = grown;
	t->cpus[t->count++] = (struct cpu_location){
		.cpu = cpu,
		.socket = topology_number(root, cpu, "physical_package_id", 0),
		.node = node_of_cpu(root, cpu),
		.core = topology_number(root, cpu, "core_id", -1),
		.die = topology_number(root, cpu, "die_id", 0),
		.l3 = l3_of_cpu(root, cpu),
	};
	return 0;
}

int linux_topology(const char *root, struct topology *out, struct error *err)
{
	char path[ROOTFS_PATH_SIZE], online[NUMLIST_SIZE];
	/* without CPU hotplug there is no such file, and all CPUs are online */
	const bool listed = !rootfs_line(root, CPU_DIRECTORY "/online", online, sizeof(online));
	int rc = rootfs_path(path, root, CPU_DIRECTORY);

	*out = (struct topology){0};
	if (rc)
		return error_set(err, EXIT_USAGE, rc, "%s: path too long", root);
	DIR *dir = opendir(path);
	if (!dir)
		return error_set(err, EXIT_FAILED, -errno, "%s: %s", path, strerror(errno));
	for (struct dirent *entry; !rc && (entry = readdir(dir));) {
		unsigned cpu;

		if (numbered_name(entry->d_name, "cpu", &cpu) &&
		    (!listed || numlist_contains(online, cpu)))
			rc = append(out, root, cpu);
	}
	closedir(dir);
	if (!rc && !out->count)
		rc = -ENODEV;
	if (rc) {
		topology_free(out);
		return error_set(err, EXIT_FAILED, rc, "%s: no online CPU found: %s", path,
				 strerror(-rc));
	}
	number_dies(out);
	qsort(out->cpus, out->count, sizeof(*out->cpus), compare);
	return 0;
}

int linux_offline_cpu(const char *root)
{
	char path[ROOTFS_PATH_SIZE], online[NUMLIST_SIZE];
	int lowest = -1;

	if (rootfs_line(root, CPU_DIRECTORY "/online", online, sizeof(online)) ||
	    rootfs_path(path, root, CPU_DIRECTORY))
		return -1;
	DIR *dir = opendir(path);
	if (!dir)
		return -1;
	for (struct dirent *entry; (entry = readdir(dir));) {
		unsigned cpu;

		if (numbered_name(entry->d_name, "cpu", &cpu) && !numlist_contains(online, cpu) &&
		    (lowest < 0 || (int)cpu < lowest))
			lowest = (int)cpu;
	}
	closedir(dir);
	return lowest;
}
