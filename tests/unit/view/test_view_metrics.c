/* SPDX-License-Identifier: BSD-3-Clause */
/* All metrics except the ports' bandwidth: latencies, DRAM, queues, links, CPUs; and events. */
#include <math.h>

#include "sim_monitor.h"
#include "uncore/units/core_unit.h"
#include "unit.h"
#include "view/view.h"

#define LINE_MB (64 / 1e6)
#define SAMPLES 8

#define IMCS 4 /* memory controllers of a socket, if the spec states no number */

#define CXL_NS	  "cxl_read_latency_ns"
#define LOCAL_NS  "ddr_local_read_latency_ns"
#define REMOTE_NS "ddr_remote_read_latency_ns"

#define LATENCIES "sockets=2,latency=412,ddr_latency=118,ddr_remote_latency=197,"
#define LOADED	  LATENCIES "read=4,dram_read=55,dram_write=21,clock=virtual"

static struct sim_monitor m;

static void start(const char *spec, const char *groups)
{
	sim_monitor_start(&m, .spec = spec, .view = {.groups = groups, .finest = SCOPE_PORT},
			  .start_ns = 1);
}

/* Latencies. */

TEST_LOOP(test_a_latency_of_an_unsure_unit_is_an_estimate_and_no_other_value, 2)
{
	start("spr,read=20,clock=virtual", "latency,dram");
	m.view.unsure_latency = _i;
	sim_monitor_sample(&m);
	ck_assert_double_gt(sim_monitor_value(&m, 0, -1, CXL_NS), 0);
	ck_assert_int_eq(sim_monitor_cell(&m, sim_monitor_row(&m, 0, -1), CXL_NS)->scaled, _i);
	ck_assert(!sim_monitor_cell(&m, sim_monitor_row(&m, 0, -1), "dram_read_MBps")->scaled);
}

static const struct {
	const char *spec;
	const char *source;
	bool ddr;	  /* has classes of DRAM reads */
	unsigned classes; /* classes that share the CHAs */
} models[] = {
	{"spr," LOADED, "acc", true, 4},      {"emr," LOADED, "acc", true, 4},
	{"gnr," LOADED, "acc", true, 4},      {"srf," LOADED, "opt_acc", false, 3},
	{"cwf," LOADED, "opt_acc", false, 3},
};

static const struct {
	const char *metric;
	double ns;
	double lines; /* per second and CHA, for LOADED: one event more or less is a part of this */
} latencies[] = {
	{CXL_NS, 412, 4e9 / 64 * 2 / 8},
	{LOCAL_NS, 118, 55e9 / 64 * 0.75 / 8},
	{REMOTE_NS, 197, 55e9 / 64 * 0.25 / 8},
};

/*
 * Checks latencies. Each CHA's occupancy, inserts and clocks may be one off at each end of the
 * counted share of a second; inserts are the fewest, so four such errors bound all of them.
 */
static void assert_latencies(const struct row *row, int model, double share)
{
	for (int i = 0; i < (models[model].ddr ? 3 : 1); i++) {
		const struct value *value = sim_monitor_cell(&m, row, latencies[i].metric);
		const double tolerance = latencies[i].ns * 4 / (latencies[i].lines * share);

		ck_assert_double_lt(tolerance, latencies[i].ns / 1e3);
		ck_assert_double_eq_tol(value->number, latencies[i].ns, tolerance);
		ck_assert_int_eq(value->scaled, share < 1);
		ck_assert_str_eq(value->text, i ? "" : models[model].source);
	}
	ck_assert_str_eq(sim_monitor_cell(&m, row, "cxl_read_latency_source")->text,
			 models[model].source);
	for (int i = 1; !models[model].ddr && i < 3; i++)
		ck_assert_double_nan(sim_monitor_cell(&m, row, latencies[i].metric)->number);
}

TEST_LOOP(test_every_latency_is_in_every_sample_all_the_time, COUNT(models))
{
	start(models[_i].spec, "latency");
	ck_assert_uint_eq(m.notes, 0);
	for (unsigned k = 0; k < SAMPLES; k++) {
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.view.table.row_count, 3);
		for (size_t r = 0; r < m.view.table.row_count; r++) {
			assert_latencies(&m.view.table.rows[r], _i, 1);
			ck_assert_double_eq(m.view.table.rows[r].counted_pct, 100);
			ck_assert_double_eq(m.view.table.rows[r].interval_s, 1);
		}
		ck_assert_uint_eq(m.view.noticed.implausible.count, 0);
	}
}

/*
 * Resets units as the kernel's driver does. Idle CHAs are checked once per second, later than the
 * others: all of them must be back on the classes that they would count now, or one class is not
 * counted.
 */
TEST_LOOP(test_every_latency_is_back_after_the_units_were_reset, COUNT(models))
{
	sim_monitor_start(&m, .spec = models[_i].spec, .view = {.groups = "cxl,latency,dram"},
			  .interval_ns = SECOND / 4, .start_ns = 1);
	for (unsigned k = 0; k < 5; k++)
		sim_monitor_sample(&m);
	pass_time(m.platform, SECOND / 10);
	sim_load_driver(m.sim);
	sim_monitor_sample(&m);
	ck_assert_uint_gt(m.sample.lost_readings, 0);
	for (unsigned k = 0; k < 12; k++)
		sim_monitor_sample(&m);
	for (unsigned k = 0; k < 40; k++) {
		sim_monitor_sample_failing(&m, 0);
		for (size_t r = 0; r < m.view.table.row_count; r++)
			if (m.view.table.rows[r].place.kind != ROW_PORT)
				assert_latencies(&m.view.table.rows[r], _i, 1);
	}
}

static void start_turns(int model)
{
	sim_monitor_start(
		&m, .spec = models[model].spec,
		.view = {.groups = "latency", .finest = SCOPE_PORT, .latency = LATENCY_ROTATE},
		.start_ns = 1);
}

TEST_LOOP(test_multiplexed_latencies_are_scaled_and_marked, COUNT(models))
{
	const double share = 1.0 / models[_i].classes;

	start_turns(_i);
	ck_assert_uint_eq(m.notes, 0);
	for (unsigned k = 0; k < SAMPLES; k++) {
		sim_monitor_sample(&m);
		for (size_t r = 0; r < m.view.table.row_count; r++) {
			assert_latencies(&m.view.table.rows[r], _i, share);
			ck_assert_double_eq_tol(m.view.table.rows[r].counted_pct, 100 * share,
						1e-6);
			ck_assert_double_eq(m.view.table.rows[r].interval_s, 1);
		}
	}
}

TEST_LOOP(test_latencies_are_multiplexed_where_there_are_too_few_chas, 9)
{
	static const struct {
		const char *spec;
		bool multiplexed;
	} few[] = {
		{"spr,chas=1," LOADED, true},  {"spr,chas=2," LOADED, true},
		{"spr,chas=3," LOADED, true},  {"spr,chas=4," LOADED, false},
		{"emr,chas=1," LOADED, true},  {"emr,chas=3," LOADED, true},
		{"emr,chas=4," LOADED, false}, {"srf,chas=2," LOADED, true},
		{"srf,chas=3," LOADED, false},
	};

	start(few[_i].spec, "latency");
	ck_assert_uint_eq(m.notes, few[_i].multiplexed);
	if (few[_i].multiplexed)
		ck_assert_ptr_nonnull(strstr(m.note, ": multiplexed"));
	for (unsigned k = 0; k < SAMPLES; k++) {
		sim_monitor_sample(&m);
		const struct row *row = sim_monitor_row(&m, 1, -1);
		const struct value *cxl = sim_monitor_cell(&m, row, CXL_NS);

		ck_assert_double_eq_tol(cxl->number, 412, 0.01);
		ck_assert_int_eq(cxl->scaled, few[_i].multiplexed);
		ck_assert_int_eq(row->counted_pct < 100, few[_i].multiplexed);
	}
}

