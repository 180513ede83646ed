/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "uncore/schedule.h"

#define FREEZE UINT64_C(1) /* bit 0 of a unit's control and of the socket's freeze register */
/*
 * An uncore runs at 0.8 GHz or more (its lowest ratio), so its clock ticks hundreds of times in a
 * microsecond. A machine made of files copies its registers every 0.2 ms.
 */
#define SETTLE_NS 1000
#define PATIENCE  UINT64_C(10000000)

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

/*
 * Events that stand together: a set that was asked for, or one event by itself. They are put into
 * groups whole.
 */
struct block {
	unsigned set;
	size_t count;
	const struct event *events[UNIT_MAX_COUNTERS];
};

struct blocks {
	struct block *items;
	size_t count;
	struct block always; /* what every group counts besides */
};

/* A group while it is put together: its events, and a counter for each. */
struct draft {
	size_t count;
	const struct event *events[UNIT_MAX_COUNTERS];
	unsigned counters[UNIT_MAX_COUNTERS];
};

static bool block_has(const struct block *block, const struct event *event)
{
	for (size_t i = 0; i < block->count; i++)
		if (block->events[i] == event)
			return true;
	return false;
}

/* The block for a request: its set's, or, by itself, any that has the event, or a new one. */
static struct block *block_for(struct blocks *blocks, const struct request *request)
{
	for (size_t i = 0; i < blocks->count; i++) {
		struct block *block = &blocks->items[i];

		if (request->set ? block->set == request->set : block_has(block, request->event))
			return block;
	}
	blocks->items[blocks->count] = (struct block){.set = request->set};
	return &blocks->items[blocks->count++];
}

static int too_many(const struct unit *unit, const struct event *event, size_t count,
		    struct error *err)
{
	char name[UNIT_NAME_SIZE];

	return error_set(err, EXIT_USAGE, -ENOSPC, "%s: no counter is left for %s (%zu event%s)",
			 unit_name(unit, name), event->name, count, count == 1 ? "" : "s");
}

/* Sets first, so that a single event finds its place in one of them. */
static int collect_blocks(const struct unit *unit, const struct request *requests, size_t count,
			  struct blocks *blocks, struct error *err)
{
	for (unsigned pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < count; i++) {
			const struct request *request = &requests[i];

			if (request->unit != unit || !request->set != (pass == 1))
				continue;
			struct block *block = block_for(blocks, request);
			if (block_has(block, request->event))
				continue;
			if (block->count == UNIT_MAX_COUNTERS)
				return too_many(unit, request->event, block->count + 1, err);
			block->events[block->count++] = request->event;
			if (request->always && blocks->always.count < UNIT_MAX_COUNTERS)
				blocks->always.events[blocks->always.count++] = request->event;
		}
	}
	return 0;
}

static int place_events(const struct unit *unit, const struct event *const *events, size_t count,
			unsigned counters[UNIT_MAX_COUNTERS], size_t *unplaced)
{
	uint32_t allowed[UNIT_MAX_COUNTERS] = {0};

	for (size_t i = 0; i < count; i++)
		allowed[i] = events[i]->counters & unit->usable;
	return schedule_events(allowed, count, counters, unplaced);
}

/* Adds a block to a group where all its events still fit. */
static bool join(const struct unit *unit, struct draft *draft, const struct block *block)
{
	struct draft joined = *draft;
	size_t unplaced;

	for (size_t i = 0; i < block->count; i++) {
		bool there = false;

		for (size_t k = 0; k < draft->count; k++)
			there |= draft->events[k] == block->events[i];
		if (there)
			continue;
		if (joined.count == UNIT_MAX_COUNTERS)
			return false;
		joined.events[joined.count++] = block->events[i];
	}
	if (place_events(unit, joined.events, joined.count, joined.counters, &unplaced))
		return false;
	*draft = joined;
	return true;
}

static void swap_blocks(struct block *a, struct block *b)
{
	const struct block c = *a;

	*a = *b;
	*b = c;
}

