/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session.h"

#include "platform/mbm.h"
#include "platform/reg.h"
#include "sim/sim.h"
#include "tests/registers.h"
#include "tests/sim/faults.h"
#include "tests/sim/state.h"
#include "unit.h"

static struct session session;
static struct error err;
static unsigned warnings;

/* Returns the options of a session that measures groups of metrics. */
static struct session_options measuring(const char *groups)
{
	return (struct session_options){
		.root = "/",
		.backend = BACKEND_AUTO,
		.view = {.groups = groups, .finest = SCOPE_PORT},
		.interval_ns = NS_PER_S,
	};
}

static void open_session(const struct session_options *options, const struct log *log)
{
	ck_assert_msg(!session_open(options, log, &session, &err), "%s", err.text);
}

static struct platform *make_platform(const char *spec, const struct log *log)
{
	struct platform *p;

	ck_assert_int_eq(platform_sim(spec, log, &p, &err), 0);
	return p;
}

static void open_on(struct platform *p, const struct session_options *options)
{
	ck_assert_msg(!session_open_on(options, p, &session, &err), "%s", err.text);
}

static void count_warnings(void *context, enum log_level level, const char *text)
{
	(void)context;
	if (level != LEVEL_WARNING)
		return;
	warnings++;
	assert_contains(text, "no freeze register: --freeze=always has no effect");
}

static const struct {
	const char *sim;
	enum freeze_policy freeze;
	unsigned warnings;
} freezing[] = {
	{"spr,clock=virtual", FREEZE_ALWAYS, 0},
	{"turin,clock=virtual", FREEZE_AUTO, 0},
	{"turin,clock=virtual", FREEZE_NEVER, 0},
	{"turin,clock=virtual", FREEZE_ALWAYS, 1},
};

TEST_LOOP(test_where_nothing_can_be_frozen_always_freezing_is_warned_of, COUNT_OF(freezing))
{
	const struct log log = {.write = count_warnings};
	struct session_options options = measuring("dram");

	options.sim = freezing[_i].sim;
	options.backend = BACKEND_RAW;
	options.freeze = freezing[_i].freeze;
	warnings = 0;
	open_session(&options, &log);
	ck_assert_msg(!session_start(&session, &err), "%s", err.text);
	session_close(&session);
	ck_assert_uint_eq(warnings, freezing[_i].warnings);
}

static void use_a_counter(struct platform *p)
{
	ck_assert_int_eq(raw_msr_write(p, 0, 0x2003, 0x101), 0); /* a control register of CHA 0 */
}

static void lose_the_port(struct platform *p)
{
	ck_assert_int_eq(sim_set_unit_dead(sim_of(p), 0, PMU_CXLCM, 2, true), 0);
}

/* Machines on which registers cannot be used, and the error of a session that does not start. */
static const struct {
	const char *sim;
	void (*disturb)(struct platform *p);
	enum ownership ownership;
	enum error_kind kind; /* ERROR_NONE: the kernel counts */
} refusing[] = {
	{"spr,lockdown=integrity,clock=virtual", NULL, OWNERSHIP_REFUSE, ERROR_NONE},
	{"spr,lockdown=integrity,clock=virtual", NULL, OWNERSHIP_SHARE, ERROR_PERMISSION},
	{"spr,lockdown=integrity,paranoid=2,clock=virtual", NULL, OWNERSHIP_REFUSE,
	 ERROR_PERMISSION},
	{"spr,clock=virtual", use_a_counter, OWNERSHIP_REFUSE, ERROR_NONE},
	{"spr,ports=1,clock=virtual", lose_the_port, OWNERSHIP_REFUSE, ERROR_FAILED},
};

TEST_LOOP(test_the_kernel_counts_only_if_registers_are_refused_or_in_use, COUNT_OF(refusing))
{
	struct session_options options = measuring("cxl,latency");
	struct platform *p = make_platform(refusing[_i].sim, &silent_log);

	options.ownership = refusing[_i].ownership;
	if (refusing[_i].disturb)
		refusing[_i].disturb(p);
	const int rc = session_open_on(&options, p, &session, &err);
	if (refusing[_i].kind == ERROR_NONE) {
		ck_assert_msg(!rc, "%s", err.text);
		ck_assert_int_eq(session.backend, BACKEND_PERF);
	} else {
		ck_assert_int_ne(rc, 0);
		ck_assert_int_eq(err.kind, refusing[_i].kind);
	}
	session_close(&session);
}

/* The existence of CHAs is seen by their clocks, which are counted before the run. */
TEST_LOOP(test_looking_for_chas_that_do_not_exist_leaves_no_register_changed, 4)
{
	struct session_options options = measuring("latency");
	struct platform *platform = make_platform(_i % 2 ? "emr,chas=8,still_chas=3,clock=virtual"
							 : "emr,chas=8,clock=virtual",
						  &silent_log);
	struct sim *sim = sim_of(platform);
	const uint64_t hash = sim_state_hash(sim);
	size_t still = 0;

	options.backend = _i < 2 ? BACKEND_RAW : BACKEND_PERF;
	open_on(platform, &options);
	for (size_t i = 0; i < session.machine.discovery.unit_count; i++) {
		const struct unit *unit = &session.machine.discovery.units[i];

		still += unit->still;
		ck_assert(!unit->still || (unit->type == PMU_CHA && unit->id >= 5 && !unit->open));
	}
	ck_assert_uint_eq(still, _i % 2 ? 3 : 0);
	/* registers that the kernel's driver leaves programmed are its own */
	if (options.backend == BACKEND_RAW)
		ck_assert_uint_eq(sim_state_hash(sim), hash);
	ck_assert_msg(!session_start(&session, &err), "%s", err.text);
	ck_assert_msg(!session_stop(&session, &err), "%s", err.text);
	if (options.backend == BACKEND_RAW)
		ck_assert_uint_eq(sim_state_hash(sim), hash);
	session_close(&session);
}

