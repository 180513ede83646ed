/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "uncore/schedule.h"

#define FREEZE	  UINT64_C(1) /* bit 0 of a unit's control and of the socket's freeze register */
#define SETTLE_NS 1000	      /* in which any uncore clock ticks hundreds of times */
#define PATIENCE  UINT64_C(10000000) /* ns, where registers are slow to show it */

static int no_memory(struct error *err)
{
	return error_set(err, EXIT_FAILED, -ENOMEM, "out of memory");
}

static size_t find_unit(const struct plan *plan, const struct unit *unit)
{
	size_t i = 0;

	while (i < plan->unit_count && plan->units[i].unit != unit)
		i++;
	return i;
}

static int compare_units(const void *a, const void *b)
{
	const struct plan_unit *x = a, *y = b;

	if (x->unit->socket != y->unit->socket)
		return x->unit->socket < y->unit->socket ? -1 : 1;
	return (x->unit > y->unit) - (x->unit < y->unit);
}

static void collect_units(struct plan *plan, const struct request *requests, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (find_unit(plan, requests[i].unit) == plan->unit_count)
			plan->units[plan->unit_count++].unit = requests[i].unit;
	qsort(plan->units, plan->unit_count, sizeof(*plan->units), compare_units);
}

/* Gives each distinct event that is wanted of unit u a slot; counters are found later. */
static void collect_slots(struct plan *plan, size_t u, const struct request *requests, size_t count)
{
	struct plan_unit *pu = &plan->units[u];
	const unsigned width = pu->unit->width;

	pu->first_slot = plan->slot_count;
	for (size_t i = 0; i < count; i++) {
		size_t s = pu->first_slot;

		if (requests[i].unit != pu->unit)
			continue;
		while (s < plan->slot_count && plan->slots[s].event != requests[i].event)
			s++;
		if (s == plan->slot_count)
			plan->slots[plan->slot_count++] = (struct slot){
				.event = requests[i].event,
				.unit = u,
				.mask = width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1,
			};
		plan->slot_of_request[i] = s;
	}
	pu->slot_count = plan->slot_count - pu->first_slot;
}

static uint32_t counters_of(const struct unit *unit)
{
	return (UINT32_C(1) << unit->counters) - 1;
}

/* Puts the unit's events on its counters. */
static int assign_counters(struct plan *plan, struct plan_unit *pu, struct error *err)
{
	struct slot *slots = &plan->slots[pu->first_slot];
	uint32_t allowed[UNIT_MAX_COUNTERS + 1];
	unsigned counter[UNIT_MAX_COUNTERS + 1];
	char name[UNIT_NAME_SIZE];
	size_t failed = UNIT_MAX_COUNTERS;
	int rc = -ENOSPC;

	if (pu->slot_count <= UNIT_MAX_COUNTERS) {
		for (size_t i = 0; i < pu->slot_count; i++)
			allowed[i] = slots[i].event->counters & counters_of(pu->unit);
		rc = schedule_events(allowed, pu->slot_count, counter, &failed);
	}
	if (rc)
		return error_set(err, EXIT_USAGE, rc,
				 "%s: no counter is left for %s (%u counters, %zu events)",
				 unit_name(pu->unit, name), slots[failed].event->name,
				 pu->unit->counters, pu->slot_count);
	for (size_t i = 0; i < pu->slot_count; i++) {
		slots[i].counter = unit_counter(pu->unit, counter[i]);
		pu->controls[counter[i]] = event_control(slots[i].event);
	}
	return 0;
}

static struct socket_freeze *freeze_of(struct plan *plan, int socket)
{
	for (size_t i = 0; i < plan->socket_count; i++)
		if (plan->sockets[i].socket == socket)
			return &plan->sockets[i];
	return NULL;
}

static void add_socket(struct plan *plan, const struct unit *unit)
{
	if (freeze_of(plan, unit->socket))
		return;
	plan->sockets[plan->socket_count++] = (struct socket_freeze){
		.socket = unit->socket,
		.reg = {.space = REG_MSR,
			.bytes = 8,
			.cpu = unit->cpu,
			.address = plan->machine->model->global_freeze_msr},
	};
}

