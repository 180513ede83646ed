/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the plan of a machine; rounds.c adds the rounds of each unit to it. */
#include "plan/plan.h"

#include <errno.h>
#include <stdlib.h>

static int compare_units(const void *a, const void *b)
{
	const struct plan_unit *x = a, *y = b;

	if (x->unit->socket != y->unit->socket)
		return x->unit->socket < y->unit->socket ? -1 : 1;
	/* first units of the uncore, which share a freeze register; CPUs last */
	if (unit_is_uncore(x->unit) != unit_is_uncore(y->unit))
		return unit_is_uncore(x->unit) ? -1 : 1;
	if (unit_is_cpu(x->unit) != unit_is_cpu(y->unit))
		return unit_is_cpu(x->unit) ? 1 : -1;
	return (x->unit > y->unit) - (x->unit < y->unit);
}

/* Makes staggered units begin with different rounds, so that each round is counted somewhere. */
static void set_starting_rounds(struct plan *plan)
{
	size_t neighbours = 0;

	for (size_t u = 0; u < plan->unit_count; u++) {
		struct plan_unit *pu = &plan->units[u];

		if (u && plan->units[u - 1].unit->socket != pu->unit->socket)
			neighbours = 0;
		if (pu->staggered)
			pu->starting_round = neighbours++ % pu->round_count;
		else if (pu->round_count > plan->max_rounds)
			plan->max_rounds = pu->round_count;
	}
}

static struct socket_freeze *find_socket(struct plan *plan, int socket)
{
	for (size_t i = 0; i < plan->socket_count; i++)
		if (plan->sockets[i].socket == socket)
			return &plan->sockets[i];
	return NULL;
}

static void add_socket(struct plan *plan, const struct unit *unit)
{
	if (find_socket(plan, unit->socket))
		return;
	plan->sockets[plan->socket_count++] = (struct socket_freeze){
		.socket = unit->socket,
		.reg = reg_msr(unit->cpu, plan->machine->model->global_freeze_msr),
	};
}

/*
 * Returns true if a unit is frozen. Freezing a CPU takes longer than reading its counters, so it is
 * done only on request.
 */
static bool unit_freezes(const struct unit *unit, enum freeze_policy policy)
{
	return unit_can_freeze(unit) &&
	       (policy == FREEZE_ALWAYS || (policy != FREEZE_NEVER && !unit_is_cpu(unit)));
}

/*
 * Makes the domains. Units of the uncore that one register freezes are consecutive, and form one
 * domain.
 */
static void make_domains(struct plan *plan, enum freeze_policy policy)
{
	for (size_t u = 0; u < plan->unit_count; u++) {
		struct plan_unit *pu = &plan->units[u];
		const struct unit *unit = pu->unit, *before = u ? pu[-1].unit : NULL;
		struct freeze_domain domain = {.freezes = unit_freezes(unit, policy),
					       .first_unit = u};

		/* some have none; a CPU's or CPMU's is known only once it is programmed */
		if (unit_is_uncore(unit) && unit_can_freeze(unit))
			domain.freeze = plan->global_freeze ? find_socket(plan, unit->socket)->reg
							    : unit_control(unit);
		if (!plan->global_freeze || !before || before->socket != unit->socket ||
		    !unit_is_uncore(before) || !unit_is_uncore(unit))
			plan->domains[plan->domain_count++] = domain;
		pu->domain = plan->domain_count - 1;
		plan->domains[pu->domain].unit_count++;
	}
}

/*
 * Finds the index of a unit; plan.unit_count: it has none yet. Starts at the unit of the previous
 * request, because most requests are for it or for the next, and a machine has thousands.
 */
static size_t find_unit(const struct plan *plan, const struct unit *unit, size_t before)
{
	for (size_t i = 0; i < plan->unit_count; i++) {
		const size_t u = (before + i) % plan->unit_count;

		if (plan->units[u].unit == unit)
			return u;
	}
	return plan->unit_count;
}

/* Appends a request to its unit's chain. */
static void add_request(struct plan *plan, struct plan_unit *pu, const struct request *request,
			size_t i)
{
	if (pu->request_count++) {
		plan->next_request[pu->last_request] = i;
	} else {
		pu->unit = request->unit;
		pu->first_request = i;
		plan->unit_count++;
	}
	pu->last_request = i;
}

