/* SPDX-License-Identifier: BSD-3-Clause */
#include "publish.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "msr/cpuid.h"
#include "pci/config.h"
#include "platform/rootfs.h"
#include "publish_cxl.h"
#include "publish_perf.h"
#include "tree.h"

#define IORESOURCE_MEM64 UINT64_C(0x140204) /* memory, 64 bits wide, as the kernel flags it */
#define TSC_MHZ		 2000

bool publish_has_msrs(const struct sim *sim)
{
	return sim->spec.facts->vendor != SIM_ARM;
}

static void list_cpus(const struct topology *online, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < online->count; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%u", i ? "," : "",
					 online->cpus[i].cpu);
}

void publish_online(const char *root, struct platform *p)
{
	struct topology topology;
	char text[16384];
	struct error why;

	if (p->ops->topology(p, &topology, &why))
		errx(1, "%s", why.text);
	list_cpus(&topology, text, sizeof(text));
	tree_text(root, "sys/devices/system/cpu/online", "%s\n", text);
	topology_free(&topology);
}

void publish_lockdown(const char *root, const char *state)
{
	static const char *const states[] = {"none", "integrity", "confidentiality"};
	char text[128] = "";

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		const int chosen = !strcmp(state, states[i]);

		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s%s%s", i ? " " : "",
			 chosen ? "[" : "", states[i], chosen ? "]" : "");
	}
	tree_text(root, "sys/kernel/security/lockdown", "%s\n", text);
}

void publish_allow_writes(const char *root, const char *value)
{
	tree_text(root, "sys/module/msr/parameters/allow_writes", "%s\n", value);
}

void publish_watchdog(const char *root, bool runs)
{
	tree_text(root, "proc/sys/kernel/nmi_watchdog", "%d\n", runs);
}

static void publish_cpu(const char *root, const struct sim *sim, unsigned cpu)
{
	const struct sim_spec *spec = &sim->spec;
	const unsigned socket = cpu / spec->cpus, first = socket * spec->cpus;
	const unsigned core = (cpu - first) / spec->threads, thread = first + core * spec->threads;
	const unsigned end = first + spec->cpus, last = thread + spec->threads;
	char path[128], siblings[64];
	const struct {
		const char *name;
		unsigned value;
	} numbers[] = {{"physical_package_id", socket},
		       {"die_id", sim->cores[cpu].die},
		       {"core_id", core}};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/topology/%s", cpu,
			 numbers[i].name);
		tree_text(root, path, "%u\n", numbers[i].value);
	}
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/topology/thread_siblings_list",
		 cpu);
	snprintf(siblings, sizeof(siblings), "-%u", (last < end ? last : end) - 1);
	tree_text(root, path, "%u%s\n", thread, last > thread + 1 ? siblings : "");
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/topology/package_cpus_list",
		 cpu);
	tree_text(root, path, "%u-%u\n", first, first + spec->cpus - 1);
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/node%u", cpu, socket);
	tree_directory(root, path);
}

/* Of the caches only the L3, where it is known. */
static void publish_l3(const char *root, const struct sim *sim, unsigned cpu)
{
	const struct sim_spec *spec = &sim->spec;
	const int l3 = sim->cores[cpu].l3;
	unsigned first = cpu, last = cpu;
	char path[128];

	if (l3 < 0)
		return;
	while (first > 0 && sim->cores[first - 1].l3 == l3)
		first--;
	while (last + 1 < spec->sockets * spec->cpus && sim->cores[last + 1].l3 == l3)
		last++;
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cache/index3/id", cpu);
	tree_text(root, path, "%d\n", l3);
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cache/index3/level", cpu);
	tree_text(root, path, "3\n");
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cache/index3/shared_cpu_list",
		 cpu);
	if (last > first)
		tree_text(root, path, "%u-%u\n", first, last);
	else
		tree_text(root, path, "%u\n", first);
}

static void publish_nodes(const char *root, const struct sim_spec *spec)
{
	char path[128];

	tree_text(root, "sys/devices/system/node/online", "0-%u\n", spec->sockets - 1);
	for (unsigned s = 0; s < spec->sockets; s++) {
		snprintf(path, sizeof(path), "sys/devices/system/node/node%u/cpulist", s);
		tree_text(root, path, "%u-%u\n", s * spec->cpus, (s + 1) * spec->cpus - 1);
	}
}

