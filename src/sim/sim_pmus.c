/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_perf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/perf.h"
#include "sim/sim_extras.h"
#include "sim/sim_machine.h"
#include "sim/sim_private.h"
#include "uncore/model/model.h"

#define PMU_TYPE_CPU   4  /* PERF_TYPE_RAW */
#define PMU_TYPE_FIRST 10 /* the first type that the kernel gives out at registration */

#define KERNEL_BACKPORTS SIM_KERNEL(6, 12)
/* The first kernel that knows AMD's memory controllers. */
#define KERNEL_UMC SIM_KERNEL(6, 7)
/* The first kernel with bits 63:56 in the CHA's umask. */
#define KERNEL_WIDE_CHA SIM_KERNEL(6, 11)

static bool is_amd(const struct sim *sim)
{
	return sim->spec.facts->vendor == SIM_AMD;
}

static bool is_arm(const struct sim *sim)
{
	return sim->spec.facts->vendor == SIM_ARM;
}

/*
 * Returns true if the driver finds the unit. A driver that does not know the processor looks for
 * discovery tables only behind PCI functions. It finds units whose records are wrong without the
 * tables, as cxlmon does; other units of the kind are not simulated.
 */
static bool is_found(const struct sim *sim, const struct sim_unit *unit)
{
	const struct pmu_type *pmu_type = model_pmu_type(sim->spec.model, (uint16_t)unit->type);

	if (is_amd(sim))
		return unit->type != PMU_UMC || sim->spec.kernel >= KERNEL_UMC;
	if (is_arm(sim))
		return true;
	return !(pmu_type && pmu_type->ignored && !pmu_type->functions) &&
	       (sim->spec.kernel >= sim->spec.facts->kernel || !sim->spec.facts->dies_have_tables ||
		unit->die < SIM_IMHS);
}

/*
 * Returns true if one PMU counts on both units. Intel's counts on all units of a type with the
 * same id. AMD's counts on all units of a type, except memory controllers, which have one each, as
 * all units on Arm.
 */
static bool shares_pmu(const struct sim *sim, const struct sim_unit *a, const struct sim_unit *b)
{
	if (a->type != b->type || is_arm(sim))
		return a == b;
	return is_amd(sim) ? a->type != PMU_UMC || (a->id == b->id && a->socket == b->socket)
			   : a->id == b->id;
}

/* Returns the driver's name of a type of Intel's units; NULL: it does not know it. */
static const char *type_name(const struct sim *sim, unsigned type)
{
	const struct sim_model *facts = sim->spec.facts;
	const struct pmu_type *pmu_type = model_pmu_type(sim->spec.model, (uint16_t)type);
	const bool late = type == PMU_CXLCM || type == PMU_CXLDP || type == PMU_HBM;
	const bool knows_late = sim->spec.kernel >= facts->kernel_cxl ||
				(facts->backported && sim->spec.kernel == KERNEL_BACKPORTS);

	if (sim->spec.kernel < facts->kernel || (late && !knows_late))
		return NULL;
	for (const struct sim_kernel_name *other = facts->kernel_names; other && other->type;
	     other++)
		if (other->type == type)
			return other->name;
	return pmu_type ? pmu_type->name : NULL;
}

/* Returns the number of PMUs of a type of unit, before the one at end. */
static unsigned count_of_type(const struct sim_pmus *pmus, unsigned type, const struct sim_pmu *end)
{
	unsigned count = 0;

	for (const struct sim_pmu *pmu = pmus->items; pmu < end; pmu++)
		count += pmu->unit->type == type;
	return count;
}