/* One element more, so that no array is empty. */
static int allocate_plan(struct plan *plan, const struct request *requests, size_t count,
			 struct error *err)
{
	plan->units = calloc(count + 1, sizeof(*plan->units));
	plan->next_request = calloc(count + 1, sizeof(*plan->next_request));
	plan->counter_of_request = calloc(count + 1, sizeof(*plan->counter_of_request));
	if (!plan->units || !plan->next_request || !plan->counter_of_request)
		return error_no_memory(err);
	for (size_t i = 0, u = 0; i < count; i++) {
		u = find_unit(plan, requests[i].unit, u);
		add_request(plan, &plan->units[u], &requests[i], i);
	}
	qsort(plan->units, plan->unit_count, sizeof(*plan->units), compare_units);
	const size_t units = plan->unit_count + 1;
	plan->domains = calloc(units, sizeof(*plan->domains));
	plan->sockets = calloc(units, sizeof(*plan->sockets));
	return plan->domains && plan->sockets ? 0 : error_no_memory(err);
}

/*
 * Returns true if two units have the same control: MSRs of a socket are accessed through one CPU.
 */
static bool share_control(const struct unit *a, const struct unit *b)
{
	if (a->access != b->access || a->control != b->control || unit_is_cpu(a) || unit_is_cpu(b))
		return false;
	switch (a->access) {
	case ACCESS_MSR:
		return a->cpu == b->cpu && a->registers.first == b->registers.first;
	case ACCESS_PCI:
		return !pci_location_compare(&a->pci, &b->pci);
	case ACCESS_MMIO:
		return true;
	default:
		return false;
	}
}

/* Refuses units with the same control: it would count for one unit the other's event. */
static int check_controls(const struct plan *plan, struct error *err)
{
	char name[REG_NAME_SIZE], first[UNIT_NAME_SIZE], second[UNIT_NAME_SIZE];

	for (size_t u = 0; u < plan->unit_count; u++)
		for (size_t k = 0; k < u; k++) {
			const struct unit *unit = plan->units[u].unit, *other = plan->units[k].unit;

			if (!share_control(unit, other))
				continue;
			const struct reg control = unit_control(unit);
			return error_set(err, ERROR_FAILED, -ENOTUNIQ,
					 "%s and %s have the same control register (%s), which "
					 "would be programmed twice: the machine's description of "
					 "its units is wrong; please report it, with the output "
					 "of cxlmon info --json",
					 unit_name(other, first), unit_name(unit, second),
					 reg_name(&control, name));
		}
	return 0;
}

/*
 * Chooses a unit's clock in each socket that shows if the socket is frozen; if MSRs are used, the
 * freeze registers are read instead.
 */
static void choose_clocks(struct plan *plan)
{
	for (size_t u = 0; u < plan->unit_count && !plan->uses_msrs; u++) {
		const struct plan_unit *pu = &plan->units[u];
		const size_t clock =
			plan->rounds[pu->first_round + pu->starting_round].clock_counter;
		struct socket_freeze *freeze = find_socket(plan, pu->unit->socket);

		if (freeze && !freeze->clock.bytes && clock != PLAN_NO_CLOCK)
			freeze->clock = plan->counters[clock].reg;
	}
}

int plan_make(struct machine *machine, const struct request *requests, size_t count,
	      enum freeze_policy policy, struct plan *out, struct error *err)
{
	*out = (struct plan){.machine = machine, .policy = policy};
	int rc = allocate_plan(out, requests, count, err);

	if (!rc)
		rc = check_controls(out, err);
	if (rc)
		goto fail;
	for (size_t u = 0; u < out->unit_count; u++) {
		const struct unit *unit = out->units[u].unit;

		rc = plan_unit_rounds(out, &out->units[u], requests, err);
		if (rc)
			goto fail;
		if (machine->model->global_freeze_msr && unit_is_uncore(unit) &&
		    unit_can_freeze(unit))
			add_socket(out, unit);
		out->uses_msrs |= unit->access == ACCESS_MSR && !unit_is_cpu(unit);
	}
	set_starting_rounds(out);
	out->global_freeze = out->uses_msrs && out->socket_count && policy != FREEZE_NEVER &&
			     policy != FREEZE_UNITS;
	choose_clocks(out);
	make_domains(out, policy);
	return 0;
fail:
	plan_free(out);
	return rc;
}

uint32_t plan_unit_counters(const struct plan *plan, const struct plan_unit *pu)
{
	uint32_t counters = 0;

	for (size_t g = pu->first_round; g < pu->first_round + pu->round_count; g++)
		for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++)
			counters |= (uint32_t) !!plan->rounds[g].controls[i] << i;
	return counters;
}

void plan_free(struct plan *plan)
{
	free(plan->units);
	free(plan->counters);
	free(plan->rounds);
	free(plan->next_request);
	free(plan->counter_of_request);
	free(plan->domains);
	free(plan->sockets);
	*plan = (struct plan){0};
}
