/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pmu_state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "plan/foreign_freeze.h"

/*
 * An uncore runs at 0.8 GHz or more (its lowest ratio), so its clock ticks hundreds of times in a
 * microsecond. cxlmon-platform copies its registers to files every 0.2 ms.
 */
#define CLOCK_WAIT_NS	  1000
#define CLOCK_WAIT_MAX_NS UINT64_C(10000000)

static int allocate(struct pmu_state *pr, struct error *err)
{
	const struct plan *plan = pr->plan;

	/* one element more, so that no array is empty */
	pr->units = calloc(plan->unit_count + 1, sizeof(*pr->units));
	pr->domains = calloc(plan->domain_count + 1, sizeof(*pr->domains));
	pr->sockets = calloc(plan->socket_count + 1, sizeof(*pr->sockets));
	pr->counters = calloc(plan->counter_count + 1, sizeof(*pr->counters));
	return pr->units && pr->domains && pr->sockets && pr->counters ? 0 : error_no_memory(err);
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
		rc = table_freeze_open(out, err);
	if (!rc)
		rc = freeze_watches_open(out, err);
	if (rc) {
		pmu_state_free(out);
		return rc;
	}
	for (size_t u = 0; u < plan->unit_count; u++)
		out->units[u].round = plan->units[u].starting_round;
	for (size_t d = 0; d < plan->domain_count; d++)
		out->domains[d] = (struct domain_state){
			.freezes = plan->domains[d].freezes,
			.control = {.reg = plan->domains[d].freeze, .stop = PLAN_FREEZE},
		};
	for (size_t i = 0; i < plan->socket_count; i++)
		out->sockets[i].reg = plan->sockets[i].reg;
	for (size_t s = 0; s < plan->counter_count; s++)
		out->counters[s].reg = plan->counters[s].reg;
	return 0;
}

void pmu_state_free(struct pmu_state *pr)
{
	freeze_watches_close(pr);
	free(pr->units);
	free(pr->domains);
	free(pr->sockets);
	free(pr->tables);
	free(pr->counters);
	undo_free(&pr->undo);
	*pr = (struct pmu_state){.plan = NULL};
}

/* Warns where the socket was left frozen. */
static int save_socket(struct pmu_state *pr, size_t i, struct error *err)
{
	struct socket_program *state = &pr->sockets[i];
	const int socket = pr->plan->sockets[i].socket;
	char name[REG_NAME_SIZE];
	struct undo_step step = {.reg = state->reg, .socket = socket, .mask = PLAN_FREEZE};
	int rc = reg_read(pr->platform, &state->reg, &step.value, err);

	if (!rc)
		rc = machine_allow_freeze(pr->plan->machine, err);
	state->step = pr->undo.count;
	undo_begin_unit(&pr->undo);
	if (!rc)
		rc = undo_add(&pr->undo, &step, err);
	if (rc)
		return rc;
	/* another run may be frozen just now */
	state->saved = pr->undo.steps[state->step].value;
	if (state->saved & PLAN_FREEZE)
		log_write(&pr->platform->log, LEVEL_WARNING,
			  "socket %d: uncore counters were left frozen by another program (%s is "
			  "0x%" PRIx64 "); they run until cxlmon exits, which freezes them again",
			  socket, reg_name(&state->reg, name), state->saved);
	return 0;
}

/* MSRs of a unit are accessed through its CPU, or through another if that goes offline. */
static void open_cpus(const struct plan *plan, const struct unit *unit)
{
	const struct topology *topology = &plan->machine->topology;
	struct platform *p = plan->machine->platform;
	size_t i = 0;

	if (!p->ops->msr_open)
		return;
	while (i < topology->count &&
	       (!unit_reached_by(unit, &topology->cpus[i]) || topology->cpus[i].cpu == unit->cpu))
		i++;
	p->ops->msr_open(p, unit->cpu);
	if (i < topology->count)
		p->ops->msr_open(p, topology->cpus[i].cpu);
}

