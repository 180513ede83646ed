/* SPDX-License-Identifier: BSD-3-Clause */
#include "formula/custom_metric.h"

#include <math.h>

#include "allocations.h"
#include "operands.h"
#include "uncore/models/models.h"
#include "unit.h"

#define LINE_MB (64 / 1e6)

#define READS  "UNC_CXLDP_TxC_AGF_INSERTS.M2S_REQ"
#define OCC    "UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD_CXL_ACC"
#define INS    "UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_ACC"
#define CLOCKS "UNC_CHA_CLOCKTICKS"

static struct error err;

static struct event_catalogue catalogue;
static struct custom_metrics metrics;
static struct custom_context context = {.catalogue = &catalogue};

static void set_up(void)
{
	metrics = (struct custom_metrics){.count = 0};
	catalogue_init(&catalogue, model_by_name("spr"));
}

static void tear_down(void)
{
	custom_metrics_free(&metrics);
	catalogue_free(&catalogue);
}

static const struct custom_metric *add(const char *text)
{
	ck_assert_msg(!custom_metrics_add(&metrics, &context, text, &err), "%s: %s", text,
		      err.text);
	return metrics.items[metrics.count - 1];
}

static double value_of(const struct custom_metric *m, const double *rates)
{
	struct operand operands[FORMULA_OPERANDS] = {0};
	double parts[FORMULA_PARTS] = {0};

	program_parts(&m->program, rates, parts);
	for (unsigned i = 0; i < m->program.operand_count; i++)
		operands[i] = (struct operand){rates[i], 2};
	for (unsigned i = 0; i < m->program.part_count; i++)
		operands[FORMULA_EVENTS + i] = (struct operand){parts[i], 2};
	return operands_value(&m->program, operands);
}

/* Rates of the events in the order of the text. */
static const struct {
	const char *text;
	double rates[4], expected;
} values[] = {
	{"a = cycles", {8}, 8},
	{"a = CYCLES", {8}, 8},
	{"a = cycles + instructions * 2 - tsc / 4", {8, 3, 20}, 9},
	{"a = (cycles + instructions) * 2", {8, 3}, 22},
	{"a = 2 * (cycles - (instructions))", {8, 3}, 10},
	{"a = -cycles + - - instructions", {8, 3}, -5},
	{"a = cycles/ref-cycles", {8, 4}, 2},
	{"a = ref-cycles-cycles", {8, 4}, 4},
	{"a = cycles-tsc", {8, 4}, 4},
	{"a = 1 - cycles / tsc", {1, 4}, 0.75},
	{"a = 1e2 * 1.5E-1 * cycles", {2}, 30},
	{"a = cycles / cycles", {0}, NAN},
	{"a = 8 / (cycles - tsc)", {2, 2}, NAN},
	{"a = mean(tsc)", {8}, 4},
	{"a = or_0(cycles) + or_0(tsc)", {8, 2}, 10},
	{"a_MBps = " READS " * 64 bytes", {1e6 / 64}, 1},
	{"a_GBps = " READS " * 64 bytes", {1e9 / 64}, 1},
	{"a_MBps = " READS " * 1 kB", {1000}, 1},
	{"a_MBps = " READS " * 1 KiB", {1e6}, 1024},
	{"a = " READS " * 1 KiB", {1}, 1024},
	{"a_MBps = " READS " * 64 bytes + 1 MB / 1 s", {1e6 / 64}, 2},
	{"a_pct = cycles / tsc", {1, 4}, 25},
	{"a_ns = cycles / tsc * 10 ns", {1, 4}, 2.5},
	{"a_us = cycles / tsc * 10 ns", {1, 4}, 0.0025},
	{"a_MHz = cycles", {3e9}, 3000},
	{"a_per_s = cycles", {8}, 8},
	{"a_bytes = " READS " * 64 bytes / cycles", {8, 2}, 256},
	{"a = cycles; unit=GHz", {3e9}, 3},
	{"a_ns = per_unit(" OCC " / " CLOCKS ") / " INS, {800e6, 2e9, 1e6}, 400},
	{"a = cycles / 2 Hz", {8}, 4},
	{"a = cycles / 2 kHz", {8e3}, 4},
	{"a = cycles / 2 MHz", {8e6}, 4},
	{"a = cycles / 2 GHz", {8e9}, 4},
	{"a = cycles * 2 s", {8}, 16},
	{"a = cycles * 2 ms", {8e3}, 16},
	{"a = cycles * 2 us", {8e6}, 16},
	{"a = cycles * 2 ns", {8e9}, 16},
	{"a_bytes = cycles / tsc * 2 MiB", {4, 2}, 4194304},
	{"a_bytes = cycles / tsc * 2 GiB", {4, 2}, 4294967296},
	{"a_bytes = cycles / tsc * 2 GB", {4, 2}, 4e9},
};

