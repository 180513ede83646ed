/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibrations of a simulated machine, whose kernels stall as in sim/sim_stalls.h. */
#include "probe/sweep/calibrate.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "probe/sweep/calibration.h"
#include "probe/sweep/sweep_file.h"
#include "show/page/plotted.h"
#include "sim/sim_stalls.h"
#include "tests/sim/faults.h"
#include "tests/sim/keys.h"
#include "unit.h"

/* A machine on which a read of DRAM takes 300 cycles, one of CXL memory 900. */
#define MACHINE "ddr_latency=100,ddr_remote_latency=200,latency=300,overlap=100,clock=virtual"

/* Actions at the first sample. */
struct taken {
	bool interrupted, writes_refused, failed;
	const char *file; /* NULL: not recorded */
	struct sweep_file recording;
	unsigned samples;
	struct calibration_runs runs;
};

static struct taken taken;
static struct calibrate calibrate;
static struct error err;
static char name[] = "/tmp/cxlmon-calibrate-XXXXXX";

static void set_up(void)
{
	taken = (struct taken){.samples = 0};
	err = (struct error){0};
}

static void tear_down(void)
{
	sweep_file_close(&taken.recording, -EIO, NULL);
	calibration_runs_free(&taken.runs);
	calibrate_free(&calibrate);
	if (taken.file)
		unlink(taken.file);
}

FIXTURE(set_up, tear_down)

static int begin(void *context, const struct calibrate *c, struct error *why)
{
	struct taken *t = context;
	const struct sweep_file_info info = {
		.load = RECORDED_CALIBRATION, .step_ns = c->step_ns, .node = -1};

	return t->file ? sweep_file_create(&t->recording, t->file, &c->session, &info, why) : 0;
}

static int take_sample(void *context, const struct sample *sample,
		       const struct calibration_run *run, struct error *why)
{
	struct taken *t = context;

	if (run)
		ck_assert_int_eq(calibration_runs_add(&t->runs, run), 0);
	if (t->file)
		ck_assert_int_eq(
			sweep_file_put(&t->recording, sample, &calibration_block, run, why), 0);
	if (t->samples++)
		return 0;
	if (t->writes_refused)
		sim_set_writes_refused(sim_of(calibrate.session.platform), true);
	if (t->interrupted)
		raise(SIGINT);
	return t->failed ? error_set(why, ERROR_FAILED, -ENOSPC, "the file is full") : 0;
}

static int run(const char *sim, enum session_backend backend, int node)
{
	sigset_t wake;

	sigemptyset(&wake);
	sigaddset(&wake, SIGINT);
	pthread_sigmask(SIG_BLOCK, &wake, NULL);
	const struct calibrate_options options = {
		.sim = sim,
		.root = "/",
		.backend = backend,
		.node = node,
		.total_ns = 14 * NS_PER_S,
		.wake = &wake,
		.begin = begin,
		.sample = take_sample,
		.context = &taken,
	};
	return calibrate_run(&options, &silent_log, &calibrate, &err);
}

/* Asserts a count: counts are whole numbers, of parts of a second. */
static void assert_near(double found, double expected)
{
	ck_assert_double_eq_tol(found, expected, 2e-6 * (1 + expected));
}

static void assert_counts(const struct stall_counts *found, const struct calibration_run *run,
			  double latency_ns)
{
	const struct sim_spec machine = {.ddr_latency = 100, .overlap = 100, .parallelism = 1};
	const struct sim_kernel_run expected =
		sim_run_kernel(&machine, run->kernel, run->chains, latency_ns);
	const struct sim_stalls *s = &expected.stalls;
	const double all = 100 * (double)s->cycles;

	/* four fifths of a second, on two CPUs */
	assert_near(found->cycles, 2 * 0.8 * 3e9);
	assert_near(found->work, 2 * 0.8e9 * expected.GBps);
	assert_near(found->demand, found->cycles * (double)s->demand / all);
	assert_near(found->cache, found->cycles * (double)s->cache / all);
	assert_near(found->store, found->cycles * (double)s->store / all);
	if (s->reads > 0)
		assert_near(found->read_cost, (double)(s->demand / s->reads));
	else
		ck_assert_double_nan(found->read_cost);
	if (run->kernel == KERNEL_STORES)
		ck_assert_double_nan(found->prefetched);
	else
		assert_near(found->prefetched, run->kernel == KERNEL_STREAM ? 0.8 : 0);
}

