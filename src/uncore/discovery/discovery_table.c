/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "pci/config.h"
#include "platform/cpus.h"
#include "platform/guard.h"
#include "platform/pci.h"
#include "platform/reg.h"
#include "uncore/discovery/discovery_private.h"
#include "uncore/units/pmon_unit.h"

#define PCI_UNIT_VALID (UINT64_C(1) << 31)
#define MSR_SPACE      (UINT64_C(1) << 32) /* Intel SDM vol. 2, RDMSR: ECX holds the number */
#define MAX_WIDTH      64
#define LARGEST_STEP   8 /* bytes, outside MSR space */

const char *record_fault_text(enum record_fault fault)
{
	static const char *const texts[RECORD_FAULTS] = {
		[RECORD_VALID] = "valid",
		[RECORD_EMPTY] = "empty",
		[RECORD_NO_OFFSET] = "no offset of controls or counters",
		[RECORD_BAD_ACCESS] = "unknown access type",
		[RECORD_BAD_ADDRESS] = "impossible address",
		[RECORD_BAD_SHAPE] = "impossible number or width of counters",
		[RECORD_DUPLICATE] = "unit seen before",
		[RECORD_IGNORED] = "type whose records are wrong on this processor",
	};
	return texts[fault];
}

int discovery_decode_global(const uint64_t words[DISCOVERY_RECORD_WORDS], struct global_record *out)
{
	if (words[0] == 0 || words[0] == UINT64_MAX)
		return -EINVAL;
	*out = (struct global_record){
		.type = (uint8_t)reg_bits(words[0], 7, 0),
		.stride = (uint8_t)reg_bits(words[0], 15, 8),
		.max_units = (uint16_t)reg_bits(words[0], 25, 16),
		.access = (uint8_t)reg_bits(words[0], 63, 62),
		.control = words[1],
	};
	return out->stride < DISCOVERY_RECORD_WORDS ? -EINVAL : 0;
}

/* Returns true if registers outside MSR space are naturally aligned, as they must be. */
static bool record_aligned(const struct unit_record *record)
{
	if (record->access == ACCESS_MSR)
		return true;
	const unsigned whole = record->access == ACCESS_PCI ? 4 : 8;

	return !(record->control % whole) && !(record->counter_offset % whole) &&
	       !(record->control_offset % 4);
}

/*
 * Returns true if all registers are within MSR space, memory, or one function's configuration
 * space.
 */
static bool record_fits(const struct unit_record *record)
{
	const unsigned offset = record->control_offset > record->counter_offset
					? record->control_offset
					: record->counter_offset;
	const unsigned extent =
		offset + record->counters * (record->access == ACCESS_MSR ? 1 : LARGEST_STEP);

	switch (record->access) {
	case ACCESS_MSR:
		return record->control <= MSR_SPACE - extent;
	case ACCESS_PCI:
		return reg_bits(record->control, 11, 0) <= PCI_CONFIG_BYTES - extent;
	default:
		return record->control <= UINT64_MAX - extent;
	}
}

static bool is_empty(const uint64_t words[DISCOVERY_RECORD_WORDS])
{
	return !words[0] || words[0] == UINT64_MAX || !words[1] || words[1] == UINT64_MAX ||
	       words[2] == UINT64_MAX;
}

static bool has_counters(const struct unit_record *record)
{
	return record->counters && record->counters <= UNIT_MAX_COUNTERS && record->width &&
	       record->width <= MAX_WIDTH;
}

enum record_fault discovery_decode_unit(const uint64_t words[DISCOVERY_RECORD_WORDS],
					struct unit_record *out)
{
	*out = (struct unit_record){
		.counters = (uint8_t)reg_bits(words[0], 7, 0),
		.control_offset = (uint8_t)reg_bits(words[0], 15, 8),
		.width = (uint8_t)reg_bits(words[0], 23, 16),
		.counter_offset = (uint8_t)reg_bits(words[0], 31, 24),
		.status_offset = (uint8_t)reg_bits(words[0], 39, 32),
		.access = (uint8_t)reg_bits(words[0], 63, 62),
		.control = words[1],
		.type = (uint16_t)reg_bits(words[2], 15, 0),
		.id = (uint16_t)reg_bits(words[2], 31, 16),
	};
	if (is_empty(words))
		return RECORD_EMPTY;
	if (!out->control_offset || !out->counter_offset)
		return RECORD_NO_OFFSET;
	if (out->access > ACCESS_PCI)
		return RECORD_BAD_ACCESS;
	if (out->access == ACCESS_PCI && !(out->control & PCI_UNIT_VALID))
		return RECORD_BAD_ADDRESS;
	if (!has_counters(out))
		return RECORD_BAD_SHAPE;
	return record_aligned(out) && record_fits(out) ? RECORD_VALID : RECORD_BAD_ADDRESS;
}

