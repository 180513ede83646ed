/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs and restores the units. shared_freeze.c does the same with registers that freeze many
 * units, whose state is in the same struct pmu_state.
 */
#include "poller/pmu_state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "poller/pmu_state_private.h"

static int allocate_state(struct pmu_state *pmu, struct error *err)
{
	const struct plan *plan = pmu->plan;

	/* one element more, so that no array is empty */
	pmu->units = calloc(plan->unit_count + 1, sizeof(*pmu->units));
	pmu->domains = calloc(plan->domain_count + 1, sizeof(*pmu->domains));
	pmu->counters = calloc(plan->counter_count + 1, sizeof(*pmu->counters));
	return pmu->units && pmu->domains && pmu->counters ? 0 : error_no_memory(err);
}

int pmu_state_init(struct pmu_state *out, const struct plan *plan, struct error *err)
{
	*out = (struct pmu_state){
		.plan = plan,
		.platform = plan->machine->platform,
		.global_freeze = plan->global_freeze,
	};
	int rc = allocate_state(out, err);

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

void pmu_state_free(struct pmu_state *pmu)
{
	shared_freezes_close(pmu);
	free(pmu->units);
	free(pmu->domains);
	free(pmu->counters);
	undo_free(&pmu->undo);
	*pmu = (struct pmu_state){.plan = NULL};
}

/* Records how to restore a unit. Returns 1 if it is in use, and taken over. */
static int save_unit(struct pmu_state *pmu, size_t u, struct error *err)
{
	const struct plan_unit *pu = &pmu->plan->units[u];
	struct unit_state *state = &pmu->units[u];

	state->first_step = pmu->undo.count;
	pu->unit->claimed = plan_unit_counters(pmu->plan, pu);
	int rc = unit_save(pmu->platform, pu->unit, pu->unit->claimed, &pmu->undo, err);
	state->step_count = pmu->undo.count - state->first_step;
	for (size_t g = pu->first_round; rc >= 0 && g < pu->first_round + pu->round_count; g++) {
		const int added = unit_add_ours(pu->unit, pmu->plan->rounds[g].controls, &pmu->undo,
						rc ? NULL : err);
		rc = added ? added : rc;
	}
	return rc;
}

/* Reads every register that will be written, and records how to restore it. */
static int save_all(struct pmu_state *pmu, struct error *err)
{
	const struct plan *plan = pmu->plan;
	struct error first = {0};
	size_t in_use = 0;
	int rc = 0;

	undo_clear(&pmu->undo);
	for (size_t u = 0; rc >= 0 && u < plan->unit_count; u++) {
		rc = save_unit(pmu, u, err);
		if (rc > 0 && !in_use++)
			first = *err;
	}
	if (rc >= 0)
		rc = shared_freezes_save(pmu, err);
	if (rc < 0)
		return rc;
	if (in_use)
		log_write(
			&pmu->platform->log, LEVEL_WARNING,
			"took over %zu unit%s that %s in use (--force); restored on exit; first: %s",
			in_use, in_use == 1 ? "" : "s", in_use == 1 ? "was" : "were", first.text);
	return pmu->save_journal ? pmu->save_journal(pmu->journal_context, &pmu->undo, err) : 0;
}

/*
 * Programs a unit, and clears its own freeze bit if its domain is frozen by another register, or
 * not at all.
 */
static int program_unit(struct pmu_state *pmu, size_t u, size_t round, struct error *err)
{
	const struct plan_unit *pu = &pmu->plan->units[u];
	const struct domain_state *domain = &pmu->domains[pu->domain];

	pmu->units[u].holds = true;
	int rc = unit_program(pmu->platform, pu->unit,
			      pmu->plan->rounds[pu->first_round + round].controls, err);

	if (!rc && (!domain->freezes || (pmu->global_freeze && unit_is_uncore(pu->unit))))
		rc = unit_unfreeze(pmu->platform, pu->unit, err);
	pmu->units[u].holds = rc != 0;
	return rc;
}

/*
 * Sets the control that freezes a CPU or a CPMU, which depends on the counters in use, also by
 * others.
 */
static void resolve_freeze_control(struct pmu_state *pmu, size_t d)
{
	const struct unit *unit = pmu->plan->units[pmu->plan->domains[d].first_unit].unit;

	if (!unit_is_uncore(unit) && unit_can_freeze(unit))
		pmu->domains[d].control = unit_freeze_control(unit);
}

/* Leaves the domains frozen, by the socket's register or the units' own. */
int pmu_state_reprogram(struct pmu_state *pmu, struct error *err)
{
	for (size_t d = 0; d < pmu->plan->domain_count; d++)
		pmu->domains[d].holds = pmu->domains[d].freezes;
	int rc = shared_freezes_write(pmu, err);

	for (size_t u = 0; !rc && u < pmu->plan->unit_count; u++) {
		pmu->units[u].touched = true;
		rc = program_unit(pmu, u, pmu->units[u].round, err);
		if (!rc)
			resolve_freeze_control(pmu, pmu->plan->units[u].domain);
	}
	return rc;
}

int pmu_state_rotate(struct pmu_state *pmu, size_t u, size_t next, struct error *err)
{
	const struct plan_unit *pu = &pmu->plan->units[u];
	const struct round *rounds = &pmu->plan->rounds[pu->first_round];
	struct unit_state *state = &pmu->units[u];
	const bool updates = pmu->domains[pu->domain].freezes && unit_can_update(pu->unit) &&
			     !state->control_unknown;
	int rc = updates ? unit_update_controls(pmu->platform, pu->unit,
						rounds[state->round].controls,
						rounds[next].controls, err)
			 : program_unit(pmu, u, next, err);

	/* after an update that failed, all controls of the unit must be programmed again */
	if (updates || !rc)
		state->control_unknown = rc != 0;
	if (rc)
		return rc;
	state->round = next;
	resolve_freeze_control(pmu, pu->domain);
	return updates;
}

int pmu_state_reclaim(struct pmu_state *pmu, size_t u, struct error *err)
{
	return program_unit(pmu, u, pmu->units[u].round, err);
}

void pmu_state_stop_freezing(struct pmu_state *pmu)
{
	for (size_t d = 0; d < pmu->plan->domain_count; d++)
		if (!unit_is_cpu(pmu->plan->units[pmu->plan->domains[d].first_unit].unit))
			pmu->domains[d].freezes = pmu->domains[d].holds = false;
	pmu->global_freeze = false;
}

int pmu_state_start(struct pmu_state *pmu, struct error *err)
{
	const struct undo *others = pmu->undo.others;
	/* retries the registers that could not be restored when it was stopped */
	int rc = pmu_state_restore(pmu, err);

	pmu->undo.others = others;
	if (!rc)
		rc = save_all(pmu, err);
	if (rc)
		return rc;
	rc = pmu_state_reprogram(pmu, err);
	if (rc)
		pmu_state_restore(pmu, NULL);
	else
		shared_freezes_start(pmu);
	return rc;
}

static void report_left(const struct pmu_state *pmu, const struct undo_left *left)
{
	char name[REG_NAME_SIZE];

	if (left->count)
		log_write(&pmu->platform->log, LEVEL_WARNING,
			  "%zu control register%s not restored, because another program has set "
			  "%s; first: %s, which holds 0x%" PRIx64,
			  left->count, left->count == 1 ? "" : "s",
			  left->count == 1 ? "it" : "them", reg_name(&left->first, name),
			  left->value);
}

int pmu_state_restore(struct pmu_state *pmu, struct error *err)
{
	struct undo_left left = {0};
	int first = 0;

	foreign_freeze_keep(pmu, &left);
	/* the list is complete, and the other runs may have ended */
	pmu->undo.others = NULL;
	for (size_t u = pmu->plan->unit_count; u-- > 0;) {
		struct unit_state *state = &pmu->units[u];

		if (!state->touched)
			continue;
		int rc = undo_apply(pmu->platform, &pmu->undo, state->first_step, state->step_count,
				    &pmu->plan->machine->topology, &left, first ? NULL : err);
		first = first ? first : rc;
		state->touched = state->holds = rc != 0;
	}
	const int rc = shared_freezes_restore(pmu, &left, first ? NULL : err);
	report_left(pmu, &left);
	return first ? first : rc;
}
