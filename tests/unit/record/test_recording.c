/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/recording.h"

#include <math.h>

#include "counted.h"
#include "platform/cxl.h"
#include "platform/memory.h"
#include "platform/pci.h"
#include "record/block.h"
#include "uncore/units/unit.h"
#include "unit.h"

#define SAMPLES 3
#define ROWS	3
#define COLUMNS 4

static const struct pmu_type pmu_type = {.name = "cxlcm"};
static struct unit units[2] = {{.pmu_type = &pmu_type, .id = 4, .socket = 1, .die = 1},
			       {.pmu_type = &pmu_type, .id = 5, .socket = 1}};
static const struct event event = {.name = "UNC_CXLCM_RxC_FLITS.PROT"};

static const struct metric metrics[COLUMNS] = {
	{.name = "read_MBps",
	 .group = "cxl",
	 .rows = 1 << ROW_PORT | 1 << ROW_SOCKET | 1 << ROW_SYSTEM,
	 .decimals = 3,
	 .heading = "CXL read",
	 .unit = "MB/s",
	 .help = "data",
	 .family = {"read_bytes", "bytes", "Data", 1e6, true}},
	{.name = "source",
	 .group = "cxl",
	 .kind = METRIC_SOURCE,
	 .rows = 1 << ROW_PORT | 1 << ROW_SOCKET | 1 << ROW_SYSTEM,
	 .of = "read_MBps"},
	{.name = "latency",
	 .group = "latency",
	 .rows = 1 << ROW_SOCKET | 1 << ROW_SYSTEM,
	 .family = {.factor = 1e-9}},
	{.name = "cpu", .group = "core", .kind = METRIC_CPU, .rows = 1 << ROW_CPU},
};
static struct column columns[COLUMNS] = {{&metrics[0], {{&counted_rate}, 1}},
					 {&metrics[1]},
					 {&metrics[2], {{&counted_level, &counted_latency}, 2}},
					 {&metrics[3]}};

static const struct recording_info info = {
	.program = "1.2.3",
	.processor = "Sapphire Rapids",
	.interval_ns = 500000000,
	.started_ns = UINT64_C(1767225600123456789),
	.options = {{"metrics", "cxl"}, {"per", "port"}},
	.option_count = 2,
};

static struct counted counted[SAMPLES][ROWS][COLUMNS + 1];
static struct value values[SAMPLES][ROWS][COLUMNS + 1];
static struct row rows[SAMPLES][ROWS];
static struct table views[SAMPLES];
static const struct sample samples[SAMPLES] = {
	{.wall_ns = UINT64_C(1767225600623456789),
	 .missed = 0,
	 .frozen_ns = 77,
	 .lost_readings = 1},
	{.wall_ns = UINT64_C(1767225601123456789), .missed = INT64_MAX},
	{.wall_ns = INT64_MAX, .frozen_ns = UINT64_MAX, .lost_readings = 128},
};
static struct bytes file;
static struct error err;

/* The latest decoded item, and its result: 0 the end, 1 more bytes are needed. */
static struct recording r;
static int rc;

/* Kinds of rows. In MIXED the first is of metrics, the last a sum. */
enum mode { METRICS, EVENTS, MIXED, MODES };

static void fill_metrics(size_t k, size_t count)
{
	const double numbers[SAMPLES][ROWS] = {
		{12000, 1 / 3.0, NAN}, {0, -0.0, 1e-300}, {NAN, 1.7976931348623157e308, 5e-324}};

	for (size_t i = 0; i < count; i++) {
		struct value *cells = values[k][i];
		const double number = numbers[k][i];

		for (size_t c = 0; c < COLUMNS; c++)
			cells[c] = value_unknown;
		if (!isnan(number)) {
			cells[0] = count_rate(&counted[k][i][0], number, 0.5);
			cells[0].scaled = counted[k][i][0].inputs.scaled = i == 1;
			cells[1].text = "rxc";
			cells[2] = count_inputs(&counted[k][i][2], &counted_level, number, 0, 0.25);
		}
		rows[k][i].values = cells;
	}
}

static void fill_events(size_t k, size_t first)
{
	for (size_t i = first; i < ROWS; i++) {
		rows[k][i].unit = &units[i != 0];
		rows[k][i].event = &event;
		rows[k][i].count = k == 1 ? NAN : 1e9 + (double)i;
		rows[k][i].per_s = k == 1 ? NAN : 1e10 / 3;
	}
}