/* Names a PMU of Intel, without an id if its type has only one unit. */
static void name_intel_pmu(const struct sim *sim, const struct sim_pmus *pmus, struct sim_pmu *pmu)
{
	const unsigned unit_type = pmu->unit->type;
	const char *name = type_name(sim, unit_type);
	char type[PERF_NAME_SIZE / 2];

	pmu->known = name != NULL;
	if (name)
		snprintf(type, sizeof(type), "%s", name);
	else
		snprintf(type, sizeof(type), "type_%u", unit_type & 0xffff);
	if (count_of_type(pmus, unit_type, pmus->items + pmus->count) == 1)
		snprintf(pmu->name, sizeof(pmu->name), "uncore_%s", type);
	else
		snprintf(pmu->name, sizeof(pmu->name), "uncore_%s_%u", type,
			 pmu->unit->id & 0xffff);
}

static void name_amd_pmu(const struct sim_pmus *pmus, struct sim_pmu *pmu)
{
	pmu->known = true;
	if (pmu->unit->type == PMU_UMC)
		snprintf(pmu->name, sizeof(pmu->name), "amd_umc_%u",
			 count_of_type(pmus, PMU_UMC, pmu));
	else
		snprintf(pmu->name, sizeof(pmu->name),
			 pmu->unit->type == PMU_DF ? "amd_df" : "amd_l3");
}

/* Kernels of NVIDIA, before the mainline kernel knew these units, call some otherwise. */
static void name_vera_pmu(const struct sim *sim, struct sim_pmu *pmu)
{
	const bool mainline = sim->spec.kernel >= sim->spec.facts->kernel;
	const unsigned socket = pmu->unit->socket & 0xffff, id = pmu->unit->id & 0xffff;

	pmu->known = true;
	switch (pmu->unit->type) {
	case PMU_UCF:
		snprintf(pmu->name, sizeof(pmu->name), "nvidia_ucf_pmu_%u", socket);
		break;
	case PMU_CMEM:
		snprintf(pmu->name, sizeof(pmu->name),
			 mainline ? "nvidia_cmem_latency_pmu_%u" : "nvidia_t410_cpu_mem_pmu_%u",
			 socket);
		break;
	case PMU_NVDLINK:
		snprintf(pmu->name, sizeof(pmu->name), "nvidia_nvdlink_pmu_%u", socket);
		break;
	default:
		snprintf(pmu->name, sizeof(pmu->name),
			 mainline ? "nvidia_pcie_tgt_pmu_%u_rc_%u"
				  : "nvidia_pcie_tgt_pmu_%u_chiplet_%u",
			 socket & 7, id & 0xf);
		break;
	}
}

static void add_unit_pmus(const struct sim *sim, struct sim_pmus *out)
{
	for (size_t u = 0; u < sim->unit_count; u++) {
		const struct sim_unit *unit = &sim->units[u];
		size_t i = 0;

		while (i < out->count && !shares_pmu(sim, out->items[i].unit, unit))
			i++;
		if (i == out->count && is_found(sim, unit))
			out->items[out->count++] =
				(struct sim_pmu){.kind = SIM_PMU_UNCORE, .unit = unit};
	}
	for (size_t i = 0; i < out->count; i++)
		if (is_amd(sim))
			name_amd_pmu(out, &out->items[i]);
		else if (is_arm(sim))
			name_vera_pmu(sim, &out->items[i]);
		else
			name_intel_pmu(sim, out, &out->items[i]);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct sim_pmu *)a)->name, ((const struct sim_pmu *)b)->name);
}

int sim_pmus_make(const struct sim *sim, struct sim_pmus *out)
{
	out->count = 0;
	out->items = calloc(sim->unit_count + sim->cpmu_count + 2, sizeof(*out->items));
	if (!out->items)
		return -ENOMEM;
	add_unit_pmus(sim, out);
	if (sim_extras.cxl_driver)
		sim_extras.cxl_driver->add_pmus(sim, out);
	if (sim->spec.facts->vendor != SIM_ARM) {
		out->items[out->count++] = (struct sim_pmu){.name = "cpu", .kind = SIM_PMU_CORE};
		out->items[out->count++] = (struct sim_pmu){.name = "msr", .kind = SIM_PMU_MSR};
	}
	qsort(out->items, out->count, sizeof(*out->items), compare_names);
	for (size_t i = 0; i < out->count; i++)
		out->items[i].type = out->items[i].kind == SIM_PMU_CORE
					     ? PMU_TYPE_CPU
					     : PMU_TYPE_FIRST + (uint32_t)i;
	return 0;
}