void discovery_decode_pci(uint64_t control, struct pci_location *at, uint64_t *offset)
{
	at->domain = (uint32_t)reg_bits(control, 30, 28);
	at->bus = (uint8_t)reg_bits(control, 27, 20);
	at->device = (uint8_t)reg_bits(control, 19, 15);
	at->function = (uint8_t)reg_bits(control, 14, 12);
	*offset = reg_bits(control, 11, 0);
}

struct reg discovery_table_pointer(const struct discovery_table *table)
{
	return reg_msr(table->cpu, table->msr);
}

const char *discovery_table_source(const struct discovery_table *table, char text[REG_NAME_SIZE])
{
	const struct reg pointer = discovery_table_pointer(table);

	return table->msr ? reg_name(&pointer, text) : pci_location_text(table->at, text);
}

/*
 * Returns the step between counter controls: 1 for MSRs, 8 bytes for PCI, the model's value for
 * MMIO.
 */
static uint8_t control_step(const struct unit_record *record, const struct pmu_type *pmu_type)
{
	if (record->access != ACCESS_MMIO)
		return record->access == ACCESS_MSR ? 1 : 8;
	return pmu_type ? pmu_type->mmio_control_step : 0;
}

static struct unit make_unit(const struct unit_record *record, const struct pmu_type *pmu_type,
			     const struct discovery_table *table, unsigned cpu)
{
	struct unit unit = {
		.methods = &pmon_unit_methods,
		.pmu_type = pmu_type,
		.type = record->type,
		.id = record->id,
		.socket = table->socket,
		.die = table->die,
		.cpu = cpu,
		.access = record->access,
		.control = record->control,
		.counters = record->counters,
		.width = record->width,
		.registers = {.control_offset = record->control_offset,
			      .counter_offset = record->counter_offset,
			      .control_step = control_step(record, pmu_type),
			      .counter_step = record->access == ACCESS_MSR ? 1 : 8},
		.usable = (uint32_t)((UINT64_C(1) << record->counters) - 1),
	};

	if (record->access == ACCESS_PCI)
		discovery_decode_pci(record->control, &unit.pci, &unit.control);
	return unit;
}

int discovery_compare_units(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;

	return x->type != y->type ? (x->type > y->type) - (x->type < y->type)
				  : (x->id > y->id) - (x->id < y->id);
}

static int read_words(struct platform *p, const struct mmio_window *window, size_t first,
		      uint64_t words[DISCOVERY_RECORD_WORDS])
{
	int rc = 0;

	for (size_t i = 0; !rc && i < DISCOVERY_RECORD_WORDS; i++) {
		const struct reg word = reg_mmio(window, 8 * (first + i), 8);

		rc = reg_read(p, &word, &words[i], NULL);
	}
	return rc;
}

/* Checks a record against the model's table, and against the units found in this table before. */
static enum record_fault check_record(const struct unit_record *record,
				      const struct pmu_type *pmu_type, const struct unit *units,
				      size_t count)
{
	const unsigned step = control_step(record, pmu_type);

	if (pmu_type && pmu_type->ignored)
		return RECORD_IGNORED;
	if (record->access == ACCESS_MMIO && step && record->control_offset % step)
		return RECORD_BAD_ADDRESS;
	for (size_t i = 0; i < count; i++)
		if (units[i].type == record->type && units[i].id == record->id)
			return RECORD_DUPLICATE;
	return RECORD_VALID;
}

/* Appends the valid units of the first count records to out->units. */
static int read_records(struct platform *p, const struct model *model,
			const struct mmio_window *window, size_t count, unsigned cpu,
			struct discovery_table *table, struct discovery *out)
{
	if (!count)
		return 0;
	if (array_room(&out->units, out->unit_count, count, sizeof(*out->units)))
		return -ENOMEM;

	struct unit *first = out->units + out->unit_count;
	size_t found = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t words[DISCOVERY_RECORD_WORDS];
		struct unit_record record;
		int rc = read_words(p, window, (i + 1) * table->global.stride, words);
		if (rc)
			return rc;

		enum record_fault fault = discovery_decode_unit(words, &record);
		const struct pmu_type *pmu_type = model_pmu_type(model, record.type);
		if (!fault)
			fault = check_record(&record, pmu_type, first, found);
		table->faults[fault]++;
		if (fault)
			continue;
		first[found] = make_unit(&record, pmu_type, table, cpu);
		for (size_t k = 0; k < found; k++)
			first[found].nth += first[k].type == record.type;
		found++;
	}
	out->unit_count += found;
	return 0;
}

/*
 * Maps a table. Missing permissions concern all tables and are an error; other failures concern
 * only this one.
 */
