/* SPDX-License-Identifier: BSD-3-Clause */
/* Group path: suppliers of loads, and kinds of CXL requests, of simulated machines. */
#include "uncore/units/core_unit.h"
#include "view/view.h"

#include "sim_monitor.h"
#include "unit.h"

/* 20 GB/s of reads */
#define READS	"read=10,latency=300,prefetch_latency=450,clock=virtual"
#define KINDS	"l2_prefetch=40,l3_prefetch=24,ownership=8,"
#define CXL_NS	"cxl_read_latency_ns"
#define ALL_PCT 100.0

static struct sim_monitor m;

static const struct {
	const char *spec;
	double pct[5]; /* demand, l2_prefetch, l3_prefetch, ownership, code; NAN: unknown */
	bool latencies;
} machines[] = {
	{"spr," KINDS "code=4," READS, {24, 40, 24, 8, 4}, true},
	{"emr," KINDS "code=4," READS, {24, 40, 24, 8, 4}, true},
	{"gnr," KINDS READS, {28, 40, 24, 8, NAN}, true},
	{"gnr-d," KINDS READS, {28, 40, 24, 8, NAN}, true},
	/* the other class, in which the list of events has no code reads */
	{"emr,exp_local=1," KINDS READS, {28, 40, 24, 8, NAN}, false},
	/* one kind makes all requests */
	{"spr,l3_prefetch=100," READS, {0, 0, 100, 0, 0}, true},
};

static const char *const kinds[] = {"demand", "l2_prefetch", "l3_prefetch", "ownership", "code"};

static double value_of(int socket, const char *kind, const char *end)
{
	char metric[64];

	snprintf(metric, sizeof(metric), "cxl_%s_%s", kind, end);
	return sim_monitor_value(&m, socket, -1, metric);
}

static void assert_value(double value, double expected, double tolerance)
{
	if (isnan(expected))
		ck_assert_double_nan(value);
	else
		ck_assert_double_eq_tol(value, expected, tolerance);
}

/* Checks shares and rates of a row: each CHA may count one request more or less. */
static void assert_kinds(int socket, int machine)
{
	for (int k = 0; k < COUNT(kinds); k++) {
		const double pct = machines[machine].pct[k];

		assert_value(value_of(socket, kinds[k], "pct"), pct, 1e-5);
		assert_value(value_of(socket, kinds[k], "MBps"), pct * 20000 / ALL_PCT, 0.01);
	}
}

static void assert_latencies(int socket, int machine)
{
	static const double ns[] = {0, 450, 450, 300};

	for (int k = 1; k < COUNT(ns); k++) {
		const bool any = machines[machine].latencies && machines[machine].pct[k] > 0;

		assert_value(value_of(socket, kinds[k], "latency_ns"), any ? ns[k] : NAN, 1e-3);
	}
}

FIXTURE(NULL, NULL)

TEST_LOOP(test_kinds_of_cxl_requests_are_those_of_the_machine, COUNT(machines) * 2)
{
	sim_monitor_start(&m, .spec = machines[_i / 2].spec, .perf = _i % 2,
			  .view = {.groups = "path", .finest = SCOPE_SOCKET});
	for (unsigned n = 0; n < 9; n++) {
		sim_monitor_sample(&m);
		for (int socket = -1; socket < 1; socket++) {
			assert_kinds(socket, _i / 2);
			assert_latencies(socket, _i / 2);
		}
	}
	ck_assert_uint_eq(m.warnings + m.notes, 0);
}

/* With one CHA its events are multiplexed, and values are estimates. */
TEST_LOOP(test_kinds_of_a_single_cha_are_estimates, 2)
{
	sim_monitor_start(&m, .spec = "spr,chas=1,code=4," KINDS READS, .perf = _i,
			  .view = {.groups = "path", .finest = SCOPE_SOCKET});
	sim_monitor_sample(&m);
	const struct row *row = sim_monitor_row(&m, 0, -1);
	ck_assert_double_lt(row->counted_pct, 100);
	for (int k = 0; k < COUNT(kinds); k++)
		ck_assert_double_eq_tol(value_of(0, kinds[k], "pct"), machines[0].pct[k], 0.001);
	ck_assert(sim_monitor_cell(&m, row, "cxl_demand_pct")->scaled);
	ck_assert(sim_monitor_cell(&m, row, "cxl_ownership_latency_ns")->scaled);
}

