/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks that come once: the header with the run, its columns and rows; and the memory of the
 * machine.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formula/custom_metric.h"
#include "platform/cxl.h"
#include "platform/memory.h"
#include "platform/pci.h"
#include "record/recording_private.h"
#include "uncore/model/model.h"
#include "uncore/models/models.h"

int recording_check_size(const struct table *table)
{
	const size_t columns = table_all_columns(table);

	return table->row_count > MAX_ROWS || columns > MAX_COLUMNS ||
			       table->row_count * columns > MAX_CELLS ||
			       table_input_count(table) > MAX_INPUTS
		       ? -E2BIG
		       : 0;
}

_Static_assert(CUSTOM_HELP_MOST == BYTES_TEXT_MAX, "descriptions are recorded whole");

/* A name that outputs print without quoting. */
static const char *code_name(struct coder *c, const char *name)
{
	name = code_text(c, name);
	c->bad |= !c->out && !text_is_name(name);
	return name;
}

/* Kinds of rows that a recording has. */
enum rows_kind {
	ROWS_METRICS,
	ROWS_EVENTS, /* each row on a unit */
	ROWS_MIXED,  /* each row has its kind */
};

/* Code of a row among mixed ones. Ports, CPUs and sums differ by scope and number. */
enum row_code { CODE_METRICS, CODE_EVENT, CODE_EVENT_SUM, CODE_NODE, CODE_DOMAIN, CODE_GROUP };

static enum row_code code_of_row(const struct row *row)
{
	if (row->event)
		return row->summed ? CODE_EVENT_SUM : CODE_EVENT;
	return row->place.kind == ROW_NODE     ? CODE_NODE
	       : row->place.kind == ROW_DOMAIN ? CODE_DOMAIN
	       : row->place.kind == ROW_GROUP  ? CODE_GROUP
					       : CODE_METRICS;
}

static enum rows_kind kind_of_rows(const struct table *table)
{
	for (size_t r = 0; r < table->row_count; r++)
		if (code_of_row(&table->rows[r]) > CODE_EVENT)
			return ROWS_MIXED;
	if (!table->event_rows)
		return ROWS_METRICS;
	return table_metric_rows(table) ? ROWS_MIXED : ROWS_EVENTS;
}

static enum rows_kind code_info(struct coder *c, struct recording_info *info, const char **model,
				enum rows_kind rows)
{
	info->program = code_text(c, info->program);
	info->processor = code_text(c, info->processor);
	*model = code_name(c, *model);
	info->interval_ns = code_varint(c, info->interval_ns);
	info->started_ns = code_varint(c, info->started_ns);
	info->option_count = code_count(c, info->option_count, RECORDING_OPTIONS);
	for (size_t i = 0; i < info->option_count; i++) {
		info->options[i].name = code_text(c, info->options[i].name);
		info->options[i].value = code_text(c, info->options[i].value);
	}
	return (enum rows_kind)code_count(c, rows, ROWS_MIXED);
}

static struct metric code_metric(struct coder *c, struct metric m)
{
	m.name = code_name(c, m.name);
	m.group = code_text(c, m.group);
	m.kind = (enum metric_kind)code_count(c, m.kind, METRIC_GROUP);
	m.rows = metric_rows((unsigned)code_count(c, metric_scopes(&m), (1U << SCOPE_COUNT) - 1));
	m.decimals = (unsigned)code_count(c, m.decimals, 17);
	m.of = code_optional(c, m.of);
	m.heading = code_optional(c, m.heading);
	m.unit = code_optional(c, m.unit);
	m.help = code_optional(c, m.help);
	m.family.name = code_optional(c, m.family.name);
	m.family.unit = code_optional(c, m.family.unit);
	m.family.help = code_optional(c, m.family.help);
	m.family.factor = code_number(c, m.family.factor);
	m.family.counter = code_count(c, m.family.counter, 1);
	return m;
}

static enum row_kind decode_kind(struct coder *c, const struct place *place, enum scope scope,
				 enum row_code code)
{
	static const enum row_kind of_code[] = {
		[CODE_NODE] = ROW_NODE, [CODE_DOMAIN] = ROW_DOMAIN, [CODE_GROUP] = ROW_GROUP};
	const bool has_port = place->port >= 0;

	if (code < CODE_NODE)
		return scope == SCOPE_PORT && !has_port ? ROW_DEVICE : scope_rows[scope];
	c->bad |= scope != SCOPE_PORT || has_port != (code == CODE_DOMAIN) ||
		  (code == CODE_GROUP && !*place->group);
	return of_code[code];
}