static void record(enum mode mode)
{
	const size_t metric_rows = mode == METRICS ? ROWS : mode == MIXED;

	for (size_t k = 0; k < SAMPLES; k++) {
		rows[k][0] = (struct row){{ROW_PORT, 1, 0, -1, "0000:35:00.0", "mem0", 2}};
		rows[k][1] = (struct row){{ROW_CPU, 0, -1, 127, "", "", -1}};
		rows[k][2] = (struct row){{ROW_SYSTEM, -1, -1, -1, "", "", -1}};
		for (size_t i = 0; i < ROWS; i++) {
			rows[k][i].interval_s = k == 2 ? NAN : 0.5;
			rows[k][i].counted_pct = k == 2 ? NAN : 100 / 3.0;
			rows[k][i].count = rows[k][i].per_s = NAN;
		}
		fill_metrics(k, metric_rows);
		fill_events(k, metric_rows);
		rows[k][2].summed = mode == MIXED;
		views[k] = (struct table){
			.model = "spr",
			.columns = columns,
			.column_count = mode == EVENTS ? 0 : COLUMNS,
			.rows = rows[k],
			.row_count = ROWS,
			.event_rows = ROWS - metric_rows,
		};
	}
	recording_put_header(&file, &info, &views[0]);
	for (size_t k = 0; k < SAMPLES; k++)
		recording_put_sample(&file, &views[k], &samples[k], NULL);
	recording_put_end(&file, SAMPLES);
	ck_assert(!file.failed);
}

static void tear_down(void)
{
	bytes_free(&file);
	recording_free(&r);
}

static void assert_same(double a, double b)
{
	ck_assert(isnan(a) ? isnan(b) : !memcmp(&a, &b, sizeof(a)));
}

static void assert_row(const struct row *seen, const struct row *row, size_t width)
{
	assert_same(seen->interval_s, row->interval_s);
	assert_same(seen->counted_pct, row->counted_pct);
	assert_same(seen->count, row->count);
	assert_same(seen->per_s, row->per_s);
	for (size_t c = 0; c < width; c++) {
		assert_same(seen->values[c].number, row->values[c].number);
		assert_same(seen->values[c].seconds, row->values[c].seconds);
		ck_assert_str_eq(seen->values[c].text, row->values[c].text);
		ck_assert_int_eq(seen->values[c].scaled, row->values[c].scaled);
	}
}

/* Asserts that the shown sample is the recorded one, whatever follows it. */
static void assert_sample(void)
{
	const size_t k = (size_t)r.samples - 1;

	ck_assert_uint_lt(k, SAMPLES);
	ck_assert_uint_eq(r.sample.wall_ns, samples[k].wall_ns);
	ck_assert_uint_eq(r.sample.missed, samples[k].missed);
	ck_assert_uint_eq(r.sample.frozen_ns, samples[k].frozen_ns);
	ck_assert_uint_eq(r.sample.lost_readings, samples[k].lost_readings);
	ck_assert_uint_eq(r.table.row_count, ROWS);
	for (size_t i = 0; i < ROWS; i++)
		assert_row(&r.table.rows[i], &rows[k][i], rows[k][i].event ? 0 : COLUMNS);
}

/* Decodes all samples. Returns their number. */
static uint64_t decode(const uint8_t *data, size_t size)
{
	enum recording_item found = RECORDING_HEADER;
	size_t used;

	recording_free(&r);
	r = (struct recording){.samples = 0};
	for (rc = 0; !rc && found != RECORDING_NOTHING; data += used, size -= used) {
		rc = recording_decode(&r, data, size, &used, &found, &err);
		if (!rc && found == RECORDING_SAMPLE)
			assert_sample();
	}
	if (!rc)
		rc = r.last != RECORDING_END;
	return r.samples;
}

static void decode_to(size_t *at, enum recording_item item)
{
	enum recording_item found;
	size_t used;

	do {
		ck_assert_int_eq(
			recording_decode(&r, file.data + *at, file.size - *at, &used, &found, &err),
			0);
		*at += used;
		ck_assert_int_ne(found, RECORDING_NOTHING);
	} while (found != item);
}

static uint64_t decode_file(void)
{
	return decode(file.data, file.size);
}

static void put_only_header(const struct recording_info *given)
{
	record(METRICS);
	file.size = 0;
	recording_put_header(&file, given, &views[0]);
}

FIXTURE(NULL, tear_down)

TEST_LOOP(test_a_recording_has_every_number_to_the_last_bit, MODES)
{
	record((enum mode)_i);
	ck_assert_uint_eq(decode_file(), SAMPLES);
	ck_assert_int_eq(rc, 0);
}

