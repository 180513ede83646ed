/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of CXL devices: in rows of their ports, or in rows of their own. */
#include <math.h>

#include "sim_monitor.h"
#include "table/spell.h"
#include "uncore/units/cpmu.h"
#include "unit.h"
#include "view/view.h"

#define TRAFFIC "clock=virtual,read=6.4,write=3.2"

static struct sim_monitor m;

/* Returns a row of a device without a port, by the device's name. */
static const struct row *device_row(const char *memdev)
{
	for (size_t r = 0; r < m.view.table.row_count; r++)
		if (m.view.table.rows[r].place.kind == ROW_DEVICE &&
		    !strcmp(m.view.table.rows[r].place.memdev, memdev))
			return &m.view.table.rows[r];
	return NULL;
}

static double value(const struct row *row, const char *metric)
{
	return sim_monitor_cell(&m, row, metric)->number;
}

static void sample_of(const char *spec, const char *groups)
{
	sim_monitor_start(&m, .spec = spec, .view = {.groups = groups, .finest = SCOPE_PORT},
			  .start_ns = 1);
	sim_monitor_sample(&m);
}

static void assert_counts_of_device(const struct row *row)
{
	ck_assert_double_eq(value(row, "cpmu_read_MBps"), 6400);
	ck_assert_double_eq(value(row, "cpmu_write_MBps"), 3200);
	ck_assert_double_eq(value(row, "device_dram_read_MBps"), 6400);
	ck_assert_double_eq(value(row, "device_dram_write_MBps"), 3200);
	ck_assert_double_eq(value(row, "amplification"), 1);
	ck_assert(isnan(value(row, "queue_clocks")));
	ck_assert(isnan(value(row, "dram_retries_per_s")));
	ck_assert_double_eq(row->counted_pct, 100);
}

TEST_LOOP(test_a_device_counts_in_the_row_of_its_port, 2)
{
	static const char *const specs[] = {"spr,cpmu=1," TRAFFIC, "gnr,cpmu=1," TRAFFIC};

	sample_of(specs[_i], "device");
	for (size_t r = 0; r < m.view.table.row_count; r++) {
		ck_assert_int_eq(m.view.table.rows[r].place.kind, ROW_PORT);
		ck_assert_int_eq(m.view.table.rows[r].place.port, (int)r);
		assert_counts_of_device(&m.view.table.rows[r]);
	}
	ck_assert_uint_eq(m.view.table.row_count, 2);
}

TEST_LOOP(test_reads_of_a_port_are_the_device_s_on_sapphire_and_emerald_rapids, 5)
{
	static const struct {
		const char *spec, *source;
	} cases[] = {{"spr,cpmu=1," TRAFFIC, "cpmu"},
		     {"emr,cpmu=1," TRAFFIC, "cpmu"},
		     {"spr," TRAFFIC, "m2s_req"},
		     {"gnr,cpmu=1," TRAFFIC, "rxc"},
		     {"dmr,cpmu=1," TRAFFIC, "cpmu"}};

	sample_of(cases[_i].spec, "cxl");
	ck_assert_uint_eq(m.view.table.row_count, 4);
	for (size_t r = 0; r < m.view.table.row_count; r++) {
		const struct row *row = &m.view.table.rows[r];

		ck_assert_double_eq(value(row, "cxl_mem_read_MBps"),
				    row->place.kind == ROW_PORT ? 6400 : 12800);
		ck_assert_str_eq(sim_monitor_cell(&m, row, "cxl_mem_read_source")->text,
				 cases[_i].source);
	}
	ck_assert_uint_eq(m.view.noticed.mismatches.count, 0);
}