/*
 * Reads of DRAM whose entries are counted for some clocks in the occupancy of CXL reads, and if
 * they may be more than 5 % of it, even if they are not.
 */
static const struct {
	const char *spec;
	double ns;
	bool estimate;
} leaks[] = {
	{"spr,read=0.5,dram_read=100,tor_leak=8", 1120, true},
	{"emr,read=0.5,dram_read=100,tor_leak=8", 1120, true},
	{"spr,read=0.5,dram_read=100", 320, true},
	{"spr,read=0.5,dram_read=5,tor_leak=8", 360, true},
	/* almost as many: 16 ns are 5 % of 320, and eight reads of DRAM */
	{"spr,read=1,dram_read=8.02", 320, true},
	{"spr,read=1,dram_read=7.98", 320, false},
	{"spr,read=12,dram_read=20,tor_leak=8", 320 + 4 * 20 / 12., false},
	/* as high, but because of the device */
	{"spr,read=12,dram_read=20,latency=1120", 1120, false},
	/* reads of another class, and processors without a known leak */
	{"emr,exp_local=1,read=0.5,dram_read=100,tor_leak=8", 320, false},
	{"gnr,read=0.5,dram_read=100,tor_leak=8", 320, false},
};

TEST_LOOP(test_a_latency_that_reads_of_dram_may_have_raised_is_an_estimate, COUNT(leaks))
{
	char spec[128];

	snprintf(spec, sizeof(spec), "%s,ports=1,clock=virtual", leaks[_i].spec);
	start(spec, "latency");
	for (unsigned k = 1; k <= 3; k++) {
		sim_monitor_sample(&m);
		const struct value *value =
			sim_monitor_cell(&m, sim_monitor_row(&m, 0, -1), CXL_NS);

		ck_assert_double_eq_tol(value->number, leaks[_i].ns, 0.1);
		ck_assert_int_eq(value->scaled, leaks[_i].estimate);
		ck_assert_uint_eq(m.view.noticed.leaks.count,
				  leaks[_i].estimate ? 2 * k : 0); /* rows */
	}
}

/* CHAs 4 to 7 are listed, respond, and count nothing. */
#define HALF ",chas=8,still_chas=4," LOADED

TEST_LOOP(test_chas_whose_clocks_stand_still_have_no_share_of_a_sum, 2)
{
	sim_monitor_start(&m, .spec = _i ? "spr" HALF : "gnr" HALF,
			  .view = {.groups = "cxl,latency", .finest = SCOPE_PORT}, .start_ns = 1);
	for (unsigned k = 0, known = 0; k < SAMPLES; k++) {
		sim_monitor_sample(&m);
		const struct value *value =
			sim_monitor_cell(&m, sim_monitor_row(&m, 0, -1), CXL_NS);

		known += !isnan(value->number);
		if (!isnan(value->number)) {
			ck_assert_double_eq_tol(value->number, 412, 0.1);
			/* all reads of the socket, not as many for each listed CHA */
			ck_assert_double_eq_tol(inputs_quotient(value->inputs).divisor,
						2 * 4e9 / 64, 1e3);
		}
		ck_assert(k < SAMPLES - 1 || known);
		/* the cross-check of the CHAs would be twice as much */
		ck_assert_uint_eq(m.view.noticed.mismatches.count, 0);
	}
}

static void set_dead(uint16_t type, unsigned id, bool dead)
{
	ck_assert_int_eq(sim_set_unit_dead(m.sim, 0, type, id, dead), 0);
}

TEST_LOOP(test_a_cha_that_dies_leaves_latencies_known_by_the_others, COUNT(models))
{
	start(models[_i].spec, "latency");
	sim_monitor_sample(&m);
	set_dead(PMU_CHA, 3, true);
	for (unsigned k = 0; k < SAMPLES; k++) {
		sim_monitor_sample_failing(&m, 1);
		for (size_t r = 0; r < m.view.table.row_count; r++)
			assert_latencies(&m.view.table.rows[r], _i, 1);
	}
}

TEST_LOOP(test_a_cha_that_comes_back_does_not_count_one_class_as_another, COUNT(models))
{
	start(models[_i].spec, "latency");
	for (unsigned k = 0; k < SAMPLES; k++) {
		set_dead(PMU_CHA, 3, k == 1);
		sim_monitor_sample(&m);
		for (size_t r = 0; r < m.view.table.row_count; r++)
			assert_latencies(&m.view.table.rows[r], _i, 1);
	}
}

/* The slower CHAs have more inserts: a mean of the clocks would be wrong. */
TEST_LOOP(test_chas_of_different_clocks_are_each_divided_by_their_own, COUNT(models))
{
	start(models[_i].spec, "latency");
	sim_monitor_sample(&m);
	for (size_t i = 0; i < m.plan.counter_count; i++) {
		const struct counter *counter = &m.plan.counters[i];
		struct count *count = &m.sample.counts[i];
		const bool inserts = strstr(counter->event->name, "TOR_INSERTS");
		const bool clock = strstr(counter->event->name, "CLOCKTICKS");

		/* half the clock, three times the reads, and so three halves of the occupancy */
		if (m.plan.units[counter->unit].unit->id % 8 < 4)
			continue;
		if (clock)
			count->events /= 2;
		else
			count->events = inserts ? count->events * 3 : count->events * 3 / 2;
	}
	view_update(&m.view, &m.sample);
	for (size_t r = 0; r < m.view.table.row_count; r++)
		assert_latencies(&m.view.table.rows[r], _i, 1);
}

/* Little's law over a longer time divides by all inserts, and a ratio by all clocks. */
TEST(test_values_have_what_was_counted_for_them)
{
	start("gnr,sockets=1," LOADED, "cxl,latency,core");
	for (int k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		const struct row *system = &m.view.table.rows[m.view.table.row_count - 1];
		/* the latency of CXL memory is measured on some of the CHAs: lines are spread
		 * evenly */
		const struct inputs *latency = sim_monitor_cell(&m, system, CXL_NS)->inputs;
		const struct inputs *ipc = sim_monitor_cell(&m, system, "ipc")->inputs;
		const struct value *cycles = sim_monitor_cell(&m, system, "cycles_per_s");
		const struct value *rate = sim_monitor_cell(&m, system, "cxl_mem_read_MBps");

		/* time in queues, and reads */
		ck_assert_uint_eq(latency->formula->program->input_count, 2);
		ck_assert_double_gt(latency->items[1].per_second, 1e6);
		ck_assert_double_gt(latency->reads, ENOUGH_READS);
		ck_assert_double_lt(latency->reads, latency->items[1].per_second);
		ck_assert_double_eq(ipc->items[1].per_second, cycles->number);
		ck_assert_double_eq(ipc->items[1].ns, cycles->seconds * 1e9);
		ck_assert_double_eq(rate->inputs->items[0].per_second * 64 / 1e6, rate->number);
	}
}

