/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/perf_unit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "platform/perf.h"
#include "uncore/units/core_unit.h"
#include "uncore/units/cpmu.h"

/*
 * The kernel's own code for fixed counter 2, which no Intel event list has: intel_pmu_event_map().
 */
#define REF_CYCLES_CODE	 0x00
#define REF_CYCLES_UMASK 0x03

/* A field of an event, by the kernel's name. */
struct field {
	const char *name;
	uint64_t value;
};

/* number of fields: event, umask, the PMU type's fields, and some spare */
#define MAX_FIELDS (CONTROL_FIELDS + 6)

/*
 * Adds the address filter of a unit, with the field names of the mainline kernel or of a vendor's.
 */
static size_t block_fields(const struct unit *unit, struct field out[MAX_FIELDS])
{
	const bool mainline = perf_find_format(unit->perf.pmu, "dst_addr_en");

	if (!unit->perf.block.mask)
		return 0;
	out[0] = (struct field){mainline ? "dst_addr_base" : "dst_bar_addr", unit->perf.block.base};
	out[1] = (struct field){mainline ? "dst_addr_mask" : "dst_bar_mask", unit->perf.block.mask};
	out[2] = (struct field){mainline ? "dst_addr_en" : "dst_bar_en", 1};
	return 3;
}

/*
 * Adds the fields of an uncore event. The kernel's umask includes the counter control's umask
 * extension.
 */
static size_t uncore_fields(const struct unit *unit, const struct event *event,
			    struct field out[MAX_FIELDS])
{
	static const char *const names[CONTROL_FIELDS] = {
		[CONTROL_THRESHOLD] = "thresh",
		[CONTROL_EDGE] = "edge",
		[CONTROL_INVERT] = "inv",
		[CONTROL_TID] = "tid_en",
		[CONTROL_PORT_ENABLE] = "port_en",
		[CONTROL_RS3_SEL] = "rs3_sel",
		[CONTROL_RX_SEL] = "rx_sel",
		[CONTROL_TX_SEL] = "tx_sel",
		[CONTROL_IEP_SEL] = "iep_sel",
		[CONTROL_VC_SEL] = "vc_sel",
		[CONTROL_PORT_SEL] = "port_sel",
		[CONTROL_CORE_ID] = "coreid",
		[CONTROL_ALL_SLICES] = "enallslices",
		[CONTROL_ALL_CORES] = "enallcores",
		[CONTROL_SLICE_ID] = "sliceid",
		[CONTROL_THREAD_MASK] = "threadmask",
	};
	const struct control_layout *layout = pmu_type_layout(unit->pmu_type);
	size_t count = 0;

	if (event->perf_alias)
		return block_fields(unit, out);
	out[count++] = (struct field){"event", event->code};
	out[count++] = (struct field){layout->perf_umask ? layout->perf_umask : "umask",
				      event->umask | (uint64_t)event->umask_ext << 8};
	for (unsigned f = 0; f < CONTROL_FIELDS; f++) {
		const uint64_t value =
			event->modifiers >> layout->fields[f].first & control_max(layout, f);

		if (names[f] && value)
			out[count++] = (struct field){names[f], value};
	}
	return count;
}

static size_t core_fields(const struct event *event, struct field out[MAX_FIELDS])
{
	static const struct {
		const char *name;
		uint64_t bits;
	} modifiers[] = {
		{"edge", PERFEVTSEL_EDGE},   {"any", PERFEVTSEL_ANY},
		{"inv", PERFEVTSEL_INV},     {"cmask", UINT64_C(0xff) << 24},
		{"in_tx", PERFEVTSEL_IN_TX}, {"in_tx_cp", PERFEVTSEL_IN_TXCP},
	};
	const bool ref_cycles = event->counters == CORE_FIXED(2);
	size_t count = 0;

	out[count++] = (struct field){"event", ref_cycles ? REF_CYCLES_CODE : event->code};
	out[count++] = (struct field){"umask", ref_cycles ? REF_CYCLES_UMASK : event->umask};
	for (size_t i = 0; i < sizeof(modifiers) / sizeof(modifiers[0]); i++) {
		const uint64_t bits = event->modifiers & modifiers[i].bits;

		if (bits)
			out[count++] = (struct field){modifiers[i].name,
						      bits >> __builtin_ctzll(modifiers[i].bits)};
	}
	if (event->offcore_rsp)
		out[count++] = (struct field){"offcore_rsp", event->offcore_rsp};
	return count;
}