/* A rate is 0 where no request is counted, and unknown where some may be of another class. */
TEST_LOOP(test_a_machine_without_cxl_reads_has_no_shares, 3)
{
	static const char *const models[] = {"spr", "gnr", "emr"};
	char spec[64];

	snprintf(spec, sizeof(spec), "%s,write=1,clock=virtual", models[_i]);
	sim_monitor_start(&m, .spec = spec, .view = {.groups = "path", .finest = SCOPE_SOCKET});
	sim_monitor_sample(&m);
	for (int k = 0; k < 4; k++) {
		ck_assert_double_nan(value_of(0, kinds[k], "pct"));
		assert_value(value_of(0, kinds[k], "MBps"), _i < 2 ? 0 : NAN, 1e-9);
	}
}

/*
 * Seven latencies take a round each, and leave a counter each to single events. There are CHAs for
 * all of this at the same time, or events are multiplexed.
 */
static const struct {
	const char *spec;
	bool all_the_time;
} sizes[] = {
	{"spr,chas=8," KINDS READS, true},
	{"spr,chas=7," KINDS READS, true}, /* with four single events */
	{"spr,chas=6," KINDS READS, false},
	{"emr,chas=8," KINDS READS, true}, /* with nine single events */
	{"emr,chas=7," KINDS READS, false},
};

TEST_LOOP(test_kinds_are_counted_all_the_time_where_chas_are_enough, COUNT(sizes))
{
	sim_monitor_start(&m, .spec = sizes[_i].spec,
			  .view = {.groups = "cxl,latency,dram,path", .finest = SCOPE_SOCKET});
	ck_assert_uint_eq(m.notes, !sizes[_i].all_the_time);
	for (unsigned n = 0; n < 9; n++) {
		sim_monitor_sample(&m);
		const struct row *row = sim_monitor_row(&m, 0, -1);

		for (int k = 0; k < 4; k++)
			ck_assert_double_gt(value_of(0, kinds[k], "pct"), 0);
		ck_assert_int_eq(sim_monitor_cell(&m, row, "cxl_demand_pct")->scaled,
				 !sizes[_i].all_the_time);
		ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, CXL_NS), 300, 0.1);
	}
}

/* Bytes of all kinds are those that ports count, within the tenth by which both are compared. */
TEST_LOOP(test_kinds_add_up_to_what_the_ports_read, 4)
{
	double sum = 0;

	sim_monitor_start(&m, .spec = machines[_i].spec,
			  .view = {.groups = "cxl,path", .finest = SCOPE_SOCKET});
	sim_monitor_sample(&m);
	for (int k = 0; k < COUNT(kinds); k++) {
		const double MBps = value_of(-1, kinds[k], "MBps");

		sum += isnan(MBps) ? 0 : MBps;
	}
	ck_assert_double_eq_tol(sum, sim_monitor_value(&m, -1, -1, "cxl_mem_read_MBps"), 0.01);
	ck_assert_uint_eq(m.view.noticed.mismatches.count, 0);
}

/*
 * Loads of the program of test_stalls.c: 37.5 in 100 cycles, of which 0.3 find their line on its
 * way, 0.75 are from caches, a tenth of them from the L3, and 0.15 from memory: 40 % of it is CXL
 * memory, and a quarter of it is of another socket.
 */
#define PROGRAM                                                                                    \
	"sockets=2,cpus=2,ddr_latency=100,latency=300,demand_stall=20,cache_stall=10,"             \
	"prefetched=25,parallelism=3,cxl_share=40,read=1,clock=virtual"

static const struct {
	const char *name;
	double loads;
} suppliers[] = {
	{"load_l1_pct", 36.3},	{"load_lfb_pct", 0.3},	    {"load_l2_pct", 0.675},
	{"load_l3_pct", 0.075}, {"load_dram_pct", 0.0675},  {"load_remote_pct", 0.0225},
	{"load_cxl_pct", 0.06}, {"load_l3_miss_pct", 0.15},
};
#define OF_CXL 6 /* index of load_cxl_pct */