TEST_LOOP(test_without_reads_there_is_no_latency, 4)
{
	static const char *const specs[] = {
		"spr,read=0,dram_read=0,clock=virtual", "emr,read=0,dram_read=0,clock=virtual",
		"gnr,read=0,dram_read=0,clock=virtual", "srf,read=0,dram_read=0,clock=virtual"};

	start(specs[_i], "latency");
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		for (size_t r = 0; r < m.view.table.row_count; r++)
			for (int i = 0; i < 3; i++) {
				const struct value *value = sim_monitor_cell(
					&m, &m.view.table.rows[r], latencies[i].metric);

				ck_assert_double_nan(value->number);
				ck_assert_str_eq(value->text, "");
			}
		ck_assert_uint_eq(m.view.noticed.implausible.count, 0);
	}
}

TEST(test_one_socket_has_no_remote_latency)
{
	start("spr,read=4,dram_read=8,clock=virtual", "latency");
	sim_monitor_sample(&m);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, CXL_NS), 320, 0.01);
	ck_assert_double_eq_tol(sim_monitor_value(&m, -1, -1, LOCAL_NS), 110, 0.01);
	ck_assert_double_nan(sim_monitor_value(&m, -1, -1, REMOTE_NS));
}

TEST_LOOP(test_latencies_beside_everything_else_leave_the_rest_unscaled, COUNT(models))
{
	sim_monitor_start(&m, .spec = models[_i].spec,
			  .view = {.groups = "latency,cxl,queue,dram,core",
				   .finest = SCOPE_PORT,
				   .latency = LATENCY_ROTATE},
			  .start_ns = 1);
	const uint64_t hash = sim_state_hash(m.sim);
	sim_monitor_sample(&m);
	for (size_t r = 0; r < m.view.table.row_count; r++)
		for (size_t c = 0; c < m.view.table.column_count; c++)
			if (strcmp(m.view.table.columns[c].metric->group, "latency"))
				ck_assert_msg(!m.view.table.rows[r].values[c].scaled, "%s",
					      m.view.table.columns[c].metric->name);
	ck_assert_uint_ne(sim_state_hash(m.sim), hash);
}

/* Groups of the ports rotate within an interval, on a socket that is frozen as a whole. */
TEST_LOOP(test_rotation_on_ports_does_not_affect_latencies, COUNT(models))
{
	start(models[_i].spec, "all");
	for (unsigned k = 0; k < SAMPLES; k++) {
		sim_monitor_sample_failing(&m, 0);
		assert_latencies(sim_monitor_row(&m, 0, -1), _i, 1);
		assert_latencies(sim_monitor_row(&m, -1, -1), _i, 1);
		ck_assert_double_eq_tol(sim_monitor_value(&m, 0, 1, "cxl_mem_read_MBps"), 4000,
					4 * LINE_MB);
	}
}

TEST_LOOP(test_after_all_metrics_the_machine_is_as_before, 2 * COUNT(models))
{
	sim_monitor_open(
		&m, .spec = models[_i % COUNT(models)].spec,
		.view = {.groups = "all",
			 .latency = _i / COUNT(models) ? LATENCY_ROTATE : LATENCY_SPATIAL});
	const uint64_t hash = sim_state_hash(m.sim);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	for (unsigned k = 0; k < 5; k++)
		sim_monitor_sample(&m);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

/* DRAM. */

TEST_LOOP(test_dram_is_the_sum_of_its_controllers, COUNT(models))
{
	start(models[_i].spec, "dram");
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		for (int socket = -1; socket < 2; socket++) {
			const int sockets = socket < 0 ? 2 : 1;
			/* four iMCs, with one or two counters on each */
			const double tolerance = sockets * 8 * LINE_MB;

			ck_assert_double_eq_tol(sim_monitor_value(&m, socket, -1, "dram_read_MBps"),
						sockets * 55000, tolerance);
			ck_assert_double_eq_tol(
				sim_monitor_value(&m, socket, -1, "dram_write_MBps"),
				sockets * 21000, tolerance);
		}
	}
}

TEST_LOOP(test_a_dead_memory_controller_makes_its_socket_unknown, COUNT(models))
{
	start(models[_i].spec, "latency,dram");
	set_dead(PMU_IMC, 2, true);
	sim_monitor_sample(&m);
	ck_assert_double_nan(sim_monitor_value(&m, 0, -1, "dram_read_MBps"));
	ck_assert_double_nan(sim_monitor_value(&m, 0, -1, "dram_write_MBps"));
	ck_assert_double_nan(sim_monitor_value(&m, -1, -1, "dram_read_MBps"));
	ck_assert_double_eq_tol(sim_monitor_value(&m, 1, -1, "dram_read_MBps"), 55000, 1);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, CXL_NS), 412, 0.01);
}

TEST_LOOP(test_a_unit_that_is_left_out_is_warned_of_once, COUNT(models))
{
	sim_monitor_machine(&m, models[_i].spec);
	set_dead(PMU_CHA, 2, true);
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){.groups = "latency"}), 0);
	ck_assert_uint_eq(m.warnings, 1);
	ck_assert_ptr_nonnull(strstr(m.warning, "socket 0 cha 2"));
}

TEST_LOOP(test_a_channel_that_is_silent_from_the_start_is_absent_and_noted_once, COUNT(models))
{
	sim_monitor_machine(&m, models[_i].spec);
	set_dead(PMU_IMC, 2, true);
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){.groups = "dram"}), 0);
	ck_assert_uint_eq(m.warnings, 0);
	ck_assert_uint_eq(m.notes, 1);
	ck_assert_ptr_nonnull(strstr(m.note, "1 imc unit does not respond"));
	ck_assert_ptr_nonnull(strstr(m.note, "socket 0 imc 2"));
}

#define MAX "spr,hbms=4,read=1,dram_read=40,dram_write=20,hbm_read=400,hbm_write=100,clock=virtual"

/* Results of a machine with HBM some of whose channels are silent. */
static const struct {
	unsigned imcs, hbms; /* silent ones */
	double dram, hbm;
} silences[] = {
	{0, 0, 440000, 400000}, {1, 0, 430000, 400000},
	{0, 1, 340000, 300000}, {4, 0, 400000, 400000}, /* HBM only: no DIMM at all */
	{0, 4, 40000, NAN},	{4, 4, NAN, NAN},
};

static void assert_value(const char *metric, double expected)
{
	const double value = sim_monitor_value(&m, -1, -1, metric);

	if (isnan(expected))
		ck_assert_double_nan(value);
	else
		ck_assert_double_eq_tol(value, expected, 1);
}

TEST_LOOP(test_memory_traffic_is_that_of_the_channels_that_are_there, COUNT(silences))
{
	sim_monitor_machine(&m, MAX);
	for (unsigned id = 0; id < silences[_i].imcs; id++)
		set_dead(PMU_IMC, id, true);
	for (unsigned id = 0; id < silences[_i].hbms; id++)
		set_dead(PMU_HBM, id, true);
	sim_monitor_measure(&m, .view.groups = "dram,latency");
	sim_monitor_sample(&m);
	assert_value("dram_read_MBps", silences[_i].dram);
	assert_value("hbm_read_MBps", silences[_i].hbm);
}

/*
 * Kernels with and without HBM: before 6.11 they do not know it, which looks like "has none" and
 * "cannot be counted".
 */
static const struct {
	const char *spec;
	double dram;
} kernels[] = {
	{MAX ",kernel=6.10", NAN},
	{MAX ",kernel=6.11", 440000},
	{"spr,dram_read=40,dram_write=20,clock=virtual,kernel=6.10", 40000},
};

