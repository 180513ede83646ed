/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "sim/sim_pmus.h"
#include "uncore/model.h"

#define KERNEL_WIDE_CHA SIM_KERNEL(6, 11) /* the CHA's umask has bits 63:56, too */

#define BITS(first, last) (UINT64_MAX >> (63 - (last)) & UINT64_MAX << (first))

/* Fields as in format files, one behind the other; IIO: of Intel's units. */
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
#define UNKNOWN                                                                                    \
	"event=config:0-7 umask=config:8-15 edge=config:18 inv=config:23 thresh=config:24-31"
#define IIO                                                                                        \
	"event=config:0-7 umask=config:8-15 edge=config:18 inv=config:23 thresh=config:24-35 "     \
	"ch_mask=config:36-47 fc_mask=config:48-50"

/* What the fields of struct control_layout are called; umask_ext is part of umask. */
static const char *const field_names[CONTROL_FIELDS] = {
	[CONTROL_EDGE] = "edge",	   [CONTROL_INVERT] = "inv",
	[CONTROL_THRESHOLD] = "thresh",	   [CONTROL_TID] = "tid_en",
	[CONTROL_PORT_ENABLE] = "port_en", [CONTROL_RS3_SEL] = "rs3_sel",
	[CONTROL_RX_SEL] = "rx_sel",	   [CONTROL_TX_SEL] = "tx_sel",
	[CONTROL_IEP_SEL] = "iep_sel",	   [CONTROL_VC_SEL] = "vc_sel",
	[CONTROL_PORT_SEL] = "port_sel",
};

const struct pmu_type *sim_pmu_type(const struct sim *sim, unsigned type)
{
	const char *name = sim_model_facts(sim->spec.model)->name;
	const struct model *const *m = model_list();

	while (*m && strcmp((*m)->short_name, name) != 0)
		m++;
	return *m ? model_pmu_type(*m, (uint16_t)type) : NULL;
}

static void add_format(struct perf_format *out, size_t *count, const char *name, unsigned word,
		       uint64_t bits)
{
	out[*count] = (struct perf_format){.word = word, .bits = bits};
	snprintf(out[(*count)++].name, PERF_NAME_SIZE, "%s", name);
}

static size_t parse_formats(const char *text, struct perf_format out[SIM_MAX_FORMATS])
{
	char copy[256], *save = NULL;
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
 * Bits 63:56 of a control are in the format of a CHA alone, and of all units of newer drivers.
 * Older ones have bits 55:32 of all types but three, also where a control is no wider than 32 bits.
 */
static uint64_t umask_ext_bits(const struct sim *sim, const struct control_layout *layout,
			       unsigned type)
{
	if (sim_model_facts(sim->spec.model)->dies_have_tables)
		return layout->fields[CONTROL_UMASK_EXT].bits ? BITS(32, 63) : 0;
	if (type == PMU_CHA && sim->spec.kernel >= KERNEL_WIDE_CHA)
		return BITS(32, 63);
	if (type == PMU_PCU || type == PMU_UBOX || type == PMU_MDF_GNR)
		return 0;
	return BITS(32, 55);
}

/* A threshold from bit 24 on goes on as thresh_ext behind bit 31. */
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
			     struct perf_format out[SIM_MAX_FORMATS])
{
	const struct control_layout *layout = pmu_type_layout(sim_pmu_type(sim, type));
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

/* NULL: those of the unit's layout. */
static const char *fixed_formats(const struct sim *sim, const struct sim_pmu *pmu)
{
	if (pmu->kind == SIM_PMU_CORE)
		return sim_model_facts(sim->spec.model)->vendor == SIM_AMD ? AMD_CORE : CORE;
	if (pmu->kind != SIM_PMU_UNCORE)
		return pmu->kind == SIM_PMU_MSR ? MSR : CXL;
	switch (pmu->unit->type) {
	case PMU_DF:
		return DF;
	case PMU_L3:
		return L3;
	case PMU_UMC:
		return UMC;
	default:
		return !pmu->known ? UNKNOWN : pmu->unit->type == PMU_IIO ? IIO : NULL;
	}
}

size_t sim_formats(const struct sim *sim, const struct sim_pmu *pmu,
		   struct perf_format out[SIM_MAX_FORMATS])
{
	const char *fixed = fixed_formats(sim, pmu);

	return fixed ? parse_formats(fixed, out) : layout_formats(sim, pmu->unit->type, out);
}