/* Returns the PMU that counts an event of a unit, and the event's fields; NULL: no PMU does. */
static const struct perf_pmu *select_fields(const struct unit *unit, const struct event *event,
					    struct field out[MAX_FIELDS], size_t *count)
{
	if (unit->type == PMU_CPMU) {
		const uint64_t selection = cpmu_events_of(unit->cpmu, event);

		out[0] = (struct field){"vid", selection >> 48};
		out[1] = (struct field){"gid", selection >> 32 & UINT16_MAX};
		out[2] = (struct field){"mask", selection & UINT32_MAX};
		*count = 3;
		return unit->perf.pmu;
	}
	if (unit->type != PMU_CORE) {
		*count = uncore_fields(unit, event, out);
		return unit->perf.pmu;
	}
	if (event->counters == CORE_TSC) {
		out[0] = (struct field){"event", 0};
		*count = 1;
		return unit->perf.timestamp;
	}
	*count = core_fields(event, out);
	return unit->perf.pmu;
}

/*
 * Sets the event that the PMU has under this name, with filters that are 1:
 * "mem_bytes_rd,dst_loc_cmem".
 */
static int set_alias(const struct perf_pmu *pmu, const char *text, struct perf_event *event,
		     struct error *err)
{
	char name[PERF_NAME_SIZE];
	struct perf_alias filters = {.config = {0}};
	const size_t length = strcspn(text, ",");

	snprintf(name, sizeof(name), "%.*s", (int)length, text);
	const struct perf_alias *alias = perf_find_alias(pmu, name);
	if (!alias)
		return error_set(err, ERROR_NO_UNIT, -ENOTSUP, "%s: this kernel has no event '%s'",
				 pmu->name, name);
	if (text[length] && perf_parse_alias(pmu, text + length + 1, &filters))
		return error_set(err, ERROR_NO_UNIT, -ENOTSUP, "%s: this kernel has no field '%s'",
				 pmu->name, text + length + 1);
	for (unsigned w = 0; w < PERF_CONFIG_WORDS; w++)
		event->config[w] = alias->config[w] | filters.config[w];
	return 0;
}

int perf_unit_encode(const struct unit *unit, const struct event *event, struct perf_event *out,
		     struct error *err)
{
	struct field fields[MAX_FIELDS];
	size_t count;
	const struct perf_pmu *pmu = select_fields(unit, event, fields, &count);
	struct error why;
	int rc = 0;

	if (!pmu)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "%s: this kernel has no PMU to count it on", event->name);
	*out = (struct perf_event){
		.type = pmu->type, .cpu = unit->cpu, .thread = unit->perf.thread, .leader = -1};
	if (event->perf_alias)
		rc = set_alias(pmu, event->perf_alias, out, &why);
	for (size_t i = 0; !rc && i < count; i++)
		rc = perf_set_field(pmu, fields[i].name, fields[i].value, out, &why);
	if (rc)
		return error_set(err, ERROR_NO_UNIT, rc, "%s: %s", event->name, why.text);
	if (unit->type == PMU_CORE && event->counters != CORE_TSC) {
		out->exclude_user = !(event->modifiers & PERFEVTSEL_USR);
		out->exclude_kernel = !(event->modifiers & PERFEVTSEL_OS);
	}
	return 0;
}

const char *perf_unit_event_text(const struct unit *unit, const struct event *event,
				 char text[PERF_EVENT_TEXT_SIZE])
{
	struct field fields[MAX_FIELDS];
	size_t count;
	const struct perf_pmu *pmu = select_fields(unit, event, fields, &count);
	const char *alias = event->perf_alias ? event->perf_alias : "";
	size_t used =
		(size_t)snprintf(text, PERF_EVENT_TEXT_SIZE, "%s/%s", pmu ? pmu->name : "?", alias);

	for (size_t i = 0; i < count && used < PERF_EVENT_TEXT_SIZE; i++)
		used += (size_t)snprintf(text + used, PERF_EVENT_TEXT_SIZE - used,
					 "%s%s=0x%" PRIx64, i || *alias ? "," : "", fields[i].name,
					 fields[i].value);
	if (used < PERF_EVENT_TEXT_SIZE)
		snprintf(text + used, PERF_EVENT_TEXT_SIZE - used, "/");
	return text;
}