struct sim_unit *sim_pmu_unit(const struct sim *sim, const struct sim_pmu *pmu, unsigned cpu)
{
	for (size_t i = 0; i < sim->unit_count; i++) {
		struct sim_unit *unit = &sim->units[i];

		if (shares_pmu(sim, unit, pmu->unit) && is_found(sim, unit) &&
		    sim_unit_is_served(unit, &sim->cores[cpu]))
			return unit;
	}
	return NULL;
}

/* Lists one CPU of each die that has the PMU's unit; out has room for all. Returns their number. */
static size_t list_unit_cpus(const struct sim *sim, const struct sim_pmu *pmu, unsigned *out)
{
	size_t count = 0;

	for (size_t u = 0; u < sim->unit_count; u++) {
		const struct sim_unit *unit = &sim->units[u];
		const int cpu =
			shares_pmu(sim, unit, pmu->unit) ? sim_unit_first_cpu(sim, unit) : -1;
		size_t i = count;

		if (cpu < 0 || sim_pmu_unit(sim, pmu, (unsigned)cpu) != unit)
			continue;
		for (; i && out[i - 1] > (unsigned)cpu; i--)
			out[i] = out[i - 1];
		out[i] = (unsigned)cpu;
		count++;
	}
	return count;
}

/* A CPMU has the first CPU that is online; the CPUs' PMUs say none. */
static size_t list_cpus(const struct sim *sim, const struct sim_pmu *pmu, unsigned *out)
{
	unsigned first = 0;

	if (pmu->kind == SIM_PMU_UNCORE)
		return list_unit_cpus(sim, pmu, out);
	while (first < sim->core_count && !sim->cores[first].online)
		first++;
	*out = first;
	return pmu->kind == SIM_PMU_CXL && first < sim->core_count;
}

/* Returns true if a PMU is shown. In a virtual machine the uncore driver refuses to load. */
static bool is_shown(const struct sim *sim, const struct sim_pmu *pmu)
{
	return pmu->kind != SIM_PMU_UNCORE || !*sim->hypervisor;
}

const struct sim_pmu *sim_find_pmu(const struct sim *sim, const struct sim_pmus *pmus,
				   uint32_t type)
{
	for (size_t i = 0; i < pmus->count; i++)
		if (pmus->items[i].type == type && is_shown(sim, &pmus->items[i]))
			return &pmus->items[i];
	return NULL;
}

/*
 * The format files of the PMUs: where a field of an event goes. Those of units are
 * made from the layouts in src/uncore/models, except where the kernel has others.
 *
 * Source: the kernel's uncore_snbep.c and uncore_discovery.c, events/intel/core.c, events/msr.c,
 * events/amd/core.c and uncore.c, drivers/perf/cxl_pmu.c, and arm_cspmu/nvidia_cspmu.c there.
 */

#define MAX_FORMATS 16

#define BITS(first, last) (UINT64_MAX >> (63 - (last)) & UINT64_MAX << (first))

/* Fields as in format files, separated by blanks. IIO has the fields of Intel's units. */
#define CORE                                                                                       \
	"event=config:0-7 umask=config:8-15 edge=config:18 pc=config:19 inv=config:23 "            \
	"cmask=config:24-31 offcore_rsp=config1:0-63 ldlat=config1:0-15 frontend=config1:0-23"
#define AMD_CORE                                                                                   \
	"event=config:0-7,32-35 umask=config:8-15 edge=config:18 inv=config:23 cmask=config:24-31"
