/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "commands.h"
#include "platform/guard.h"

enum kind { MSR_READ, MSR_WRITE, MEMORY_READ, MEMORY_WRITE, PCI_READ, PCI_WRITE, KINDS };

static const char *const names[KINDS] = {"msr_read",	 "msr_write", "memory_read",
					 "memory_write", "pci_read",  "pci_write"};

static enum kind kind_of(enum reg_space space, bool write)
{
	return (space == REG_MSR    ? MSR_READ
		: space == REG_MMIO ? MEMORY_READ
				    : PCI_READ) +
	       (unsigned)write;
}

/* Returns the accesses to a register; in configuration space each dword is one. */
static unsigned accesses_of(const struct reg *reg)
{
	return reg->space == REG_PCI ? reg->bytes / 4U : 1;
}

/*
 * Adds the minimum for a reading: each active counter is read, each domain frozen and unfrozen,
 * after a check if another program has frozen it.
 */
static void add_reading(const struct pmu_state *pr, uint64_t least[KINDS])
{
	const struct plan *plan = pr->plan;

	for (size_t d = 0; d < plan->domain_count; d++)
		if (pr->domains[d].freezes)
			for (unsigned i = 0; i < 3; i++)
				least[kind_of(pr->domains[d].control.reg.space, i)] +=
					accesses_of(&pr->domains[d].control.reg);
	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct plan_unit *pu = &plan->units[u];
		const struct round *round = &plan->rounds[pu->first_round + pr->units[u].round];

		for (size_t s = round->first_counter;
		     s < round->first_counter + round->counter_count; s++)
			least[kind_of(plan->counters[s].reg.space, false)] +=
				accesses_of(&plan->counters[s].reg);
	}
}

/* Adds the controls that differ in units that have rotated. */
static void add_rotation(const struct pmu_state *pr, const size_t *before, uint64_t least[KINDS])
{
	const struct plan *plan = pr->plan;

	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct plan_unit *pu = &plan->units[u];
		const struct round *rounds = &plan->rounds[pu->first_round];

		for (unsigned i = 0; i < pu->unit->counters; i++) {
			const struct reg counter = unit_counter(pu->unit, i);

			if (rounds[pr->units[u].round].controls[i] != rounds[before[u]].controls[i])
				least[kind_of(counter.space, true)] += accesses_of(&counter);
		}
	}
}

static json_t *by_kind(const uint64_t counts[KINDS], size_t samples)
{
	json_t *out = json_object();

	for (size_t k = 0; k < KINDS; k++)
		json_object_set_new(out, names[k], json_real((double)counts[k] / (double)samples));
	return out;
}

void run_accesses(const struct bench_options *options, size_t samples)
{
	uint64_t made[KINDS] = {0}, least[KINDS] = {0};
	struct subject s;

	subject_open(&s, options);
	size_t *before = allocate(s.plan.unit_count, sizeof(*before));
	tap_record(&s.tap);
	for (size_t i = 0; i < samples; i++) {
		subject_wait(&s);
		add_reading(&s.pmu, least);
		for (size_t u = 0; u < s.plan.unit_count; u++)
			before[u] = s.pmu.units[u].round;
		tap_forget(&s.tap);
		subject_sample(&s);
		add_rotation(&s.pmu, before, least);
		for (size_t a = 0; a < s.tap.count; a++)
			made[kind_of(s.tap.accesses[a].reg.space, s.tap.accesses[a].write)]++;
	}
	print_result(json_pack("{s:o, s:o, s:I}", "made", by_kind(made, samples), "least",
			       by_kind(least, samples), "counters",
			       (json_int_t)s.plan.counter_count));
	free(before);
	subject_close(&s);
}