/* Lets a free counter of one CXLDP a socket count the uncore clock. */
static void add_clock(struct plan *plan, struct plan_unit *pu)
{
	const char *name = plan->machine->model->clock_event;
	const struct event *clock = name ? model_event(plan->machine->model, name) : NULL;
	struct socket_freeze *freeze = freeze_of(plan, pu->unit->socket);

	if (!clock || clock->box != pu->unit->type || freeze->clock.bytes)
		return;
	for (unsigned i = 0; i < pu->unit->counters; i++) {
		if (pu->controls[i] || !(clock->counters >> i & 1))
			continue;
		pu->controls[i] = event_control(clock);
		freeze->clock = unit_counter(pu->unit, i);
		return;
	}
}

static struct domain unit_domain(const struct plan *plan, size_t u, enum freeze_policy policy)
{
	return (struct domain){
		.freezes = policy != FREEZE_NEVER,
		.freeze = unit_control(plan->units[u].unit),
		.first_unit = u,
		.unit_count = 1,
	};
}

static void make_domains(struct plan *plan, enum freeze_policy policy)
{
	for (size_t u = 0; u < plan->unit_count; u++) {
		const int socket = plan->units[u].unit->socket;

		if (plan->global && u && plan->units[u - 1].unit->socket == socket)
			plan->domains[plan->domain_count - 1].unit_count++;
		else
			plan->domains[plan->domain_count++] = unit_domain(plan, u, policy);
		if (plan->global)
			plan->domains[plan->domain_count - 1].freeze = freeze_of(plan, socket)->reg;
	}
}

static int allocate(struct plan *plan, size_t requests, struct error *err)
{
	const size_t n = requests ? requests : 1;

	plan->units = calloc(n, sizeof(*plan->units));
	plan->slots = calloc(n, sizeof(*plan->slots));
	plan->slot_of_request = calloc(n, sizeof(*plan->slot_of_request));
	plan->domains = calloc(n, sizeof(*plan->domains));
	plan->sockets = calloc(n, sizeof(*plan->sockets));
	if (!plan->units || !plan->slots || !plan->slot_of_request || !plan->domains ||
	    !plan->sockets)
		return no_memory(err);
	return 0;
}

int plan_make(struct machine *machine, const struct request *requests, size_t count,
	      enum freeze_policy policy, struct plan *out, struct error *err)
{
	*out = (struct plan){.machine = machine};
	int rc = allocate(out, count, err);

	if (rc)
		goto fail;
	collect_units(out, requests, count);
	for (size_t u = 0; u < out->unit_count; u++) {
		struct plan_unit *pu = &out->units[u];

		collect_slots(out, u, requests, count);
		rc = assign_counters(out, pu, err);
		if (rc)
			goto fail;
		if (machine->model->global_freeze_msr)
			add_socket(out, pu->unit);
		out->msrs |= pu->unit->access == ACCESS_MSR;
	}
	out->global = out->msrs && out->socket_count && policy != FREEZE_NEVER;
	/* with MSRs the freeze registers themselves can be looked at */
	for (size_t u = 0; u < out->unit_count && out->socket_count && !out->msrs; u++)
		add_clock(out, &out->units[u]);
	make_domains(out, policy);
	return 0;
fail:
	plan_free(out);
	return rc;
}

void plan_free(struct plan *plan)
{
	free(plan->units);
	free(plan->slots);
	free(plan->slot_of_request);
	free(plan->domains);
	free(plan->sockets);
	*plan = (struct plan){0};
}

/* Says so where the socket was left frozen; *saved is what restoring puts back. */
static int look_at_freeze(struct plan *plan, struct socket_freeze *freeze, struct error *err)
{
	struct platform *p = plan->machine->platform;
	char name[REG_NAME_SIZE];
	int rc = reg_read(p, &freeze->reg, &freeze->saved, err);

	if (!rc && freeze->saved & FREEZE)
		log_write(&p->log, LEVEL_WARNING,
			  "socket %d: its uncore counters were left frozen (%s holds 0x%" PRIx64
			  "); they run while cxlmon does, and are frozen again at its end",
			  freeze->socket, reg_name(&freeze->reg, name), freeze->saved);
	return rc;
}

static int look_first(struct plan *plan, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && plan->msrs && i < plan->socket_count; i++)
		rc = look_at_freeze(plan, &plan->sockets[i], err);
	for (size_t u = 0; !rc && u < plan->unit_count; u++)
		rc = unit_save(plan->machine->platform, plan->units[u].unit, &plan->units[u].saved,
			       err);
	return rc;
}