/* The device counts arriving requests: a speculative read brings no data. */
TEST(test_what_the_port_asked_for_is_compared_with_what_the_device_sent)
{
	sample_of("spr,cpmu=1,memspecrd=30," TRAFFIC, "cxl");
	ck_assert_double_eq(sim_monitor_value(&m, 0, 0, "cxl_mem_read_MBps"), 6400);
	ck_assert_uint_gt(m.view.noticed.mismatches.count, 0);
	ck_assert_double_eq(m.view.noticed.mismatches.numbers[0], 6400);
	ck_assert_double_eq(m.view.noticed.mismatches.numbers[1], 8320);
	ck_assert_str_eq(m.view.noticed.mismatches.sources[0], "cpmu");
	ck_assert_str_eq(m.view.noticed.mismatches.sources[1], "m2s_req");
}

/* Metrics with which the device's only counter is shared: it counts one of them at a time. */
static const struct {
	const char *groups;
	enum scope finest;
	bool scaled;
} beside[] = {
	{"cxl", SCOPE_PORT, false},	     {"cxl,device", SCOPE_PORT, true},
	{"cxl,device", SCOPE_SYSTEM, false}, {"all", SCOPE_PORT, true},
	{"all", SCOPE_SYSTEM, false},
};

TEST_LOOP(test_a_device_s_count_that_is_scaled_is_better_than_requests_that_are_not,
	  COUNT_OF(beside))
{
	sim_monitor_start(&m, .spec = "emr,ports=1,cpus=2,cpmu_kind=one,memspecrd=30," TRAFFIC,
			  .view = {.groups = beside[_i].groups, .finest = beside[_i].finest},
			  .start_ns = 1);
	sim_monitor_sample(&m);
	const struct value *system =
		sim_monitor_cell(&m, sim_monitor_row(&m, -1, -1), "cxl_mem_read_MBps");

	ck_assert_double_eq_tol(system->number, 6400, 0.1);
	ck_assert_str_eq(system->text, "cpmu");
	ck_assert_int_eq(system->scaled, beside[_i].scaled);
	ck_assert_uint_gt(m.view.noticed.mismatches.count, 0);
	ck_assert_double_eq_tol(m.view.noticed.mismatches.numbers[0], 6400, 0.1);
	ck_assert_double_eq(m.view.noticed.mismatches.numbers[1], 8320);
}

/* Doubts, once in each row: two ports, the socket and the system. */
TEST(test_a_device_that_counts_nothing_is_not_believed_while_its_port_asks_for_data)
{
	sample_of("spr,cpmu=1,cpmu_kind=zero," TRAFFIC, "cxl");
	for (size_t r = 0; r < m.view.table.row_count; r++) {
		const struct row *row = &m.view.table.rows[r];

		ck_assert_double_eq(value(row, "cxl_mem_read_MBps"),
				    row->place.kind == ROW_PORT ? 6400 : 12800);
		ck_assert_str_eq(sim_monitor_cell(&m, row, "cxl_mem_read_source")->text, "m2s_req");
	}
	ck_assert_uint_eq(m.view.noticed.without_counts.count, 4);
	ck_assert_uint_eq(m.view.noticed.without_counts.row, 0);
	ck_assert_uint_eq(m.view.noticed.mismatches.count, 0);
}

TEST(test_a_device_that_counts_nothing_on_an_idle_port_is_believed)
{
	sample_of("spr,cpmu=1,cpmu_kind=zero,read=0.001,write=1,clock=virtual", "cxl");
	for (size_t r = 0; r < m.view.table.row_count; r++)
		ck_assert_str_eq(
			sim_monitor_cell(&m, &m.view.table.rows[r], "cxl_mem_read_source")->text,
			"cpmu");
	ck_assert_uint_eq(m.view.noticed.without_counts.count, 0);
}

/* Two fifths of 6.4 GB/s are read with auto-precharge; some devices count them twice. */
static const struct {
	const char *kind, *groups;
	double read, amplification;
	bool differs;
} precharged[] = {
	{"precharge", "device", 6400, 1, false},
	{"contained", "device", 8960, 1.4, true},
	/* neither these reads nor requests are counted separately */
	{"full", "device", 6400, 1, false},
};

