/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/sweep/calibrate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/text.h"
#include "output/fields.h"
#include "session/session.h"
#include "sim/sim_spec.h"

#define MB 1e6

/* Kernels in the order of runs: a kernel that waits for nothing else comes first. */
static const struct {
	enum calibration_kernel kernel;
	unsigned chains;
} kernels[CALIBRATE_RUNS] = {
	{KERNEL_CHASE, 1},  {KERNEL_CHASE, 2},	{KERNEL_CHASE, 4},  {KERNEL_CHASE, 8},
	{KERNEL_CHASE, 16}, {KERNEL_STREAM, 1}, {KERNEL_STORES, 1},
};

#define CYCLES "cycles_per_s"

static const struct value *cpu_cell(const struct table *table, unsigned cpu, const char *metric)
{
	const size_t column = table_find(table, metric);

	for (size_t r = 0; column < table->column_count && r < table_metric_rows(table); r++)
		if (table->rows[r].place.kind == ROW_CPU && table->rows[r].place.cpu == (int)cpu)
			return &table->rows[r].values[column];
	return &value_unknown;
}

/* Adds the counts of a CPU. Ratios other than of its clocks are means over all CPUs. */
static void add_cpu(struct stall_counts *sum, const struct calibrate *c, unsigned cpu)
{
	const struct table *table = &c->session.view.table;
	const struct value *clocks = cpu_cell(table, cpu, CYCLES);
	const double cpus = (double)c->place.cpu_count;
	double values[STALL_METRICS];

	for (size_t i = 0; i < STALL_METRICS; i++)
		values[i] = cpu_cell(table, cpu, stall_metrics[i])->number;
	const struct stall_counts counts =
		stall_counts_of(values, clocks->number * clocks->seconds);
	sum->cycles += counts.cycles;
	sum->demand += counts.demand;
	sum->cache += counts.cache;
	sum->store += counts.store;
	sum->read_cost += counts.read_cost / cpus;
	sum->prefetched += counts.prefetched / cpus;
}

/* Returns the counts, with the work done while clocks were counted. */
static struct stall_counts counted_stalls(const struct calibrate *c, const struct load_moved *moved)
{
	const double seconds = cpu_cell(&c->session.view.table, c->place.cpus[0], CYCLES)->seconds;
	struct stall_counts sum = {
		.work = (moved->read_MBps + moved->write_MBps) * MB * seconds,
	};

	for (size_t i = 0; i < c->place.cpu_count; i++)
		add_cpu(&sum, c, c->place.cpus[i]);
	return sum;
}

/* Checks counts: in virtual machines some counters exist but stay 0. */
static int check_counts(const struct calibration_run *run, int node, const struct stall_counts *s,
			struct error *err)
{
	char name[CALIBRATION_NAME_SIZE];

	calibration_name(run, name);
	if (!(s->work > 0) || !(s->cycles > 0))
		return error_set(err, ERROR_FAILED, -ENODATA,
				 "%s on node %d: %s: expected more --seconds", name, node,
				 s->work > 0 ? "its clocks were not counted" : "nothing was moved");
	if (run->kernel == KERNEL_CHASE && (!(s->demand > 0) || !(s->read_cost > 0)))
		return error_set(err, ERROR_NO_UNIT, -ENODATA,
				 "%s on node %d: no stall cycles of reads were counted, though it "
				 "does nothing but read: %s; no prediction is possible",
				 name, node,
				 s->demand > 0 ? "read_cost_cycles is unknown"
					       : "demand_stall_pct is 0 or unknown");
	return 0;
}

static int pass_on(struct calibrate *c, const struct sample *sample,
		   const struct calibration_run *run, struct error *err)
{
	return c->options->sample(c->options->context, sample, run, err);
}

/* Runs one part of a run. The caller passes *sample on, because the run may be complete with it. */
static int run_part(struct calibrate *c, const struct calibration_run *run, unsigned memory,
		    struct stall_counts *out, struct sample *sample, struct error *err)
{
	const struct calibrate_options *o = c->options;
	const int node = c->place.nodes[memory];
	const struct load_traffic traffic = {
		.kernel_alone = true, .kernel = run->kernel, .chains = run->chains};
	struct under_load *u = &c->under_load;
	struct load_moved moved;