/* Leaves the domains stopped: by the socket's register where there is one, else by the units'. */
static int program_units(struct plan *plan, struct error *err)
{
	struct platform *p = plan->machine->platform;
	int rc = 0;

	for (size_t i = 0; !rc && i < plan->socket_count; i++) {
		struct socket_freeze *freeze = &plan->sockets[i];

		/* stopped until the first reading; or, if it is never to be stopped, started */
		if (!plan->global && !(freeze->saved & FREEZE))
			continue;
		freeze->touched = true;
		rc = reg_write(p, &freeze->reg, plan->global ? FREEZE : freeze->saved & ~FREEZE,
			       err);
	}
	for (size_t d = 0; !rc && d < plan->domain_count; d++) {
		const struct domain *domain = &plan->domains[d];

		for (size_t i = 0; !rc && i < domain->unit_count; i++) {
			struct plan_unit *pu = &plan->units[domain->first_unit + i];

			pu->programmed = true;
			rc = unit_program(p, pu->unit, pu->controls, err);
			if (!rc && (plan->global || !domain->freezes))
				rc = unit_unfreeze(p, pu->unit, err);
		}
	}
	return rc;
}

int plan_program(struct plan *plan, struct error *err)
{
	int rc = look_first(plan, err);

	if (rc)
		return rc;
	rc = program_units(plan, err);
	if (rc)
		plan_restore(plan, NULL);
	return rc;
}

static int thaw_socket(struct plan *plan, struct socket_freeze *freeze, struct error *err)
{
	struct error why = {0};
	int rc = look_at_freeze(plan, freeze, &why);

	if (!rc && !(freeze->saved & FREEZE))
		return 0; /* the clock stands for another reason, and the register is not ours */
	if (!rc) {
		freeze->touched = true;
		rc = reg_write(plan->machine->platform, &freeze->reg, freeze->saved & ~FREEZE,
			       &why);
	}
	return rc ? error_set(
			    err, EXIT_IN_USE, rc,
			    "socket %d: its uncore counters stand still: another program has them "
			    "frozen, and they can't be started: %s",
			    freeze->socket, why.text)
		  : 0;
}

/* Whether the clock has ticked since the counters were started; waits longer each time. */
static int clock_runs(struct platform *p, const struct reg *clock, bool *runs, struct error *err)
{
	uint64_t ticks = 0;
	int signal_number, rc = reg_read(p, clock, &ticks, err);
	sigset_t none;

	sigemptyset(&none);
	for (uint64_t wait = SETTLE_NS; !rc && !ticks && wait <= PATIENCE; wait *= 10) {
		p->ops->sleep_until(p, p->ops->now(p) + wait, &none, &signal_number);
		rc = reg_read(p, clock, &ticks, err);
	}
	*runs = ticks != 0;
	return rc;
}

int plan_thaw(struct plan *plan, struct error *err)
{
	for (size_t i = 0; i < plan->socket_count; i++) {
		struct socket_freeze *freeze = &plan->sockets[i];
		bool runs;

		if (!freeze->clock.bytes)
			continue;
		int rc = clock_runs(plan->machine->platform, &freeze->clock, &runs, err);
		if (!rc && !runs)
			rc = thaw_socket(plan, freeze, err);
		if (rc)
			return rc;
	}
	return 0;
}

int plan_restore(struct plan *plan, struct error *err)
{
	struct platform *p = plan->machine->platform;
	int first = 0;

	for (size_t u = plan->unit_count; u-- > 0;) {
		struct plan_unit *pu = &plan->units[u];

		if (!pu->programmed)
			continue;
		int rc = unit_restore(p, pu->unit, &pu->saved, first ? NULL : err);
		first = first ? first : rc;
		pu->programmed = false;
	}
	for (size_t i = 0; i < plan->socket_count; i++) {
		struct socket_freeze *freeze = &plan->sockets[i];

		if (!freeze->touched)
			continue;
		int rc = reg_write(p, &freeze->reg, freeze->saved, first ? NULL : err);
		first = first ? first : rc;
		freeze->touched = false;
	}
	return first;
}