/* Encodes or decodes a row's place and code. */
static enum row_code code_place(struct coder *c, struct place *place, enum rows_kind rows,
				enum row_code code)
{
	const enum scope scope =
		(enum scope)code_count(c, row_scopes[place->kind], SCOPE_COUNT - 1);

	place->socket = code_index(c, place->socket);
	place->port = code_index(c, place->port);
	place->cpu = code_index(c, place->cpu);
	place->node = code_index(c, place->node);
	place->pci = code_text(c, place->pci);
	place->memdev = code_text(c, place->memdev);
	if (rows == ROWS_MIXED)
		code = (enum row_code)code_count(c, code, CODE_GROUP);
	else
		code = rows == ROWS_EVENTS ? CODE_EVENT : CODE_METRICS;
	if (code == CODE_GROUP)
		place->group = code_text(c, place->group);
	place->kind = decode_kind(c, place, scope, code);
	return code;
}

/*
 * The unit and event that a row counts, each by the first row that has it, which also has its name.
 */
struct counted {
	size_t unit, event;
	const char *pmu_type, *name;
	size_t id, die;
};

static struct counted code_counted(struct coder *c, size_t r, struct counted e)
{
	e.unit = code_count(c, e.unit, r);
	if (e.unit == r) {
		e.pmu_type = code_name(c, e.pmu_type);
		e.id = code_count(c, e.id, UINT16_MAX);
		e.die = code_count(c, e.die, UINT16_MAX);
	}
	e.event = code_count(c, e.event, r);
	if (e.event == r)
		e.name = code_text(c, e.name);
	return e;
}

/* Writing. */

static struct counted counted_by(const struct table *table, size_t r)
{
	const struct row *row = &table->rows[r];
	struct counted e = {.pmu_type = row->unit->pmu_type->name,
			    .id = row->unit->id,
			    .die = row->unit->die,
			    .name = row->event->name};

	while (table->rows[e.unit].unit != row->unit)
		e.unit++;
	while (table->rows[e.event].event != row->event)
		e.event++;
	return e;
}

void recording_encode_header(struct coder *c, const struct recording_info *info,
			     const struct table *table)
{
	const enum rows_kind rows = kind_of_rows(table);
	struct recording_info copy = *info;
	const char *model = table->model;

	code_varint(c, RECORDING_VERSION);
	code_info(c, &copy, &model, rows);
	code_varint(c, table->column_count);
	code_varint(c, table->named_count);
	for (size_t i = 0; i < table_all_columns(table); i++) {
		struct metric metric = *table->columns[i].metric;

		metric.heading = table_heading(table, i);
		code_metric(c, metric);
		recording_put_formulas(c, table, i);
	}
	code_varint(c, table->row_count);
	for (size_t r = 0; r < table->row_count; r++) {
		struct row row = table->rows[r];

		code_place(c, &row.place, rows, code_of_row(&row));
		if (row.event)
			code_counted(c, r, counted_by(table, r));
	}
}

/* Reading. */

static void decode_metric(struct coder *c, struct metric *m)
{
	*m = code_metric(c, *m);
	/* outputs rely on these */
	c->bad |= isnan(m->family.factor) || (m->heading && !m->unit) ||
		  (m->family.name && (!m->family.help || !text_is_name(m->family.name)));
	/* a recording does not have these, and an earlier version had other headings */
	const struct metric *known = metric_by_name(m->name);
	m->source = known ? known->source : SOURCE_UNITS;
	m->number = known ? known->number : 0;
	if (m->source == SOURCE_GROUPS)
		m->rows = known->rows;
	else if (known)
		m->rows |= known->rows & (1U << ROW_NODE | 1U << ROW_DOMAIN);
	if (known && known->heading && m->heading)
		m->heading = known->heading;
}

/* Decodes the unit and event of a row: each is an earlier row's, or follows here. */
static void decode_counted(struct coder *c, struct recording *recording, size_t r)
{
	struct row *rows = recording->table.rows;
	const struct counted e = code_counted(c, r, (struct counted){.name = ""});

	recording->pmu_types[r].name = e.pmu_type;
	recording->units[r] = (struct unit){.pmu_type = &recording->pmu_types[r],
					    .id = (uint16_t)e.id,
					    .die = (unsigned)e.die,
					    .socket = rows[r].place.socket};
	recording->events[r].name = e.name;
	rows[r].unit = e.unit == r ? &recording->units[r] : rows[e.unit].unit;
	rows[r].event = e.event == r ? &recording->events[r] : rows[e.event].event;
	/* rows of metrics have neither */
	c->bad |= !rows[r].unit || !rows[r].event;
}