TEST_LOOP(test_dram_of_a_device_is_with_auto_precharge_and_what_comes_in_is_compared,
	  COUNT_OF(precharged))
{
	char spec[128];

	snprintf(spec, sizeof(spec), "spr,ports=1,cpmu_kind=%s," TRAFFIC, precharged[_i].kind);
	sample_of(spec, precharged[_i].groups);
	const struct row *row = &m.view.table.rows[0];

	ck_assert_double_eq_tol(value(row, "device_dram_read_MBps"), precharged[_i].read, 0.1);
	ck_assert_double_eq_tol(value(row, "device_dram_write_MBps"), precharged[_i].read / 2, 0.1);
	ck_assert_double_eq_tol(value(row, "amplification"), precharged[_i].amplification, 1e-4);
	ck_assert_int_eq(m.view.noticed.dram.count > 0, precharged[_i].differs);
	if (precharged[_i].differs)
		ck_assert_double_eq_tol(m.view.noticed.dram.numbers[1], 6400, 0.1);
}

/* The devices of AMD's ports are unknown. */
TEST(test_a_device_without_a_known_port_has_a_row_of_its_own)
{
	sample_of("turin,ports=2,cpmu=1," TRAFFIC, "cxl,device");
	ck_assert_ptr_nonnull(device_row("mem0"));
	ck_assert_ptr_nonnull(device_row("mem1"));
	assert_counts_of_device(device_row("mem1"));
	ck_assert_str_eq(row_scope_name(device_row("mem1")), "device");
	ck_assert_int_eq(device_row("mem1")->place.socket, 0);
	ck_assert_int_eq(device_row("mem1")->place.node, 2);
	/* ports have it, and their sum would be twice the traffic */
	ck_assert(isnan(value(device_row("mem1"), "cxl_mem_read_MBps")));
	ck_assert(isnan(sim_monitor_value(&m, 0, 0, "cpmu_read_MBps")));
	ck_assert_double_eq(sim_monitor_value(&m, 0, 0, "cxl_mem_read_MBps"), 6400);
}

TEST(test_without_ports_devices_have_the_bandwidth)
{
	sample_of("genoa,cpmu=1," TRAFFIC, "cxl");
	ck_assert_uint_eq(m.view.table.row_count, 2);
	ck_assert_double_eq(value(device_row("mem0"), "cxl_mem_read_MBps"), 6400);
	ck_assert_double_eq(value(device_row("mem0"), "cxl_mem_write_MBps"), 3200);
	ck_assert_str_eq(sim_monitor_cell(&m, device_row("mem0"), "cxl_mem_read_source")->text,
			 "cpmu");
}

static const struct {
	const char *spec;
	struct view_options options;
	size_t rows; /* 0: refused with these words */
	const char *refusal;
} selections[] = {
	{"spr,sockets=2,cpmu=1," TRAFFIC, {.groups = "device", .devices = "mem3"}, 1, NULL},
	{"spr,sockets=2,cpmu=1," TRAFFIC, {.groups = "device", .sockets = "1"}, 2, NULL},
	{"spr,sockets=2,cpmu=1," TRAFFIC, {.groups = "device", .ports = "1"}, 2, NULL},
	{"genoa,sockets=2,cpmu=1," TRAFFIC, {.groups = "device", .devices = "mem3"}, 1, NULL},
	{"genoa,sockets=2,cpmu=1," TRAFFIC, {.groups = "device", .sockets = "1"}, 2, NULL},
	{"genoa,sockets=2,cpmu=1," TRAFFIC, {.groups = "device", .nodes = "2,3"}, 2, NULL},
	{"genoa,sockets=2,cpmu=1," TRAFFIC,
	 {.groups = "device", .ports = "0"},
	 0,
	 "this machine has no CXL port that --port could select"},
	{"genoa,sockets=2,cpmu=1," TRAFFIC,
	 {.groups = "device", .devices = "mem9"},
	 0,
	 "known devices: mem0 (node 2), mem1"},
	{"spr," TRAFFIC, {.groups = "device"}, 0, "performance monitoring unit (CPMU)"},
	{"genoa," TRAFFIC, {.groups = "device"}, 0, "performance monitoring unit (CPMU)"},
	{"spr,cpmu=1," TRAFFIC,
	 {.groups = "device", .finest = SCOPE_SOCKET},
	 0,
	 "exist for ports and devices only: expected --per=port"},
};