TEST(test_a_header_says_what_the_run_and_its_columns_were)
{
	record(METRICS);
	decode_file();
	ck_assert_str_eq(r.info.program, "1.2.3");
	ck_assert_str_eq(r.info.processor, "Sapphire Rapids");
	ck_assert_str_eq(r.table.model, "spr");
	ck_assert_uint_eq(r.info.interval_ns, 500000000);
	ck_assert_uint_eq(r.info.started_ns, info.started_ns);
	ck_assert_uint_eq(r.info.option_count, 2);
	ck_assert_str_eq(r.info.options[1].name, "per");
	ck_assert_str_eq(r.info.options[1].value, "port");
	ck_assert_uint_eq(r.table.column_count, COLUMNS);
	for (size_t c = 0; c < COLUMNS; c++) {
		const struct metric *seen = r.table.columns[c].metric;

		ck_assert_str_eq(seen->name, metrics[c].name);
		ck_assert_str_eq(seen->group, metrics[c].group);
		ck_assert_int_eq(seen->kind, metrics[c].kind);
		ck_assert_uint_eq(seen->rows, metrics[c].rows);
		ck_assert_uint_eq(seen->decimals, metrics[c].decimals);
		ck_assert_pstr_eq(seen->of, metrics[c].of);
		ck_assert_pstr_eq(seen->heading, metrics[c].heading);
		ck_assert_pstr_eq(seen->unit, metrics[c].unit);
		ck_assert_pstr_eq(seen->help, metrics[c].help);
		ck_assert_pstr_eq(seen->family.name, metrics[c].family.name);
		ck_assert_pstr_eq(seen->family.unit, metrics[c].family.unit);
		ck_assert_pstr_eq(seen->family.help, metrics[c].family.help);
		assert_same(seen->family.factor, metrics[c].family.factor);
		ck_assert_int_eq(seen->family.counter, metrics[c].family.counter);
	}
}

TEST(test_rows_stand_for_what_they_stood_for)
{
	record(EVENTS);
	decode_file();
	for (size_t i = 0; i < ROWS; i++) {
		const struct row *seen = &r.table.rows[i], *row = &rows[0][i];

		ck_assert_int_eq(seen->place.kind, row->place.kind);
		ck_assert_int_eq(seen->place.socket, row->place.socket);
		ck_assert_int_eq(seen->place.port, row->place.port);
		ck_assert_int_eq(seen->place.cpu, row->place.cpu);
		ck_assert_int_eq(seen->place.node, row->place.node);
		ck_assert_str_eq(seen->place.pci, row->place.pci);
		ck_assert_str_eq(seen->place.memdev, row->place.memdev);
		ck_assert_str_eq(seen->event->name, row->event->name);
		ck_assert_str_eq(seen->unit->pmu_type->name, "cxlcm");
		ck_assert_uint_eq(seen->unit->id, row->unit->id);
		ck_assert_uint_eq(seen->unit->die, row->unit->die);
	}
	/* units stay distinct: an exposition has each of its labels once */
	ck_assert_ptr_ne(r.table.rows[0].unit, r.table.rows[1].unit);
	ck_assert_ptr_eq(r.table.rows[1].unit, r.table.rows[2].unit);
}

/* A node has no port. */
TEST(test_a_row_of_a_node_stays_one)
{
	struct row node = {.place = {.kind = ROW_NODE,
				     .socket = 0,
				     .port = -1,
				     .cpu = -1,
				     .pci = "",
				     .memdev = "",
				     .node = 2},
			   .values = values[0][0]};
	const struct table table = {.model = "spr",
				    .columns = columns,
				    .column_count = COLUMNS,
				    .rows = &node,
				    .row_count = 1};

	recording_put_header(&file, &info, &table);
	recording_put_end(&file, 0);
	decode_file();
	ck_assert_int_eq(rc, 0);
	ck_assert_int_eq(r.table.rows[0].place.kind, ROW_NODE);
	ck_assert_int_eq(r.table.rows[0].place.node, 2);
	file.size = 0;
	node.place.port = 0;
	recording_put_header(&file, &info, &table);
	decode_file();
	ck_assert_int_eq(rc, -EBADMSG);
}

TEST(test_rows_of_metrics_stay_apart_from_those_of_events)
{
	record(MIXED);
	decode_file();
	ck_assert_int_eq(rc, 0);
	ck_assert_uint_eq(r.table.event_rows, 2);
	ck_assert_uint_eq(r.table.column_count, COLUMNS);
	ck_assert_ptr_null(r.table.rows[0].event);
	ck_assert_str_eq(r.table.rows[1].event->name, event.name);
	ck_assert(!r.table.rows[1].summed);
	ck_assert(r.table.rows[2].summed);
	ck_assert_str_eq(r.table.rows[2].unit->pmu_type->name, "cxlcm");
	for (size_t c = 0; c < COLUMNS; c++)
		ck_assert_double_nan(r.table.rows[2].values[c].number);
}