FIXTURE(set_up, tear_down)

TEST_LOOP(test_a_formula_is_computed_as_it_reads, COUNT(values))
{
	const double value = value_of(add(values[_i].text), values[_i].rates);

	if (isnan(values[_i].expected))
		ck_assert_double_nan(value);
	else
		ck_assert_double_eq_tol(value, values[_i].expected, 1e-9 * fabs(value));
}

/* A single multiplication, as in the formulas of the tables: the same to the last digit. */
TEST(test_a_factor_of_bytes_is_one_with_that_of_the_unit)
{
	const struct custom_metric *m = add("a_MBps = " READS " * 64 bytes");

	for (double rate = 1; rate < 1e9; rate *= 1.7)
		ck_assert(value_of(m, &rate) == rate * LINE_MB);
}

static void give_back_each_formula(const struct model *model)
{
	struct formulas formulas;
	char line[1024];

	tear_down();
	catalogue_init(&catalogue, model);
	ck_assert_int_eq(formulas_read(&formulas, model, &err), 0);
	for (size_t i = 0; i < formulas.count; i++) {
		const struct formula *formula = &formulas.items[i];
		const struct metric *t = metric_by_name(formula->metric);

		snprintf(line, sizeof(line), "my_%s = %s", t->name, formula->text);
		const struct custom_metric *m = add(line);

		if (*t->unit)
			ck_assert_str_eq(m->metric.unit, t->unit);
		ck_assert(m->at_once.any_unit == formula->any_unit || !formula->same_group);
		if (formula->same_group)
			ck_assert_ptr_nonnull(m->shared);
		custom_metrics_free(&metrics);
	}
	ck_assert_uint_ge(formulas.of_model, 4);
	formulas_free(&formulas);
}

TEST(test_each_formula_of_a_processor_can_be_given_back)
{
	for (const struct model *const *model = model_list(); *model; model++)
		give_back_each_formula(*model);
}