/* A part that no processor has; the kernel has the file without a name of it. */
static void publish_cpuinfo_of_arm(const char *root, unsigned cpus)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		err(1, "cpuinfo");
	for (unsigned cpu = 0; cpu < cpus; cpu++)
		fprintf(out,
			"processor\t: %u\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd\n"
			"CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\n"
			"CPU part\t: 0xfff\nCPU revision\t: 0\n\n",
			cpu);
	fclose(out);
	tree_text(root, "proc/cpuinfo", "%s", text);
	free(text);
}

static void publish_cpuinfo(const char *root, struct platform *p)
{
	static const char *const flags[] = {
		[SIM_INTEL] = "arch_perfmon",
		[SIM_AMD] = "perfctr_core perfctr_nb perfctr_llc perfmon_v2",
	};
	const struct sim_spec *spec = &sim_of(p)->spec;
	uint32_t leaf0[CPUID_REGS], leaf1[CPUID_REGS];
	struct cpu_identity id;
	char path[ROOTFS_PATH_SIZE];

	if (p->ops->cpuid(p, 0, 0, 0, leaf0, NULL)) {
		publish_cpuinfo_of_arm(root, spec->sockets * spec->cpus);
		return;
	}
	p->ops->cpuid(p, 0, 1, 0, leaf1, NULL);
	cpuid_decode_identity(leaf0, leaf1, &id);
	tree_parents(root, "proc/cpuinfo");
	if (rootfs_path(path, root, "proc/cpuinfo"))
		errx(1, "path too long");
	FILE *out = fopen(path, "we");
	if (!out)
		err(1, "%s", path);
	for (unsigned cpu = 0; cpu < spec->sockets * spec->cpus; cpu++)
		fprintf(out,
			"processor\t: %u\nvendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\n"
			"model name\t: simulated by cxlmon\nstepping\t: %u\ncpu MHz\t\t: %d.000\n"
			"physical id\t: %u\nsiblings\t: %u\ncore id\t\t: %u\ncpu cores\t: %u\n"
			"flags\t\t: tsc msr %s\n\n",
			cpu, id.vendor, id.family, id.model, id.stepping, TSC_MHZ, cpu / spec->cpus,
			spec->cpus, cpu % spec->cpus, spec->cpus, flags[spec->facts->vendor]);
	fclose(out);
}

static uint64_t bar_address(const uint8_t *config, unsigned bar)
{
	uint32_t low, high;

	memcpy(&low, config + PCI_BAR0 + 4 * bar, sizeof(low));
	memcpy(&high, config + PCI_BAR0 + 4 * (bar + 1), sizeof(high));
	return ((uint64_t)high << 32 | low) & ~UINT64_C(0xf);
}

/* A line a BAR: first byte, last byte, flags; the ROM is the seventh. */
static void publish_resources(const char *root, const char *name, const struct pci_function *f,
			      const uint8_t *config)
{
	char path[128], text[512] = "";

	for (unsigned bar = 0; bar <= PCI_BAR_COUNT; bar++) {
		const uint64_t size = bar < PCI_BAR_COUNT ? f->bar_size[bar] : 0;
		const uint64_t start = size ? bar_address(config, bar) : 0;

		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "0x%016" PRIx64 " 0x%016" PRIx64 " 0x%016" PRIx64 "\n", start,
			 size ? start + size - 1 : 0, size ? IORESOURCE_MEM64 : 0);
		if (!size)
			continue;
		snprintf(path, sizeof(path), "sys/bus/pci/devices/%s/resource%u", name, bar);
		tree_bytes(root, path, "", 0);

		char full[ROOTFS_PATH_SIZE];
		if (rootfs_path(full, root, "%s", path) || truncate(full, (off_t)size))
			err(1, "%s", path);
	}
	snprintf(path, sizeof(path), "sys/bus/pci/devices/%s/resource", name);
	tree_text(root, path, "%s", text);
}

/* One number in a file of a function's directory. */
static void attribute(const char *root, const char *function, const char *name, int digits,
		      unsigned value)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/bus/pci/devices/%s/%s", function, name);
	if (digits)
		tree_text(root, path, "0x%0*x\n", digits, value);
	else
		tree_text(root, path, "%u\n", value);
}

/* Both files of configuration space lead to the one in registers; by an absolute path, as proc's is
   shown elsewhere, too. */