TEST_LOOP(test_a_recording_cut_off_anywhere_has_the_samples_before, MODES)
{
	size_t end[SAMPLES + 2], size = 0;

	record((enum mode)_i);
	for (size_t i = 0; i < SAMPLES + 2; i++) {
		struct block block;
		const size_t lead = i ? 0 : 10; /* the magic number */

		ck_assert_int_eq(
			block_find(file.data + size + lead, file.size - size - lead, &block, &err),
			1);
		size += lead + block.used;
		end[i] = size;
	}
	ck_assert_uint_eq(size, file.size);
	for (size = 0; size < file.size; size++) {
		uint64_t whole = 0;
		/* a read past the cut is also past the memory */
		uint8_t *cut = malloc(size + !size);

		memcpy(cut, file.data, size);
		while (whole < SAMPLES && end[whole + 1] <= size)
			whole++;
		ck_assert_uint_eq(decode(cut, size), whole);
		ck_assert_int_eq(rc, 1);
		free(cut);
	}
}

TEST_LOOP(test_any_flipped_bit_is_noticed_and_not_shown, MODES)
{
	record((enum mode)_i);
	for (size_t bit = 0; bit < 8 * file.size; bit++) {
		file.data[bit / 8] ^= (uint8_t)(1U << bit % 8);
		decode_file();
		ck_assert_msg(rc != 0, "bit %zu of byte %zu was not noticed", bit % 8, bit / 8);
		file.data[bit / 8] ^= (uint8_t)(1U << bit % 8);
	}
}

static void assert_inputs(const struct inputs *seen, const struct inputs *inputs)
{
	ck_assert_int_eq(seen->formula->mean_of_reads, inputs->formula->mean_of_reads);
	ck_assert_int_eq(seen->formula->is_level, inputs->formula->is_level);
	ck_assert_double_eq(seen->formula->leak_ns, inputs->formula->leak_ns);
	ck_assert_pstr_eq(seen->formula->source, inputs->formula->source);
	ck_assert_double_eq(fmin(seen->reads, ENOUGH_READS), fmin(inputs->reads, ENOUGH_READS));
	ck_assert_uint_eq(seen->formula->program->input_count,
			  inputs->formula->program->input_count);
	for (unsigned i = 0; i < inputs->formula->program->input_count; i++) {
		assert_same(seen->items[i].per_second, inputs->items[i].per_second);
		assert_same(seen->items[i].ns, inputs->items[i].ns);
	}
}

/* Values include those without a number. */
TEST(test_what_was_counted_is_kept)
{
	static const struct {
		double first, second, seconds;
	} cells[ROWS] = {{1e6 / 3, 1e4, 0.5}, {300, 2, 0.5}, {1e15, 0, 2}};
	size_t at = 0;

	record(METRICS);
	file.size = 0;
	for (size_t i = 0; i < ROWS; i++)
		values[0][i][2] = count_inputs(&counted[0][i][2], &counted_latency, cells[i].first,
					       cells[i].second, cells[i].seconds);
	counted[0][0][2].items[1].ns = 7e8 / 3;
	recording_put_header(&file, &info, &views[0]);
	recording_put_sample(&file, &views[0], &samples[0], NULL);
	recording_put_sample(&file, &views[2], &samples[1], NULL);
	decode_to(&at, RECORDING_SAMPLE);
	for (size_t i = 0; i < ROWS; i++) {
		const struct value *seen = &r.table.rows[i].values[2];

		assert_same(seen->number, values[0][i][2].number);
		assert_inputs(seen->inputs, values[0][i][2].inputs);
		ck_assert_str_eq(seen->inputs->formula->program->operands[1].event->name,
				 "SOME.INSERTS");
	}
	ck_assert_double_nan(r.table.rows[1].values[2].number);
	ck_assert_str_eq(r.table.rows[1].values[2].text, "acc");
	decode_to(&at, RECORDING_SAMPLE);
	ck_assert_ptr_null(r.table.rows[0].values[2].inputs);
}

