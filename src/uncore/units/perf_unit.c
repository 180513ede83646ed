/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/perf_unit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/cpus.h"
#include "platform/perf.h"
#include "uncore/devices/cpmu.h"
#include "uncore/units/core_unit.h"

#define INTEL_PREFIX  "uncore_"
#define UNKNOWN_TYPE  "type_"
#define CPU_PMU	      "cpu"
#define TIMESTAMP_PMU "msr" /* its event 0 is the time stamp counter */

/* The kernel's own code for fixed counter 2, in no list of Intel: intel_pmu_event_map(). */
#define REF_CYCLES_CODE	 0x00
#define REF_CYCLES_UMASK 0x03

/* How much of a name a pattern, in which * is a number, is the beginning of; 0: it is not. */
static size_t match(const char *name, const char *pattern)
{
	const char *at = name;

	for (; *pattern; pattern++) {
		const size_t length = *pattern == '*' ? strspn(at, "0123456789") : *at == *pattern;

		if (!length)
			return 0;
		at += length;
	}
	return (size_t)(at - name);
}

/* The number 3 of "cha_3"; a single unit, "cha", has id 0. */
static bool parse_name(const char *name, const char *pmu_type, unsigned *id)
{
	const size_t length = match(name, pmu_type);
	const char *number = name + length + 1;
	char *end;

	*id = 0;
	if (!length || !name[length])
		return length;
	const unsigned long value = strtoul(number, &end, 10);
	*id = (unsigned)value;
	return name[length] == '_' && *number >= '0' && *number <= '9' && !*end &&
	       value <= UINT16_MAX;
}

static const struct pmu_type *find_pmu_type(const struct model *model, const char *name,
					    unsigned *id)
{
	const char *prefix = model->perf_prefix ? model->perf_prefix : INTEL_PREFIX;

	if (strncmp(name, prefix, strlen(prefix)))
		return NULL;
	name += strlen(prefix);
	for (const struct pmu_type *pmu_type = model->pmu_types; pmu_type->name; pmu_type++)
		if (parse_name(name, pmu_type->perf_name ? pmu_type->perf_name : pmu_type->name,
			       id) ||
		    (pmu_type->vendor_name && parse_name(name, pmu_type->vendor_name, id)))
			return pmu_type;
	return NULL;
}

/*
 * Every counter that some event uses, of the list of any processor that has the PMU type: some
 * lists are short. Of a PMU type without events nothing is known, and it counts one event at a
 * time: the kernel finds a counter for that.
 */
static uint32_t counters_of(const struct pmu_type *pmu_type)
{
	uint32_t counters = 0;

	for (const struct model *const *model = model_list(); *model; model++)
		for (const struct event *event = NULL; (event = model_next_event(*model, event));)
			if (event->type == pmu_type->type)
				counters |= event->counters;
	return counters ? counters : 1;
}

/* What a CPU has is known from CPUID; who else counts there, the kernel knows. */
static int perf_open(struct platform *p, struct unit *unit, struct error *err)
{
	struct core_pmu_info info;
	char name[UNIT_NAME_SIZE];

	if (unit->still)
		return error_set(
			err, ERROR_FAILED, -ENODEV,
			"%s: its clock stands still as the kernel counts it, while others' run: its "
			"driver has not initialised it, or it does not exist",
			unit_name(unit, name));
	if (unit->type != PMU_CORE)
		return 0;
	if (!unit->perf.pmu)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "cpu %u: the kernel has no PMU '" CPU_PMU "'; a virtual machine "
				 "may hide it",
				 unit->cpu);
	int rc = unit->perf.core_model->identify(p, unit->cpu, &info, err);
	/* of a thread, it would count while that runs, and so be no time */
	if (!rc)
		unit->usable = core_unit_counters(&info) | (unit->perf.thread ? 0 : CORE_TSC);
	return rc;
}

static bool perf_can_count(const struct unit *unit, const struct event *event)
{
	struct perf_event encoded;
	struct error ignored;

	return !perf_unit_encode(unit, event, &encoded, &ignored);
}

/* Nothing is written, so that there is nothing to save, to program or to restore. */
static const struct unit_methods perf_methods = {
	.open = perf_open,
	.can_count = perf_can_count,
};

static const struct cpu_location *find_cpu(const struct topology *topology, unsigned cpu)
{
	for (size_t i = 0; i < topology->count; i++)
		if (topology->cpus[i].cpu == cpu)
			return &topology->cpus[i];
	return NULL;
}