TEST_LOOP(test_memory_traffic_without_units_that_the_kernel_hides_is_not_known, COUNT(kernels))
{
	sim_monitor_start(&m, .spec = kernels[_i].spec, .view = {.groups = "dram,core"},
			  .perf = true);
	sim_monitor_sample(&m);
	assert_value("dram_read_MBps", kernels[_i].dram);
	ck_assert_int_eq(strstr(m.warning, "does not know the hbm units (it calls them "
					   "uncore_type_14_0)") != NULL,
			 isnan(kernels[_i].dram));
}

/* A kernel that does not know the umask of a CXLDP, which counts CXL writes. */
static const char *const with_writes[] = {"cxl", "cxl,port"};

TEST_LOOP(test_what_can_not_be_counted_is_said_once_where_shares_of_it_are_shown,
	  COUNT(with_writes))
{
	sim_monitor_perf_machine(&m, "gnr,sockets=1,ports=1,clock=virtual");
	for (size_t i = 0; i < m.machine.pmus.count; i++)
		if (strstr(m.machine.pmus.items[i].name, "uncore_cxldp"))
			m.machine.pmus.items[i].format_count = 1;
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){.groups = with_writes[_i]}),
			 0);
	ck_assert_uint_eq(m.warnings, 1);
	assert_contains(m.warning, "1 value cannot be counted, and stays empty; first: ");
	assert_contains(m.warning, "this kernel has no field 'umask'");
}

TEST_LOOP(test_a_machine_without_ports_shows_dram_and_not_cxl, COUNT(models))
{
	sim_monitor_machine(&m, models[_i].spec);
	m.machine.port_count = 0;
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){.groups = "cxl"}), -ENODEV);
	ck_assert_int_eq(m.err.kind, ERROR_NO_UNIT);
	ck_assert_ptr_nonnull(strstr(m.err.text, "no CXL port"));
	view_free(&m.view);
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){.groups = "cxl,queue,link"}),
			 -ENODEV);
	ck_assert_int_eq(m.err.kind, ERROR_NO_UNIT);
	view_free(&m.view);
	sim_monitor_measure(&m, .view = {.groups = "cxl,dram", .finest = SCOPE_PORT});
	ck_assert_uint_eq(m.view.table.row_count, 3);
	sim_monitor_sample(&m);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 1, -1, "dram_read_MBps"), 55000, 1);
	ck_assert_double_nan(sim_monitor_value(&m, 1, -1, "cxl_mem_read_MBps"));
	ck_assert_double_nan(sim_monitor_value(&m, -1, -1, "cxl_mem_read_MBps"));
}

/* Implausible values. */

#define READ  "cxl_mem_read_MBps"
#define WRITE "cxl_mem_write_MBps"

static const struct {
	const char *spec;
	unsigned count; /* per sample: two ports, a socket and the system */
} implausible[] = {
	{"gnr,read=63,clock=virtual", 0},
	{"gnr,read=64,clock=virtual", 4},
	{"gnr,read=65,clock=virtual", 4},
	{"gnr,read=100,clock=virtual", 4},
	{"srf,read=100,clock=virtual", 4},
	{"gnr,read=100,write=100,clock=virtual", 8},
	/* requests are not data */
	{"spr,read=100,clock=virtual", 0},
	{"emr,read=100,clock=virtual", 0},
};

TEST_LOOP(test_a_value_above_the_link_s_bandwidth_is_implausible_and_not_shown, COUNT(implausible))
{
	start(implausible[_i].spec, "cxl");
	for (unsigned k = 1; k <= 3; k++) {
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.view.noticed.implausible.count, k * implausible[_i].count);
		for (size_t r = 0; r < m.view.table.row_count; r++) {
			const double read =
				sim_monitor_cell(&m, &m.view.table.rows[r], READ)->number;

			ck_assert_int_eq(isnan(read) != 0, implausible[_i].count != 0);
		}
	}
}

/* Reads of one port that are shown as data, by the trained state of its link. */
static const struct {
	const char *spec;
	bool shown;
} links[] = {
	{"gnr,link_width=8,read=31,", true},
	{"gnr,link_width=8,read=40,", false},
	{"gnr,link_width=8,link_max_width=8,read=40,", false},
	{"gnr,link_speed=64,read=90,", true},
	{"gnr,link_speed=64,read=129,", false},
	{"spr,link_width=8,cpmu=1,read=31,", true},
	{"spr,link_width=8,cpmu=1,read=40,", false},
	{"spr,link_width=8,cpmu=1,cpmu_kind=cxl4,read=40,", false},
	{"genoa,link_width=8,cpmu=1,read=31,", true},
	{"genoa,link_width=8,cpmu=1,read=40,", false},
};

TEST_LOOP(test_the_limit_is_what_the_link_of_the_port_can_carry, COUNT(links))
{
	char spec[128];

	snprintf(spec, sizeof(spec), "%sports=1,clock=virtual", links[_i].spec);
	start(spec, "cxl,device");
	sim_monitor_sample(&m);
	ck_assert_int_eq(!m.view.noticed.implausible.count, links[_i].shown);
	if (links[_i].shown)
		ck_assert_double_gt(sim_monitor_cell(&m, &m.view.table.rows[0], READ)->number,
				    30000);
	/* requests to a device are not data */
	else
		ck_assert_str_ne(sim_monitor_cell(&m, &m.view.table.rows[0], READ)->text, "cpmu");
}

/* A port without a device, or with a device whose link is unknown. */
TEST(test_without_a_known_link_the_limit_is_that_of_the_fastest)
{
	sim_monitor_machine(&m, "gnr,ports=2,read=100,link_width=8,clock=virtual");
	m.machine.ports[0].device = NULL;
	sim_monitor_measure(&m, .view = {.groups = "cxl", .finest = SCOPE_PORT}, .start_ns = 1);
	sim_monitor_sample(&m);
	ck_assert_double_eq(sim_monitor_value(&m, 0, 0, READ), 100000);
	ck_assert_double_nan(sim_monitor_value(&m, 0, 1, READ));
}

/* A link that changes at 1.75 s from 63 to 15.75 GB/s. */
static const struct {
	const char *spec;
	double read[3], pct[3];
} changes[] = {
	{"gnr,read=10,link_change=1.75,link_change_width=4,",
	 {10000, 10000, 10000},
	 {15.8691, NAN, 63.4766}},
	{"gnr,read=20,link_change=1.75,link_change_width=4,",
	 {20000, 20000, NAN},
	 {31.7383, NAN, NAN}},
	{"gnr,read=20,", {20000, 20000, 20000}, {31.7383, 31.7383, 31.7383}},
	/* more requests than lines fit on it */
	{"spr,read=100,", {100000, 100000, 100000}, {NAN, NAN, NAN}},
};

TEST_LOOP(test_a_link_that_changed_has_no_share_of_that_interval, COUNT(changes))
{
	char spec[128];

	snprintf(spec, sizeof(spec), "%sports=1,clock=virtual", changes[_i].spec);
	start(spec, "cxl,port");
	for (unsigned k = 0; k < 3; k++) {
		const double read = changes[_i].read[k], pct = changes[_i].pct[k];

		sim_monitor_sample(&m);
		const double shown = sim_monitor_value(&m, 0, 0, READ);
		const double share = sim_monitor_value(&m, 0, 0, "link_read_pct");

		ck_assert(isnan(read) ? isnan(shown) : fabs(shown - read) < 0.001);
		ck_assert(isnan(pct) ? isnan(share) : fabs(share - pct) < 0.0001);
	}
}

