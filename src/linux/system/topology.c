/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/system/topology.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "linux/system/linux_platform.h"
#include "platform/cpus.h"

#define SYSTEM	      "sys/devices/system"
#define CPU_DIRECTORY SYSTEM "/cpu"

static int compare_cpus(const void *a, const void *b)
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

/*
 * Numbers dies within each socket: from Linux 6.9 on the kernel numbers them in the whole machine.
 */
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

#define CPU_NUMBER(NAME, OTHERWISE) rootfs_int(root, OTHERWISE, CPU_DIRECTORY "/cpu%u/" NAME, cpu)

/* CPUs that the kernel keeps other work away from. */
struct isolation {
	char isolated[NUMLIST_SIZE], tickless[NUMLIST_SIZE];
};

/*
 * Reads the lists. A kernel without isolation has no such files; one without tickless CPUs writes
 * "(null)".
 */
static void read_isolation(const char *root, struct isolation *out)
{
	if (rootfs_line(out->isolated, sizeof(out->isolated), root, CPU_DIRECTORY "/isolated"))
		*out->isolated = '\0';
	if (rootfs_line(out->tickless, sizeof(out->tickless), root, CPU_DIRECTORY "/nohz_full"))
		*out->tickless = '\0';
}

static unsigned find_spared(const struct affinity *own, const struct isolation *isolation,
			    unsigned cpu)
{
	unsigned spared = affinity_has(own, cpu) ? 0 : SPARED_FOREIGN;

	if (numlist_contains(isolation->isolated, cpu) ||
	    numlist_contains(isolation->tickless, cpu))
		spared |= SPARED_ISOLATED;
	return spared;
}

static struct cpu_location locate_cpu(const char *root, unsigned cpu)
{
	const int package = CPU_NUMBER("topology/physical_package_id", 0);

	return (struct cpu_location){
		.cpu = cpu,
		.socket = package < 0 ? 0 : package, /* -1: unknown to the kernel */
		/* with NUMA support, a CPU's directory has a link "nodeN" to its node */
		.node = linux_node_of(root, "cpu/cpu", cpu),
		.core = CPU_NUMBER("topology/core_id", -1),
		.die = CPU_NUMBER("topology/die_id", 0),
		/* index0 to index2 are the caches of the core */
		.l3 = CPU_NUMBER("cache/index3/id", -1),
	};
}

/*
 * Reads the list of online CPUs. Returns false if there is no such file: without CPU hotplug, all
 * are online.
 */
static bool read_online(const char *root, char online[NUMLIST_SIZE])
{
	return !rootfs_line(online, NUMLIST_SIZE, root, CPU_DIRECTORY "/online");
}

int linux_topology(struct platform *p, struct topology *out, struct error *err)
{
	const char *root = linux_of(p)->root;
	char path[ROOTFS_PATH_SIZE], online[NUMLIST_SIZE];
	const bool listed = read_online(root, online);
	struct isolation isolation;
	unsigned *cpus;
	size_t count;
	int rc = rootfs_path(path, root, CPU_DIRECTORY);

	*out = (struct topology){.count = 0};
	if (rc)
		return error_set(err, ERROR_USAGE, rc, "%s: path too long", root);
	if (!rootfs_exists(root, CPU_DIRECTORY))
		return error_set(err, ERROR_FAILED, -ENOENT, "%s: %s", path, strerror(ENOENT));
	read_isolation(root, &isolation);
	rc = sysfs_indices(&cpus, &count, "cpu", root, CPU_DIRECTORY);
	out->cpus = calloc(count + 1, sizeof(*out->cpus));
	for (size_t i = 0; !rc && out->cpus && i < count; i++)
		if (!listed || numlist_contains(online, cpus[i]))
			out->cpus[out->count++] = locate_cpu(root, cpus[i]);
	for (size_t i = 0; !rc && i < out->count; i++)
		out->cpus[i].spared = find_spared(&linux_of(p)->cpus, &isolation, out->cpus[i].cpu);
	free(cpus);
	if (!rc)
		rc = !out->cpus ? -ENOMEM : !out->count ? -ENODEV : 0;
	if (rc) {
		topology_free(out);
		return error_set(err, ERROR_FAILED, rc, "%s: no online CPU found: %s", path,
				 strerror(-rc));
	}
	number_dies(out);
	qsort(out->cpus, out->count, sizeof(*out->cpus), compare_cpus);
	return 0;
}

int linux_offline_cpu(const char *root)
{
	char online[NUMLIST_SIZE];
	unsigned *cpus = NULL;
	size_t count = 0;
	int lowest = -1;

	if (read_online(root, online) && !sysfs_indices(&cpus, &count, "cpu", root, CPU_DIRECTORY))
		for (size_t i = 0; lowest < 0 && i < count; i++)
			if (!numlist_contains(online, cpus[i]))
				lowest = (int)cpus[i];
	free(cpus);
	return lowest;
}

uint64_t linux_block_size(const char *root)
{
	return rootfs_number(root, 16, SYSTEM "/memory/block_size_bytes");
}

int linux_node_of(const char *root, const char *name, uint64_t number)
{
	unsigned *nodes;
	size_t count;

	sysfs_indices(&nodes, &count, "node", root, SYSTEM "/%s%" PRIu64, name, number);
	const int lowest = count ? (int)nodes[0] : -1;
	free(nodes);
	return lowest;
}
