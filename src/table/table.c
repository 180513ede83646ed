/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/table.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formula/program.h"

const struct row row_unknown = {
	.place = {.kind = ROW_SYSTEM,
		  .socket = -1,
		  .port = -1,
		  .cpu = -1,
		  .pci = "",
		  .memdev = "",
		  .node = -1},
	.interval_s = NAN,
	.counted_pct = NAN,
	.count = NAN,
	.per_s = NAN,
};

bool row_can_have(const struct row *row, const struct metric *metric)
{
	return metric->rows >> (row->place.kind == ROW_DEVICE ? ROW_PORT : row->place.kind) & 1;
}

int table_make_values(struct table *table)
{
	const size_t columns = table_all_columns(table);
	const size_t cells = (table_metric_rows(table) + 1) * columns;

	free(table->values);
	table->values = calloc(cells + 1, sizeof(*table->values));
	if (!table->values)
		return -ENOMEM;
	for (size_t i = 0; i < cells; i++)
		table->values[i] = value_unknown;
	for (size_t r = 0; r < table->row_count; r++)
		table->rows[r].values = r < table_metric_rows(table) ? table->values + r * columns
								     : table_unknown(table);
	return 0;
}

static size_t most_inputs(const struct formula_list *formulas)
{
	size_t most = 0;

	for (size_t i = 0; i < formulas->count; i++)
		if (formulas->items[i]->program->input_count > most)
			most = formulas->items[i]->program->input_count;
	return most;
}

size_t table_input_count(const struct table *table)
{
	size_t of_row = 0;

	for (size_t c = 0; c < table_all_columns(table); c++)
		of_row += most_inputs(&table->columns[c].formulas);
	return table_metric_rows(table) * of_row;
}

int table_make_inputs(struct table *table)
{
	const size_t columns = table_all_columns(table);
	const size_t cells = table_metric_rows(table) * columns;

	free(table->inputs);
	free(table->input_items);
	table->inputs = calloc(cells + 1, sizeof(*table->inputs));
	table->input_items = calloc(table_input_count(table) + 1, sizeof(*table->input_items));
	if (!table->inputs || !table->input_items)
		return -ENOMEM;
	struct input_value *items = table->input_items;
	for (size_t i = 0; i < cells; i++) {
		table->inputs[i].items = items;
		items += most_inputs(&table->columns[i % columns].formulas);
	}
	return 0;
}

void table_free(struct table *table)
{
	free(table->columns);
	free(table->rows);
	free(table->values);
	free(table->inputs);
	free(table->input_items);
	free(table->tallies.items);
	*table = (struct table){0};
}

size_t table_find(const struct table *table, const char *metric)
{
	for (size_t c = 0; metric && c < table->column_count; c++)
		if (!strcmp(table->columns[c].metric->name, metric))
			return c;
	return SIZE_MAX;
}

size_t table_system_row(const struct table *table)
{
	for (size_t r = 0; r < table_metric_rows(table); r++)
		if (table->rows[r].place.kind == ROW_SYSTEM)
			return r;
	return SIZE_MAX;
}

const char *table_heading(const struct table *table, size_t column)
{
	const struct column *at = &table->columns[column];

	return at->never_known ? NULL : at->metric->heading;
}

void table_link_columns(struct table *table)
{
	static const char *const latencies[3] = {"cxl_read_latency_ns", "ddr_local_read_latency_ns",
						 "ddr_remote_read_latency_ns"};

	for (size_t c = 0; c < table_all_columns(table); c++)
		table->columns[c].source_of = table_find(table, table->columns[c].metric->of);
	for (unsigned i = 0; i < 3; i++)
		table->latencies[i] = table_find(table, latencies[i]);
}

/* Computes rows. */

void table_compute_cell(struct table *table, size_t r, size_t c)
{
	const struct column *column = &table->columns[c];
	struct inputs *inputs = table_inputs(table, r, c);
	struct row *row = &table->rows[r];

	if (inputs->formula)
		inputs_name(inputs, row->values, column->named);
	value_compute(inputs, column->metric->family.counter, &row->values[c]);
}

#define LEAK_SHARE 0.05

/*
 * Marks a CXL latency as an estimate if CXL reads are few compared with DRAM reads: the occupancy
 * may include both. Returns DRAM reads per CXL read, or 0.
 */
static double mark_leak(const struct table *table, struct row *row)
{
	const size_t column = table->latencies[0];
	struct value *value = column < SIZE_MAX ? &row->values[column] : NULL;
	double dram_reads = 0;

	if (!value || isnan(value->number) || !value->inputs)
		return 0;
	const double cxl_reads = inputs_reads(value->inputs);
	for (unsigned i = 1; i < 3; i++) {
		const size_t ddr = table->latencies[i];
		const struct inputs *inputs = ddr < SIZE_MAX ? row->values[ddr].inputs : NULL;

		if (inputs)
			dram_reads += inputs_reads(inputs);
	}
	if (!(dram_reads * value->inputs->formula->leak_ns >
	      LEAK_SHARE * value->number * cxl_reads))
		return 0;
	value->scaled = value->raised = true;
	return dram_reads / cxl_reads;
}

static void set_sources(const struct table *table, struct row *row)
{
	for (size_t c = 0; c < table->column_count; c++)
		if (table->columns[c].source_of < table->column_count)
			row->values[c].text = row->values[table->columns[c].source_of].text;
}

double table_compute(struct table *table, size_t r, table_computer *compute, void *maker)
{
	struct row *row = &table->rows[r];

	for (size_t c = 0; c < table_all_columns(table); c++)
		if (!table->columns[c].metric->program)
			compute(maker, table, r, c);
	const double leak = mark_leak(table, row);
	for (size_t c = 0; c < table->column_count; c++)
		if (table->columns[c].metric->program)
			compute(maker, table, r, c);
	set_sources(table, row);
	return leak;
}
