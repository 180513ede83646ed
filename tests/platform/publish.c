/* SPDX-License-Identifier: BSD-3-Clause */
#include "publish.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "msr/cpuid.h"
#include "pci/config.h"
#include "platform/cpus.h"
#include "platform/pci.h"
#include "platform/rdt.h"
#include "tree.h"

#define IORESOURCE_MEM64 UINT64_C(0x140204) /* the kernel's flags of memory, 64 bits wide */
#define TSC_MHZ		 2000

bool publish_has_msrs(const struct sim *sim)
{
	return sim->spec.facts->vendor != SIM_ARM;
}

void publish_online(const char *root, struct platform *p)
{
	struct topology topology;
	char online[16384] = "", isolated[16384] = "";
	struct error why;

	if (p->ops->cpus->topology(p, &topology, &why))
		errx(1, "%s", why.text);
	for (size_t i = 0; i < topology.count; i++) {
		text_append(online, sizeof(online), "%s%u", i ? "," : "", topology.cpus[i].cpu);
		if (topology.cpus[i].spared)
			text_append(isolated, sizeof(isolated), "%s%u", *isolated ? "," : "",
				    topology.cpus[i].cpu);
	}
	tree_text(root, "sys/devices/system/cpu/online=%s\n", online);
	/*
	 * files as after isolcpus= and nohz_full= with the same CPUs; "(null)" without nohz_full=
	 */
	tree_text(root, "sys/devices/system/cpu/isolated=%s\n", isolated);
	tree_text(root, "sys/devices/system/cpu/nohz_full=%s\n", *isolated ? isolated : "(null)");
	topology_free(&topology);
}

void publish_lockdown(const char *root, const char *state)
{
	static const char *const states[] = {"none", "integrity", "confidentiality"};
	char text[128] = "";

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		const bool chosen = !strcmp(state, states[i]);

		text_append(text, sizeof(text), chosen ? "%s[%s]" : "%s%s", i ? " " : "",
			    states[i]);
	}
	tree_text(root, "sys/kernel/security/lockdown=%s\n", text);
}

void publish_allow_writes(const char *root, const char *value)
{
	tree_text(root, "sys/module/msr/parameters/allow_writes=%s\n", value);
}

void publish_watchdog(const char *root, bool runs)
{
	tree_text(root, "proc/sys/kernel/nmi_watchdog=%d\n", runs);
}

#define CPU "sys/devices/system/cpu/cpu%u/"

static void publish_cpu(const char *root, const struct sim *sim, unsigned cpu)
{
	const struct sim_spec *spec = &sim->spec;
	const unsigned socket = cpu / spec->cpus, first = socket * spec->cpus;
	const unsigned core = (cpu - first) / spec->threads, thread = first + core * spec->threads;
	const unsigned end = first + spec->cpus, last = thread + spec->threads;
	char siblings[64] = "";

	if (last > thread + 1)
		snprintf(siblings, sizeof(siblings), "-%u", (last < end ? last : end) - 1);
	tree_text(root, CPU "topology/physical_package_id=%u\n", cpu, sim_package(sim, socket));
	tree_text(root, CPU "topology/die_id=%u\n", cpu, sim->cores[cpu].die);
	tree_text(root, CPU "topology/core_id=%u\n", cpu, core);
	tree_text(root, CPU "topology/thread_siblings_list=%u%s\n", cpu, thread, siblings);
	tree_text(root, CPU "topology/package_cpus_list=%u-%u\n", cpu, first, end - 1);
	tree_directory(root, CPU "node%u", cpu, socket);
}

/* Publishes the L3 cache, if the machine has its number, and no other cache. */
static void publish_l3(const char *root, const struct sim *sim, unsigned cpu)
{
	const struct sim_spec *spec = &sim->spec;
	const int l3 = sim->cores[cpu].l3;
	unsigned first = cpu, last = cpu;

	if (l3 < 0)
		return;
	while (first > 0 && sim->cores[first - 1].l3 == l3)
		first--;
	while (last + 1 < spec->sockets * spec->cpus && sim->cores[last + 1].l3 == l3)
		last++;
	tree_text(root, CPU "cache/index3/id=%d\n", cpu, l3);
	tree_text(root, CPU "cache/index3/level=3\n", cpu);
	if (last > first)
		tree_text(root, CPU "cache/index3/shared_cpu_list=%u-%u\n", cpu, first, last);
	else
		tree_text(root, CPU "cache/index3/shared_cpu_list=%u\n", cpu, first);
}

