/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting through the kernel: the same values, and its own features. */
#include <math.h>

#include "platform/perf.h"
#include "sim_monitor.h"
#include "uncore/units/perf_unit.h"
#include "unit.h"

#define SECOND UINT64_C(1000000000)
#define TENTH  (SECOND / 10)
#define SPEC   "spr,sockets=2,cpus=4,chas=2,clock=virtual,latency=400,read=10,write=4"

static struct sim_monitor m;

static void start(const char *spec, const char *groups)
{
	sim_monitor_start(&m, .spec = spec, .view = {.groups = groups}, .perf = true);
}

static const char *const models[] = {"spr", "emr", "gnr", "gnr-d", "srf", "cwf"};

/* Compares counts by registers and through the kernel, at the same times of two equal machines. */
TEST_LOOP(test_every_value_is_that_of_the_registers, COUNT_OF(models))
{
	static struct sim_monitor raw;
	char spec[128];
	struct sim_setup setup = {
		.spec = spec,
		.view = {.groups = "all"},
	};

	snprintf(spec, sizeof(spec),
		 "%s,sockets=2,cpus=4,chas=4,clock=virtual,latency=400,read=10,write=4,dram_read=9",
		 models[_i]);
	sim_monitor_start_as(&raw, &setup);
	setup.perf = true;
	sim_monitor_start_as(&m, &setup);
	for (unsigned n = 0; n < 3; n++) {
		sim_monitor_sample(&raw);
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.view.table.row_count, raw.view.table.row_count);
		for (size_t r = 0; r < m.view.table.row_count; r++) {
			for (size_t c = 0; c < m.view.table.column_count; c++) {
				const double a = raw.view.table.rows[r].values[c].number;
				const double b = m.view.table.rows[r].values[c].number;

				/* the kernel's PMUs of spr and emr do not know UPI links apart */
				if (_i < 2 &&
				    !strncmp(m.view.table.columns[c].metric->group, "upi", 3)) {
					ck_assert(isnan(b) && (isnan(a) || a >= 0));
					continue;
				}
				ck_assert_int_eq(isnan(a), isnan(b));
				if (!isnan(a))
					ck_assert_double_eq_tol(a, b, fabs(a) * 1e-3 + 1e-9);
			}
			ck_assert_double_eq_tol(m.view.table.rows[r].counted_pct,
						raw.view.table.rows[r].counted_pct, 0.1);
		}
	}
	sim_monitor_close(&raw);
}

TEST(test_no_register_differs_after_the_run)
{
	sim_monitor_open(&m, .spec = SPEC, .view = {.groups = "all"}, .perf = true);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	sim_monitor_sample(&m);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(m.platform->guard.count, 0);
	ck_assert_uint_eq(m.pmu.undo.count, 0);
}

/* Another program counts on the same units: the kernel multiplexes, and every rate stays right. */
TEST(test_multiplexing_by_the_kernel_shows_as_counted_pct)
{
	struct error err;

	start(SPEC, "cxl");
	for (unsigned i = 0; i < 8; i++) {
		const struct perf_pmu *pmu = perf_find_pmu(&m.machine.pmus, "uncore_cxlcm_2");
		struct perf_event event = {.type = pmu->type, .cpu = pmu->cpus[0], .leader = -1};

		ck_assert_int_eq(perf_set_field(pmu, "event", 1, &event, &err), 0);
		ck_assert_int_eq(perf_set_field(pmu, "umask", 1, &event, &err), 0);
		const int handle = m.platform->ops->perf->open(m.platform, &event);
		ck_assert_int_ge(handle, 0);
		ck_assert_int_eq(m.platform->ops->perf->enable(m.platform, handle, true), 0);
	}
	for (unsigned n = 0; n < 3; n++)
		sim_monitor_sample(&m);
	const struct row *row = sim_monitor_row(&m, 0, 0);
	ck_assert(row->counted_pct > 20 && row->counted_pct < 95);
	ck_assert_double_eq_tol(row->interval_s, 1, 1e-6);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, 0, "cxl_mem_write_MBps"), 4000, 4);
	ck_assert_double_eq_tol(sim_monitor_row(&m, 0, 1)->counted_pct, 100, 1e-6);
}