/* Adds inserts of a unit of socket 0, whose registers are at the address. */
static void add_inserts(unsigned pmu_type, unsigned id, uint64_t address, unsigned counter,
			uint64_t inserts)
{
	const uint64_t now = memory_peek(m.platform, address + CXL_COUNTER(counter), 8);

	ck_assert_int_eq(sim_set_counter(m.sim, 0, pmu_type, id, counter, now + inserts), 0);
}

TEST(test_a_sum_with_an_implausible_part_is_implausible)
{
	start("spr,write=10,clock=virtual", "cxl");
	sim_monitor_sample(&m);
	/* 90 GB/s more on one port: each port's value is beyond its link, the sum is not beyond
	 * two links */
	add_inserts(PMU_CXLCM, 2, SIM_CXLCM(0, 0), 1, UINT64_C(90000000000) / 32);
	sim_monitor_sample(&m);
	ck_assert_double_nan(sim_monitor_value(&m, 0, 0, WRITE));
	ck_assert_double_eq(sim_monitor_value(&m, 0, 1, WRITE), 10000);
	ck_assert_double_nan(sim_monitor_value(&m, 0, -1, WRITE));
	ck_assert_double_nan(sim_monitor_value(&m, -1, -1, WRITE));
}

/*
 * Comparisons on a machine whose socket 0's ports send 10 GB/s of requests more than the CHAs
 * count.
 */
static const struct {
	const char *spec, *sockets;
	unsigned long mismatches; /* rows that differ by more than a tenth */
} comparisons[] = {
	{"spr," LOADED, NULL, 1}, /* CHAs count reads by this socket's cores, from any socket */
	{"emr," LOADED, NULL, 1},
	{"emr,exp_local=1," LOADED, NULL, 2}, /* reads from this socket's ports */
	{"spr," LOADED, "0", 0},	      /* one of two sockets */
	{"emr," LOADED, "0", 0},
	{"emr,exp_local=1," LOADED, "0", 2},
};

TEST_LOOP(test_reads_are_compared_where_ports_and_chas_see_the_same, COUNT(comparisons))
{
	sim_monitor_start(&m, .spec = comparisons[_i].spec,
			  .view = {.groups = "cxl,latency",
				   .finest = SCOPE_PORT,
				   .sockets = comparisons[_i].sockets},
			  .start_ns = 1);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.view.noticed.mismatches.count, 0);
	add_inserts(PMU_CXLDP, 3, SIM_CXLDP(0, 0), 0, UINT64_C(10000000000) / 64);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.view.noticed.mismatches.count, comparisons[_i].mismatches);
}

TEST_LOOP(test_without_a_port_s_requests_the_chas_say_what_is_read, 3)
{
	static const char *const specs[] = {"spr," LOADED, "emr," LOADED,
					    "emr,exp_local=1," LOADED};
	const bool by_socket = _i == 2;

	start(specs[_i], "cxl,latency");
	set_dead(PMU_CXLDP, 3, true);
	sim_monitor_sample(&m);
	ck_assert_double_nan(sim_monitor_value(&m, 0, 0, READ));
	ck_assert_double_eq(sim_monitor_value(&m, 1, -1, READ), 8000);
	ck_assert_double_eq_tol(sim_monitor_value(&m, -1, -1, READ), 16000, 1);
	if (by_socket)
		ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, READ), 8000, 1);
	else
		ck_assert_double_nan(sim_monitor_value(&m, 0, -1, READ));
}

/* Without the port's requests, reads are unknown, not zero. */
TEST(test_classes_without_inserts_are_neither_shown_nor_compared)
{
	start("emr,miscount=tor,miscount_pct=0," LOADED, "cxl,latency");
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.view.noticed.mismatches.count, 0);
	ck_assert_double_eq(sim_monitor_value(&m, -1, -1, READ), 16000);
	set_dead(PMU_CXLDP, 3, true);
	sim_monitor_sample(&m);
	ck_assert_double_nan(sim_monitor_value(&m, 0, -1, READ));
	ck_assert_double_nan(sim_monitor_value(&m, -1, -1, READ));
}

/* Few reads: lines per second; two of eight CHAs count this class. */
static const struct {
	const char *spec;
	bool known, estimate;
} few_reads[] = {
	/* 25, so 6 are counted */
	{"spr,sockets=1,ports=1,read=0.0000016,clock=virtual", false, false},
	{"spr,sockets=1,ports=1,read=0.000064,clock=virtual", true, true}, /* 1000 */
	{"spr,sockets=1,ports=1,read=0.064,clock=virtual", true, false},
	{"turin,ports=1,read=0.00002,clock=virtual", false, false}, /* one of 64 is sampled */
	{"turin,ports=1,read=1,clock=virtual", true, true},	    /* multiplexed in any case */
};

TEST_LOOP(test_a_latency_of_few_reads_is_an_estimate_or_empty, COUNT(few_reads))
{
	start(few_reads[_i].spec, "latency");
	sim_monitor_sample(&m);
	const struct value *value = sim_monitor_cell(&m, &m.view.table.rows[0], CXL_NS);

	ck_assert_int_eq(!isnan(value->number), few_reads[_i].known);
	ck_assert_int_eq(value->scaled, few_reads[_i].estimate);
	/* values of longer intervals are computed with them */
	ck_assert_ptr_nonnull(value->inputs);
	ck_assert_int_eq(value->inputs->reads < FEWEST_READS, !few_reads[_i].known);
	for (unsigned i = 0; i < 2; i++)
		ck_assert_double_gt(value->inputs->items[i].per_second, 0);
}

/* One read began, and none ended: its time is kept for an interval in which it ends. */
TEST(test_the_time_of_reads_that_have_not_ended_is_kept)
{
	start("spr,sockets=1,ports=1,chas=1,read=0.000000016,clock=virtual", "latency");
	sim_monitor_sample(&m);
	const struct value *value = sim_monitor_cell(&m, &m.view.table.rows[0], CXL_NS);

	ck_assert_double_nan(value->number);
	ck_assert_double_gt(value->inputs->items[0].per_second, 0);
	ck_assert_double_eq(value->inputs->items[1].per_second, 0);
}

/* Tables of some Sapphire Rapids list more CHAs than exist; MSR 2FFEh has their number. */
TEST(test_chas_that_do_not_exist_are_not_counted)
{
	size_t chas = 0;

	start("spr,extra_chas=3," LOADED, "cxl,latency");
	sim_monitor_sample(&m);
	for (size_t i = 0; i < m.machine.discovery.unit_count; i++)
		chas += m.machine.discovery.units[i].type == PMU_CHA &&
			m.machine.discovery.units[i].open;
	ck_assert_uint_eq(chas, 16);
	ck_assert_uint_eq(m.warnings, 0);
	ck_assert_ptr_nonnull(strstr(m.note, "6 cha units do not exist"));
	ck_assert_uint_eq(m.view.noticed.mismatches.count, 0);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, CXL_NS), 412, 0.1);
}

/* All CHAs of the table are used if that MSR reads as 0, or cannot be read. */
TEST_LOOP(test_without_a_number_of_chas_all_of_the_table_are_used, 2)
{
	struct sim_monitor other;

	sim_monitor_machine(&other, _i ? "spr,clock=virtual" : "emr,clock=virtual");
	if (_i)
		sim_set_msr_fault(other.sim, 0x2FFE, -EIO);
	for (unsigned nth = 0; nth < 8; nth++)
		ck_assert(sim_monitor_unit(&other, 0, PMU_CHA, nth)->open);
	sim_monitor_close(&other);
}