/* Checks a row. Each event is counted for a third of the time, in which some 10^6 loads are few. */
static void assert_suppliers(const struct row *row, bool names_cxl)
{
	for (int i = 0; i < COUNT(suppliers); i++) {
		const struct value *value = sim_monitor_cell(&m, row, suppliers[i].name);
		const bool known = names_cxl || i != OF_CXL;
		const double pct = ALL_PCT * suppliers[i].loads / 37.5;

		assert_value(value->number, known ? pct : NAN, pct * 1e-4);
		ck_assert_int_eq(value->scaled, known);
	}
}

TEST_LOOP(test_loads_are_from_where_the_program_has_its_data, 4 * 2)
{
	static const char *const models[] = {"spr", "emr", "gnr", "gnr-d"};
	char spec[256];

	snprintf(spec, sizeof(spec), "%s," PROGRAM, models[_i / 2]);
	sim_monitor_start(&m, .spec = spec, .perf = _i % 2,
			  .view = {.groups = "path", .finest = SCOPE_CPU});
	for (unsigned n = 0; n < 2; n++) {
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.view.table.row_count, 4 + 2 + 1);
		for (size_t r = 0; r < m.view.table.row_count; r++)
			assert_suppliers(&m.view.table.rows[r], _i / 2 > 1);
	}
	/* only the first four counters count these events */
	for (size_t u = 0; u < m.plan.unit_count; u++)
		if (unit_is_cpu(m.plan.units[u].unit))
			ck_assert_uint_eq(m.plan.units[u].round_count, 3);
	ck_assert_uint_eq(m.warnings, 0);
}

/*
 * The same program on E-cores, which do not tell which memory supplied a load. Clearwater Forest
 * does not tell loads whose line was on its way.
 */
static const struct {
	const char *model;
	double loads[COUNT(suppliers)]; /* NAN: unknown */
} e_cores[] = {
	{"srf", {36.3, 0.3, 0.675, 0.075, NAN, NAN, NAN, 0.15}},
	{"cwf", {36.3, NAN, 0.675, 0.075, NAN, NAN, NAN, 0.15}},
};

TEST_LOOP(test_loads_of_e_cores_are_those_of_the_program_and_counted_all_the_time,
	  COUNT(e_cores) * 2)
{
	const double *const loads = e_cores[_i / 2].loads;
	char spec[256];

	snprintf(spec, sizeof(spec), "%s," PROGRAM, e_cores[_i / 2].model);
	sim_monitor_start(&m, .spec = spec, .perf = _i % 2,
			  .view = {.groups = "path", .finest = SCOPE_CPU});
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.view.table.row_count, 4 + 2 + 1);
	for (size_t r = 0; r < m.view.table.row_count; r++)
		for (int i = 0; i < COUNT(suppliers); i++) {
			const struct value *value =
				sim_monitor_cell(&m, &m.view.table.rows[r], suppliers[i].name);

			assert_value(value->number, ALL_PCT * loads[i] / 37.5, 1e-5);
			ck_assert(!value->scaled);
		}
	ck_assert_uint_eq(m.warnings, 0);
}

/*
 * E-cores have published events of prefetches into the L3 and of ownership, and only in the class
 * of accelerators: where it counts nothing, requests may be of another class.
 */
static const struct {
	const char *spec;
	double l3_prefetch, ownership; /* MB/s */
} of_e_cores[] = {
	{"srf," KINDS READS, 4800, 1600},	 {"cwf," KINDS READS, 4800, 1600},
	{"srf,l3_prefetch=24," READS, 4800, 0},	 {"srf,exp_local=1," KINDS READS, NAN, NAN},
	{"srf,write=1,clock=virtual", NAN, NAN},
};