static int map_table(struct platform *p, const struct discovery_table *table, size_t length,
		     struct mmio_window *window, struct error *err)
{
	struct error why = {0};
	char source[REG_NAME_SIZE];
	int rc = p->ops->registers->mmio_map(p, table->phys, length, false, window, &why);

	if (!rc)
		return 0;
	if (why.kind == ERROR_PERMISSION) {
		if (err)
			*err = why;
		return rc;
	}
	log_write(&p->log, LEVEL_WARNING, "discovery table of %s skipped: %s",
		  discovery_table_source(table, source), why.text);
	return TABLE_SKIPPED;
}

/* Reads the first record. *count is the number of further records within the table's BAR. */
static int read_global(struct platform *p, struct discovery_table *table, size_t *count,
		       struct error *err)
{
	char source[REG_NAME_SIZE];
	uint64_t words[DISCOVERY_RECORD_WORDS] = {0};
	struct mmio_window window;
	int rc = map_table(p, table, sizeof(words), &window, err);

	if (rc)
		return rc;
	rc = read_words(p, &window, 0, words);
	p->ops->registers->mmio_unmap(p, &window);
	if (!rc)
		rc = discovery_decode_global(words, &table->global);
	if (rc) {
		log_write(&p->log, LEVEL_WARNING,
			  "discovery table of %s at 0x%" PRIx64
			  " skipped: invalid first record (0x%" PRIx64 ")",
			  discovery_table_source(table, source), table->phys, words[0]);
		return TABLE_SKIPPED;
	}
	const uint64_t bytes = (uint64_t)table->global.stride * 8, fit = table->bar_size / bytes;

	*count = table->global.max_units;
	if (!table->bar_size || fit > *count)
		return 0;
	*count = fit ? (size_t)fit - 1 : 0;
	if (*count < table->global.max_units)
		log_write(&p->log, LEVEL_WARNING,
			  "discovery table of %s extends past its BAR: %zu of %u records read",
			  discovery_table_source(table, source), *count, table->global.max_units);
	return 0;
}

int discovery_table_read(struct platform *p, const struct model *model,
			 const struct topology *topology, struct discovery_table *table,
			 struct discovery *out, struct error *err)
{
	const unsigned cpu =
		table->msr ? table->cpu : (unsigned)topology_reader_cpu(topology, table->socket);
	char source[REG_NAME_SIZE];
	struct mmio_window window;
	size_t count;
	int rc = read_global(p, table, &count, err);

	if (rc)
		return rc;
	table->bytes = (count + 1) * table->global.stride * 8;
	rc = map_table(p, table, table->bytes, &window, err);
	if (rc)
		return rc;
	rc = read_records(p, model, &window, count, cpu, table, out);
	p->ops->registers->mmio_unmap(p, &window);
	if (rc)
		return error_set(err, ERROR_FAILED, rc, "discovery table: %s", strerror(-rc));
	for (unsigned f = RECORD_VALID + 1; f < RECORD_FAULTS; f++)
		if (table->faults[f])
			log_write(&p->log, LEVEL_DETAIL,
				  "discovery table of %s: %u record%s skipped (%s)",
				  discovery_table_source(table, source), table->faults[f],
				  table->faults[f] == 1 ? "" : "s", record_fault_text(f));
	return 0;
}

#define CONTROL_BYTES 4 /* bytes that the kernel writes */

bool table_has_control(const struct discovery_table *table)
{
	return table->msr && table->global.control && !(table->global.control % CONTROL_BYTES);
}

struct reg table_control(const struct discovery_table *table)
{
	return (struct reg){
		.space = REG_MMIO,
		.bytes = CONTROL_BYTES,
		.window = &table->control,
		.address = table->global.control,
	};
}

int table_control_allow(struct platform *p, const struct discovery_table *table, struct error *err)
{
	const struct reg reg = table_control(table);
	const struct guard_rule rule = {.mask = UNIT_CTL_FREEZE,
					.denied = ~UNIT_CTL_FREEZE,
					.what = "uncore global control"};

	return guard_allow_registers(&p->guard, &reg, 1, rule, err);
}

int table_control_open(struct platform *p, struct discovery_table *table, struct error *err)
{
	struct mmio_window window = table->control;
	const int rc = window.length
			       ? 0
			       : p->ops->registers->mmio_map(p, table->global.control,
							     CONTROL_BYTES, true, &window, err);

	/* a window that could not be mapped is not stored */
	if (rc)
		return rc;
	table->control = window;
	return table_control_allow(p, table, err);
}

void table_control_close(struct platform *p, struct discovery_table *table)
{
	if (table->control.length)
		p->ops->registers->mmio_unmap(p, &table->control);
	table->control = (struct mmio_window){.length = 0};
}
