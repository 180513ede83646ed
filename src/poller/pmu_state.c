/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs and restores the units; shared_freeze.c does so with registers that freeze many, whose
 * state is in the same struct pmu_state.
 */
#include "poller/pmu_state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "poller/shared_freeze.h"

static int allocate(struct pmu_state *pr, struct error *err)
{
	const struct plan *plan = pr->plan;

	/* one element more, so that no array is empty */
	pr->units = calloc(plan->unit_count + 1, sizeof(*pr->units));
	pr->domains = calloc(plan->domain_count + 1, sizeof(*pr->domains));
	pr->counters = calloc(plan->counter_count + 1, sizeof(*pr->counters));
	return pr->units && pr->domains && pr->counters ? 0 : error_no_memory(err);
}

int pmu_state_init(struct pmu_state *out, const struct plan *plan, struct error *err)
{
	*out = (struct pmu_state){
		.plan = plan,
		.platform = plan->machine->platform,
		.global_freeze = plan->global_freeze,
	};
	int rc = allocate(out, err);

	if (!rc)
		rc = shared_freezes_open(out, err);
	if (rc) {
		pmu_state_free(out);
		return rc;
	}
	for (size_t u = 0; u < plan->unit_count; u++)
		out->units[u].round = plan->units[u].starting_round;
	for (size_t d = 0; d < plan->domain_count; d++)
		out->domains[d] = (struct domain_state){
			.freezes = plan->domains[d].freezes,
			.control = {.reg = plan->domains[d].freeze, .stop = UNIT_CTL_FREEZE},
		};
	for (size_t s = 0; s < plan->counter_count; s++)
		out->counters[s].reg = plan->counters[s].reg;
	return 0;
}

void pmu_state_free(struct pmu_state *pr)
{
	shared_freezes_close(pr);
	free(pr->units);
	free(pr->domains);
	free(pr->counters);
	undo_free(&pr->undo);
	*pr = (struct pmu_state){.plan = NULL};
}

/* 1: it is in use, and taken over. */
static int save_unit(struct pmu_state *pr, size_t u, struct error *err)
{
	const struct plan_unit *pu = &pr->plan->units[u];
	struct unit_state *state = &pr->units[u];

	state->first_step = pr->undo.count;
	pu->unit->claimed = plan_unit_counters(pr->plan, pu);
	int rc = unit_save(pr->platform, pu->unit, pu->unit->claimed, &pr->undo, err);
	state->step_count = pr->undo.count - state->first_step;
	for (size_t g = pu->first_round; rc >= 0 && g < pu->first_round + pu->round_count; g++) {
		const int added = unit_add_ours(pu->unit, pr->plan->rounds[g].controls, &pr->undo,
						rc ? NULL : err);
		rc = added ? added : rc;
	}
	return rc;
}

/* Reads everything that will be written, and records how to restore it. */
static int save_all(struct pmu_state *pr, struct error *err)
{
	const struct plan *plan = pr->plan;
	struct error first = {0};
	size_t in_use = 0;
	int rc = 0;

	undo_clear(&pr->undo);
	for (size_t u = 0; rc >= 0 && u < plan->unit_count; u++) {
		rc = save_unit(pr, u, err);
		if (rc > 0 && !in_use++)
			first = *err;
	}
	if (rc >= 0)
		rc = shared_freezes_save(pr, err);
	if (rc < 0)
		return rc;
	if (in_use)
		log_write(
			&pr->platform->log, LEVEL_WARNING,
			"took over %zu unit%s that %s in use (--force); restored on exit; first: %s",
			in_use, in_use == 1 ? "" : "s", in_use == 1 ? "was" : "were", first.text);
	return pr->save_journal ? pr->save_journal(pr->journal_context, &pr->undo, err) : 0;
}

/* Clears the unit's own freeze bit if its domain is frozen by another register, or not at all. */
static int program_unit(struct pmu_state *pr, size_t u, size_t round, struct error *err)
{
	const struct plan_unit *pu = &pr->plan->units[u];
	const struct domain_state *domain = &pr->domains[pu->domain];

	pr->units[u].holds = true;
	int rc = unit_program(pr->platform, pu->unit,
			      pr->plan->rounds[pu->first_round + round].controls, err);

	if (!rc && (!domain->freezes || (pr->global_freeze && unit_is_uncore(pu->unit))))
		rc = unit_unfreeze(pr->platform, pu->unit, err);
	pr->units[u].holds = rc != 0;
	return rc;
}