/* Queues and links. */

TEST_LOOP(test_queues_and_links_are_what_the_traffic_says, 4)
{
	static const char *const specs[] = {
		"spr,full=12.5,crc=3,retry=7,read=12.8,write=6.4,clock=virtual",
		"emr,full=12.5,crc=3,retry=7,read=12.8,write=6.4,clock=virtual"};
	static const char *const groups[] = {"queue", "link"};
	static const struct {
		const char *metric;
		double port, socket;
	} expected[] = {
		{"rx_mem_data_full_pct", 12.5, 12.5}, {"rx_mem_req_full_pct", 12.5, 12.5},
		{"rx_mem_data_busy_pct", 17.5, 17.5}, {"rx_mem_req_busy_pct", 17.5, 17.5},
		{"crc_errors_per_s", 3, 6},	      {"retries_per_s", 7, 14},
		{"tx_flits_per_s", 150e6, 300e6},     {"rx_flits_per_s", 385e6, 770e6},
	};

	start(specs[_i % 2], groups[_i / 2]);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		for (int i = 4 * (_i / 2); i < 4 * (_i / 2 + 1); i++)
			for (size_t r = 0; r < m.view.table.row_count; r++) {
				const struct row *row = &m.view.table.rows[r];
				const double value =
					sim_monitor_cell(&m, row, expected[i].metric)->number;

				ck_assert_double_eq(value, row->place.kind == ROW_PORT
								   ? expected[i].port
								   : expected[i].socket);
			}
	}
}

/* Measurements of an Emerald Rapids: flits do not measure bytes. */
TEST_LOOP(test_flits_a_line_fall_to_a_half_as_reads_fill_the_link, 3)
{
	static const struct {
		const char *spec;
		double lines, flits; /* flits per line */
	} loads[] = {{"emr,read=0.222,clock=virtual", 0.222e9 / 64, 3},
		     {"emr,read=8,clock=virtual", 8e9 / 64, 2.25},
		     {"emr,read=17.12,clock=virtual", 17.12e9 / 64, 1.5}};

	start(loads[_i].spec, "link");
	sim_monitor_sample(&m);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, 0, "rx_flits_per_s") / loads[_i].lines,
				loads[_i].flits, 0.03);
}

/* Seven Rx events on four counters: rare events must not be multiplexed. */
TEST(test_link_errors_are_exact_while_queues_are_counted_too)
{
	start("spr,full=12.5,crc=3,retry=7,read=12.8,write=6.4,clock=virtual", "queue,link");
	for (unsigned k = 0; k < 5; k++) {
		sim_monitor_sample(&m);
		ck_assert_double_eq_tol(sim_monitor_value(&m, 0, 1, "rx_mem_req_full_pct"), 12.5,
					1e-4);
		ck_assert_double_eq(sim_monitor_value(&m, 0, 1, "crc_errors_per_s"), 3);
		ck_assert_double_eq(sim_monitor_value(&m, 0, 1, "retries_per_s"), 7);
	}
}

TEST_LOOP(test_bandwidth_and_queues_are_counted_all_the_time, COUNT(models))
{
	start(models[_i].spec, "cxl,queue");
	sim_monitor_sample(&m);
	for (size_t r = 0; r < m.view.table.row_count; r++)
		ck_assert_double_eq(m.view.table.rows[r].counted_pct, 100);
}

/* CPUs. */

#define CORES "spr,sockets=2,cpus=3,read=1,clock=virtual"

static void start_cores(enum scope finest)
{
	sim_monitor_start(&m, .spec = CORES, .view = {.groups = "core", .finest = finest});
}

static void assert_cpus(const struct row *row, unsigned cpus)
{
	ck_assert_double_eq(sim_monitor_cell(&m, row, "instructions_per_s")->number, cpus * 3.75e9);
	ck_assert_double_eq(sim_monitor_cell(&m, row, "cycles_per_s")->number, cpus * 3e9);
	ck_assert_double_eq(sim_monitor_cell(&m, row, "ipc")->number, 1.25);
	ck_assert_double_eq(sim_monitor_cell(&m, row, "frequency_MHz")->number, 3000);
	ck_assert_double_eq(row->counted_pct, 100);
	ck_assert_double_eq(row->interval_s, 1);
}

static const struct {
	enum scope finest;
	size_t rows;
} core_rows[] = {{SCOPE_CPU, 9}, {SCOPE_PORT, 3}, {SCOPE_SOCKET, 3}, {SCOPE_SYSTEM, 1}};

TEST_LOOP(test_cpus_are_shown_each_by_socket_and_in_all, COUNT(core_rows))
{
	start_cores(core_rows[_i].finest);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.view.table.row_count, core_rows[_i].rows);
		for (size_t r = 0; r < m.view.table.row_count; r++) {
			const struct row *row = &m.view.table.rows[r];

			assert_cpus(row, row->place.kind == ROW_CPU	 ? 1
					 : row->place.kind == ROW_SOCKET ? 3
									 : 6);
			ck_assert_int_eq(row->place.cpu, row->place.kind == ROW_CPU ? (int)r : -1);
			ck_assert_int_eq(row->place.port, -1);
		}
	}
	if (core_rows[_i].finest == SCOPE_CPU)
		ck_assert_int_eq(sim_monitor_cpu_row(&m, 4)->place.socket, 1);
}

TEST(test_cpus_of_a_selected_socket_alone_are_shown)
{
	sim_monitor_start(&m, .spec = CORES, .view = {.groups = "core", .sockets = "1"});
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.view.table.row_count, 5);
	assert_cpus(sim_monitor_cpu_row(&m, 3), 1);
	assert_cpus(sim_monitor_row(&m, -1, -1), 3);
	ck_assert(!m.machine.cpus[0].open);
}

/* Another program counts the reference cycles of CPU 1. */
TEST(test_a_cpu_without_reference_cycles_does_not_affect_the_frequency_of_others)
{
	sim_monitor_machine(&m, CORES);
	machine_set_ownership(&m.machine, OWNERSHIP_SHARE);
	msr_poke(m.platform, 1, 0x38D, 0x300);
	sim_monitor_measure(&m, .view.groups = "core");
	ck_assert_uint_eq(m.notes, 1);
	assert_contains(m.note, "1 CPU: some core counters are in use by the NMI watchdog or perf");
	sim_monitor_sample(&m);
	const struct row *taken = sim_monitor_cpu_row(&m, 1);
	ck_assert_double_nan(sim_monitor_cell(&m, taken, "frequency_MHz")->number);
	ck_assert_double_eq(sim_monitor_cell(&m, taken, "ipc")->number, 1.25);
	assert_cpus(sim_monitor_cpu_row(&m, 0), 1);
	assert_cpus(sim_monitor_row(&m, 1, -1), 3);
	assert_cpus(sim_monitor_row(&m, 0, -1), 3);
	assert_cpus(sim_monitor_row(&m, -1, -1), 6);
}

TEST(test_a_cpu_that_goes_offline_leaves_ratios_known_and_sums_not)
{
	start_cores(SCOPE_CPU);
	sim_set_cpu_online(m.sim, 1, false);
	sim_monitor_sample(&m);
	const struct row *socket = sim_monitor_row(&m, 0, -1);
	ck_assert_double_nan(sim_monitor_cell(&m, socket, "cycles_per_s")->number);
	ck_assert_double_eq(sim_monitor_cell(&m, socket, "ipc")->number, 1.25);
	ck_assert_double_eq(sim_monitor_cell(&m, socket, "frequency_MHz")->number, 3000);
	ck_assert_double_nan(sim_monitor_cpu_row(&m, 1)->interval_s);
	assert_cpus(sim_monitor_cpu_row(&m, 0), 1);
}