/* Starts a group with the first block that has none, and lets join whatever of the others fits. */
static int draft_group(const struct unit *unit, struct draft *draft, struct blocks *blocks,
		       size_t *next, struct error *err)
{
	const struct block *first = &blocks->items[*next];

	*draft = (struct draft){0};
	join(unit, draft, &blocks->always);
	if (!join(unit, draft, first)) {
		*draft = (struct draft){0}; /* without the others, then */
		if (!join(unit, draft, first)) {
			unsigned counters[UNIT_MAX_COUNTERS];
			size_t unplaced = 0;

			place_events(unit, first->events, first->count, counters, &unplaced);
			return too_many(unit, first->events[unplaced], first->count, err);
		}
	}
	++*next;
	for (size_t i = *next; i < blocks->count; i++)
		if (join(unit, draft, &blocks->items[i]))
			swap_blocks(&blocks->items[i], &blocks->items[(*next)++]);
	return 0;
}

static bool is_single(const struct blocks *blocks, const struct event *event)
{
	for (size_t i = 0; i < blocks->count; i++)
		if (blocks->items[i].set && block_has(&blocks->items[i], event))
			return false;
	return true;
}

/* The slot that adds up what an event counts in several groups; its own where it is in a set. */
static size_t adds_to(const struct plan *plan, const struct plan_unit *pu,
		      const struct blocks *blocks, const struct event *event, size_t own)
{
	if (is_single(blocks, event))
		for (size_t s = pu->first_slot; s < own; s++)
			if (plan->slots[s].event == event)
				return s;
	return own;
}

