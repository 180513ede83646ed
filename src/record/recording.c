/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recording block by block: the table of block types, and blocks of samples. The header is in
 * recording_header.c, inputs of cells are in recording_cells.c.
 */
#include "record/recording.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/memory.h"
#include "record/recording_own.h"
#include "record/recording_private.h"

/*
 * The magic number. As in PNG, the first byte and both kinds of line ends detect a transfer in text
 * mode.
 */
#define MAGIC                                                                                      \
	"\x89"                                                                                     \
	"CXLREC\r\n\n"
#define MAGIC_SIZE 10

void recording_add_option(struct recording_info *info, const char *name, const char *value)
{
	if (value && info->option_count < RECORDING_OPTIONS)
		info->options[info->option_count++] =
			(struct recording_option){.name = name, .value = value};
}

const char *recorded_option(const struct recording_info *info, const char *name)
{
	const char *value = NULL;

	for (size_t i = 0; i < info->option_count; i++)
		if (!strcmp(info->options[i].name, name))
			value = info->options[i].value;
	return value;
}

const char *recorded_processor(const struct recording_info *info,
			       char text[RECORDED_PROCESSOR_SIZE])
{
	snprintf(text, RECORDED_PROCESSOR_SIZE, "%s%s",
		 recorded_option(info, "sim") ? "simulated " : "", info->processor);
	return text;
}

static int refuse_damaged(struct error *err, const char *why)
{
	return error_set(err, ERROR_FAILED, -EBADMSG, "%s", why);
}

/* Appends a block that holds one number. */
static void put_number(struct bytes *out, uint8_t type, uint64_t number)
{
	struct bytes b = {.failed = false};

	code_varint(&(struct coder){.out = &b}, number);
	block_put(out, type, &b);
}

/* Header, which follows the magic number. */

void recording_put_header(struct bytes *out, const struct recording_info *info,
			  const struct table *table)
{
	struct bytes b = {.failed = false};

	recording_encode_header(&(struct coder){.out = &b}, info, table);
	bytes_put(out, MAGIC, MAGIC_SIZE);
	block_put(out, BLOCK_HEADER, &b);
	recording_put_memory(out, info);
}

/* End block, which holds the number of samples. */

void recording_put_end(struct bytes *out, uint64_t samples)
{
	put_number(out, BLOCK_END, samples);
}

static int decode_end(struct coder *c, struct recording *r)
{
	c->bad |= code_varint(c, 0) != r->samples;
	return 0;
}

/* Doubt: the time since which values of earlier samples may be wrong. */

static int decode_doubt(struct coder *c, struct recording *r)
{
	r->sample.doubtful_since_ns = code_varint(c, 0);
	return 0;
}

/* Marks: events until the next sample. */

static struct mark code_mark(struct coder *c, struct mark mark)
{
	mark.wall_ns = code_varint(c, mark.wall_ns);
	const char *kind = code_text(c, mark_kind_name(mark.kind));
	const char *device = code_text(c, mark.device), *text = code_text(c, mark.text);

	if (c->out)
		return mark;
	mark.kind = mark_kind_find(kind);
	snprintf(mark.device, sizeof(mark.device), "%s", device);
	snprintf(mark.text, sizeof(mark.text), "%s", text);
	return mark;
}

static void code_marks(struct coder *c, struct marks *marks)
{
	marks->count = code_count(c, marks->count, MARKS_MOST);
	marks->more = code_count(c, marks->more, SIZE_MAX);
	for (size_t i = 0; i < marks->count && !c->bad; i++)
		marks->items[i] = code_mark(c, marks->items[i]);
}

static int decode_marks(struct coder *c, struct recording *r)
{
	code_marks(c, &r->table.marks);
	return 0;
}

/* Samples: the counts of each row. */

static void code_row(struct coder *c, const struct table *table, size_t r)
{
	struct row *row = &table->rows[r];

	row->interval_s = code_number(c, row->interval_s);
	row->counted_pct = code_number(c, row->counted_pct);
	if (row->event) {
		row->count = code_number(c, row->count);
		row->per_s = code_number(c, row->per_s);
	} else {
		recording_code_cells(c, table, r);
	}
}

/* Encodes or decodes a sample. Encoding changes no row. */
static struct sample code_sample(struct coder *c, const struct table *table, struct sample sample)
{
	/* these limits are for languages without unsigned numbers */
	sample.wall_ns = code_count(c, sample.wall_ns, INT64_MAX);
	sample.missed = code_count(c, sample.missed, INT64_MAX);
	sample.frozen_ns = code_varint(c, sample.frozen_ns);
	sample.lost_readings = code_count(c, sample.lost_readings, SIZE_MAX);
	for (size_t r = 0; r < table->row_count; r++)
		code_row(c, table, r);
	return sample;
}