static const struct {
	const char *text, *expected;
} refused[] = {
	{"", "is not a metric: expected NAME = FORMULA"},
	{"cycles", "is not a metric"},
	{"= cycles", "'' cannot be the name"},
	{"Abc = cycles", "'Abc' cannot be the name"},
	{"a-b = cycles", "'a-b' cannot be the name"},
	{"a123456789012345678901234567890123456789012345678901234567890123456789 = cycles",
	 "cannot be the name"},
	{"a_total = cycles", "OpenMetrics reserves names with this ending"},
	{"ipc = cycles", "a column has this name"},
	{"counted_pct = cycles", "a column has this name"},
	{"port = cycles", "a column has this name"},
	{"cxl_mem_read_MBps = cycles", "a column has this name"},
	{"cycles = tsc", "an event has this name"},
	{"given = cycles", "it is defined twice"},
	{"instructions_per_second = cycles", NULL},
	{"cxl_read_latency_s = 1 / cycles", "it would have the same name as cxl_read_latency_ns"},
	{"a =", "expected a name or a number at the end"},
	{"a = ; help=x", "expected a name or a number at the end"},
	{"a = 64", "the formula has no event"},
	{"a = cycles cycles", "expected an operator at 'cycles'"},
	{"a = (cycles", "expected a closing bracket at the end"},
	{"a = cycles)", "expected an operator at ')'"},
	{"a = cycles *", "expected a name or a number at the end"},
	{"a = cycles * 1.2.3", "not a number at '1.2.3'"},
	{"a = cycles * 0x10", "expected an operator or a unit such as bytes or ns at 'x10'"},
	{"a = cycles * 1e999", "not a number"},
	{"a = cycles * 3 apples", "expected an operator or a unit"},
	{"a = UNC_NOTHING", "unknown event or metric 'UNC_NOTHING'"},
	{"a = cycle", "did you mean 'cycles'?"},
	{"a = ip", "unknown event or metric 'ip'"},
	{"a = sum(cycles)", "no function 'sum'"},
	{"a = mean(2)", "expected a name or a number"},
	{"a = mean(ipc)", "unknown event or metric 'ipc'"},
	{"a = by_port(cycles)", "by_port() is for events of units that ports share"},
	{"a = per_unit(cycles / tsc) + per_unit(per_unit(cycles))", "per_unit() cannot be nested"},
	{"a = per_unit(cycles / tsc) * " READS, "all events must be of one kind of unit"},
	{"a = per_unit(cycles) / or_0(tsc)", "without or_0()"},
	{"a = cycles + 1", "1/s and a plain number cannot be added"},
	{"a = cycles - " READS " * 64 bytes", "1/s and bytes/s cannot be added or subtracted"},
	{"a_ns = " READS " * 64 bytes", "its formula yields bytes/s, but the unit ns needs s"},
	{"a_pct = 1 / (" READS " * 64 bytes * 64 bytes * 1 s)",
	 "its formula yields 1/bytes^2, but the unit % needs a plain number"},
	{"a_MBps = " READS, "its formula yields 1/s, but the unit MB/s needs bytes/s"},
	{"a_pct = cycles", "its formula yields 1/s, but the unit % needs a plain number"},
	{"a = cycles*cycles*cycles*cycles*cycles*cycles*cycles*cycles*cycles",
	 "the power of a unit is too high"},
	{"a = cycles; unit=x", "unknown unit 'x': expected one of MB/s"},
	{"a_ns = 1 / cycles; unit=us", "unit=us, but its name says ns"},
	{"a = cycles; unit=GHz; unit=GHz", "unit= is given twice"},
	{"a = cycles; scope=planet", "unknown scope in 'planet'"},
	{"a = cycles; scope=cpu,", "unknown scope"},
	{"a = cycles; scope=port", "not all of its events are counted for each port"},
	{"a = cycles; decimals=10", "expected 0 to 9"},
	{"a = cycles; help=\"x\"", "expected plain text"},
	{"a = cycles; bogus=1", "unexpected 'bogus' after its formula"},
	{"a = cycles;", "unexpected '' after its formula"},
	{"a = node_used_MiB", "node_used_MiB has no formula on this processor"},
	{"a = cxl_mem_read_source", "cxl_mem_read_source has no formula"},
	{"a = a", "unknown event or metric 'a'"},
};

TEST_LOOP(test_what_is_no_metric_is_refused_in_one_line_that_says_why, COUNT(refused))
{
	add("given = cycles");
	const int rc = custom_metrics_add(&metrics, &context, refused[_i].text, &err);

	if (refused[_i].expected) {
		assert_refusal(rc, &err, refused[_i].expected);
		ck_assert_uint_eq(metrics.count, 1);
	} else {
		ck_assert_msg(!rc, "%s", err.text);
	}
}

TEST(test_brackets_have_an_end)
{
	char text[4096] = "a = ";

	memset(text + 4, '(', 2000);
	assert_refusal(custom_metrics_add(&metrics, &context, text, &err), &err,
		       "more than 32 nested brackets and metrics");
	memset(text + 4, '-', 2000);
	assert_refusal(custom_metrics_add(&metrics, &context, text, &err), &err,
		       "expected a name or a number at the end");
	/* these are not nested */
	strcpy(text, "b = cycles");
	for (unsigned i = 0; i < 40; i++)
		strcat(text, "+(tsc)");
	add(text);
	strcpy(text, "a = cycles");
	for (unsigned i = 0; i < 300; i++)
		strcat(text, "+tsc");
	assert_refusal(custom_metrics_add(&metrics, &context, text, &err), &err, "too long");
}