TEST(test_a_suspension_leaves_one_sample_empty)
{
	start(SPEC, "cxl");
	sim_monitor_sample(&m);
	sim_suspend(m.sim, 90 * SECOND);
	sim_monitor_sample(&m);
	ck_assert_double_nan(sim_monitor_value(&m, 0, 1, "cxl_mem_write_MBps"));
	sim_monitor_sample(&m);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, 1, "cxl_mem_write_MBps"), 4000, 0.1);
}

/* 8 events that only counters 4 to 7 can count, in one group. */
TEST(test_a_group_that_the_kernel_refuses_is_named_and_the_rest_counts)
{
	sim_monitor_perf_machine(&m, SPEC);
	struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLCM, 0);
	struct event events[6];
	struct request requests[7];

	for (unsigned i = 0; i < 6; i++) {
		events[i] = (struct event){.name = "receive",
					   .type = PMU_CXLCM,
					   .code = 0x41,
					   .umask = (uint8_t)(1 + i),
					   .counters = UINT32_MAX};
		requests[i] = (struct request){.unit = unit, .event = &events[i], .group = 1};
	}
	requests[6] = (struct request){.unit = sim_monitor_unit(&m, 0, PMU_CHA, 0),
				       .event = model_clock(m.machine.model, PMU_CHA)};
	sim_monitor_poller(&m, requests, 7, .perf = true);
	ck_assert_uint_eq(m.warnings, 1);
	assert_contains(m.warning, "1 of 2 groups of events are left out");
	assert_contains(m.warning, "uncore_cxlcm_2/event=0x41,umask=0x5/");
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	sim_monitor_sample(&m);
	ck_assert(!sim_monitor_count(&m, unit, "receive")->known);
	ck_assert(sim_monitor_count(&m, requests[6].unit, "CLOCKTICKS")->known);
	assert_contains(m.trouble.text, "socket 0 cxlcm 2: the kernel cannot read it");
}

TEST(test_a_kernel_that_allows_nothing_says_what_to_do)
{
	sim_monitor_perf_machine(&m, SPEC);
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){.groups = "cxl"}), 0);
	ck_assert_int_eq(plan_make(&m.machine, m.view.requests, m.view.request_count, FREEZE_NEVER,
				   &m.plan, &m.err),
			 0);
	sim_set_perf_denied(m.sim, true);
	ck_assert_int_eq(perf_events_open(&m.events, &m.plan, &m.err), -EACCES);
	ck_assert_int_eq(m.err.kind, ERROR_PERMISSION);
	assert_contains(m.err.text, "CAP_PERFMON");
	assert_contains(m.err.text, "perf_event_paranoid");
}

TEST(test_an_old_kernel_is_told_what_it_lacks)
{
	sim_monitor_perf_machine(&m, SPEC ",kernel=6.1");
	for (size_t i = 0; i < m.machine.discovery.unit_count; i++)
		ck_assert_int_ne(m.machine.discovery.units[i].type, PMU_CXLCM);
	ck_assert_uint_eq(m.machine.port_count, 0);
}

static const struct {
	const char *name;
	uint16_t pmu_type;
	const char *text;
} texts[] = {
	{"UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_DATA", PMU_CXLCM,
	 "uncore_cxlcm_2/event=0x41,umask=0x10/"},
	{"UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_ACC", PMU_CHA,
	 "uncore_cha_0/event=0x35,umask=0x10c8178201/"},
};

TEST_LOOP(test_an_event_in_the_words_of_perf, COUNT_OF(texts))
{
	char text[PERF_EVENT_TEXT_SIZE];

	sim_monitor_perf_machine(&m, SPEC);
	const struct event *event = model_event(m.machine.model, texts[_i].name);
	ck_assert_ptr_nonnull(event);
	ck_assert_str_eq(
		perf_unit_event_text(sim_monitor_unit(&m, 0, texts[_i].pmu_type, 0), event, text),
		texts[_i].text);
}