/* Formula (latency + 2) / -mean, with a column that is not shown and an event. */
static const struct event own_event = {.name = "OTHER"};
static const struct program own_program = {
	.operands = {{.event = &own_event, .port = 3}},
	.operand_count = 1,
	.metric_count = 1,
	.inputs = {{INPUT_METRIC, 0}, {INPUT_MEAN, 0}},
	.input_count = 2,
	.steps = {{.kind = OP_INPUT},
		  {.kind = OP_NUMBER, .number = 2},
		  {.kind = OP_ADD},
		  {.kind = OP_INPUT, .index = 1},
		  {.kind = OP_NEGATE},
		  {.kind = OP_DIVIDE}},
	.step_count = 6,
};
static const struct formula own_formula = {.program = &own_program};

TEST(test_a_formula_that_names_another_metric_has_its_value)
{
	static const struct metric own = {
		.name = "own", .group = "custom", .program = &own_program};
	static struct column with_own[] = {{&metrics[0], {{&counted_rate}, 1}},
					   {&own, {{&own_formula}, 1}, .named = {2}},
					   {&metrics[2], {{&counted_latency}, 1}}};
	size_t at = 0;

	record(METRICS);
	file.size = 0;
	views[0].columns = with_own;
	views[0].column_count = 2;
	views[0].named_count = 1;
	values[0][0][2] = count_reads(&counted[0][0][2], 100, 3000);
	values[0][0][1] = count_inputs(&counted[0][0][1], &own_formula, 100, 4, 0.5);
	recording_put_header(&file, &info, &views[0]);
	recording_put_sample(&file, &views[0], &samples[0], NULL);
	decode_to(&at, RECORDING_SAMPLE);
	const struct program *kept = r.table.columns[1].metric->program;

	ck_assert_uint_eq(r.table.column_count, 2);
	ck_assert_uint_eq(r.table.named_count, 1);
	ck_assert_ptr_null(r.table.columns[0].metric->program);
	ck_assert_str_eq(kept->operands[0].event->name, "OTHER");
	ck_assert_int_eq(kept->operands[0].port, 3);
	ck_assert_double_eq(r.table.rows[0].values[1].number, 102 / -4.0);
	ck_assert_double_nan(r.table.rows[1].values[1].number);
}

static void expect_damage(char type, const char *bytes, size_t size, const char *text)
{
	struct bytes payload = {.failed = false};

	bytes_put(&payload, bytes, size);
	block_put(&file, (uint8_t)type, &payload);
	ck_assert_uint_eq(decode_file(), 0);
	ck_assert_int_eq(rc, -EBADMSG);
	assert_contains(err.text, text);
}

/* Blocks after a header whose contents are invalid. */
static const struct {
	char type; /* sample, memory */
	const char *bytes;
	size_t size;
} damages[] = {
	/* times of the sample, then for a row: interval, share, and two cells */
	{'S', "\0\0\0\0\x09\x09\x02", 7},			     /* no such formula */
	{'S', "\0\0\0\0\x09\x09\x81", 7},			     /* no such flag */
	{'S', "\0\0\0\0\x09\x09\0\0\x09\x09\0\0\x09\x09\0", 15},     /* a cell is missing */
	{'S', "\0\0\0\0\x09\x09\x21\0\0", 9},			     /* in no time */
	{'S', "\0\0\0\0\x09\x09\x21\0\x01\xbf", 10},		     /* in less than that */
	{'S', "\0\0\0\0\x09\x09\0\0\x09\x09\0\0\x09\x09\0\0\0", 17}, /* one more */
	{'M', "\x81\x08\x00\x00", 4},				     /* 1025 devices */
	{'M', "\x01\x00\x00", 3},				     /* a missing device */
	{'M', "\x01\x00\x00m 0\x00\x00\x00\x00", 10},		     /* no name */
	{'M', "\x01\x00\x00m\x00\x00\x00\x05", 8}, /* more links than a path has */
	{'M', "\x00\x01\x00\x03\x09", 5},	   /* a speed that is not a number */
	{'M', "\x00\x01\x00\x03\x02\xc0\x08", 7},  /* a speed below 0 */
	{'M', "\x00\x00\x01r\x00\x00\x11", 7},	   /* more ways than a region has */
};

TEST_LOOP(test_what_does_not_match_the_header_is_damage, COUNT_OF(damages))
{
	const char type = damages[_i].type;

	put_only_header(&info);
	expect_damage(type, damages[_i].bytes, damages[_i].size,
		      type == 'S' ? "a sample does not match the header"
				  : "invalid devices or regions");
}

