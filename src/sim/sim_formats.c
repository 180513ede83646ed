/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_pmus.h"

#include <stdio.h>
#include <string.h>

#define KERNEL_WIDE_CHA SIM_KERNEL(6, 11) /* the CHA's umask has bits 63:56, too */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define BITS(first, last) (UINT64_MAX >> (63 - (last)) & UINT64_MAX << (first))

static const struct perf_format core_formats[] = {
	{"event", 0, BITS(0, 7)},	 {"umask", 0, BITS(8, 15)}, {"edge", 0, BITS(18, 18)},
	{"pc", 0, BITS(19, 19)},	 {"inv", 0, BITS(23, 23)},  {"cmask", 0, BITS(24, 31)},
	{"offcore_rsp", 1, BITS(0, 63)}, {"ldlat", 1, BITS(0, 15)}, {"frontend", 1, BITS(0, 23)},
};

static const struct perf_format amd_core_formats[] = {
	{"event", 0, BITS(0, 7) | BITS(32, 35)},
	{"umask", 0, BITS(8, 15)},
	{"edge", 0, BITS(18, 18)},
	{"inv", 0, BITS(23, 23)},
	{"cmask", 0, BITS(24, 31)},
};

static const struct perf_format df_formats[] = {
	{"event", 0, BITS(0, 7) | BITS(32, 37)},
	{"umask", 0, BITS(8, 15) | BITS(24, 27)},
};

static const struct perf_format l3_formats[] = {
	{"event", 0, BITS(0, 7)},	 {"umask", 0, BITS(8, 15)},
	{"coreid", 0, BITS(42, 44)},	 {"enallslices", 0, BITS(46, 46)},
	{"enallcores", 0, BITS(47, 47)}, {"sliceid", 0, BITS(48, 50)},
	{"threadmask", 0, BITS(56, 57)},
};

static const struct perf_format umc_formats[] = {
	{"event", 0, BITS(0, 7)},
	{"rdwrmask", 0, BITS(8, 9)},
};

/* Of AMD's units. */
static const struct {
	unsigned type;
	const struct perf_format *formats;
	size_t count;
} amd_formats[] = {
	{BOX_DF, df_formats, COUNT(df_formats)},
	{BOX_L3, l3_formats, COUNT(l3_formats)},
	{BOX_UMC, umc_formats, COUNT(umc_formats)},
};

static const struct perf_format cxl_formats[] = {
	{"vid", 0, BITS(48, 63)},      {"gid", 0, BITS(32, 47)},    {"mask", 0, BITS(0, 31)},
	{"threshold", 1, BITS(0, 15)}, {"invert", 1, BITS(16, 16)}, {"edge", 1, BITS(17, 17)},
};

static const struct perf_format msr_formats[] = {{"event", 0, BITS(0, 63)}};

/* Of units that the driver doesn't know. */
static const struct perf_format generic_formats[] = {
	{"event", 0, BITS(0, 7)}, {"umask", 0, BITS(8, 15)},   {"edge", 0, BITS(18, 18)},
	{"inv", 0, BITS(23, 23)}, {"thresh", 0, BITS(24, 31)},
};

static const struct perf_format iio_formats[] = {
	{"event", 0, BITS(0, 7)},     {"umask", 0, BITS(8, 15)},   {"edge", 0, BITS(18, 18)},
	{"inv", 0, BITS(23, 23)},     {"thresh", 0, BITS(24, 35)}, {"ch_mask", 0, BITS(36, 47)},
	{"fc_mask", 0, BITS(48, 50)},
};

/* What the fields of struct control_layout are called; umask_ext is part of umask. */
static const char *const field_names[CONTROL_FIELDS] = {
	[CONTROL_EDGE] = "edge",	   [CONTROL_INVERT] = "inv",
	[CONTROL_THRESHOLD] = "thresh",	   [CONTROL_TID] = "tid_en",
	[CONTROL_PORT_ENABLE] = "port_en", [CONTROL_RS3_SEL] = "rs3_sel",
	[CONTROL_RX_SEL] = "rx_sel",	   [CONTROL_TX_SEL] = "tx_sel",
	[CONTROL_IEP_SEL] = "iep_sel",	   [CONTROL_VC_SEL] = "vc_sel",
	[CONTROL_PORT_SEL] = "port_sel",
};

const struct box *sim_box(const struct sim *sim, unsigned type)
{
	const char *name = sim_model_facts(sim->spec.model)->name;
	const struct model *const *m = model_list();

	while (*m && strcmp((*m)->short_name, name) != 0)
		m++;
	return *m ? model_box(*m, (uint16_t)type) : NULL;
}

static void add_format(struct perf_format *out, size_t *count, const char *name, unsigned word,
		       uint64_t bits)
{
	out[*count] = (struct perf_format){.word = word, .bits = bits};
	snprintf(out[(*count)++].name, PERF_NAME_SIZE, "%s", name);
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
	if (type == BOX_CHA && sim->spec.kernel >= KERNEL_WIDE_CHA)
		return BITS(32, 63);
	if (type == BOX_PCU || type == BOX_UBOX || type == BOX_MDF_GNR)
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
	const struct control_layout *layout = box_layout(sim_box(sim, type));
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

static size_t copy_formats(const struct perf_format *from, size_t count,
			   struct perf_format out[SIM_MAX_FORMATS])
{
	memcpy(out, from, count * sizeof(*from));
	return count;
}

static size_t core_formats_of(enum sim_vendor vendor, struct perf_format out[SIM_MAX_FORMATS])
{
	return vendor == SIM_AMD ? copy_formats(amd_core_formats, COUNT(amd_core_formats), out)
				 : copy_formats(core_formats, COUNT(core_formats), out);
}

size_t sim_formats(const struct sim *sim, const struct sim_pmu *pmu,
		   struct perf_format out[SIM_MAX_FORMATS])
{
	if (pmu->kind == SIM_PMU_CORE)
		return core_formats_of(sim_model_facts(sim->spec.model)->vendor, out);
	if (pmu->kind == SIM_PMU_MSR)
		return copy_formats(msr_formats, COUNT(msr_formats), out);
	if (pmu->kind == SIM_PMU_CXL)
		return copy_formats(cxl_formats, COUNT(cxl_formats), out);
	for (size_t i = 0; i < COUNT(amd_formats); i++)
		if (amd_formats[i].type == pmu->unit_type)
			return copy_formats(amd_formats[i].formats, amd_formats[i].count, out);
	if (!pmu->known)
		return copy_formats(generic_formats, COUNT(generic_formats), out);
	if (pmu->unit_type == BOX_IIO)
		return copy_formats(iio_formats, COUNT(iio_formats), out);
	return layout_formats(sim, pmu->unit_type, out);
}