static void open_freeze_cpus(const struct plan *plan, size_t i)
{
	const struct socket_freeze *freeze = &plan->sockets[i];

	open_cpus(plan, &(struct unit){.socket = freeze->socket, .cpu = freeze->reg.cpu});
}

/* Without MSR units, the freeze register is written only if the socket was left frozen. */
static int save_frozen_socket(struct pmu_state *pr, size_t i, struct error *err)
{
	const struct reg *reg = &pr->sockets[i].reg;
	struct error why;
	uint64_t value;

	if (reg_read(pr->platform, reg, &value, &why)) {
		log_write(&pr->platform->log, LEVEL_DETAIL,
			  "cannot check whether socket %d was left frozen: %s",
			  pr->plan->sockets[i].socket, why.text);
		return 0;
	}
	if (!(value & PLAN_FREEZE))
		return 0;
	open_freeze_cpus(pr->plan, i);
	return save_socket(pr, i, err);
}

/* A socket with a clock is looked at if that doesn't run: see pmu_state_unfreeze_sockets(). */
static int save_sockets(struct pmu_state *pr, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < pr->plan->socket_count; i++) {
		if (pr->plan->uses_msrs)
			rc = save_socket(pr, i, err);
		else if (!pr->plan->sockets[i].clock.bytes)
			rc = save_frozen_socket(pr, i, err);
	}
	return rc;
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

static void report_takeover(const struct pmu_state *pr, size_t in_use, const struct error *first)
{
	if (in_use)
		log_write(
			&pr->platform->log, LEVEL_WARNING,
			"took over %zu unit%s that %s in use (--force); restored on exit; first: %s",
			in_use, in_use == 1 ? "" : "s", in_use == 1 ? "was" : "were", first->text);
}

bool pmu_state_open_devices(const struct plan *plan)
{
	bool msrs = false;

	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct unit *unit = plan->units[u].unit;

		msrs |= unit->access == ACCESS_MSR;
		/* the PMU of a CPU is not accessible through another */
		if (unit->access == ACCESS_MSR && !unit_is_cpu(unit))
			open_cpus(plan, unit);
	}
	return msrs;
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
		rc = save_sockets(pr, err);
	if (rc >= 0)
		rc = table_freeze_save(pr, err);
	if (rc < 0)
		return rc;
	report_takeover(pr, in_use, &first);
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

static int program_sockets(struct pmu_state *pr, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < pr->plan->socket_count; i++) {
		struct socket_program *state = &pr->sockets[i];

		/* frozen until the first reading; unfrozen if this run never freezes it */
		if (!pr->global_freeze && !(state->saved & PLAN_FREEZE))
			continue;
		state->touched = true;
		rc = reg_write(pr->platform, &state->reg,
			       pr->global_freeze ? PLAN_FREEZE : state->saved & ~PLAN_FREEZE, err);
	}
	return rc;
}

/* Leaves the domains frozen, by the socket's register or the units' own. */
int pmu_state_reprogram(struct pmu_state *pr, struct error *err)
{
	for (size_t d = 0; d < pr->plan->domain_count; d++)
		pr->domains[d].holds = pr->domains[d].freezes;
	int rc = program_sockets(pr, err);

	if (!rc)
		rc = table_freeze_lift(pr, err);
	for (size_t u = 0; !rc && u < pr->plan->unit_count; u++) {
		pr->units[u].touched = true;
		rc = program_unit(pr, u, pr->units[u].round, err);
		if (!rc)
			resolve_freeze_control(pr, pr->plan->units[u].domain);
	}
	return rc;
}

/* 1, or an error: then all controls of the unit must be programmed again. */
static int update_controls(struct pmu_state *pr, size_t u, size_t next, struct error *err)
{
	const struct plan_unit *pu = &pr->plan->units[u];
	const struct round *rounds = &pr->plan->rounds[pu->first_round];
	int rc = unit_update_controls(pr->platform, pu->unit, rounds[pr->units[u].round].controls,
				      rounds[next].controls, err);

	pr->units[u].control_unknown = rc;
	return rc ? rc : 1;
}