static const struct program bad_programs[] = {
	{.step_count = 0},
	{.steps = {{.kind = OP_INPUT}}, .step_count = 1}, /* an input that does not exist */
	{.steps = {{.kind = OP_NUMBER}, {.kind = OP_ADD}}, .step_count = 2},
	{.steps = {{.kind = OP_NUMBER}, {.kind = OP_NUMBER}}, .step_count = 2}, /* two are left */
	{.inputs = {{INPUT_EVENT, 1}}, .input_count = 1, .steps = {{0}}, .step_count = 1},
	{.inputs = {{INPUT_PART, FORMULA_PARTS}},
	 .input_count = 1,
	 .steps = {{0}},
	 .step_count = 1},
	{.inputs = {{INPUT_METRIC, 0}}, .input_count = 1, .steps = {{0}}, .step_count = 1},
	{.inputs = {{INPUT_LINK, 1}}, .input_count = 1, .steps = {{0}}, .step_count = 1},
	/* names itself; names a column that does not exist */
	{.inputs = {{INPUT_METRIC, 0}},
	 .input_count = 1,
	 .steps = {{0}},
	 .step_count = 1,
	 .metric_count = 1},
	{.inputs = {{INPUT_METRIC, 0}},
	 .input_count = 1,
	 .steps = {{0}},
	 .step_count = 1,
	 .metric_count = 2},
};

TEST_LOOP(test_a_formula_that_can_not_be_is_damage, COUNT_OF(bad_programs))
{
	const struct formula formula = {.program = &bad_programs[_i]};
	struct column bad[COLUMNS] = {{&metrics[0]},
				      {&metrics[1]},
				      {&metrics[2], {{&formula}, 1}, .named = {2, COLUMNS}},
				      {&metrics[3]}};

	record(METRICS);
	file.size = 0;
	views[0].columns = bad;
	recording_put_header(&file, &info, &views[0]);
	ck_assert_uint_eq(decode_file(), 0);
	ck_assert_int_eq(rc, -EBADMSG);
	assert_contains(err.text, "invalid header");
}

/* An optional kind of blocks: its content is a string, and the number of blocks. */
struct note {
	char text[8], *copy;
	unsigned count;
};

static void encode_note(struct coder *c, const void *content)
{
	code_text(c, content);
}

static int decode_note(struct coder *c, void *content)
{
	struct note *note = content;
	const char *text = code_text(c, "");

	free(note->copy);
	note->copy = strdup(text);
	snprintf(note->text, sizeof(note->text), "%s", text);
	note->count++;
	c->bad |= !*text;
	return strcmp(text, "full") != 0 ? 0 : error_no_memory(c->err);
}

static void release_note(void *content)
{
	free(((struct note *)content)->copy);
}

static const struct block_kind note_kind = {
	.type = 'N',
	.invalid = "a note is not valid",
	.encode = encode_note,
	.size = sizeof(struct note),
	.decode = decode_note,
	.release = release_note,
};
static const struct block_kind other_kind = {.type = 'O'};
static const struct block_kind *const note_kinds[] = {&other_kind, &note_kind, NULL};

/* Puts two samples, of which one has a note. */
static void put_note(size_t of, const char *text)
{
	put_only_header(&info);
	for (size_t k = 0; k < 2; k++) {
		if (k == of)
			recording_put_block(&file, &note_kind, text);
		recording_put_sample(&file, &views[k], &samples[k], NULL);
	}
	recording_put_end(&file, 2);
}

TEST_LOOP(test_a_block_of_a_known_kind_is_of_the_sample_behind_it, 2)
{
	size_t at = 0;

	put_note((size_t)_i, "warm");
	r.kinds = note_kinds;
	for (int k = 0; k < 2; k++) {
		decode_to(&at, RECORDING_SAMPLE);
		const struct note *note = recording_block(&r, &note_kind);
		ck_assert_int_eq(note != NULL, k == _i);
		if (note)
			ck_assert_str_eq(note->text, "warm");
		ck_assert_ptr_null(recording_block(&r, &other_kind));
	}
	/* the content stays, for sums over samples */
	const struct note *left = recording_content(&r, &note_kind);
	ck_assert_ptr_nonnull(left);
	ck_assert_uint_eq(left->count, 1);
	ck_assert_ptr_null(recording_content(&r, &other_kind));
}

/* Returns the types of all blocks, in their order. */
static const char *types_of_file(void)
{
	static char types[16];
	struct block block;
	size_t count = 0;

	for (size_t at = 10; at < file.size; at += block.used) { /* after the magic number */
		ck_assert_int_eq(block_find(file.data + at, file.size - at, &block, &err), 1);
		ck_assert_uint_lt(count, sizeof(types) - 1);
		types[count++] = (char)block.type;
	}
	types[count] = '\0';
	return types;
}