TEST_LOOP(test_devices_are_selected_as_ports_are, COUNT_OF(selections))
{
	struct view_options options = selections[_i].options;

	options.finest = options.finest ? options.finest : SCOPE_PORT;
	sim_monitor_machine(&m, selections[_i].spec);
	const int rc = sim_monitor_view(&m, &options);
	if (selections[_i].rows)
		ck_assert_msg(!rc, "%s", m.err.text);
	else
		ck_assert_msg(rc && strstr(m.err.text, selections[_i].refusal), "%d %s", rc,
			      m.err.text);
	if (!rc)
		ck_assert_uint_eq(m.view.table.row_count, selections[_i].rows);
}

/* Only one port is selected: the registers of the other's device are not accessed. */
TEST(test_the_cpmu_of_a_port_that_is_not_selected_stays_closed)
{
	sim_monitor_machine(&m, "spr,cpmu=1," TRAFFIC);
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){.groups = "device",
								     .finest = SCOPE_PORT,
								     .ports = "1"}),
			 0);
	ck_assert_uint_eq(m.machine.cpmu_count, 2);
	ck_assert(!m.machine.cpmus[0].unit.open);
	ck_assert(m.machine.cpmus[1].unit.open);
}

/* Sets the event capability and the events of a fixed-function counter. */
static void fix_counter(struct cpmu *cpmu, unsigned i, uint16_t id, uint32_t events)
{
	cpmu->groups[i] = (struct cpmu_group){
		.vendor = CPMU_VENDOR_CXL, .id = id, .events = 0xFFF, .is_fixed = true};
	cpmu->counters[i] =
		(struct cpmu_counter){.type = CPMU_FIXED, .group = (uint8_t)i, .events = events};
}

static size_t count_terms(size_t row, const char *metric)
{
	for (size_t c = 0; c < m.view.table.column_count; c++)
		for (unsigned nth = 0;
		     !strcmp(m.view.table.columns[c].metric->name, metric) && nth < 3; nth++) {
			const struct formula *formula = view_alternative(&m.view, row, c, nth);

			if (formula)
				return formula->program->operand_count > 1 ? 2 : 1;
		}
	return 0;
}

/*
 * A capability may list more events than its counters count, and each kind of line may have its own
 * counter.
 */
TEST(test_kinds_of_lines_on_counters_of_their_own_are_added_up)
{
	sim_monitor_machine(&m, "spr,ports=1,cpmu=1," TRAFFIC);
	struct cpmu *cpmu = &m.machine.cpmus[0];

	cpmu->counter_count = cpmu->group_count = 3;
	fix_counter(cpmu, 0, 0x25, 1 << 0);
	fix_counter(cpmu, 1, 0x21, 1 << 1);
	fix_counter(cpmu, 2, 0x21, 1 << 2);
	cpmu->unit.counters = 3;
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){.groups = "device",
								     .finest = SCOPE_PORT}),
			 0);
	ck_assert_uint_eq(count_terms(0, "cpmu_read_MBps"), 1);
	ck_assert_uint_eq(count_terms(0, "cpmu_write_MBps"), 2);
	ck_assert_uint_eq(count_terms(0, "device_dram_read_MBps"), 0);
}