	if (o->progress)
		o->progress(o->context, run, node, c->step_ns * c->steps_left);
	c->steps_left--;
	u->load = c->loads[memory];
	int rc = under_load_start(u, &traffic, c->step_ns, sample, err);
	if (!rc) {
		view_update(&c->session.view, sample);
		rc = pass_on(c, sample, NULL, err);
	}
	if (!rc)
		rc = under_load_measure(u, c->step_ns, &moved, sample, err);
	if (rc)
		return rc;
	view_update(&c->session.view, sample);
	*out = counted_stalls(c, &moved);
	rc = check_counts(run, node, out, err);
	return rc ? rc : load_stop(u->load, err);
}

static int run_kernel(struct calibrate *c, size_t i, struct error *err)
{
	struct calibration_run run = {
		.kernel = kernels[i].kernel,
		.chains = kernels[i].chains,
		.dram_node = c->place.nodes[IN_DRAM],
		.cxl_node = c->place.nodes[IN_CXL],
	};
	struct sample sample;
	int rc = run_part(c, &run, IN_DRAM, &run.dram, &sample, err);

	if (!rc)
		rc = pass_on(c, &sample, NULL, err);
	if (!rc)
		rc = run_part(c, &run, IN_CXL, &run.cxl, &sample, err);
	return rc ? rc : pass_on(c, &sample, &run, err);
}

static int open_loads(struct calibrate *c, struct error *err)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < CALIBRATE_MEMORIES; i++) {
		const struct load_spec spec = {
			.node = c->place.nodes[i],
			.bytes = c->memory_bytes[i],
			.cpus = c->place.cpus,
			.cpu_count = c->place.cpu_count,
			.runs_kernels = true,
		};

		rc = load_open(c->session.platform, &spec, &c->loads[i], err);
	}
	return rc;
}

static void close_loads(struct calibrate *c)
{
	c->under_load.load = NULL;
	for (unsigned i = 0; i < CALIBRATE_MEMORIES; i++) {
		load_close(c->loads[i]);
		c->loads[i] = NULL;
	}
}

static int run_all(struct calibrate *c, struct error *err)
{
	struct under_load *u = &c->under_load;

	*u = (struct under_load){.session = &c->session, .wake = c->options->wake};
	int rc = under_load_begin(u, err);
	if (!rc)
		rc = open_loads(c, err);
	for (size_t i = 0; !rc && i < CALIBRATE_RUNS; i++)
		rc = run_kernel(c, i, err);
	close_loads(c);
	under_load_end(u);
	return rc;
}

static int find_memory(struct calibrate *c, struct error *err)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < CALIBRATE_MEMORIES; i++)
		rc = load_memory_for(c->session.platform, c->place.nodes[i], &c->memory_bytes[i],
				     err);
	if (rc == -ENODEV && c->options->node >= 0)
		err->kind = ERROR_USAGE; /* there is no such node */
	return rc;
}

/* Reports metrics that this machine does not count; ERROR_NO_UNIT if a needed one is among them. */
static int check_metrics(const struct calibrate *c, const struct log *log, struct error *err)
{
	const char *const metrics[] = {CYCLES,
				       stall_metrics[STALL_DEMAND],
				       stall_metrics[STALL_READ_COST],
				       stall_metrics[STALL_CACHE],
				       stall_metrics[STALL_STORE],
				       stall_metrics[STALL_PREFETCHED]};
	const size_t first_optional = 3; /* a prediction needs the metrics before it */
	const struct table *table = &c->session.view.table;
	bool needed = false;
	char missing[160] = "";

	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		const size_t column = table_find(table, metrics[i]);

		if (column < table->column_count && !table->columns[column].never_known)
			continue;
		text_list(missing, sizeof(missing), "%s", metrics[i]);
		needed |= i < first_optional;
	}
	if (needed)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "this machine cannot be calibrated, because it does not count %s "
				 "(cxlmon list shows what it counts)",
				 missing);
	if (*missing)
		log_write(log, LEVEL_WARNING, "not counted on this machine, and left empty: %s",
			  missing);
	return 0;
}