TEST(test_what_is_attached_to_a_sample_stands_directly_before_it)
{
	const struct attached_block note = {&note_kind, "warm"};
	const struct sample sample = {.wall_ns = 1, .doubtful_since_ns = 1};

	put_only_header(&info);
	views[0].marks.count = 0;
	marks_add(&views[0].marks, 17, MARK_LINK, "mem0", "is %s", "down");
	recording_put_block(&file, &note_kind, "cold");
	recording_put_sample(&file, &views[0], &sample, &note);
	ck_assert_str_eq(types_of_file(), "HNDKNS");
}

static const struct sample beyond[] = {
	{.wall_ns = (uint64_t)INT64_MAX + 1}, {.wall_ns = UINT64_MAX}, {.missed = UINT64_MAX}};

TEST_LOOP(test_times_and_missed_deadlines_are_those_of_signed_numbers, COUNT_OF(beyond))
{
	put_only_header(&info);
	recording_put_sample(&file, &views[0], &beyond[_i], NULL);
	ck_assert_uint_eq(decode_file(), 0);
	ck_assert_int_eq(rc, -EBADMSG);
	assert_contains(err.text, "a sample does not match the header");
}

TEST(test_a_block_finds_what_the_block_before_it_has_left)
{
	size_t at = 0;

	put_only_header(&info);
	r.kinds = note_kinds;
	for (size_t k = 0; k < 2; k++) {
		recording_put_block(&file, &note_kind, k ? "second" : "first");
		recording_put_sample(&file, &views[k], &samples[k], NULL);
	}
	for (unsigned k = 0; k < 2; k++) {
		decode_to(&at, RECORDING_SAMPLE);
		const struct note *note = recording_block(&r, &note_kind);
		ck_assert_ptr_nonnull(note);
		ck_assert_str_eq(note->copy, k ? "second" : "first");
		ck_assert_uint_eq(note->count, k + 1);
	}
}

TEST(test_a_block_of_a_kind_that_is_not_known_is_passed_over)
{
	put_note(0, "");
	ck_assert_uint_eq(decode_file(), 2);
	ck_assert_int_eq(rc, 0);
	ck_assert_ptr_null(recording_content(&r, &note_kind));
}

/* Decoders that find an error, leave bytes, or explain an error. */
TEST_LOOP(test_a_block_that_its_kind_refuses_is_damage, 3)
{
	static const char *const errors[] = {"a note is not valid", "a note is not valid",
					     "out of memory"};
	struct bytes payload = {.failed = false};
	enum recording_item found;
	size_t at = 0, used;

	put_only_header(&info);
	code_text(&(struct coder){.out = &payload}, _i == 0 ? "" : _i == 1 ? "more" : "full");
	if (_i == 1)
		code_u8(&(struct coder){.out = &payload}, 7);
	block_put(&file, 'N', &payload);
	r.kinds = note_kinds;
	decode_to(&at, RECORDING_HEADER);
	rc = recording_decode(&r, file.data + at, file.size - at, &used, &found, &err);
	ck_assert_int_eq(rc, _i == 2 ? -ENOMEM : -EBADMSG);
	assert_contains(err.text, errors[_i]);
}

TEST(test_a_recording_names_the_time_since_which_earlier_samples_are_doubtful)
{
	const uint64_t since = UINT64_C(1767225600123456789);
	size_t at = 0;

	put_only_header(&info);
	recording_put_sample(&file, &views[0],
			     &(struct sample){.wall_ns = 1, .doubtful_since_ns = since}, NULL);
	recording_put_sample(&file, &views[1], &samples[1], NULL);
	recording_put_end(&file, 2);
	decode_to(&at, RECORDING_SAMPLE);
	ck_assert_uint_eq(r.sample.doubtful_since_ns, since);
	decode_to(&at, RECORDING_SAMPLE);
	ck_assert_uint_eq(r.sample.doubtful_since_ns, 0);
}

TEST(test_a_recording_has_the_marks_of_each_sample)
{
	size_t at = 0;

	record(METRICS);
	file.size = 0;
	views[0].marks.count = 0;
	marks_add(&views[0].marks, 17, MARK_LINK, "mem0", "is %s", "down");
	marks_add(&views[0].marks, 18, MARK_DEVICE, "", "is gone\n");
	recording_put_header(&file, &info, &views[0]);
	recording_put_sample(&file, &views[0], &samples[0], NULL);
	recording_put_sample(&file, &views[1], &samples[1], NULL);
	recording_put_end(&file, 2);
	decode_to(&at, RECORDING_SAMPLE);
	ck_assert_uint_eq(r.table.marks.count, 2);
	ck_assert_mem_eq(&r.table.marks.items[0], &views[0].marks.items[0], sizeof(struct mark));
	ck_assert_str_eq(r.table.marks.items[1].device, "");
	ck_assert_str_eq(r.table.marks.items[1].text, "is gone?");
	decode_to(&at, RECORDING_SAMPLE);
	ck_assert_uint_eq(r.table.marks.count, 0);
}