/* The kernel's driver may have failed to initialise the unit. All its counters are in use. */
TEST(test_a_sum_lacks_a_unit_that_reads_0_through_the_kernel)
{
	struct session_options options = measuring("dram");
	struct platform *platform =
		make_platform("gnr,sockets=2,imcs=4,dram_read=20,clock=virtual", &silent_log);

	options.backend = BACKEND_PERF;
	for (unsigned id = 0; id < 4; id++)
		ck_assert_int_eq(sim_set_unit_still(sim_of(platform), 1, PMU_IMC, id, true), 0);
	open_on(platform, &options);
	const size_t column = table_find(&session.view.table, "dram_read_MBps");
	for (size_t r = 0; r < table_metric_rows(&session.view.table); r++) {
		const struct row *row = &session.view.table.rows[r];

		ck_assert_int_eq(view_alternative(&session.view, r, column, 0) != NULL,
				 row->place.kind == ROW_SOCKET && row->place.socket == 0);
	}
	session_close(&session);
}

static void keep(void *context, enum log_level level, const char *text)
{
	(void)level;
	fprintf(context, "%s\n", text);
}

/* Returns all messages of opening a session. */
static const char *said_of(const struct session_options *options)
{
	FILE *said = text_open();
	const struct log log = {.write = keep, .context = said};

	open_session(options, &log);
	session_close(&session);
	return text_close(said);
}

static const struct {
	const char *sim, *groups, *says;
	enum session_backend backend;
	enum freeze_policy freeze;
} told[] = {
	{"spr,ports=1,clock=virtual", "dram", ", 1 CXL port\n"},
	{"spr,ports=2,clock=virtual", "dram", ", 2 CXL ports\n"},
	{"spr,clock=virtual", "cxl,latency", " units, frozen per socket\n"},
	{"gnr,clock=virtual", "dram", " units, frozen per unit\n"},
	{"gnr,clock=virtual", "dram", " units, read while running\n", .freeze = FREEZE_NEVER},
	/* only the CPMUs can freeze */
	{"turin,cpmu=1,clock=virtual", "dram,device",
	 " units, frozen per unit, others read while running\n"},
	{"gnr,clock=virtual", "dram", " units, counted by the kernel\n", BACKEND_PERF},
	{"gnr,clock=virtual", "tiering", " 0 units, read from the kernel's files\n"},
	/* links are shown, but not how busy they are */
	{"arm,clock=virtual", "port", "link utilisation cannot be counted: this processor",
	 BACKEND_AUTO},
};

TEST_LOOP(test_a_session_says_what_it_has_found_and_how_it_counts, COUNT_OF(told))
{
	struct session_options options = measuring(told[_i].groups);

	options.sim = told[_i].sim;
	options.backend = told[_i].backend;
	options.freeze = told[_i].freeze;
	assert_contains(said_of(&options), told[_i].says);
}

/* Returns the messages on "spr" whose MSRs cannot be written, with an old driver of devices. */
static const char *said_where_the_kernel_counts(const char *groups)
{
	const struct session_options options = measuring(groups);
	FILE *said = text_open();
	const struct log log = {.write = keep, .context = said};
	struct platform *platform = make_platform(
		"spr,cpus=2,ports=2,cpmu=1,cxl_pmu=1,kernel=6.12,clock=virtual", &log);

	sim_set_writes_refused(sim_of(platform), true);
	open_on(platform, &options);
	session_close(&session);
	return text_close(said);
}

#define LIMITS "this kernel's driver cxl_pmu counts only events of the device's first group"

/* If this is why the kernel counts, it was already reported. */
TEST(test_what_an_old_driver_of_devices_can_count_is_said_once)
{
	const char *text = said_where_the_kernel_counts("latency,device");

	assert_contains(text, "the kernel counts (--backend=perf), because: cpu 0 msr ");
	assert_contains(text, "\nmem0 cpmu 0: " LIMITS);
	text = said_where_the_kernel_counts("device");
	assert_contains(text, "the kernel counts (--backend=perf), because: mem0 cpmu 0: ");
	text = strstr(text, LIMITS);
	ck_assert_ptr_nonnull(text);
	assert_lacks(text + 1, LIMITS);
}

static void assert_caches(uint64_t setting)
{
	struct platform *p = session.platform;
	const struct mbm *mbm = session.view.sources.resctrl.mbm;

	ck_assert_uint_eq(mbm->count, 4); /* two per socket */
	for (size_t i = 0; i < mbm->count; i++) {
		const struct reg reg = mbm_register(mbm->caches[i].number, MBM_LOCAL);
		uint64_t value;

		ck_assert_int_eq(p->ops->registers->read(p, &reg, &value), 0);
		ck_assert_uint_eq(value, setting);
	}
}

TEST(test_caches_count_reads_of_cxl_memory_while_a_session_runs)
{
	struct session_options options = measuring("cxl");

	options.sim = "genoa,bmec=1,sockets=2,read=12,clock=virtual";
	options.backend = BACKEND_RAW;
	options.view.resctrl = true;
	open_session(&options, &silent_log);
	assert_caches(MBM_LOCAL_DEFAULT);
	ck_assert_msg(!session_start(&session, &err), "%s", err.text);
	assert_caches(MBM_SLOW_READS);
	ck_assert_msg(!session_stop(&session, &err), "%s", err.text);
	/* the last sample is still to be shown */
	assert_caches(MBM_SLOW_READS);
	ck_assert_msg(!session_restore_mbm(&session, &err), "%s", err.text);
	assert_caches(MBM_LOCAL_DEFAULT);
	session_close(&session);
}