#define DF "event=config:0-7,32-37 umask=config:8-15,24-27"
#define L3                                                                                         \
	"event=config:0-7 umask=config:8-15 coreid=config:42-44 enallslices=config:46 "            \
	"enallcores=config:47 sliceid=config:48-50 threadmask=config:56-57"
#define UMC "event=config:0-7 rdwrmask=config:8-9"
#define CXL                                                                                        \
	"vid=config:48-63 gid=config:32-47 mask=config:0-31 threshold=config1:0-15 "               \
	"invert=config1:16 edge=config1:17"
#define MSR "event=config:0-63"
#define UCF                                                                                        \
	"event=config:0-31 src_loc_noncpu=config1:0 src_loc_cpu=config1:1 src_rem=config1:2 "      \
	"dst_loc_cmem=config1:8 dst_loc_gmem=config1:9 dst_loc_other=config1:10 dst_rem=config1:11"
#define NVIDIA_LATENCY "event=config:0-3"
#define PCIE_TGT                                                                                   \
	"event=config:0-2 dst_rp_mask=config:3-10 dst_addr_en=config:11 "                          \
	"dst_addr_base=config1:0-63 dst_addr_mask=config2:0-63"
#define PCIE_TGT_OF_NVIDIA                                                                         \
	"event=config:0-2 dst_rp_mask=config:3-10 dst_bar_en=config:11 "                           \
	"dst_bar_addr=config1:0-63 dst_bar_mask=config2:0-63"
#define UNKNOWN                                                                                    \
	"event=config:0-7 umask=config:8-15 edge=config:18 inv=config:23 thresh=config:24-31"
#define IIO                                                                                        \
	"event=config:0-7 umask=config:8-15 edge=config:18 inv=config:23 thresh=config:24-35 "     \
	"ch_mask=config:36-47 fc_mask=config:48-50"

/* Names of the fields of struct control_layout; umask_ext is part of umask. */
static const char *const field_names[CONTROL_FIELDS] = {
	[CONTROL_EDGE] = "edge",	   [CONTROL_INVERT] = "inv",
	[CONTROL_THRESHOLD] = "thresh",	   [CONTROL_TID] = "tid_en",
	[CONTROL_PORT_ENABLE] = "port_en", [CONTROL_RS3_SEL] = "rs3_sel",
	[CONTROL_RX_SEL] = "rx_sel",	   [CONTROL_TX_SEL] = "tx_sel",
	[CONTROL_IEP_SEL] = "iep_sel",	   [CONTROL_VC_SEL] = "vc_sel",
	[CONTROL_PORT_SEL] = "port_sel",
};

static void add_format(struct perf_format *out, size_t *count, const char *name, unsigned word,
		       uint64_t bits)
{
	out[*count] = (struct perf_format){.word = word, .bits = bits};
	snprintf(out[(*count)++].name, PERF_NAME_SIZE, "%s", name);
}

static size_t parse_formats(const char *text, struct perf_format out[MAX_FORMATS])
{
	char copy[MAX_FORMATS * PERF_NAME_SIZE], *save = NULL;
	size_t count = 0;

	snprintf(copy, sizeof(copy), "%s", text);
	for (char *field = strtok_r(copy, " ", &save); field; field = strtok_r(NULL, " ", &save)) {
		char *place = strchr(field, '=');
		struct perf_format format;

		*place++ = '\0';
		perf_parse_format(place, &format);
		add_format(out, &count, field, format.word, format.bits);
	}
	return count;
}

/*
 * Returns the bits above 31 in the format of umask. Bits 63:56 of a control are only in the format
 * of a CHA, and of all units of newer drivers. Older drivers have bits 55:32 for all types except
 * three, even if a control is only 32 bits wide.
 */
static uint64_t umask_ext_bits(const struct sim *sim, const struct control_layout *layout,
			       unsigned type)
{
	if (sim->spec.facts->dies_have_tables)
		return layout->fields[CONTROL_UMASK_EXT].bits ? BITS(32, 63) : 0;
	if (type == PMU_CHA && sim->spec.kernel >= KERNEL_WIDE_CHA)
		return BITS(32, 63);
	if (type == PMU_PCU || type == PMU_UBOX || type == PMU_MDF_GNR)
		return 0;
	return BITS(32, 55);
}