/* How a CPU or a CPMU is frozen depends on the counters that are used, also by others. */
static void resolve_freeze_control(struct pmu_state *pr, size_t d)
{
	const struct unit *unit = pr->plan->units[pr->plan->domains[d].first_unit].unit;

	if (!unit_is_uncore(unit) && unit_can_freeze(unit))
		pr->domains[d].control = unit_freeze_control(unit);
}

/* Leaves the domains frozen, by the socket's register or the units' own. */
int pmu_state_reprogram(struct pmu_state *pr, struct error *err)
{
	for (size_t d = 0; d < pr->plan->domain_count; d++)
		pr->domains[d].holds = pr->domains[d].freezes;
	int rc = shared_freezes_write(pr, err);

	for (size_t u = 0; !rc && u < pr->plan->unit_count; u++) {
		pr->units[u].touched = true;
		rc = program_unit(pr, u, pr->units[u].round, err);
		if (!rc)
			resolve_freeze_control(pr, pr->plan->units[u].domain);
	}
	return rc;
}

int pmu_state_rotate(struct pmu_state *pr, size_t u, size_t next, struct error *err)
{
	const struct plan_unit *pu = &pr->plan->units[u];
	const struct round *rounds = &pr->plan->rounds[pu->first_round];
	struct unit_state *state = &pr->units[u];
	const bool updates = pr->domains[pu->domain].freezes && unit_can_update(pu->unit) &&
			     !state->control_unknown;
	int rc = updates ? unit_update_controls(pr->platform, pu->unit,
						rounds[state->round].controls,
						rounds[next].controls, err)
			 : program_unit(pr, u, next, err);

	/* after an update that failed, all controls of the unit must be programmed again */
	if (updates || !rc)
		state->control_unknown = rc != 0;
	if (rc)
		return rc;
	state->round = next;
	resolve_freeze_control(pr, pu->domain);
	return updates;
}

int pmu_state_reclaim(struct pmu_state *pr, size_t u, struct error *err)
{
	return program_unit(pr, u, pr->units[u].round, err);
}

void pmu_state_stop_freezing(struct pmu_state *pr)
{
	for (size_t d = 0; d < pr->plan->domain_count; d++)
		if (!unit_is_cpu(pr->plan->units[pr->plan->domains[d].first_unit].unit))
			pr->domains[d].freezes = pr->domains[d].holds = false;
	pr->global_freeze = false;
}

int pmu_state_start(struct pmu_state *pr, struct error *err)
{
	const struct undo *others = pr->undo.others;
	int rc = pmu_state_restore(pr, err); /* what could not be restored when it was stopped */

	pr->undo.others = others;
	if (!rc)
		rc = save_all(pr, err);
	if (rc)
		return rc;
	rc = pmu_state_reprogram(pr, err);
	if (rc)
		pmu_state_restore(pr, NULL);
	else
		shared_freezes_start(pr);
	return rc;
}

static void report_left(const struct pmu_state *pr, const struct undo_left *left)
{
	char name[REG_NAME_SIZE];

	if (left->count)
		log_write(&pr->platform->log, LEVEL_WARNING,
			  "%zu control%s not restored, because another program has set %s; first: "
			  "%s, which holds 0x%" PRIx64,
			  left->count, left->count == 1 ? "" : "s",
			  left->count == 1 ? "it" : "them", reg_name(&left->first, name),
			  left->value);
}

int pmu_state_restore(struct pmu_state *pr, struct error *err)
{
	struct undo_left left = {0};
	int first = 0;

	foreign_freeze_keep(pr, &left);
	/* the list is complete, and the other runs may have ended */
	pr->undo.others = NULL;
	for (size_t u = pr->plan->unit_count; u-- > 0;) {
		struct unit_state *state = &pr->units[u];

		if (!state->touched)
			continue;
		int rc = undo_apply(pr->platform, &pr->undo, state->first_step, state->step_count,
				    &pr->plan->machine->topology, &left, first ? NULL : err);
		first = first ? first : rc;
		state->touched = state->holds = rc != 0;
	}
	const int rc = shared_freezes_restore(pr, &left, first ? NULL : err);
	report_left(pr, &left);
	return first ? first : rc;
}