/* Events given by name. */

static struct event_choice wanted[16];

static const struct view_options *want(const char *const *names, size_t count, unsigned group)
{
	static struct view_options options;

	for (size_t i = 0; i < count; i++)
		wanted[i] = (struct event_choice){.event = model_event(m.machine.model, names[i]),
						  .group = group};
	options = (struct view_options){.events = wanted, .event_count = count};
	return &options;
}

static void start_events(const struct view_options *options)
{
	sim_monitor_measure(&m, .view = *options, .interval_ns = 2 * SECOND);
	sim_monitor_sample(&m);
}

static const char *const named[] = {"UNC_CXLCM_TxC_PACK_BUF_INSERTS.MEM_REQ", "UNC_CHA_CLOCKTICKS",
				    "UNC_M_CAS_COUNT.RD", "cycles"};

TEST(test_an_event_has_a_row_for_each_of_its_units)
{
	static const struct {
		enum row_kind kind;
		size_t units; /* on two sockets */
		double per_s;
	} rows[] = {{ROW_PORT, 4, 200e6},
		    {ROW_SOCKET, 6, 2e9},
		    {ROW_SOCKET, 4, 100e6},
		    {ROW_CPU, 8, 3e9}};
	size_t r = 0;

	sim_monitor_machine(
		&m, "spr,sockets=2,cpus=4,chas=3,imcs=2,read=12.8,dram_read=12.8,clock=virtual");
	start_events(want(named, COUNT(named), 0));
	ck_assert_uint_eq(m.view.table.event_rows, m.view.table.row_count);
	ck_assert_uint_eq(m.view.table.column_count, 0);
	for (int e = 0; e < COUNT(named); e++) {
		for (size_t u = 0; u < rows[e].units; u++, r++) {
			const struct row *row = &m.view.table.rows[r];
			const int socket = u >= rows[e].units / 2,
				  nth = (int)(u % (rows[e].units / 2));

			ck_assert_int_eq(row->place.kind, rows[e].kind);
			ck_assert_str_eq(row->event->name, named[e]);
			ck_assert_uint_eq(row->unit->type, row->event->type);
			ck_assert_int_eq(row->place.socket, socket);
			ck_assert_int_eq(row->unit->socket, socket);
			ck_assert_int_eq(row->place.port, row->place.kind == ROW_PORT ? nth : -1);
			ck_assert_int_eq(row->place.cpu, row->place.kind == ROW_CPU ? (int)u : -1);
			ck_assert_double_eq(row->per_s, rows[e].per_s);
			ck_assert_double_eq(row->count, 2 * rows[e].per_s);
			ck_assert_double_eq(row->counted_pct, 100);
			ck_assert_double_eq(row->interval_s, 2);
		}
	}
	ck_assert_uint_eq(m.view.table.row_count, r);
}

TEST(test_multiplexed_events_are_scaled_to_the_interval)
{
	static const char *const nine[] = {"UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_REQ",
					   "UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_DATA",
					   "UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_DATA",
					   "UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_REQ",
					   "UNC_CXLCM_RxC_PACK_BUF_NE.MEM_DATA",
					   "UNC_CXLCM_RxC_PACK_BUF_NE.MEM_REQ",
					   "UNC_CXLCM_RxC_FLITS.VALID",
					   "UNC_CXLCM_RxC_FLITS.PROT",
					   "UNC_CXLCM_RxC_MISC.INIT"};
	static const double rates[] = {100e6, 200e6, 125e6, 125e6, 175e6, 175e6, 385e6, 385e6, 0};

	sim_monitor_machine(&m, "spr,ports=1,rxc=1,read=12.8,write=6.4,full=12.5,clock=virtual");
	start_events(want(nine, 9, 0));
	for (unsigned k = 0; k < 3; k++) {
		for (size_t r = 0; r < 9; r++) {
			const struct row *row = &m.view.table.rows[r];

			/* one event at each end of 2/3 s */
			ck_assert_double_eq_tol(row->per_s, rates[r], 3);
			ck_assert_double_eq_tol(row->count, 2 * rates[r], 6);
			ck_assert_double_eq_tol(row->counted_pct, 100.0 / 3, 1e-6);
			ck_assert_double_eq(row->interval_s, 2);
		}
		sim_monitor_sample(&m);
	}
}

TEST(test_events_in_braces_are_one_group)
{
	sim_monitor_machine(&m, "spr,ports=1,read=1,clock=virtual");
	static const char *const six[] = {
		"UNC_CXLCM_TxC_PACK_BUF_INSERTS.MEM_DATA", "UNC_CXLCM_TxC_PACK_BUF_INSERTS.MEM_REQ",
		"UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_DATA", "UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_REQ",
		"UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_DATA",	   "UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_REQ"};
	start_events(want(six, 6, 3));
	ck_assert_uint_eq(m.plan.round_count, 1);
	for (size_t i = 0; i < m.view.request_count; i++) {
		ck_assert_uint_ne(m.view.requests[i].group, 0);
		ck_assert_uint_eq(m.view.requests[i].group, m.view.requests[0].group);
	}
	for (size_t r = 0; r < 6; r++)
		ck_assert_double_eq(m.view.table.rows[r].counted_pct, 100);
}

TEST(test_the_row_of_a_lost_unit_has_no_count)
{
	sim_monitor_machine(&m, "spr,read=12.8,clock=virtual");
	start_events(want(named, 1, 0));
	set_dead(PMU_CXLCM, 2, true);
	sim_monitor_sample(&m);
	ck_assert_double_nan(m.view.table.rows[0].count);
	ck_assert_double_nan(m.view.table.rows[0].per_s);
	ck_assert_double_nan(m.view.table.rows[0].interval_s);
	ck_assert_double_eq(m.view.table.rows[1].per_s, 200e6);
	set_dead(PMU_CXLCM, 2, false);
	sim_monitor_sample(&m);
	ck_assert_double_eq(m.view.table.rows[0].per_s, 200e6);
}

TEST_LOOP(test_an_event_whose_unit_is_not_there_or_not_selected_is_refused, 3)
{
	static const struct event hbm = {"hbm things", PMU_HBM, 1, 0, 0, 0xF};
	const char *const expected[] = {hbm.name, "known sockets: 0, 1", named[0]};
	struct view_options options;

	sim_monitor_machine(&m, "spr,sockets=2,read=1,clock=virtual");
	options = *want(named, 2, 0);
	if (_i == 0)
		wanted[1].event = &hbm;
	else if (_i == 1)
		options.sockets = "2-9";
	else
		options.ports = "2";
	assert_refusal(sim_monitor_view(&m, &options), &m.err, expected[_i]);
}

/* named[0] belongs to a PMU for which this kernel has no name. */
TEST(test_an_event_that_the_kernel_lacks_is_left_out_unless_nothing_is_left)
{
	sim_monitor_perf_machine(&m, "spr,kernel=6.1,read=1,clock=virtual");
	ck_assert_msg(!sim_monitor_view(&m, want(named, 2, 0)), "%s", m.err.text);
	ck_assert_uint_gt(m.view.table.row_count, 0);
	for (size_t r = 0; r < m.view.table.row_count; r++)
		ck_assert_str_eq(m.view.table.rows[r].event->name, named[1]);
	ck_assert_uint_eq(m.warnings, 1);
	assert_contains(m.warning, "an event is left out: ");
	assert_contains(m.warning, named[0]);
	view_free(&m.view);
	ck_assert_int_ne(sim_monitor_view(&m, want(named, 1, 0)), 0);
	ck_assert_int_eq(m.err.kind, ERROR_NO_UNIT);
	assert_contains(m.err.text, named[0]);
}