TEST(test_a_metric_may_name_an_earlier_one_in_its_own_unit)
{
	const double rates[] = {1e6 / 64, 1e6};

	add("first_MBps = " READS " * 64 bytes");
	ck_assert_double_eq_tol(value_of(add("b_GBps = first_MBps * 2"), rates), 0.002, 1e-12);
	ck_assert_double_eq_tol(value_of(add("c_bytes = first_MBps / cycles"), rates), 1, 1e-12);
}

TEST(test_a_column_is_as_those_of_the_table_are)
{
	const struct metric *m = &add("my_read_MBps = " READS " * 64 bytes; help=Lines")->metric;

	ck_assert_str_eq(m->name, "my_read_MBps");
	ck_assert_str_eq(m->group, "custom");
	ck_assert_str_eq(m->heading, "my read");
	ck_assert_str_eq(m->unit, "MB/s");
	ck_assert_str_eq(m->help, "Lines");
	ck_assert_uint_eq(m->decimals, 3);
	ck_assert_uint_eq(metric_scopes(m),
			  1U << SCOPE_PORT | 1U << SCOPE_SOCKET | 1U << SCOPE_SYSTEM);
	ck_assert_str_eq(m->family.name, "my_read_bytes_per_second");
	ck_assert_str_eq(m->family.unit, "bytes_per_second");
	ck_assert_double_eq(m->family.factor, 1e6);
	ck_assert(!m->family.counter);
}

/*
 * Decimals: tenths of a nanosecond; otherwise thousandths, a whole number of the next smaller unit.
 */
static const struct {
	const char *name;
	unsigned decimals;
} times[] = {{"wait_ns", 1}, {"wait_us", 3}, {"wait_ms", 3}, {"wait_s", 3}};

TEST_LOOP(test_times_have_decimals_for_a_thousandth_of_longer_units, COUNT(times))
{
	char text[128];

	snprintf(text, sizeof(text), "%s = " OCC " / " INS " * 1 ns", times[_i].name);
	ck_assert_uint_eq(add(text)->metric.decimals, times[_i].decimals);
	strcat(text, "; decimals=0");
	text[0]++; /* another name */
	ck_assert_uint_eq(add(text)->metric.decimals, 0);
}

/* Writes a text with a description of this length. */
static const char *with_help(size_t length, char text[1024])
{
	strcpy(text, "a = cycles; help=");
	memset(text + strlen(text), 'x', length + 1);
	text[strlen("a = cycles; help=") + length] = '\0';
	return text;
}

TEST(test_a_description_is_no_longer_than_a_recording_keeps)
{
	char text[1024];

	with_help(CUSTOM_HELP_MOST + 1, text);
	ck_assert_int_eq(custom_metrics_add(&metrics, &context, text, &err), -EINVAL);
	ck_assert_uint_eq(err.kind, ERROR_USAGE);
	ck_assert_str_eq(err.text, "metric 'a': help=: 512 characters: expected 511 at most");
	ck_assert_uint_eq(strlen(add(with_help(CUSTOM_HELP_MOST, text))->metric.help),
			  CUSTOM_HELP_MOST);
}

TEST(test_a_long_formula_is_cut_off_as_a_description_only)
{
	char text[1024];

	snprintf(text, sizeof(text), "a = cycles%600s", "+ tsc");
	const struct custom_metric *m = add(text);
	ck_assert_uint_eq(strlen(m->formula), strlen(text) - strlen("a = "));
	ck_assert_uint_eq(strlen(m->metric.help), CUSTOM_HELP_MOST);
	ck_assert_uint_eq(strlen(m->metric.family.help), CUSTOM_HELP_MOST);
}