static void add_units(const struct topology *topology, const struct perf_pmu *pmu,
		      const struct pmu_type *pmu_type, unsigned id, struct discovery *out)
{
	for (size_t i = 0; i < pmu->cpu_count; i++) {
		const struct cpu_location *cpu = find_cpu(topology, pmu->cpus[i]);
		const uint32_t usable = counters_of(pmu_type);

		if (!cpu)
			continue;
		out->units[out->unit_count++] = (struct unit){
			.methods = &perf_methods,
			.pmu_type = pmu_type,
			.type = pmu_type->type,
			.id = (uint16_t)id,
			.socket = cpu->socket,
			.die = (unsigned)cpu->die,
			.cpu = cpu->cpu,
			.access = ACCESS_PERF,
			.perf.pmu = pmu,
			.counters = (uint8_t)(32 - __builtin_clz(usable)),
			.width = 64, /* the kernel sums up in 64 bits */
			.usable = usable,
		};
	}
}

static int compare_units(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;

	if (x->socket != y->socket)
		return x->socket < y->socket ? -1 : 1;
	if (x->die != y->die)
		return x->die < y->die ? -1 : 1;
	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/*
 * On AMD, one PMU has all L3 caches, each by a CPU of its own, and PMUs of memory controllers are
 * numbered through all sockets.
 */
static void number_by_socket(struct discovery *out)
{
	for (size_t i = 0; i < out->unit_count; i++) {
		struct unit *unit = &out->units[i];

		unit->id = 0;
		for (size_t k = 0; k < i; k++)
			unit->id += out->units[k].socket == unit->socket &&
				    out->units[k].type == unit->type;
	}
}

/* Ports are numbered table by table. */
static void add_tables(struct discovery *out)
{
	for (size_t i = 0; i < out->unit_count; i++) {
		const struct unit *unit = &out->units[i], *before = i ? unit - 1 : NULL;

		if (!before || before->socket != unit->socket || before->die != unit->die)
			out->tables[out->table_count++] = (struct discovery_table){
				.socket = unit->socket,
				.die = unit->die,
				.cpu = unit->cpu,
				.global.access = ACCESS_PERF,
			};
		out->tables[out->table_count - 1].faults[RECORD_VALID]++;
	}
}

/* The first PMU of a type that the kernel has no name for, "uncore_type_12_3". NULL: none. */
static const char *find_unnamed(const struct perf_pmus *pmus, uint16_t type)
{
	char name[PERF_NAME_SIZE];
	unsigned id;

	snprintf(name, sizeof(name), INTEL_PREFIX UNKNOWN_TYPE "%u", type);
	for (size_t i = 0; i < pmus->count; i++)
		if (parse_name(pmus->items[i].name, name, &id))
			return pmus->items[i].name;
	return NULL;
}

static bool knows_type(const struct model *model, const struct perf_pmus *pmus, uint16_t type)
{
	const struct pmu_type *known;
	unsigned id;

	for (size_t i = 0; i < pmus->count; i++) {
		known = find_pmu_type(model, pmus->items[i].name, &id);
		if (known && known->type == type)
			return true;
	}
	return false;
}

bool perf_units_hide(const struct model *model, const struct perf_pmus *pmus, uint16_t type)
{
	if (!pmus->count || type == PMU_CORE)
		return false;
	return !knows_type(model, pmus, type) &&
	       (model->units_by_cpuid || model->kernel_counts || find_unnamed(pmus, type));
}

/*
 * Kernels before the CXL units were described space their controls wrongly, and count nonsense.
 * Those units came with HBM's, of which that is not known.
 */
static void report_unknown(struct platform *p, const struct model *model,
			   const struct perf_pmus *pmus)
{
	static const uint16_t types[] = {PMU_CXLCM, PMU_CXLDP, PMU_HBM};
	bool of_cxl = false;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		const struct pmu_type *pmu_type = model_pmu_type(model, types[i]);
		const char *pmu = find_unnamed(pmus, types[i]);
		const bool is_hbm = types[i] == PMU_HBM;

		if (!pmu || !pmu_type || (of_cxl && !is_hbm))
			continue;
		of_cxl = true;
		log_write(&p->log, LEVEL_WARNING,
			  "this kernel does not know the %s units (it calls them %s)%s, so %s; "
			  "needed: Linux %s or later",
			  pmu_type->name, pmu, is_hbm ? "" : " and counts wrongly on them",
			  is_hbm ? "DRAM bandwidth, which includes HBM, stays empty"
				 : "they are left out",
			  model->perf_kernel);
	}
}

