/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/sweep/calibration.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

const char *const stall_metrics[STALL_METRICS] = {
	[STALL_DEMAND] = "demand_stall_pct",   [STALL_CACHE] = "cache_stall_pct",
	[STALL_STORE] = "store_stall_pct",     [STALL_READ_COST] = "read_cost_cycles",
	[STALL_PREFETCHED] = "prefetched_pct",
};

static double lost_cycles(double cycles, double percent)
{
	return isnan(percent) ? NAN : cycles * fmin(fmax(percent, 0), 100) / 100;
}

struct stall_counts stall_counts_of(const double values[STALL_METRICS], double cycles)
{
	return (struct stall_counts){
		.work = NAN,
		.cycles = cycles,
		.demand = lost_cycles(cycles, values[STALL_DEMAND]),
		.cache = lost_cycles(cycles, values[STALL_CACHE]),
		.store = lost_cycles(cycles, values[STALL_STORE]),
		.read_cost = values[STALL_READ_COST],
		.prefetched = values[STALL_PREFETCHED] / 100,
	};
}

const char *const calibration_kernel_names[CALIBRATION_KERNELS] = {
	[KERNEL_CHASE] = "chase",
	[KERNEL_STREAM] = "stream",
	[KERNEL_STORES] = "stores",
};

const char *calibration_name(const struct calibration_run *run, char text[CALIBRATION_NAME_SIZE])
{
	char chains[12] = "";

	if (run->kernel == KERNEL_CHASE)
		snprintf(chains, sizeof(chains), " %u", run->chains);
	snprintf(text, CALIBRATION_NAME_SIZE, "%s%s", calibration_kernel_names[run->kernel],
		 chains);
	return text;
}

double calibration_slowdown(const struct calibration_run *run)
{
	const double in_dram = run->dram.cycles / run->dram.work;
	const double slowdown = run->cxl.cycles / run->cxl.work / in_dram;

	return isfinite(slowdown) ? slowdown : NAN;
}

int calibration_runs_add(struct calibration_runs *all, const struct calibration_run *run)
{
	if (array_room(&all->runs, all->count, 1, sizeof(*all->runs)))
		return -ENOMEM;
	all->runs[all->count++] = *run;
	return 0;
}

void calibration_runs_free(struct calibration_runs *all)
{
	free(all->runs);
	*all = (struct calibration_runs){.count = 0};
}

/* Codes counts in the order of the block. */
static struct stall_counts code_counts(struct coder *c, struct stall_counts s)
{
	s.work = code_number(c, s.work);
	s.cycles = code_number(c, s.cycles);
	s.demand = code_number(c, s.demand);
	s.cache = code_number(c, s.cache);
	s.store = code_number(c, s.store);
	s.read_cost = code_number(c, s.read_cost);
	s.prefetched = code_number(c, s.prefetched);
	return s;
}

static struct calibration_run code_run(struct coder *c, struct calibration_run run)
{
	run.kernel = (enum calibration_kernel)code_count(c, run.kernel, CALIBRATION_KERNELS - 1);
	run.chains = (unsigned)code_count(c, run.chains, KERNEL_CHAINS_MOST);
	run.dram_node = code_index(c, run.dram_node);
	run.cxl_node = code_index(c, run.cxl_node);
	run.dram = code_counts(c, run.dram);
	run.cxl = code_counts(c, run.cxl);
	return run;
}

static void encode_calibration(struct coder *c, const void *content)
{
	code_run(c, *(const struct calibration_run *)content);
}

#define MOST 1e18 /* clocks and bytes of years */

/* Tells if a number is out of range; NAN is not. */
static bool is_outside(double number, double most)
{
	return number < 0 || number > most;
}

/* Tells if counts are impossible: a run does some work, and loses no more clocks than it has. */
static bool is_impossible(const struct stall_counts *s)
{
	return !(s->work > 0 && s->work <= MOST) || !(s->cycles > 0 && s->cycles <= MOST) ||
	       is_outside(s->demand, s->cycles) || is_outside(s->cache, s->cycles) ||
	       is_outside(s->store, s->cycles) || is_outside(s->read_cost, s->cycles) ||
	       is_outside(s->prefetched, 1);
}

static int decode_calibration(struct coder *c, void *content)
{
	struct calibration_run *run = content;

	*run = code_run(c, *run);
	c->bad |= !run->chains || (run->kernel != KERNEL_CHASE && run->chains != 1) ||
		  run->dram_node < 0 || run->cxl_node < 0 || run->dram_node == run->cxl_node ||
		  is_impossible(&run->dram) || is_impossible(&run->cxl);
	return 0;
}

const struct block_kind calibration_block = {
	.type = 'C',
	.invalid = "a run of a calibration is not valid",
	.encode = encode_calibration,
	.size = sizeof(struct calibration_run),
	.decode = decode_calibration,
};