int pmu_state_rotate(struct pmu_state *pr, size_t u, size_t next, struct error *err)
{
	const struct plan_unit *pu = &pr->plan->units[u];
	struct unit_state *state = &pr->units[u];
	const bool updates = pr->domains[pu->domain].freezes && unit_can_update(pu->unit) &&
			     !state->control_unknown;
	int rc = updates ? update_controls(pr, u, next, err) : program_unit(pr, u, next, err);

	if (rc < 0)
		return rc;
	state->control_unknown = false;
	state->round = next;
	resolve_freeze_control(pr, pu->domain);
	return rc;
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
		freeze_watches_start(pr);
	return rc;
}

/* The uncore clock of a socket does not run: it is frozen, or there is an unknown reason. */
static int unfreeze_socket(struct pmu_state *pr, size_t i, struct error *err)
{
	struct socket_program *state = &pr->sockets[i];
	const int socket = pr->plan->sockets[i].socket;
	struct error why = {0};

	open_freeze_cpus(pr->plan, i);
	int rc = save_socket(pr, i, &why);

	if (rc || !(state->saved & PLAN_FREEZE)) {
		log_write(&pr->platform->log, LEVEL_WARNING,
			  "socket %d: the uncore clock does not run, so other counters may not "
			  "either%s%s",
			  socket, rc ? "; cannot check whether it was left frozen: " : "",
			  why.text);
		return 0;
	}
	rc = pr->save_journal ? pr->save_journal(pr->journal_context, &pr->undo, err) : 0;
	if (rc)
		return rc;
	state->touched = true;
	rc = reg_write(pr->platform, &state->reg, state->saved & ~PLAN_FREEZE, &why);
	return rc ? error_set(
			    err, EXIT_IN_USE, rc,
			    "socket %d: uncore counters were left frozen by another program, and cannot "
			    "be unfrozen: %s",
			    socket, why.text)
		  : 0;
}

/* Whether the clock has ticked since the counters were started; waits longer each time. */
static int clock_runs(struct platform *p, const struct reg *clock, bool *runs, struct error *err)
{
	uint64_t ticks = 0;
	int signal_number, rc = reg_read(p, clock, &ticks, err);
	sigset_t none;

	sigemptyset(&none);
	for (uint64_t wait = CLOCK_WAIT_NS; !rc && !ticks && wait <= CLOCK_WAIT_MAX_NS;
	     wait *= 10) {
		p->ops->sleep_until(p, p->ops->now(p) + wait, &none, &signal_number);
		rc = reg_read(p, clock, &ticks, err);
	}
	*runs = ticks != 0;
	return rc;
}

int pmu_state_unfreeze_sockets(struct pmu_state *pr, struct error *err)
{
	for (size_t i = 0; i < pr->plan->socket_count; i++) {
		const struct reg *clock = &pr->plan->sockets[i].clock;
		bool runs;

		if (!clock->bytes)
			continue;
		int rc = clock_runs(pr->platform, clock, &runs, err);
		if (!rc && !runs)
			rc = unfreeze_socket(pr, i, err);
		if (rc)
			return rc;
	}
	return 0;
}

static int replay(struct pmu_state *pr, size_t first, size_t count, struct undo_left *left,
		  struct error *err)
{
	return undo_apply(pr->platform, &pr->undo, first, count, &pr->plan->machine->topology, left,
			  err);
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
		int rc =
			replay(pr, state->first_step, state->step_count, &left, first ? NULL : err);
		first = first ? first : rc;
		state->touched = state->holds = rc != 0;
	}
	for (size_t i = 0; i < pr->plan->socket_count; i++) {
		struct socket_program *state = &pr->sockets[i];

		if (!state->touched)
			continue;
		int rc = replay(pr, state->step, 1, &left, first ? NULL : err);
		first = first ? first : rc;
		state->touched = rc != 0;
	}
	int rc = table_freeze_restore(pr, &left, first ? NULL : err);
	report_left(pr, &left);
	return first ? first : rc;
}