static void decode_row(struct coder *c, struct recording *recording, enum rows_kind rows, size_t r)
{
	struct table *table = &recording->table;
	struct row *row = &table->rows[r];
	const struct model *model = model_by_name(table->model);

	const enum row_code code = code_place(c, &row->place, rows, CODE_METRICS);
	row->place.port_name = row->place.kind == ROW_DOMAIN	      ? TABLE_DOMAIN
			       : row->place.kind == ROW_PORT && model ? model->port_name
								      : NULL;
	row->interval_s = row->counted_pct = row->count = row->per_s = NAN;
	if (code != CODE_EVENT && code != CODE_EVENT_SUM) {
		c->bad |= table->event_rows > 0; /* rows of events come first */
		return;
	}
	row->summed = code == CODE_EVENT_SUM;
	decode_counted(c, recording, r);
	table->event_rows++;
}

/* Checks that metrics named by a formula do not name metrics themselves. */
static void check_named(struct coder *c, const struct table *table)
{
	const size_t columns = table_all_columns(table);

	for (size_t i = 0; i < columns; i++) {
		const struct program *program = table->columns[i].metric->program;

		for (size_t k = 0; program && k < program->metric_count; k++)
			c->bad |= i >= table->column_count ||
				  table->columns[i].named[k] >= columns ||
				  table->columns[table->columns[i].named[k]].metric->program;
	}
}

static int decode_columns(struct coder *c, struct recording *recording)
{
	struct table *table = &recording->table;
	const size_t shown = code_count(c, 0, MAX_COLUMNS);
	const size_t count = shown + code_count(c, 0, MAX_COLUMNS - shown);
	int rc = 0;

	recording->metrics = calloc(count + 1, sizeof(*recording->metrics));
	table->columns = calloc(count + 1, sizeof(*table->columns));
	if (!recording->metrics || !table->columns)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < count; i++) {
		decode_metric(c, &recording->metrics[i]);
		table->columns[i].metric = &recording->metrics[i];
		rc = recording_decode_formulas(c, recording, i);
	}
	table->column_count = shown;
	table->named_count = count - shown;
	if (!rc)
		table_link_columns(table);
	if (!rc)
		check_named(c, table);
	return rc;
}

static int decode_rows(struct coder *c, struct recording *recording, enum rows_kind rows)
{
	struct table *table = &recording->table;
	/* a row takes at least one byte, so a short header cannot cause a large allocation */
	const size_t count = code_count(c, 0, c->left < MAX_ROWS ? c->left : MAX_ROWS);
	const size_t events = rows == ROWS_METRICS ? 0 : count;

	c->bad |= !count || count * table_all_columns(table) > MAX_CELLS;
	if (c->bad)
		return 0;
	table->rows = calloc(count, sizeof(*table->rows));
	recording->pmu_types = calloc(events + 1, sizeof(*recording->pmu_types));
	recording->units = calloc(events + 1, sizeof(*recording->units));
	recording->events = calloc(events + 1, sizeof(*recording->events));
	if (!table->rows || !recording->pmu_types || !recording->units || !recording->events)
		return -ENOMEM;
	for (size_t r = 0; r < count; r++)
		decode_row(c, recording, rows, r);
	table->row_count = count;
	c->bad |= table_input_count(table) > MAX_INPUTS;
	if (c->bad)
		return 0;
	return table_make_values(table) || table_make_inputs(table) ? -ENOMEM : 0;
}

int recording_decode_header(struct coder *c, struct recording *recording)
{
	const uint64_t version = code_varint(c, 0);

	if (!c->bad && version != RECORDING_VERSION)
		return error_set(
			c->err, ERROR_FAILED, -ENOTSUP,
			"recording version %llu, but this cxlmon supports version %d: it can be "
			"read by the cxlmon that has recorded it",
			(unsigned long long)version, RECORDING_VERSION);
	const enum rows_kind rows =
		code_info(c, &recording->info, &recording->table.model, ROWS_METRICS);
	int rc = decode_columns(c, recording);
	if (!rc)
		rc = decode_rows(c, recording, rows);
	c->left = 0; /* a later version may have more */
	return rc ? error_no_memory(c->err) : 0;
}

/* Memory: CXL devices with their links, regions, and the speeds that firmware reports for nodes. */

#define MAX_DEVICES 1024 /* limit for each kind: more than any machine has */
#define MAX_SPEED   64	 /* GT/s */
#define MAX_LANES   32

/* Encodes or decodes a name that fits; a mode may be empty. */
static void code_own_name(struct coder *c, char *name, size_t size, bool may_be_empty)
{
	const char *text = code_text(c, name);

	if (c->out)
		return;
	c->bad |= strlen(text) >= size || !(text_is_name(text) || (may_be_empty && !*text));
	if (!c->bad)
		strcpy(name, text);
}