/* Adds a field. A threshold from bit 24 on continues as thresh_ext after bit 31. */
static void add_field(struct perf_format *out, size_t *count, const struct control_layout *layout,
		      enum control_field field)
{
	const unsigned first = layout->fields[field].first, bits = layout->fields[field].bits;
	const unsigned last = first + bits - 1;
	const bool split = field == CONTROL_THRESHOLD && first == 24 && last > 31;

	add_format(out, count, field_names[field], 0, BITS(first, split ? 31 : last));
	if (split)
		add_format(out, count, "thresh_ext", 0, BITS(32, last));
}

static size_t layout_formats(const struct sim *sim, unsigned type,
			     struct perf_format out[MAX_FORMATS])
{
	const struct control_layout *layout =
		pmu_type_layout(model_pmu_type(sim->spec.model, (uint16_t)type));
	size_t count = 0;

	add_format(out, &count, "event", 0, BITS(0, 7));
	add_format(out, &count, "umask", 0, BITS(8, 15) | umask_ext_bits(sim, layout, type));
	for (enum control_field f = 0; f < CONTROL_FIELDS; f++)
		if (field_names[f] && layout->fields[f].bits)
			add_field(out, &count, layout, f);
	if (layout->fields[CONTROL_TID].bits)
		add_format(out, &count, "filter_tid", 1, BITS(0, 9));
	return count;
}

/* Returns the format of a PMU; NULL: it follows from the unit's layout. */
static const char *fixed_formats(const struct sim *sim, const struct sim_pmu *pmu)
{
	if (pmu->kind == SIM_PMU_CORE)
		return is_amd(sim) ? AMD_CORE : CORE;
	if (pmu->kind != SIM_PMU_UNCORE)
		return pmu->kind == SIM_PMU_MSR ? MSR : CXL;
	switch (pmu->unit->type) {
	case PMU_DF:
		return DF;
	case PMU_L3:
		return L3;
	case PMU_UMC:
		return UMC;
	case PMU_UCF:
		return UCF;
	case PMU_CMEM:
	case PMU_NVDLINK:
		return NVIDIA_LATENCY;
	case PMU_PCIE_TGT:
		return sim->spec.kernel >= sim->spec.facts->kernel ? PCIE_TGT : PCIE_TGT_OF_NVIDIA;
	default:
		return !pmu->known ? UNKNOWN : pmu->unit->type == PMU_IIO ? IIO : NULL;
	}
}

/* Returns how many there are. */
static size_t formats_of(const struct sim *sim, const struct sim_pmu *pmu,
			 struct perf_format out[MAX_FORMATS])
{
	const char *fixed = fixed_formats(sim, pmu);

	return fixed ? parse_formats(fixed, out) : layout_formats(sim, pmu->unit->type, out);
}

uint64_t sim_pmu_config_bits(const struct sim *sim, const struct sim_pmu *pmu)
{
	struct perf_format formats[MAX_FORMATS];
	const size_t count = formats_of(sim, pmu, formats);
	uint64_t bits = 0;

	for (size_t i = 0; i < count; i++)
		bits |= formats[i].word ? 0 : formats[i].bits;
	return bits;
}