static int add_group(struct plan *plan, struct plan_unit *pu, const struct draft *draft,
		     const struct blocks *blocks)
{
	struct slot *slots =
		reallocarray(plan->slots, plan->slot_count + draft->count, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	plan->slots = slots;
	struct group *groups = reallocarray(plan->groups, plan->group_count + 1, sizeof(*groups));
	if (!groups)
		return -ENOMEM;
	plan->groups = groups;

	struct group *group = &plan->groups[plan->group_count++];
	*group = (struct group){.first_slot = plan->slot_count, .slot_count = draft->count};
	for (size_t i = 0; i < draft->count; i++) {
		const unsigned c = draft->counters[i];
		const size_t own = plan->slot_count;

		plan->slots[own] = (struct slot){
			.counter = unit_counter(pu->unit, c),
			.mask = unit_counter_mask(pu->unit, c),
			.runs_free = pu->unit->runs_free >> c & 1,
			.event = draft->events[i],
			.unit = (size_t)(pu - plan->units),
			.counts_as = adds_to(plan, pu, blocks, draft->events[i], own),
		};
		plan->slot_count++;
		group->controls[c] = event_control(draft->events[i]);
	}
	pu->group_count++;
	return 0;
}

/* The largest first: small ones find room beside them. */
static int compare_blocks(const void *a, const void *b)
{
	const struct block *x = a, *y = b;

	return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
				    : (x->set > y->set) - (x->set < y->set);
}

/* Where a request is counted: in the group that has the whole of its set. */
static size_t find_slot(const struct plan *plan, const struct plan_unit *pu,
			const struct blocks *blocks, const struct request *request)
{
	const struct block *block = block_for((struct blocks *)blocks, request);

	for (size_t g = pu->first_group; g < pu->first_group + pu->group_count; g++) {
		const struct group *group = &plan->groups[g];
		size_t found = 0, slot = 0;

		for (size_t s = group->first_slot; s < group->first_slot + group->slot_count; s++) {
			found += block_has(block, plan->slots[s].event);
			if (plan->slots[s].event == request->event)
				slot = s;
		}
		if (found == block->count)
			return plan->slots[slot].counts_as;
	}
	return 0;
}

static int make_groups(struct plan *plan, struct plan_unit *pu, struct blocks *blocks,
		       struct error *err)
{
	struct draft *drafts = calloc(blocks->count + 1, sizeof(*drafts));
	size_t next = 0, count = 0;
	int rc = drafts ? 0 : no_memory(err);

	while (!rc && next < blocks->count)
		rc = draft_group(pu->unit, &drafts[count++], blocks, &next, err);
	for (size_t g = 0; !rc && g < count; g++)
		if (add_group(plan, pu, &drafts[g], blocks))
			rc = no_memory(err);
	free(drafts);
	return rc;
}

/* Puts everything that is wanted of a unit on its counters, in as few groups as it takes. */
static int plan_one_unit(struct plan *plan, struct plan_unit *pu, const struct request *requests,
			 size_t count, struct error *err)
{
	struct blocks blocks = {.items = calloc(count, sizeof(*blocks.items))};

	if (!blocks.items)
		return no_memory(err);
	pu->first_slot = plan->slot_count;
	pu->first_group = plan->group_count;
	int rc = collect_blocks(pu->unit, requests, count, &blocks, err);
	qsort(blocks.items, blocks.count, sizeof(*blocks.items), compare_blocks);
	if (!rc)
		rc = make_groups(plan, pu, &blocks, err);
	pu->slot_count = plan->slot_count - pu->first_slot;
	for (size_t i = 0; !rc && i < count; i++) {
		if (requests[i].unit != pu->unit)
			continue;
		plan->slot_of_request[i] = find_slot(plan, pu, &blocks, &requests[i]);
		pu->spread |= requests[i].spread;
	}
	free(blocks.items);
	return rc;
}

/* Units that turn at each sample start out of step, so that all groups are counted somewhere. */
static void set_turns(struct plan *plan)
{
	size_t neighbours = 0;

	for (size_t u = 0; u < plan->unit_count; u++) {
		struct plan_unit *pu = &plan->units[u];

		if (u && plan->units[u - 1].unit->socket != pu->unit->socket)
			neighbours = 0;
		if (pu->spread)
			pu->active = neighbours++ % pu->group_count;
		else if (pu->group_count > plan->most_groups)
			plan->most_groups = pu->group_count;
	}
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

	if (!clock || !freeze || clock->box != pu->unit->type || freeze->clock.bytes)
		return;

	uint64_t *controls = plan->groups[pu->first_group + pu->active].controls;
	for (unsigned i = 0; i < pu->unit->counters; i++) {
		if (controls[i] || !(clock->counters >> i & 1))
			continue;
		controls[i] = event_control(clock);
		freeze->clock = unit_counter(pu->unit, i);
		return;
	}
}

/* The counters of a CPU skew by less than what stopping them costs. */
static bool freezes(const struct unit *unit, enum freeze_policy policy)
{
	return policy == FREEZE_ALWAYS || (policy == FREEZE_AUTO && !unit->core);
}

static void make_domains(struct plan *plan, enum freeze_policy policy)
{
	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct unit *unit = plan->units[u].unit;
		const bool whole = plan->global && !unit->core;
		struct domain *domain = &plan->domains[plan->domain_count];

		if (whole && u && plan->units[u - 1].unit->socket == unit->socket &&
		    !plan->units[u - 1].unit->core) {
			domain[-1].unit_count++;
			continue;
		}
		plan->domain_count++;
		*domain = (struct domain){
			.freezes = freezes(unit, policy),
			.first_unit = u,
			.unit_count = 1,
			.freeze = whole	       ? freeze_of(plan, unit->socket)->reg
				  : unit->core ? (struct reg){0}
					       : unit_control(unit),
			.stop = FREEZE,
		};
	}
}