TEST(test_events_of_selected_units_alone_have_rows)
{
	struct view_options options;

	sim_monitor_machine(&m, "spr,sockets=2,cpus=2,read=1,clock=virtual");
	options = *want(named, COUNT(named), 0);
	options.sockets = "1";
	options.ports = "0";
	ck_assert_int_eq(sim_monitor_view(&m, &options), 0);
	/* a port, eight CHAs, four iMCs, two CPUs */
	ck_assert_uint_eq(m.view.table.row_count, 1 + 8 + 4 + 2);
	for (size_t r = 0; r < m.view.table.row_count; r++)
		ck_assert_int_eq(m.view.table.rows[r].place.socket, 1);
}

/* Returns the row of an event's sum, for a socket or the system (-1). */
static const struct row *sum_row(const char *event, int socket)
{
	for (size_t r = table_metric_rows(&m.view.table); r < m.view.table.row_count; r++) {
		const struct row *row = &m.view.table.rows[r];

		if (!strcmp(row->event->name, event) && row->place.socket == socket &&
		    row->place.kind == (socket < 0 ? ROW_SYSTEM : ROW_SOCKET))
			return row;
	}
	ck_abort_msg("no row of %s on socket %d", event, socket);
	return NULL;
}

TEST_LOOP(test_events_of_a_socket_or_the_system_are_summed_over_their_units, 2)
{
	static const double rates[] = {2 * 200e6, 3 * 2e9, 2 * 100e6, 4 * 3e9}; /* per socket */
	struct view_options options;

	sim_monitor_machine(
		&m, "spr,sockets=2,cpus=4,chas=3,imcs=2,read=12.8,dram_read=12.8,clock=virtual");
	options = *want(named, COUNT(named), 0);
	options.finest = _i ? SCOPE_SYSTEM : SCOPE_SOCKET;
	start_events(&options);
	ck_assert_uint_eq(m.view.table.row_count, COUNT(named) * (_i ? 1 : 3));
	for (int e = 0; e < COUNT(named); e++) {
		for (int socket = _i ? -1 : 1; socket >= -1; socket--) {
			const struct row *row = sum_row(named[e], socket);
			const double per_s = rates[e] * (socket < 0 ? 2 : 1);

			ck_assert(row->summed);
			ck_assert_uint_eq(row->unit->type, row->event->type);
			ck_assert_int_eq(row->place.port, -1);
			ck_assert_double_eq(row->per_s, per_s);
			ck_assert_double_eq(row->count, 2 * per_s);
			ck_assert_double_eq(row->interval_s, 2);
			ck_assert_double_eq(row->counted_pct, 100);
		}
	}
}

TEST(test_a_sum_without_one_of_its_units_is_not_known)
{
	struct view_options options;

	sim_monitor_machine(&m, "spr,sockets=2,read=12.8,clock=virtual");
	options = *want(named, 1, 0);
	options.finest = SCOPE_SOCKET;
	start_events(&options);
	set_dead(PMU_CXLCM, 2, true);
	sim_monitor_sample(&m);
	ck_assert_double_nan(sum_row(named[0], 0)->count);
	ck_assert_double_nan(sum_row(named[0], -1)->per_s);
	ck_assert_double_nan(sum_row(named[0], -1)->interval_s);
	ck_assert_double_eq(sum_row(named[0], 1)->per_s, 400e6);
}

TEST(test_only_selected_units_are_summed)
{
	struct view_options options;

	sim_monitor_machine(&m, "spr,sockets=2,read=12.8,clock=virtual");
	options = *want(named, 1, 0);
	options.finest = SCOPE_SOCKET;
	options.sockets = "1";
	options.ports = "0";
	start_events(&options);
	ck_assert_uint_eq(m.view.table.row_count, 2);
	ck_assert_double_eq(sum_row(named[0], 1)->per_s, 200e6);
	ck_assert_double_eq(sum_row(named[0], -1)->per_s, 200e6);
}

TEST(test_events_beside_metrics_have_rows_of_their_own_behind_them)
{
	struct view_options options;

	sim_monitor_machine(&m, "spr,ports=1,read=12.8,clock=virtual");
	options = *want(named, 1, 0);
	options.groups = "cxl";
	options.finest = SCOPE_PORT;
	start_events(&options);
	ck_assert_uint_eq(m.view.table.row_count, 4);
	ck_assert_uint_eq(m.view.table.event_rows, 1);
	for (size_t r = 0; r < 3; r++) {
		ck_assert_ptr_null(m.view.table.rows[r].event);
		ck_assert_double_nan(m.view.table.rows[r].count);
		ck_assert_double_eq(m.view.table.rows[r].values[0].number, 12800);
	}
	ck_assert_int_eq(m.view.table.rows[2].place.kind, ROW_SYSTEM);
	ck_assert_double_eq(m.view.table.rows[3].per_s, 200e6);
	for (size_t c = 0; c < m.view.table.column_count; c++) {
		ck_assert_double_nan(m.view.table.rows[3].values[c].number);
		ck_assert_str_eq(m.view.table.rows[3].values[c].text, "");
	}
}

/* Latencies on CHAs of their own would leave the event without a value in most seconds. */
TEST(test_events_of_chas_beside_latencies_are_known_in_every_sample)
{
	static const char *const names[] = {"UNC_CXLCM_CLOCKTICKS",
					    "UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_ACC"};
	struct view_options options;

	sim_monitor_machine(&m, "spr,ports=1,chas=16,read=12.8,clock=virtual");
	options = *want(names, 2, 0);
	options.groups = "latency";
	options.finest = SCOPE_SYSTEM;
	start_events(&options);
	ck_assert_uint_eq(m.notes, 1);
	assert_contains(m.note, "latencies are multiplexed with other events of CHAs");
	for (unsigned k = 0; k < 5; k++) {
		/* 12.8 GB/s in lines of 64 bytes */
		ck_assert_double_eq_tol(sum_row(names[1], -1)->per_s, 200e6, 200);
		ck_assert_double_eq_tol(sim_monitor_value(&m, -1, -1, "cxl_read_latency_ns"), 320,
					0.1);
		sim_monitor_sample(&m);
	}
}

/* Groups of metrics and of events are both numbered. */
TEST_RANGE(test_a_group_of_events_is_not_counted_together_with_that_of_a_metric, 1, 64)
{
	static const char *const names[] = {"UNC_CXLCM_RxC_FLITS.PROT", "UNC_CXLCM_RxC_FLITS.CTRL"};
	struct view_options options;
	unsigned group = 0;

	sim_monitor_machine(&m, "spr,ports=1,read=12.8,clock=virtual");
	options = *want(names, 2, (unsigned)_i);
	options.groups = "queue";
	ck_assert_int_eq(sim_monitor_view(&m, &options), 0);
	for (size_t i = 0; i < m.view.request_count; i++)
		if (m.view.requests[i].event == wanted[0].event)
			group = m.view.requests[i].group;
	for (size_t i = 0; i < m.view.request_count; i++) {
		const struct event *event = m.view.requests[i].event;

		ck_assert_int_eq(m.view.requests[i].group == group,
				 event == wanted[0].event || event == wanted[1].event);
	}
}