static void assert_runs(const struct calibration_runs *all, int dram_node, int node,
			double latency_ns)
{
	static const unsigned chains[] = {1, 2, 4, 8, 16, 1, 1};

	ck_assert_uint_eq(all->count, CALIBRATE_RUNS);
	for (size_t i = 0; i < CALIBRATE_RUNS; i++) {
		const struct calibration_run *r = &all->runs[i];

		ck_assert_int_eq(r->kernel, i < 5   ? KERNEL_CHASE
					    : i < 6 ? KERNEL_STREAM
						    : KERNEL_STORES);
		ck_assert_uint_eq(r->chains, chains[i]);
		ck_assert_int_eq(r->dram_node, dram_node);
		ck_assert_int_eq(r->cxl_node, node);
		assert_counts(&r->dram, r, 100);
		assert_counts(&r->cxl, r, latency_ns);
	}
}

static const struct {
	const char *sim;
	enum session_backend backend;
	int node;
	int dram_node, expected;
	double latency_ns;
} machines[] = {
	{"spr," MACHINE, BACKEND_RAW, -1, 0, 1, 300},
	{"spr," MACHINE, BACKEND_RAW, 2, 0, 2, 300},
	{"gnr,sockets=2," MACHINE, BACKEND_RAW, -1, 0, 2, 300},
	{"gnr,sockets=2," MACHINE, BACKEND_RAW, 5, 1, 5, 300},
	{"gnr,sockets=2," MACHINE, BACKEND_RAW, 1, 0, 1, 200},
	{"gnr,sockets=2," MACHINE, BACKEND_RAW, 0, 1, 0, 200},
	{"emr," MACHINE, BACKEND_PERF, -1, 0, 1, 300},
	{"spr,threads=2," MACHINE, BACKEND_RAW, -1, 0, 1, 300},
};

TEST_LOOP(test_runs_are_those_of_the_machines_model, COUNT(machines))
{
	ck_assert_msg(!run(machines[_i].sim, machines[_i].backend, machines[_i].node), "%s",
		      err.text);
	assert_runs(&taken.runs, machines[_i].dram_node, machines[_i].expected,
		    machines[_i].latency_ns);
	/* each part has a sample that settles and one that counts */
	ck_assert_uint_eq(taken.samples, 4 * CALIBRATE_RUNS);
	ck_assert(!calibrate.session.started);
}

TEST(test_cpus_are_of_different_cores)
{
	ck_assert_msg(!run("spr,threads=2," MACHINE, BACKEND_RAW, -1), "%s", err.text);
	ck_assert_uint_eq(calibrate.place.cpu_count, 2);
	ck_assert_uint_eq(calibrate.place.cpus[0], 0);
	ck_assert_uint_eq(calibrate.place.cpus[1], 2);
}

TEST(test_isolated_cpus_are_left_alone_where_there_are_others)
{
	ck_assert_msg(!run("spr,cpus=4,isolated=3," MACHINE, BACKEND_RAW, -1), "%s", err.text);
	ck_assert_uint_eq(calibrate.place.cpu_count, 1);
	ck_assert_uint_eq(calibrate.place.cpus[0], 3);
}

TEST(test_deviations_of_kernels_differ)
{
	struct sim_spec machine = {.ddr_latency = 100, .overlap = 100};

	test_values_set(&machine, &(struct test_values){.deviation = 10, .seed = 3});
	ck_assert_msg(!run("spr,deviation=10,seed=3," MACHINE, BACKEND_RAW, -1), "%s", err.text);
	for (size_t i = 0; i < CALIBRATE_RUNS; i++) {
		const struct calibration_run *r = &taken.runs.runs[i];
		struct calibration_run model = *r;

		assert_counts(&r->dram, r, 100);
		model.cxl.work =
			2 * 0.8e9 * sim_run_kernel(&machine, r->kernel, r->chains, 300).GBps;
		assert_near(calibration_slowdown(r), calibration_slowdown(&model));
	}
}