static void publish_nodes(const char *root, const struct sim_spec *spec)
{
	tree_text(root, "sys/devices/system/node/online=0-%u\n", spec->sockets - 1);
	for (unsigned s = 0; s < spec->sockets; s++)
		tree_text(root, "sys/devices/system/node/node%u/cpulist=%u-%u\n", s, s * spec->cpus,
			  (s + 1) * spec->cpus - 1);
}

static void publish_cpuinfo(const char *root, struct platform *p)
{
	static const char *const flags[] = {
		[SIM_INTEL] = "arch_perfmon",
		[SIM_AMD] = "perfctr_core perfctr_nb perfctr_llc perfmon_v2",
	};
	const struct sim_spec *spec = &sim_of(p)->spec;
	const bool arm = spec->facts->vendor == SIM_ARM;
	const unsigned part = spec->model->part;
	const struct topology one = {&(struct cpu_location){.cpu = 0}, 1};
	uint32_t leaf0[CPUID_REGS], leaf1[CPUID_REGS];
	struct cpu_identity id;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		err(1, "cpuinfo");
	if (!arm) {
		p->ops->cpus->cpuid(p, 0, 0, 0, leaf0, NULL);
		p->ops->cpus->cpuid(p, 0, 1, 0, leaf1, NULL);
		cpuid_decode_identity(leaf0, leaf1, &id);
	}
	for (unsigned cpu = 0; cpu < spec->sockets * spec->cpus; cpu++) {
		uint32_t apic;

		one.cpus->cpu = cpu;
		p->ops->rdt->apic_ids(p, &one, &apic);
		if (arm) /* a machine without a model has a part that no processor has */
			fprintf(out,
				"processor\t: %u\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd\n"
				"CPU implementer\t: 0x%x\nCPU architecture: 8\nCPU variant\t: 0x0\n"
				"CPU part\t: 0x%03x\nCPU revision\t: 0\n\n",
				cpu, part ? spec->model->implementer : 0x41, part ? part : 0xfff);
		else
			fprintf(out,
				"processor\t: %u\nvendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\n"
				"model name\t: simulated by cxlmon\nstepping\t: %u\n"
				"cpu MHz\t\t: %d.000\nphysical id\t: %u\nsiblings\t: %u\n"
				"core id\t\t: %u\ncpu cores\t: %u\napicid\t\t: %u\n"
				"initial apicid\t: %u\nflags\t\t: tsc msr %s\n\n",
				cpu, id.vendor, id.family, id.model, id.stepping, TSC_MHZ,
				cpu / spec->cpus, spec->cpus, cpu % spec->cpus, spec->cpus, apic,
				apic, flags[spec->facts->vendor]);
	}
	fclose(out);
	tree_bytes(root, text, size, "proc/cpuinfo");
	free(text);
}

static uint64_t bar_address(const uint8_t *config, unsigned bar)
{
	uint32_t low, high;

	memcpy(&low, config + PCI_BAR0 + 4 * bar, sizeof(low));
	memcpy(&high, config + PCI_BAR0 + 4 * (bar + 1), sizeof(high));
	return ((uint64_t)high << 32 | low) & ~UINT64_C(0xf);
}

#define FUNCTION "sys/bus/pci/devices/%s/"

/* Publishes one line per BAR: first byte, last byte, flags; the ROM is the seventh. */
static void publish_resources(const char *root, const char *name, const struct pci_function *f,
			      const uint8_t *config)
{
	char text[512] = "";

	for (unsigned bar = 0; bar <= PCI_BAR_COUNT; bar++) {
		const uint64_t size = bar < PCI_BAR_COUNT ? f->bar_size[bar] : 0;
		const uint64_t start = size ? bar_address(config, bar) : 0;

		text_append(text, sizeof(text),
			    "0x%016" PRIx64 " 0x%016" PRIx64 " 0x%016" PRIx64 "\n", start,
			    size ? start + size - 1 : 0, size ? IORESOURCE_MEM64 : 0);
		if (size)
			tree_zeros(root, size, FUNCTION "resource%u", name, bar);
	}
	tree_text(root, FUNCTION "resource=%s", name, text);
}

/*
 * Makes both files of configuration space lead to the one in registers, by an absolute path,
 * because proc's is also shown elsewhere.
 */