void recording_put_sample(struct bytes *out, const struct table *table, const struct sample *sample,
			  const struct attached_block *attached)
{
	struct bytes b = {.failed = false};

	if (sample->doubtful_since_ns)
		put_number(out, BLOCK_DOUBT, sample->doubtful_since_ns);
	if (table->marks.count) {
		struct marks marks = table->marks;

		code_marks(&(struct coder){.out = &b}, &marks);
		block_put(out, BLOCK_MARKS, &b);
	}
	if (attached)
		recording_put_block(out, attached->kind, attached->content);
	code_sample(&(struct coder){.out = &b}, table, *sample);
	block_put(out, BLOCK_SAMPLE, &b);
}

/* Computes a cell; one of a column without formulas stays unknown. */
static void compute_cell(void *recording, struct table *table, size_t row, size_t column)
{
	const struct recording *r = recording;

	if (r->own && recording_own_compute(recording, row, column))
		return;
	if (table->columns[column].formulas.count)
		table_compute_cell(table, row, column);
}

static void set_inputs(void *recording, struct table *table, size_t row, size_t column)
{
	const struct inputs *inputs = table_inputs(table, row, column);

	(void)recording;
	table->rows[row].values[column].inputs = inputs->formula ? inputs : NULL;
}

static int decode_sample(struct coder *c, struct recording *r)
{
	r->sample = code_sample(c, &r->table, r->sample);
	for (size_t i = r->first_row; !c->bad && i < table_metric_rows(&r->table); i++)
		table_compute(&r->table, i, r->only_inputs ? set_inputs : compute_cell, r);
	r->samples += !c->bad && !c->left;
	return 0;
}

/* Begins a sample: blocks before it belong only to it. */
static void begin_sample(struct recording *r)
{
	r->sample = (struct sample){0};
	r->table.marks.count = r->table.marks.more = 0;
	recording_begin_blocks(r);
}

/* Blocks that every recording may have. */
static const struct own_kind {
	uint8_t type;
	enum recording_item item;
	block_decoder *decode;
	const char *invalid;
} own_kinds[] = {
	{BLOCK_HEADER, RECORDING_HEADER, recording_decode_header, "invalid header"},
	{BLOCK_MEMORY, RECORDING_OTHER, recording_decode_memory, "invalid devices or regions"},
	{BLOCK_DOUBT, RECORDING_OTHER, decode_doubt, "a time of doubtful samples is not valid"},
	{BLOCK_MARKS, RECORDING_OTHER, decode_marks, "a mark is not valid"},
	{BLOCK_SAMPLE, RECORDING_SAMPLE, decode_sample, "a sample does not match the header"},
	{BLOCK_END, RECORDING_END, decode_end, "samples are missing"},
};

static const struct own_kind *find_own_kind(uint8_t type)
{
	for (size_t i = 0; i < sizeof(own_kinds) / sizeof(own_kinds[0]); i++)
		if (own_kinds[i].type == type)
			return &own_kinds[i];
	return NULL;
}

static int decode_block(struct recording *r, const struct block *block, struct error *err)
{
	const bool first = r->last == RECORDING_NOTHING, after_sample = r->last == RECORDING_SAMPLE;
	/* strings of the table point into the header, which is kept */
	struct bytes *content = first ? &r->header : &r->body;
	const struct own_kind *own = find_own_kind(block->type);
	const struct block_kind *kind = own ? NULL : recording_find_kind(r, block->type);

	if (first != (block->type == BLOCK_HEADER))
		return refuse_damaged(err,
				      first ? "the first block is not a header" : "second header");
	r->last = own ? own->item : RECORDING_OTHER;
	if (after_sample && r->last != RECORDING_END)
		begin_sample(r);
	if (!own && !kind)
		return 0;
	int rc = block_unpack(block, content, err);
	struct coder c = {.at = content->data, .left = content->size, .err = err};
	if (!rc)
		rc = own ? own->decode(&c, r) : recording_decode_block(&c, r, kind);
	if (rc)
		return rc;
	return c.bad || c.left ? refuse_damaged(err, own ? own->invalid : kind->invalid) : 0;
}

int recording_decode(struct recording *r, const void *data, size_t size, size_t *used,
		     enum recording_item *found, struct error *err)
{
	const size_t lead = r->last == RECORDING_NOTHING ? MAGIC_SIZE : 0;
	struct block block;
	int rc;

	*used = 0;
	*found = RECORDING_NOTHING;
	if (!size)
		return 0;
	if (r->last == RECORDING_END)
		return refuse_damaged(err, "data after the end block");
	if (lead && memcmp(data, MAGIC, size < lead ? size : lead))
		return refuse_damaged(err, "not a cxlmon recording");
	if (size < lead)
		return 0;
	rc = block_find((const uint8_t *)data + lead, size - lead, &block, err);
	if (rc <= 0)
		return rc;
	rc = decode_block(r, &block, err);
	if (rc)
		return rc;
	*used = lead + block.used;
	*found = r->last;
	return 0;
}

void recording_free(struct recording *r)
{
	table_free(&r->table);
	free(r->metrics);
	recording_free_formulas(r);
	free(r->pmu_types);
	free(r->units);
	free(r->events);
	recording_free_blocks(r);
	recording_own_free(r);
	free(r->info.devices);
	memory_layout_free(&r->info.memory);
	bytes_free(&r->header);
	bytes_free(&r->body);
	*r = (struct recording){0};
}