static int allocate(struct plan *plan, size_t requests, struct error *err)
{
	const size_t n = requests ? requests : 1;

	plan->units = calloc(n, sizeof(*plan->units));
	plan->slot_of_request = calloc(n, sizeof(*plan->slot_of_request));
	plan->domains = calloc(n, sizeof(*plan->domains));
	plan->sockets = calloc(n, sizeof(*plan->sockets));
	if (!plan->units || !plan->slot_of_request || !plan->domains || !plan->sockets)
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
		const struct unit *unit = out->units[u].unit;

		rc = plan_one_unit(out, &out->units[u], requests, count, err);
		if (rc)
			goto fail;
		if (machine->model->global_freeze_msr && !unit->core)
			add_socket(out, unit);
		out->msrs |= unit->access == ACCESS_MSR && !unit->core;
	}
	set_turns(out);
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
	free(plan->groups);
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

static const uint64_t *active_controls(const struct plan *plan, const struct plan_unit *pu)
{
	return plan->groups[pu->first_group + pu->active].controls;
}

/* Programs the active group. The unit's own gate is opened where another holds it, or none. */
static int program_unit(struct plan *plan, struct plan_unit *pu, const struct domain *domain,
			struct error *err)
{
	struct platform *p = plan->machine->platform;
	int rc = unit_program(p, pu->unit, active_controls(plan, pu), err);

	if (!rc && (!domain->freezes || (plan->global && !pu->unit->core)))
		rc = unit_unfreeze(p, pu->unit, err);
	return rc;
}

/* The gate of a CPU is known once what it held has been looked at. */
static void know_gate(const struct plan *plan, struct domain *domain)
{
	const struct unit *unit = plan->units[domain->first_unit].unit;

	if (!unit->core)
		return;
	const struct gate gate = unit_gate(unit);
	domain->freeze = gate.reg;
	domain->stop = gate.stop;
	domain->start = gate.start;
}

static int program_sockets(struct plan *plan, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < plan->socket_count; i++) {
		struct socket_freeze *freeze = &plan->sockets[i];

		/* stopped until the first reading; or, if it is never to be stopped, started */
		if (!plan->global && !(freeze->saved & FREEZE))
			continue;
		freeze->touched = true;
		rc = reg_write(plan->machine->platform, &freeze->reg,
			       plan->global ? FREEZE : freeze->saved & ~FREEZE, err);
	}
	return rc;
}

/* Leaves the domains stopped: by the socket's register where there is one, else by the units'. */
static int program_units(struct plan *plan, struct error *err)
{
	int rc = program_sockets(plan, err);

	for (size_t d = 0; !rc && d < plan->domain_count; d++) {
		struct domain *domain = &plan->domains[d];

		for (size_t i = 0; !rc && i < domain->unit_count; i++) {
			struct plan_unit *pu = &plan->units[domain->first_unit + i];

			pu->programmed = true;
			rc = program_unit(plan, pu, domain, err);
		}
		if (!rc)
			know_gate(plan, domain);
	}
	return rc;
}

int plan_turn(struct plan *plan, struct plan_unit *pu, struct domain *domain, struct error *err)
{
	pu->active = (pu->active + 1) % pu->group_count;
	int rc = program_unit(plan, pu, domain, err);

	if (!rc)
		know_gate(plan, domain);
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

/* The clock of a socket stands still: because it is frozen, or for a reason that nobody documents.
 */
static int thaw_socket(struct plan *plan, struct socket_freeze *freeze, struct error *err)
{
	const struct log *log = &plan->machine->platform->log;
	struct error why = {0};
	int rc = look_at_freeze(plan, freeze, &why);

	if (rc || !(freeze->saved & FREEZE)) {
		log_write(log, LEVEL_WARNING,
			  "socket %d: its uncore clock stands still, so its counters may, too%s%s",
			  freeze->socket, rc ? "; whether it was left frozen can't be seen: " : "",
			  why.text);
		return 0;
	}
	freeze->touched = true;
	rc = reg_write(plan->machine->platform, &freeze->reg, freeze->saved & ~FREEZE, &why);
	return rc ? error_set(
			    err, EXIT_IN_USE, rc,
			    "socket %d: its uncore counters were left frozen by another program, and "
			    "can't be started: %s",
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