/* The events of Vera's PMUs, by name. */
static const struct {
	unsigned type;
	const char *name;
	uint64_t config;
} aliases[] = {
	{PMU_UCF, "mem_bytes_rd", 0x123},
	{PMU_UCF, "mem_bytes_wr", 0x124},
	{PMU_CMEM, "cycles", 0x3},
	{PMU_CMEM, "rd_cum_outs", 0x2},
	{PMU_CMEM, "rd_req", 0x1},
	{PMU_NVDLINK, "cycles", 0x3},
	{PMU_NVDLINK, "in_rd_cum_outs", 0x2},
	{PMU_NVDLINK, "in_rd_req", 0x1},
	{PMU_PCIE_TGT, "cycles", 0x4},
	{PMU_PCIE_TGT, "rd_bytes", 0x0},
	{PMU_PCIE_TGT, "rd_req", 0x2},
	{PMU_PCIE_TGT, "wr_bytes", 0x1},
	{PMU_PCIE_TGT, "wr_req", 0x3},
};
#define ALIASES (sizeof(aliases) / sizeof(aliases[0]))

static int copy_aliases(unsigned type, struct perf_pmu *out)
{
	out->aliases = calloc(ALIASES, sizeof(*out->aliases));
	if (!out->aliases)
		return -ENOMEM;
	for (size_t i = 0; i < ALIASES; i++) {
		struct perf_alias *alias = &out->aliases[out->alias_count];

		if (aliases[i].type != type)
			continue;
		snprintf(alias->name, sizeof(alias->name), "%s", aliases[i].name);
		alias->config[0] = aliases[i].config;
		out->alias_count++;
	}
	return 0;
}

#define PART (UINT64_C(256) << 20) /* part of a region: all regions are multiples of it */

/* Returns how many parts of a region are at addresses with (address & mask) == base. */
static uint64_t count_parts(const struct cxl_region *region, uint64_t base, uint64_t mask)
{
	uint64_t parts = 0;

	for (uint64_t at = region->base; at < region->base + region->bytes; at += PART)
		parts += (at & mask) == (base & mask);
	return parts;
}

uint64_t sim_pmu_filter(const struct sim *sim, const struct sim_unit *unit,
			const struct perf_event *attributes)
{
	const uint64_t *config = attributes->config;

	if (unit->type == PMU_UCF)
		return config[1] << 32;
	if (unit->type != PMU_PCIE_TGT)
		return 0;
	const struct cxl_device *device =
		&sim->devices[unit->socket * sim->spec.ports + unit->index];
	const struct cxl_region *region = memory_layout_region(&sim->memory, device->name);
	return count_parts(region, config[1], config[2]) << 32 | region->bytes / PART << 48;
}

static int copy_pmu(const struct sim *sim, const struct sim_pmu *pmu, struct perf_pmu *out)
{
	memcpy(out->name, pmu->name, sizeof(out->name));
	out->type = pmu->type;
	out->formats = calloc(MAX_FORMATS, sizeof(*out->formats));
	out->cpus = calloc(sim->core_count, sizeof(*out->cpus));
	if (!out->formats || !out->cpus)
		return -ENOMEM;
	out->format_count = formats_of(sim, pmu, out->formats);
	out->cpu_count = list_cpus(sim, pmu, out->cpus);
	if (pmu->cpmu)
		return sim_extras.cxl_driver->name_events(pmu->cpmu, out);
	return pmu->unit && is_arm(sim) ? copy_aliases(pmu->unit->type, out) : 0;
}

int sim_pmus_list(const struct sim *sim, const struct sim_pmus *pmus, struct perf_pmus *out)
{
	int rc = 0;

	out->count = 0;
	out->kernel = sim->spec.kernel;
	out->items = calloc(pmus->count + 1, sizeof(*out->items));
	if (!out->items)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < pmus->count; i++) {
		const struct sim_pmu *pmu = &pmus->items[i];
		struct perf_pmu *copy = &out->items[out->count];
		const bool on_dies = pmu->kind == SIM_PMU_UNCORE || pmu->kind == SIM_PMU_CXL;

		if (!is_shown(sim, pmu))
			continue;
		rc = copy_pmu(sim, pmu, copy);
		if (rc || copy->cpu_count || !on_dies)
			out->count++;
		else
			perf_pmu_free(copy); /* all its dies are offline */
	}
	if (rc)
		perf_pmus_free(out);
	return rc;
}