/*
 * Whether the kernel, which shows count units, counts on a unit of the tables, or can't count on
 * any of its type. For the kernel, the only unit of its type on a die has no number, and so 0.
 */
static bool is_counted(const struct discovery *tables, const struct unit *units, size_t count,
		       const struct unit *unit)
{
	size_t listed = 0, of_type = 0, found = 0, on_die = 0;
	bool has_id = false, is_0 = false;

	for (size_t i = 0; i < tables->unit_count; i++)
		listed += tables->units[i].type == unit->type &&
			  tables->units[i].socket == unit->socket;
	for (size_t i = 0; i < count; i++) {
		if (units[i].type != unit->type)
			continue;
		of_type++;
		if (units[i].socket != unit->socket)
			continue;
		found++;
		if (units[i].die != unit->die || units[i].uncounted)
			continue;
		on_die++;
		has_id |= units[i].id == unit->id;
		is_0 = !units[i].id;
	}
	return !of_type || found >= listed || has_id || (on_die == 1 && is_0);
}

/* Adds what the tables list of types that the kernel knows, but does not count on. */
static void add_uncounted(const struct discovery *tables, struct discovery *out)
{
	for (size_t i = 0; i < tables->unit_count; i++) {
		const struct unit *unit = &tables->units[i];

		if (!unit->pmu_type || is_counted(tables, out->units, out->unit_count, unit))
			continue;
		out->units[out->unit_count++] = (struct unit){
			.methods = &perf_methods,
			.pmu_type = unit->pmu_type,
			.type = unit->type,
			.id = unit->id,
			.socket = unit->socket,
			.die = unit->die,
			.access = ACCESS_PERF,
			.uncounted = true,
		};
	}
}

int perf_units_find(struct platform *p, const struct model *model, const struct topology *topology,
		    const struct perf_pmus *pmus, const struct discovery *tables,
		    struct discovery *out, struct error *err)
{
	size_t room = tables->unit_count + 1;

	for (size_t i = 0; i < pmus->count; i++)
		room += pmus->items[i].cpu_count;
	out->units = calloc(room, sizeof(*out->units));
	out->tables = calloc(room, sizeof(*out->tables));
	if (!out->units || !out->tables)
		return error_no_memory(err);
	for (size_t i = 0; i < pmus->count; i++) {
		unsigned id = 0;
		const struct pmu_type *pmu_type = find_pmu_type(model, pmus->items[i].name, &id);

		/* spr_update_device_location() takes the first one's address for all of a socket */
		if (pmu_type && pmu_type->functions)
			log_write(&p->log, LEVEL_DETAIL,
				  "%s is left out: from Linux 6.11 on, all PMUs of %s count the "
				  "first link of a socket",
				  pmus->items[i].name, pmu_type->name);
		else if (pmu_type)
			add_units(topology, &pmus->items[i], pmu_type, id, out);
	}
	if (model->perf_kernel)
		report_unknown(p, model, pmus);
	if (!out->unit_count)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "the kernel shows no uncore PMU of this processor in "
				 "/sys/bus/event_source/devices: its driver %s is not "
				 "loaded, does not know the processor, or this is a virtual "
				 "machine",
				 model->perf_driver ? model->perf_driver : "intel_uncore");
	add_uncounted(tables, out);
	qsort(out->units, out->unit_count, sizeof(*out->units), compare_units);
	if (model->units_by_cpuid)
		number_by_socket(out);
	add_tables(out);
	return 0;
}

void perf_unit_use_cpu(struct unit *unit, const struct model *model, const struct perf_pmus *pmus)
{
	unit->perf.core_model = model_core(model);
	unit->methods = &perf_methods;
	unit->has_pairs = false;
	unit->controlled = 0;
	unit->access = ACCESS_PERF;
	unit->width = 64;
	unit->perf.pmu = perf_find_pmu(pmus, CPU_PMU);
	unit->perf.timestamp = perf_find_pmu(pmus, TIMESTAMP_PMU);
}

/* A field of an event, by the kernel's name. */
struct field {
	const char *name;
	uint64_t value;
};

/* event, umask, the PMU type's fields, and a row without a name */
#define MAX_FIELDS (CONTROL_FIELDS + 6)

/* The addresses of a unit, by the names that the mainline kernel has, or a vendor's kernel. */
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

/* The kernel's umask includes what the counter control has as an extension. */
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

/* The PMU that counts an event of a unit; NULL: there is none. */
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

/* Sets what the PMU calls so, with fields that are 1: "mem_bytes_rd,dst_loc_cmem". */
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