TEST_LOOP(test_e_cores_tell_only_some_kinds_of_cxl_requests, COUNT(of_e_cores) * 2)
{
	static const char *const unknown[] = {"cxl_demand_pct",
					      "cxl_demand_MBps",
					      "cxl_l2_prefetch_pct",
					      "cxl_l2_prefetch_MBps",
					      "cxl_l3_prefetch_pct",
					      "cxl_ownership_pct",
					      "cxl_l2_prefetch_latency_ns"};
	const double prefetch = of_e_cores[_i / 2].l3_prefetch, rfo = of_e_cores[_i / 2].ownership;

	sim_monitor_start(&m, .spec = of_e_cores[_i / 2].spec, .perf = _i % 2,
			  .view = {.groups = "path", .finest = SCOPE_SOCKET});
	sim_monitor_sample(&m);
	for (int i = 0; i < COUNT(unknown); i++)
		ck_assert_double_nan(sim_monitor_value(&m, 0, -1, unknown[i]));
	assert_value(value_of(0, "l3_prefetch", "MBps"), prefetch, 0.01);
	assert_value(value_of(0, "ownership", "MBps"), rfo, 0.01);
	assert_value(value_of(0, "l3_prefetch", "latency_ns"), prefetch > 0 ? 450 : NAN, 1e-3);
	assert_value(value_of(0, "ownership", "latency_ns"), rfo > 0 ? 300 : NAN, 1e-3);
	ck_assert_uint_eq(m.warnings, 0);
}

/*
 * Demand fills of AMD's L1D in a second. A CPU's program has 0.675 from the L2 and 0.075 from the
 * L3 in 100 of 3 x 10^9 clocks. Its socket reads 1 GB/s of CXL memory and 2 GB/s of DRAM, a quarter
 * of it of the other socket, in lines of 64 bytes; the second CPU reads two of three parts.
 */
#define EPYC                                                                                       \
	"sockets=2,cpus=2,ports=1,cache_stall=10,prefetched=25,read=1,dram_read=2,clock=virtual"

static const struct {
	const char *name;
	double of_cpu, of_socket;
} fills[] = {
	{"fill_l2_pct", 0.675e-2 * 3e9, 0},
	{"fill_l3_pct", 0.075e-2 * 3e9, 0},
	{"fill_other_l3_pct", 0, 0},
	{"fill_dram_pct", 0, 0.75 * 2e9 / 64},
	{"fill_remote_pct", 0, 0.25 * 2e9 / 64},
	{"fill_cxl_pct", 0, 1e9 / 64},
};

/* Checks a row of some CPUs and a part of the sockets' traffic. Shares are counted all the time. */
static void assert_fills(const struct row *row, double cpus, double sockets)
{
	double all = 0;

	for (int i = 0; i < COUNT(fills); i++)
		all += cpus * fills[i].of_cpu + sockets * fills[i].of_socket;
	for (int i = 0; i < COUNT(fills); i++) {
		const struct value *value = sim_monitor_cell(&m, row, fills[i].name);
		const double own = cpus * fills[i].of_cpu + sockets * fills[i].of_socket;

		ck_assert_double_eq_tol(value->number, ALL_PCT * own / all, 1e-5);
		ck_assert(!value->scaled);
	}
}

static const char *const epycs[] = {"turin", "venice", "genoa"};

TEST_LOOP(test_fills_of_epyc_are_from_where_its_traffic_is, COUNT(epycs) * 2)
{
	char spec[256];

	snprintf(spec, sizeof(spec), "%s," EPYC, epycs[_i / 2]);
	sim_monitor_start(&m, .spec = spec, .perf = _i % 2,
			  .view = {.groups = "path", .finest = SCOPE_CPU});
	for (unsigned n = 0; n < 2; n++) {
		sim_monitor_sample(&m);
		for (unsigned cpu = 0; cpu < 4; cpu++)
			assert_fills(sim_monitor_cpu_row(&m, cpu), 1, (cpu % 2 + 1) / 3.0);
		assert_fills(sim_monitor_row(&m, 0, -1), 2, 1);
		assert_fills(sim_monitor_row(&m, -1, -1), 4, 2);
	}
	ck_assert_uint_eq(m.warnings, 0);
}