static const struct {
	const char *name, *heading;
} headings[] = {
	{"a", "a"},
	{"ratio_pct", "ratio"},
	{"hit_ratio", "hit"},
	{"cxl_reads_in_flight", "cxl_reads in_flight"},
	{"abcdefghijklmnop", "abcdefghij"},
	{"abcdefghijklmnop_b", "abcdefghij b"},
	{"a_abcdefghijklmnop", "a abcdefghij"},
	{"ab__cd", "ab _cd"},
	{"a_", "a_"},
};

TEST_LOOP(test_a_heading_is_two_words_that_fit_above_a_column, COUNT(headings))
{
	char text[128];

	snprintf(text, sizeof(text), "%s = cycles / tsc", headings[_i].name);
	ck_assert_str_eq(add(text)->metric.heading, headings[_i].heading);
}

/* An event has one input, however often the text has it; its mean is another one. */
static const struct {
	const char *text;
	unsigned inputs;
} inputs[] = {
	{"a = cycles / (cycles + tsc) * cycles", 2},
	{"a = cycles - mean(cycles)", 2},
	{"a_ns = per_unit(" OCC " / " CLOCKS ") / " INS, 2},
	{"a = per_unit(" OCC " / " CLOCKS ") / " INS " * " CLOCKS "; unit=ratio", 3},
	{"a = frequency_MHz / frequency_MHz", 1},
};

TEST_LOOP(test_what_a_formula_takes_is_an_input_once, COUNT(inputs))
{
	ck_assert_uint_eq(add(inputs[_i].text)->program.input_count, inputs[_i].inputs);
}

#define CXL "DRD_CXL_ACC"
#define DDR "DRD_LOCAL_DDR"
#define LATENCY(class)                                                                             \
	"per_unit(UNC_CHA_TOR_OCCUPANCY.IA_MISS_" class " / " CLOCKS                               \
							") / UNC_CHA_TOR_INSERTS.IA_MISS_" class

static unsigned number_of(const char *metric)
{
	const struct formula *formula = formulas_find(&metrics.formulas, metric, 0);

	ck_assert_ptr_nonnull(formula);
	return formula->number;
}

/* The events of each latency are counted together: an occupancy, its inserts and its clock. */
TEST(test_a_metric_of_two_latencies_is_multiplexed_in_the_group_of_each)
{
	const struct custom_metric *m = add("a_pct = " LATENCY(CXL) " / (" LATENCY(DDR) ")");
	const unsigned cxl = number_of("cxl_read_latency_ns"),
		       ddr = number_of("ddr_local_read_latency_ns");

	ck_assert_uint_eq(m->program.operand_count, 5);
	for (unsigned i = 0; i < m->program.operand_count; i++)
		ck_assert_uint_eq(m->multiplexed.groups[i],
				  strstr(m->program.operands[i].event->name, DDR) ? ddr : cxl);
}

/* The metric does not need both events at the same time, and so no two counters at once. */
TEST(test_events_of_a_part_of_a_latency_are_multiplexed_one_by_one)
{
	const struct custom_metric *m = add("a = " INS " / " CLOCKS);

	ck_assert_uint_eq(m->program.operand_count, 2);
	ck_assert_uint_eq(m->multiplexed.groups[0], 0);
	ck_assert_uint_eq(m->multiplexed.groups[1], 0);
}

/* The next metric after a lack of memory finds all formulas, or reads them again. */
TEST(test_formulas_that_could_not_be_read_are_read_again)
{
	int rc = -ENOMEM;

	for (size_t nth = 1; rc; nth++) {
		allocations_fail(nth);
		rc = custom_metrics_add(&metrics, &context, "a = cxl_mem_read_MBps", &err);
		allocations_fail(0);
		ck_assert(rc == 0 || rc == -ENOMEM);
		if (rc)
			add("a = cxl_mem_read_MBps");
		ck_assert_uint_eq(metrics.count, 1);
		custom_metrics_free(&metrics);
		metrics = (struct custom_metrics){.count = 0};
	}
}
