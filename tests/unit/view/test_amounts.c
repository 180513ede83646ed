/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Amounts of samples at random times, compared with the progress of the counters in the whole run.
 */
#include <math.h>

#include "platform/clock.h"
#include "series/series.h"
#include "sim_monitor.h"
#include "unit.h"

#define RUN_NS	    (12 * SECOND) /* whole seconds, at which devices are read */
#define INTERVAL_NS (SECOND / 4)

static struct sim_monitor often, once;
static struct series amounts, progress;

static void tear_down(void)
{
	series_free(&amounts);
	series_free(&progress);
}

FIXTURE(NULL, tear_down)

static const char *const machines[] = {
	"spr,cpus=2,read=10,write=3,dram_read=7,wave=1,crc=40,promote=300,demote=20",
	"gnr,sockets=2,ports=3,read=5,dram_write=4,ramp=5,aer_correctable=7,aer_nonfatal=2",
	"dmr,read=8,write=1,begin=3,retry=9",
	"turin,read=6,write=2,dram_read=9,wave=1,hint=50",
	"genoa,dram_read=5,dram_write=3,ramp=4",
	"intel,cpmu=1,cpmu_kind=full,read=3,write=2,wave=1",
	"srf,dies=2,read=4,dram_read=30,begin=5",
	"venice,read=3,dram_read=5,wave=1",
};

static void start(struct sim_monitor *m, struct series *series, const char *machine)
{
	char spec[256];

	snprintf(spec, sizeof(spec), "%s,clock=virtual", machine);
	sim_monitor_start(
		m, .spec = spec,
		.view = {.groups = "cxl,dram,link,core,tiering,port", .finest = SCOPE_PORT},
		.interval_ns = INTERVAL_NS);
	ck_assert_int_eq(series_init(series, &m->view.table), 0);
	ck_assert_int_eq(series_keep_all(series, 0), 0);
}

/*
 * Takes a sample at least two intervals after the previous one: a deadline has passed, so it is
 * taken at once.
 */
static void sample_at(struct sim_monitor *m, struct series *series, uint64_t ns)
{
	pass_time(m->platform, ns - m->platform->ops->clock->now(m->platform));
	sim_monitor_sample(m);
	series_add(series, m->sample.wall_ns, 0);
}

/* Returns true if the series has counted all the time; multiplexed events are estimates. */
static bool is_exact(const struct series *series, size_t r, size_t c)
{
	const struct table *table = series->table;
	const struct metric *metric = table->columns[c].metric;
	const uint64_t known = series_cell(series, r, c)->known;

	return metric->kind == METRIC_NUMBER && metric->family.counter &&
	       !table->rows[r].values[c].scaled &&
	       (metric_is_counted(metric) ? known == series->samples : known > 0);
}

TEST_LOOP(test_rates_times_seconds_are_what_the_counters_have_counted, 4 * COUNT(machines))
{
	uint64_t random = (uint64_t)_i + 1;
	unsigned compared = 0;

	start(&often, &amounts, machines[_i % COUNT(machines)]);
	start(&once, &progress, machines[_i % COUNT(machines)]);
	const uint64_t begin = once.platform->ops->clock->now(once.platform);
	for (uint64_t ns = 0; ns < RUN_NS;) {
		random = random * 6364136223846793005U + 1442695040888963407U;
		ns += 2 * INTERVAL_NS + (random >> 33) % (2 * SECOND);
		ns = ns + 2 * INTERVAL_NS < RUN_NS ? ns : RUN_NS;
		sample_at(&often, &amounts, begin + ns);
	}
	sample_at(&once, &progress, begin + RUN_NS);
	ck_assert_uint_eq(often.sample.wall_ns, once.sample.wall_ns);
	ck_assert_uint_gt(amounts.samples, 5);
	for (size_t r = 0; r < table_metric_rows(amounts.table); r++)
		for (size_t c = 0; c < amounts.table->column_count; c++) {
			const double all = series_cell(&progress, r, c)->amount;

			if (!is_exact(&amounts, r, c) || !is_exact(&progress, r, c))
				continue;
			assert_double(series_cell(&amounts, r, c)->amount, all, 1e-9 * all);
			compared += all > 0;
		}
	ck_assert_uint_gt(compared, 3);
}