/* No counter adds up MemData and MemDataTEE: both together are better than the requested data. */
TEST(test_reads_of_a_port_are_its_device_s_also_by_kinds_of_lines)
{
	sim_monitor_machine(&m, "spr,ports=1,cpmu=1," TRAFFIC);
	struct cpmu *cpmu = &m.machine.cpmus[0];

	cpmu->counter_count = cpmu->group_count = 2;
	fix_counter(cpmu, 0, 0x25, 1 << 0);
	fix_counter(cpmu, 1, 0x25, 1 << 2);
	cpmu->unit.counters = 2;
	ck_assert_int_eq(
		sim_monitor_view(&m, &(struct view_options){.groups = "cxl", .finest = SCOPE_PORT}),
		0);
	ck_assert_uint_eq(count_terms(0, "cxl_mem_read_MBps"), 2);
	ck_assert_str_eq(sim_monitor_cell(&m, &m.view.table.rows[0], "cxl_mem_read_source")->text,
			 "cpmu");
}

/*
 * Residency of reads is counted; the device has residency of writes, but the kernel's driver cannot
 * count it.
 */
TEST_LOOP(test_what_the_kernel_s_driver_can_not_count_is_not_taken_for_what_is_not_there, 2)
{
	static const struct view_options options = {.groups = "device", .finest = SCOPE_PORT};
	sim_monitor_perf_machine(&m, "spr,ports=1,cpmu=1,cxl_pmu=1,kernel=7.3," TRAFFIC);
	struct cpmu *cpmu = &m.machine.cpmus[0];

	cpmu->group_count = 2;
	fix_counter(cpmu, 0, 0x8002, 1 << 0);
	cpmu->groups[0].events = 1 << 0;
	cpmu->groups[1] = (struct cpmu_group){
		.vendor = CPMU_VENDOR_CXL, .id = 0x8002, .hidden = _i ? 1 << 1 : 0};
	const int rc = sim_monitor_view(&m, &options);

	ck_assert_msg(!rc || _i, "%s", m.err.text);
	ck_assert_uint_eq(rc ? 0 : count_terms(0, "queue_residency_per_s"), _i ? 0 : 2);
}

/* Two CPMUs, of which the second has no free counter: only the first would be too little. */
TEST(test_a_part_of_a_device_is_not_shown_as_the_whole)
{
	sim_monitor_machine(&m, "spr,ports=1,cpmu=1,cpmu_kind=two," TRAFFIC);
	const struct view_options options = {.groups = "device", .finest = SCOPE_PORT};

	ck_assert_uint_eq(m.machine.cpmu_count, 2);
	/* both have the groups of the first */
	m.machine.cpmus[1].group_count = m.machine.cpmus[0].group_count;
	memcpy(m.machine.cpmus[1].groups, m.machine.cpmus[0].groups,
	       sizeof(m.machine.cpmus[0].groups));
	ck_assert(!unit_open(m.platform, &m.machine.cpmus[1].unit, &m.err));
	m.machine.cpmus[1].unit.usable = 0;
	ck_assert_int_ne(sim_monitor_view(&m, &options), 0);
}

static size_t cpmu_requests(void)
{
	size_t count = 0;

	for (size_t i = 0; i < m.view.request_count; i++)
		count += m.view.requests[i].unit->type == PMU_CPMU;
	return count;
}

/* Counters of a device, and how many events are counted by them. */
static const struct {
	const char *kind, *groups;
	unsigned counters; /* 0: those that a device of this kind has */
	size_t events;
} counted_apart[] = {
	{"full", "cxl", 0, 6},		 {"full", "device", 0, 8},
	{"contained", "device", 0, 14},	 /* events of DRAM are compared with requests */
	{"contained", "device", 11, 18}, /* kinds of lines are counted one by one */
	{"contained", "device", 12, 20}, /* both */
};