static int prepare_calibration(struct calibrate *c, const struct log *log, struct error *err)
{
	const struct calibrate_options *o = c->options;
	const uint64_t ns = o->total_ns / (CALIBRATE_MEMORIES * CALIBRATE_RUNS);
	int rc = check_metrics(c, log, err);

	if (!rc)
		rc = calibrate_place_find(&c->session.machine, o->node, &c->place, err);
	if (!rc)
		rc = find_memory(c, err);
	c->step_ns = ns < LOAD_MIN_STEP_NS ? LOAD_MIN_STEP_NS : ns;
	c->steps_left = CALIBRATE_MEMORIES * CALIBRATE_RUNS;
	return rc ? rc : o->begin(o->context, c, err);
}

int calibrate_run(const struct calibrate_options *options, const struct log *log,
		  struct calibrate *out, struct error *err)
{
	*out = (struct calibrate){
		.options = options,
		.sim = options->sim ? sim_spec_idle(options->sim, "") : NULL,
	};
	const struct session_options session = {
		.sim = out->sim,
		.root = options->root,
		.backend = options->backend,
		.view = {.groups = "stall,core", .finest = SCOPE_CPU},
		.interval_ns = NS_PER_S,
	};

	int rc = options->sim && !out->sim ? error_no_memory(err)
					   : session_open(&session, log, &out->session, err);
	if (!rc)
		rc = prepare_calibration(out, log, err);
	if (!rc)
		rc = session_start(&out->session, err);
	if (!rc)
		rc = run_all(out, err);
	return session_stop_after(&out->session, rc, err);
}

void calibrate_free(struct calibrate *calibrate)
{
	session_close(&calibrate->session);
	free(calibrate->sim);
}

#define NAME_WIDTH   10
#define COLUMN_WIDTH 7
#define COST_WIDTH   8

/* Prints shares of all clocks, and clocks per read. */
static void put_counts(const struct stall_counts *s, FILE *out)
{
	field_column(out, 100 * s->demand / s->cycles, COLUMN_WIDTH, "%.*f", 1);
	field_column(out, 100 * s->cache / s->cycles, COLUMN_WIDTH, "%.*f", 1);
	field_column(out, 100 * s->store / s->cycles, COLUMN_WIDTH, "%.*f", 1);
	field_column(out, s->read_cost, COST_WIDTH, "%.*f", 1);
}

static void put_heading(const struct calibration_run *run, FILE *out)
{
	static const char names[] = "  reads caches stores    cost";
	static const char units[] = "      %      %      %  cycles";
	char memory[CALIBRATE_MEMORIES][32];

	snprintf(memory[IN_DRAM], sizeof(memory[0]), "waits, node %d (DRAM)", run->dram_node);
	snprintf(memory[IN_CXL], sizeof(memory[0]), "waits, node %d", run->cxl_node);
	fprintf(out, "%-*s%*s%*s\n", NAME_WIDTH, "", (int)sizeof(names) - 1, memory[IN_DRAM],
		(int)sizeof(names) - 1, memory[IN_CXL]);
	fprintf(out, "%-*s%s%s  times\n", NAME_WIDTH, "kernel", names, names);
	fprintf(out, "%-*s%s%s   long\n", NAME_WIDTH, "", units, units);
}

void calibrate_print(const struct calibration_runs *all, FILE *out)
{
	char name[CALIBRATION_NAME_SIZE];

	if (all->count)
		put_heading(&all->runs[0], out);
	for (size_t i = 0; i < all->count; i++) {
		const struct calibration_run *run = &all->runs[i];

		fprintf(out, "%-*s", NAME_WIDTH, calibration_name(run, name));
		put_counts(&run->dram, out);
		put_counts(&run->cxl, out);
		field_column(out, calibration_slowdown(run), COLUMN_WIDTH, "%.*f", 3);
		putc('\n', out);
	}
}