static void code_link(struct coder *c, struct pci_link *link)
{
	link->GTps = code_number(c, link->GTps);
	link->lanes = (unsigned)code_count(c, link->lanes, MAX_LANES);
	c->bad |= !(link->GTps >= 0 && link->GTps <= MAX_SPEED);
}

static void code_location(struct coder *c, struct pci_location *at)
{
	at->domain = (unsigned)code_count(c, at->domain, UINT32_MAX);
	at->bus = (uint8_t)code_count(c, at->bus, UINT8_MAX);
	at->device = (uint8_t)code_count(c, at->device, UINT8_MAX);
	at->function = (uint8_t)code_count(c, at->function, UINT8_MAX);
}

static void code_device(struct coder *c, struct cxl_device *device)
{
	code_own_name(c, device->name, sizeof(device->name), false);
	device->node = code_index(c, device->node);
	device->bytes = code_varint(c, device->bytes);
	device->hop_count = code_count(c, device->hop_count, CXL_PATH_MAX / 2);
	for (size_t h = 0; h < device->hop_count; h++) {
		struct pci_hop *hop = &device->hops[h];

		code_location(c, &hop->above);
		code_location(c, &hop->below);
		code_link(c, &hop->now);
		code_link(c, &hop->possible);
	}
}

/* Encodes or decodes a speed that firmware reports, which is not below 0. */
static double code_promise(struct coder *c, double number)
{
	number = code_number(c, number);
	c->bad |= !(number >= 0);
	return number;
}

static void code_node(struct coder *c, struct memory_node *node)
{
	node->node = code_index(c, node->node);
	node->read_MBps = code_promise(c, node->read_MBps);
	node->write_MBps = code_promise(c, node->write_MBps);
	node->read_ns = code_promise(c, node->read_ns);
	node->write_ns = code_promise(c, node->write_ns);
	node->weight = (unsigned)code_count(c, node->weight, UINT8_MAX);
	node->tier = code_index(c, node->tier);
}

static void code_region(struct coder *c, struct cxl_region *region)
{
	code_own_name(c, region->name, sizeof(region->name), false);
	code_own_name(c, region->mode, sizeof(region->mode), true);
	region->ways = (unsigned)code_count(c, region->ways, REGION_MAX_WAYS);
	region->granularity = (unsigned)code_count(c, region->granularity, UINT32_MAX);
	region->bytes = code_varint(c, region->bytes);
	region->node = code_index(c, region->node);
	region->device_count = code_count(c, region->device_count, REGION_MAX_WAYS);
	for (size_t i = 0; i < region->device_count; i++)
		code_own_name(c, region->devices[i], sizeof(region->devices[i]), false);
}

/* Encodes or decodes all items. Encoding changes nothing. */
static void code_items(struct coder *c, struct cxl_device *devices, size_t device_count,
		       struct memory_layout *memory)
{
	for (size_t i = 0; !c->bad && i < device_count; i++)
		code_device(c, &devices[i]);
	for (size_t i = 0; !c->bad && i < memory->node_count; i++)
		code_node(c, &memory->nodes[i]);
	for (size_t i = 0; !c->bad && i < memory->region_count; i++)
		code_region(c, &memory->regions[i]);
}

void recording_put_memory(struct bytes *out, const struct recording_info *info)
{
	struct bytes b = {.failed = false};
	struct coder c = {.out = &b};
	struct memory_layout memory = info->memory;

	if (!info->device_count && !memory.node_count && !memory.region_count)
		return;
	code_count(&c, info->device_count, MAX_DEVICES);
	code_count(&c, memory.node_count, MAX_DEVICES);
	code_count(&c, memory.region_count, MAX_DEVICES);
	code_items(&c, info->devices, info->device_count, &memory);
	block_put(out, BLOCK_MEMORY, &b);
}

/* Refuses another block: it would free the items that pointers of the first one refer to. */
int recording_decode_memory(struct coder *c, struct recording *r)
{
	struct recording_info *info = &r->info;

	if (info->devices)
		c->bad = true;
	const size_t devices = code_count(c, 0, MAX_DEVICES), nodes = code_count(c, 0, MAX_DEVICES),
		     regions = code_count(c, 0, MAX_DEVICES);
	if (c->bad)
		return 0;
	info->devices = calloc(devices + 1, sizeof(*info->devices));
	info->memory.nodes = calloc(nodes + 1, sizeof(*info->memory.nodes));
	info->memory.regions = calloc(regions + 1, sizeof(*info->memory.regions));
	if (!info->devices || !info->memory.nodes || !info->memory.regions)
		return error_no_memory(c->err);
	info->device_count = devices;
	info->memory.node_count = nodes;
	info->memory.region_count = regions;
	code_items(c, info->devices, devices, &info->memory);
	c->left = 0; /* a later version may have more */
	return 0;
}