/* Data after the header: the memory. */
static struct cxl_device devices[] = {
	{.name = "mem0",
	 .node = 2,
	 .bytes = UINT64_C(256) << 30,
	 .hops = {{.above = {.bus = 0x35}, .now = {32, 8}, .possible = {32, 16}}},
	 .hop_count = 1},
	{.name = "mem1", .node = -1},
};
static struct memory_node nodes[] = {
	{.node = 2, .read_MBps = 30000, .read_ns = 250, .weight = 3, .tier = 22}};
static struct cxl_region regions[] = {{.name = "region0",
				       .mode = "ram",
				       .ways = 2,
				       .granularity = 256,
				       .node = 2,
				       .devices = {"mem0", "mem1"},
				       .device_count = 2}};

static const struct recording_info with_memory = {
	.program = "1.2.3",
	.processor = "Sapphire Rapids",
	.devices = devices,
	.device_count = COUNT_OF(devices),
	.memory = {nodes, 1, regions, 1},
};

TEST(test_devices_regions_and_promises_are_kept)
{
	put_only_header(&with_memory);
	recording_put_end(&file, 0);
	decode_file();
	ck_assert_int_eq(rc, 0);
	ck_assert_uint_eq(r.info.device_count, 2);
	ck_assert_str_eq(r.info.devices[1].name, "mem1");
	ck_assert_int_eq(r.info.devices[1].node, -1);
	ck_assert_uint_eq(r.info.devices[0].hops[0].above.bus, 0x35);
	ck_assert(pci_hop_is_degraded(&r.info.devices[0].hops[0]));
	ck_assert_double_eq(memory_layout_node(&r.info.memory, 2)->read_ns, 250);
	ck_assert_int_eq(r.info.memory.nodes[0].tier, 22);
	ck_assert_str_eq(r.info.memory.regions[0].devices[1], "mem1");
	ck_assert_str_eq(r.info.memory.regions[0].mode, "ram");
}

TEST(test_what_is_known_of_memory_stands_there_once)
{
	put_only_header(&with_memory);
	expect_damage('M', "\x00\x00\x00", 3, "invalid devices or regions");
}

TEST(test_a_sample_that_is_missing_is_missed_at_the_end)
{
	put_only_header(&info);
	recording_put_sample(&file, &views[0], &samples[0], NULL);
	recording_put_end(&file, 2);
	ck_assert_uint_eq(decode_file(), 1);
	ck_assert_int_eq(rc, -EBADMSG);
	assert_contains(err.text, "missing");
}

TEST(test_bytes_behind_the_end_are_damage)
{
	record(METRICS);
	bytes_put(&file, "", 1);
	ck_assert_uint_eq(decode_file(), SAMPLES);
	ck_assert_int_eq(rc, -EBADMSG);
}

TEST_LOOP(test_another_version_is_refused_by_its_number, 2)
{
	struct bytes payload = {.failed = false};

	bytes_put(&file,
		  "\x89"
		  "CXLREC\r\n\n",
		  10);
	code_varint(&(struct coder){.out = &payload}, RECORDING_VERSION + (_i ? 1 : -1));
	block_put(&file, 'H', &payload);
	decode_file();
	ck_assert_int_eq(rc, -ENOTSUP);
	assert_contains(err.text, _i ? "version 3" : "version 1");
	assert_contains(err.text, "this cxlmon supports version 2");
}

TEST(test_a_text_of_anything_else_is_no_recording)
{
	bytes_put(&file, "time,interval_s", 16);
	decode_file();
	ck_assert_int_eq(rc, -EBADMSG);
	assert_contains(err.text, "not a cxlmon recording");
}

TEST(test_a_text_is_kept_printable_and_short)
{
	char text[BYTES_TEXT_MAX + 9];
	struct coder c = {.out = &file};

	memset(text, 'x', sizeof(text));
	text[0] = '\033';
	text[sizeof(text) - 1] = '\0';
	code_text(&c, text);
	c = (struct coder){.at = file.data, .left = file.size};
	const char *seen = code_text(&c, NULL);
	ck_assert(!c.bad);
	ck_assert_uint_eq(strlen(seen), BYTES_TEXT_MAX);
	ck_assert_int_eq(seen[0], '?');
}