static void publish_config(const char *root, const char *registers, const char *name,
			   const struct pci_function *f, const uint8_t *config)
{
	char proc[64], *absolute = realpath(root, NULL);

	snprintf(proc, sizeof(proc), "proc/bus/pci/%02x/%02x.%x", f->at.bus, f->at.device,
		 f->at.function);
	if (!absolute)
		err(1, "%s", root);
	if (registers) {
		tree_link(root, FUNCTION "config=%s/%s/%s/config", name, absolute, registers, name);
		tree_link(root, "%s=%s/%s/%s/config", proc, absolute, registers, name);
	} else {
		tree_bytes(root, config, PCI_CONFIG_BYTES, FUNCTION "config", name);
		tree_hard_link(root, "%s=" FUNCTION "config", proc, name);
	}
	free(absolute);
}

static void publish_function(const char *root, const char *registers, const struct pci_function *f,
			     const uint8_t *config)
{
	char name[PCI_TEXT_SIZE];
	uint16_t class;

	pci_location_text(f->at, name);
	memcpy(&class, config + 0x0A, sizeof(class));
	tree_text(root, FUNCTION "vendor=0x%04x\n", name, f->vendor);
	tree_text(root, FUNCTION "device=0x%04x\n", name, f->device);
	tree_text(root, FUNCTION "subsystem_vendor=0x0000\n", name);
	tree_text(root, FUNCTION "subsystem_device=0x0000\n", name);
	tree_text(root, FUNCTION "class=0x%06x\n", name, (unsigned)class << 8 | config[0x09]);
	tree_text(root, FUNCTION "irq=0\n", name);
	tree_text(root, FUNCTION "numa_node=%u\n", name, (unsigned)f->numa_node);
	tree_text(root, FUNCTION "enable=1\n", name);
	publish_config(root, registers, name, f, config);
	publish_resources(root, name, f, config);
}

static void publish_pci(const char *root, struct platform *p, const char *registers)
{
	struct pci_function *functions;
	struct error why;
	size_t count;

	if (p->ops->pci->list(p, &functions, &count, &why))
		errx(1, "%s", why.text);
	tree_directory(root, "sys/bus/pci/drivers");
	for (size_t i = 0; i < count; i++)
		publish_function(root, registers, &functions[i], sim_of(p)->functions[i].config);
	free(functions);
}

/*
 * Publishes the ACPI table with the address of configuration space: a 44-byte header, then a
 * record of base, segment, first and last bus. Nothing answers at the base; walkers take the buses
 * from it.
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
	tree_bytes(root, table, sizeof(table), "sys/firmware/acpi/tables/MCFG");
}

/* Publishes dev/mem, up to the end of the highest region; unwritten parts take no room. */
static void publish_memory(const char *root, const struct sim *sim)
{
	uint64_t end = 0;

	for (size_t i = 0; i < sim->region_count; i++)
		if (sim->regions[i].phys + sim->regions[i].length > end)
			end = sim->regions[i].phys + sim->regions[i].length;
	tree_zeros(root, end, "dev/mem");
}

/* Publishes an ACPI table, if the machine has it. */
static void publish_acpi(const char *root, struct platform *p, const char *signature)
{
	uint8_t *bytes = NULL;
	size_t size;

	if (!p->ops->rdt->table(p, signature, &bytes, &size, NULL))
		tree_bytes(root, bytes, size, "sys/firmware/acpi/tables/%s", signature);
	free(bytes);
}

void publish_machine(const char *root, struct platform *p, const char *registers)
{
	const struct sim_spec *spec = &sim_of(p)->spec;

	for (unsigned cpu = 0; cpu < spec->sockets * spec->cpus; cpu++) {
		publish_cpu(root, sim_of(p), cpu);
		publish_l3(root, sim_of(p), cpu);
	}
	tree_text(root, "sys/devices/system/cpu/possible=0-%u\n", spec->sockets * spec->cpus - 1);
	publish_online(root, p);
	publish_nodes(root, spec);
	publish_cpuinfo(root, p);
	publish_pci(root, p, registers);
	publish_cxl(root, p);
	publish_perf(root, p);
	publish_mcfg(root);
	publish_acpi(root, p, "ERDT");
	publish_acpi(root, p, "MRRM");
	publish_memory(root, sim_of(p));
	publish_lockdown(root, "none");
	if (publish_has_msrs(sim_of(p)))
		publish_allow_writes(root, "on");
	publish_watchdog(root, false);
}