TEST(test_a_recording_has_all_runs)
{
	static const struct block_kind *const kinds[] = {&calibration_block, NULL};
	struct recording_file file;
	struct report report;
	struct error flaw;

	taken.file = name;
	close(mkstemp(name));
	ck_assert_msg(!run("spr," MACHINE, BACKEND_RAW, -1), "%s", err.text);
	ck_assert_int_eq(sweep_file_close(&taken.recording, 0, &err), 0);
	ck_assert_msg(!recording_file_open(name, kinds, &file, &err), "%s", err.text);
	ck_assert_str_eq(recorded_option(&file.recording.info, "load"), "calibration");
	ck_assert_str_eq(file.recording.info.processor, "Sapphire Rapids");
	ck_assert_msg(!report_read(&file, &report, &flaw, &err), "%s", err.text);
	ck_assert_uint_eq(file.recording.info.device_count, 2);
	ck_assert_int_eq(flaw.code, 0);
	assert_runs(&report.calibration, 0, 1, 300);
	report_free(&report);
	recording_file_close(&file);
}

TEST(test_isolated_cpus_are_used_where_there_are_no_others)
{
	ck_assert_msg(!run("spr,cpus=4,isolated=4," MACHINE, BACKEND_RAW, -1), "%s", err.text);
	ck_assert_uint_eq(calibrate.place.cpu_count, 2);
}

#define NO_STALLS                                                                                  \
	"does not count demand_stall_pct, read_cost_cycles, cache_stall_pct, store_stall_pct"

static const struct {
	const char *sim;
	int node;
	int status;
	const char *why;
} refused[] = {
	/* E-cores do not count the cost of a read */
	{"srf,clock=virtual", -1, ERROR_NO_UNIT,
	 "does not count read_cost_cycles, prefetched_pct "},
	{"cwf,clock=virtual", -1, ERROR_NO_UNIT,
	 "does not count demand_stall_pct, read_cost_cycles, store_stall_pct, prefetched_pct "},
	{"turin,clock=virtual", -1, ERROR_NO_UNIT, NO_STALLS},
	{"intel,clock=virtual", -1, ERROR_NO_UNIT, NO_STALLS},
	{"spr,demand_stall=0,clock=virtual", 9, ERROR_USAGE, "node 9: "},
	{"spr,clock=virtual", 0, ERROR_USAGE, "--node=0: no other node has CPUs"},
};

TEST_LOOP(test_what_can_not_be_calibrated_is_refused, COUNT(refused))
{
	ck_assert_int_ne(run(refused[_i].sim, BACKEND_RAW, refused[_i].node), 0);
	ck_assert_int_eq((int)err.kind, refused[_i].status);
	assert_contains(err.text, refused[_i].why);
	ck_assert_uint_eq(taken.samples, 0);
}

static const struct {
	struct taken taken;
	int rc;
	const char *why;
} endings[] = {
	{{.interrupted = true}, -EINTR, ""},
	{{.failed = true}, -ENOSPC, "the file is full"},
	{{.writes_refused = true, .interrupted = true}, -EPERM, "restore"},
};

TEST_LOOP(test_an_early_end_restores_the_registers_or_reports_them, COUNT(endings))
{
	taken = endings[_i].taken;
	ck_assert_int_eq(run("spr," MACHINE, BACKEND_RAW, -1), endings[_i].rc);
	assert_contains(err.text, endings[_i].why);
	ck_assert_uint_eq(taken.samples, 1);
	ck_assert_int_eq(calibrate.under_load.signal_number, taken.interrupted ? SIGINT : 0);
	ck_assert_int_eq(calibrate.session.started, taken.writes_refused);
	sim_set_writes_refused(sim_of(calibrate.session.platform), false);
}