TEST_LOOP(test_kinds_of_lines_have_counters_of_their_own_if_there_are_enough,
	  COUNT_OF(counted_apart))
{
	const unsigned counters = counted_apart[_i].counters;
	const struct view_options options = {.groups = counted_apart[_i].groups,
					     .finest = SCOPE_PORT};
	char spec[128];

	snprintf(spec, sizeof(spec), "spr,ports=1,cpmu_kind=%s," TRAFFIC, counted_apart[_i].kind);
	sim_monitor_machine(&m, spec);
	struct cpmu *cpmu = &m.machine.cpmus[0];
	ck_assert(!unit_open(m.platform, &cpmu->unit, &m.err));
	for (; cpmu->counter_count < counters; cpmu->counter_count++) {
		cpmu->counters[cpmu->counter_count] = cpmu->counters[1]; /* for any event */
		cpmu->unit.usable |= 1U << cpmu->counter_count;
	}
	ck_assert_int_eq(sim_monitor_view(&m, &options), 0);
	ck_assert_uint_eq(cpmu_requests(), counted_apart[_i].events);
}

/* Sums do not include it: it is not counted, and its units are not opened. */
TEST_LOOP(test_without_rows_of_ports_devices_are_not_counted, 2)
{
	const enum scope scopes[] = {SCOPE_SOCKET, SCOPE_SYSTEM};
	const struct view_options options = {.groups = "cxl,device", .finest = scopes[_i]};

	sim_monitor_machine(&m, "gnr,cpmu=1," TRAFFIC);
	ck_assert_int_eq(sim_monitor_view(&m, &options), 0);
	ck_assert_uint_gt(m.view.request_count, 0);
	ck_assert_uint_eq(cpmu_requests(), 0);
	for (size_t i = 0; i < m.machine.cpmu_count; i++)
		ck_assert(!m.machine.cpmus[i].unit.open);
	ck_assert_uint_eq(m.notes, 1);
	ck_assert_str_eq(m.note, _i ? "group device stays empty with --per=system: it has "
				      "values with --per=port only"
				    : "group device stays empty with --per=socket: it has "
				      "values with --per=port only");
}

TEST_LOOP(test_devices_that_do_not_respond_are_left_out_in_one_sentence, 2)
{
	static const char *const sentences[] = {"left out: mem0 cpmu 0",
						"left out, with 1 other: mem0 cpmu 0"};

	sim_monitor_machine(&m, "spr,ports=3,cpmu=1," TRAFFIC);
	for (size_t i = 0; i <= (size_t)_i; i++)
		ck_assert_int_eq(sim_set_cpmu_dead(m.sim, i, true), 0);
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){.groups = "device"}), 0);
	ck_assert_uint_eq(m.warnings, 1);
	assert_contains(m.warning, sentences[_i]);
}

TEST(test_what_no_device_has_is_not_missed)
{
	const struct view_options all = {.groups = "cxl,device", .finest = SCOPE_PORT};
	const struct view_options sums = {.groups = "cxl,device", .finest = SCOPE_SYSTEM};

	sim_monitor_machine(&m, "gnr,cpmu=1," TRAFFIC);
	ck_assert_int_eq(sim_monitor_view(&m, &all), 0);
	ck_assert_uint_gt(cpmu_requests(), 0);
	ck_assert_uint_eq(m.notes, 0);
	sim_monitor_machine(&m, "gnr," TRAFFIC);
	ck_assert_int_eq(sim_monitor_view(&m, &sums), 0);
	ck_assert_uint_eq(m.notes, 0);
}

/* Two CPMUs, of which the second counts only DRAM. */
TEST(test_an_event_has_rows_of_the_cpmus_that_can_count_it)
{
	sim_monitor_machine(&m, "spr,ports=1,cpmu=1,cpmu_kind=two," TRAFFIC);
	const struct event_choice reads = {.event = model_event(m.machine.model, "m2s_req_memrd")};

	ck_assert_msg(!sim_monitor_view(&m, &(struct view_options){.finest = SCOPE_PORT,
								   .events = &reads,
								   .event_count = 1}),
		      "%s", m.err.text);
	ck_assert_uint_eq(m.view.table.row_count, 1);
	ck_assert_ptr_eq(m.view.table.rows[0].unit, &m.machine.cpmus[0].unit);
	ck_assert_uint_eq(m.notes, 1);
	ck_assert_str_eq(m.note, "mem0 cpmu 1 cannot count m2s_req_memrd");
}