static void link_config(const char *root, const char *registers, const char *name,
			const char *sysfs, const char *proc)
{
	char target[ROOTFS_PATH_SIZE], *absolute = realpath(root, NULL);

	if (!absolute || rootfs_path(target, absolute, "%s/%s/config", registers, name))
		errx(1, "%s: no such path, or too long", root);
	free(absolute);
	tree_link(root, sysfs, target);
	tree_link(root, proc, target);
}

static void publish_config(const char *root, const char *registers, const char *name,
			   const struct pci_function *f, const uint8_t *config)
{
	char path[128], proc[128];

	snprintf(path, sizeof(path), "sys/bus/pci/devices/%s/config", name);
	snprintf(proc, sizeof(proc), "proc/bus/pci/%02x/%02x.%x", f->at.bus, f->at.device,
		 f->at.function);
	if (registers) {
		link_config(root, registers, name, path, proc);
		return;
	}
	tree_bytes(root, path, config, PCI_CONFIG_BYTES);
	tree_hard_link(root, proc, path);
}

static void publish_function(const char *root, const char *registers, const struct pci_function *f,
			     const uint8_t *config)
{
	char name[PCI_TEXT_SIZE];
	uint16_t class;

	pci_location_text(f->at, name);
	memcpy(&class, config + 0x0A, sizeof(class));
	attribute(root, name, "vendor", 4, f->vendor);
	attribute(root, name, "device", 4, f->device);
	attribute(root, name, "subsystem_vendor", 4, 0);
	attribute(root, name, "subsystem_device", 4, 0);
	attribute(root, name, "class", 6, (unsigned)class << 8 | config[0x09]);
	attribute(root, name, "irq", 0, 0);
	attribute(root, name, "numa_node", 0, (unsigned)f->numa_node);
	attribute(root, name, "enable", 0, 1);
	publish_config(root, registers, name, f, config);
	publish_resources(root, name, f, config);
}

static void publish_pci(const char *root, struct platform *p, const char *registers)
{
	struct pci_function *functions;
	struct error why;
	size_t count;

	if (p->ops->pci_list(p, &functions, &count, &why))
		errx(1, "%s", why.text);
	tree_directory(root, "sys/bus/pci/drivers");
	for (size_t i = 0; i < count; i++)
		publish_function(root, registers, &functions[i], sim_of(p)->functions[i].config);
	free(functions);
}

/*
 * The ACPI table that tells where configuration space lies: a 44-byte header, then a record of
 * base, segment, first and last bus. Nothing answers at the base; walkers take the buses from it.
 */
static void publish_mcfg(const char *root)
{
	uint8_t table[60] = "MCFG";
	const uint32_t length = sizeof(table);
	const uint64_t base = 0x80000000;

	memcpy(table + 4, &length, sizeof(length));
	memcpy(table + 10, "CXLMON", 6);
	memcpy(table + 44, &base, sizeof(base));
	table[55] = 0xff;
	tree_bytes(root, "sys/firmware/acpi/tables/MCFG", table, sizeof(table));
}

/* As long as the highest region needs; what nobody writes takes no room. */
static void publish_memory(const char *root, const struct sim *sim)
{
	char path[ROOTFS_PATH_SIZE];
	uint64_t end = 0;

	for (size_t i = 0; i < sim->region_count; i++) {
		const struct sim_region memory = sim->regions[i];

		if (memory.phys + memory.length > end)
			end = memory.phys + memory.length;
	}
	tree_bytes(root, "dev/mem", "", 0);
	if (rootfs_path(path, root, "dev/mem") || truncate(path, (off_t)end))
		err(1, "%s", path);
}

void publish_machine(const char *root, struct platform *p, const char *registers)
{
	const struct sim_spec *spec = &sim_of(p)->spec;

	for (unsigned cpu = 0; cpu < spec->sockets * spec->cpus; cpu++) {
		publish_cpu(root, sim_of(p), cpu);
		publish_l3(root, sim_of(p), cpu);
	}
	tree_text(root, "sys/devices/system/cpu/possible", "0-%u\n",
		  spec->sockets * spec->cpus - 1);
	publish_online(root, p);
	publish_nodes(root, spec);
	publish_cpuinfo(root, p);
	publish_pci(root, p, registers);
	publish_cxl(root, p);
	publish_perf(root, p);
	publish_mcfg(root);
	publish_memory(root, sim_of(p));
	publish_lockdown(root, "none");
	if (publish_has_msrs(sim_of(p)))
		publish_allow_writes(root, "on");
	publish_watchdog(root, false);
}
