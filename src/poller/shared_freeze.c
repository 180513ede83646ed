/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/pmu_state_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "platform/clock.h"
#include "platform/reg.h"
#include "uncore/discovery/discovery.h"
#include "uncore/global_control.h"

#define READING_NS UINT64_C(1000000) /* the time in which a reading of another program ends */
/* a limit for platforms whose clock does not advance meanwhile */
#define ATTEMPTS 4000

/*
 * An uncore runs at 0.8 GHz or more (its lowest ratio), so its clock ticks hundreds of times in a
 * microsecond. cxlmon-platform copies its registers to files every 0.2 ms.
 */
#define CLOCK_WAIT_NS	  1000
#define CLOCK_WAIT_MAX_NS UINT64_C(10000000)

bool foreign_freeze_stays(struct platform *p, const struct freeze_control *control, uint64_t *value)
{
	const uint64_t begin = p->ops->clock->now(p);

	for (unsigned i = 0; i < ATTEMPTS; i++) {
		if (reg_read(p, &control->reg, value, NULL) ||
		    !freeze_control_stops(control, *value))
			return false;
		if (p->ops->clock->now(p) - begin > READING_NS)
			break;
	}
	return true;
}

static struct freeze_control control_of(const struct shared_freeze *freeze)
{
	return (struct freeze_control){.reg = freeze->reg, .stop = UNIT_CTL_FREEZE, .start = 0};
}

bool shared_freeze_covers(const struct shared_freeze *freeze, const struct unit *unit)
{
	return unit_is_uncore(unit) && unit_can_freeze(unit) && unit->socket == freeze->socket &&
	       (freeze->die < 0 || (int)unit->die == freeze->die);
}

static bool covers_any(const struct shared_freeze *freeze, const struct plan *plan)
{
	for (size_t u = 0; u < plan->unit_count; u++)
		if (shared_freeze_covers(freeze, plan->units[u].unit))
			return true;
	return false;
}

/*
 * Returns true if a unit's clock shows if the socket is frozen; reading its control would open a
 * device for nothing.
 */
static bool has_clock(const struct plan *plan, int socket)
{
	for (size_t i = 0; i < plan->socket_count; i++)
		if (plan->sockets[i].socket == socket && plan->sockets[i].clock.bytes)
			return true;
	return false;
}

/*
 * Adds the global control that table t names. One that is in plan.sockets is only marked as
 * watched.
 */
static void add_global(struct pmu_state *pmu, size_t t)
{
	struct machine *machine = pmu->plan->machine;
	struct platform *p = pmu->platform;
	struct shared_freeze *added = &pmu->freezes[pmu->freeze_count];
	struct error why;

	*added = (struct shared_freeze){.socket = machine->discovery.tables[t].socket, .die = -1};
	if (!global_control_of(machine, t, &added->reg) || has_clock(pmu->plan, added->socket))
		return;
	if (added->reg.space == REG_MSR &&
	    added->reg.address == machine->model->global_freeze_msr) {
		for (size_t i = 0; i < pmu->plan->socket_count; i++)
			pmu->freezes[i].watched |= pmu->freezes[i].socket == added->socket;
		return;
	}
	if (!covers_any(added, pmu->plan))
		return;
	added->watched = true;
	added->reg.window = &added->window;
	if (added->reg.space == REG_MMIO &&
	    p->ops->registers->mmio_map(p, added->reg.address, added->reg.bytes, false,
					&added->window, &why))
		log_write(&p->log, LEVEL_DETAIL, "%s", why.text);
	else
		pmu->freeze_count++;
}

int shared_freezes_open(struct pmu_state *pmu, struct error *err)
{
	const struct plan *plan = pmu->plan;
	const struct discovery *discovery = &plan->machine->discovery;
	int rc = 0;

	pmu->freezes =
		calloc(plan->socket_count + 2 * discovery->table_count + 1, sizeof(*pmu->freezes));
	if (!pmu->freezes)
		return error_no_memory(err);
	for (size_t i = 0; i < plan->socket_count; i++)
		pmu->freezes[pmu->freeze_count++] = (struct shared_freeze){
			.reg = plan->sockets[i].reg, .socket = plan->sockets[i].socket, .die = -1};
	for (size_t t = 0; t < discovery->table_count; t++)
		add_global(pmu, t);
	for (size_t t = 0; !rc && t < discovery->table_count; t++) {
		struct discovery_table *table = &discovery->tables[t];
		struct shared_freeze *added = &pmu->freezes[pmu->freeze_count];

		*added = (struct shared_freeze){.reg = table_control(table),
						.socket = table->socket,
						.die = (int)table->die,
						.table = table,
						.watched = true};
		if (!table_has_control(table) || !covers_any(added, plan))
			continue;
		pmu->freeze_count++;
		rc = table_control_open(pmu->platform, table, err);
	}
	return rc;
}

void shared_freezes_close(struct pmu_state *pmu)
{
	for (size_t i = 0; i < pmu->freeze_count; i++)
		if (pmu->freezes[i].window.length)
			pmu->platform->ops->registers->mmio_unmap(pmu->platform,
								  &pmu->freezes[i].window);
	free(pmu->freezes);
}

/*
 * Returns true if this run freezes by the register: any other program that freezes and reads then
 * checks it.
 */
static bool is_ours(const struct pmu_state *pmu, size_t i)
{
	return pmu->global_freeze && i < pmu->plan->socket_count;
}

static void report_frozen(const struct pmu_state *pmu, const struct shared_freeze *freeze,
			  uint64_t value)
{
	const struct frozen_control frozen = {
		.socket = freeze->socket, .reg = freeze->reg, .value = value};
	char name[REG_NAME_SIZE], command[ERROR_COMMAND_SIZE];

	log_write(&pmu->platform->log, LEVEL_WARNING,
		  "socket %d: another program has left the uncore frozen (%s is 0x%" PRIx64
		  "), so that its counters stand still, and have no values; to let them run: %s",
		  freeze->socket, reg_name(&freeze->reg, name), value,
		  global_control_unfreeze_command(&frozen, command));
}

void shared_freezes_start(struct pmu_state *pmu)
{
	for (size_t i = 0; i < pmu->freeze_count; i++) {
		struct shared_freeze *freeze = &pmu->freezes[i];
		const struct freeze_control control = control_of(freeze);
		struct error why;
		uint64_t value;

		freeze->readable =
			freeze->watched &&
			(is_ours(pmu, i) || !reg_read(pmu->platform, &freeze->reg, &value, &why));
		if (freeze->watched && !freeze->readable)
			log_write(&pmu->platform->log, LEVEL_DETAIL,
				  "cannot check whether the uncore was left frozen: %s", why.text);
		freeze->frozen = freeze->readable && !is_ours(pmu, i) &&
				 foreign_freeze_stays(pmu->platform, &control, &value);
		if (freeze->frozen)
			report_frozen(pmu, freeze, value);
	}
}

bool shared_freezes_read(struct pmu_state *pmu)
{
	bool any = false;

	for (size_t i = 0; i < pmu->freeze_count; i++) {
		struct shared_freeze *freeze = &pmu->freezes[i];
		const struct freeze_control control = control_of(freeze);
		const bool was_frozen = freeze->frozen;
		uint64_t value;

		freeze->frozen =
			freeze->readable && !is_ours(pmu, i) &&
			!reg_read(pmu->platform, &freeze->reg, &value, NULL) &&
			freeze_control_stops(&control, value) &&
			(was_frozen || foreign_freeze_stays(pmu->platform, &control, &value));
		any |= freeze->frozen;
	}
	return any;
}

/*
 * Makes an undo step keep a foreign freeze: the bits that stop counters are set to their current
 * value. Does nothing if another run had the register: if that run was killed in a reading, it
 * left the freeze.
 */
static void keep_step(struct pmu_state *pmu, const struct freeze_control *control,
		      struct undo_step *step, struct undo_left *left)
{
	const uint64_t bits = control->stop ^ control->start;
	uint64_t value;

	if (step->reg.space != control->reg.space || step->reg.address != control->reg.address ||
	    step->action || undo_others_have(&pmu->undo, step) ||
	    freeze_control_stops(control, step->value) ||
	    !foreign_freeze_stays(pmu->platform, control, &value))
		return;
	step->value = (step->value & ~bits) | (value & bits);
	if (!left->count++) {
		left->first = control->reg;
		left->value = value;
	}
}

/* Returns true between the freeze of a reading and its end, when the bits set may be this run's. */
static bool holds_socket(const struct pmu_state *pmu, int socket)
{
	const struct plan *plan = pmu->plan;

	for (size_t d = 0; pmu->global_freeze && d < plan->domain_count; d++) {
		const struct unit *unit = plan->units[plan->domains[d].first_unit].unit;

		if (unit->socket == socket && unit_is_uncore(unit) && pmu->domains[d].holds)
			return true;
	}
	return false;
}

void foreign_freeze_keep(struct pmu_state *pmu, struct undo_left *left)
{
	const struct plan *plan = pmu->plan;

	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct plan_unit *pu = &plan->units[u];
		const struct unit_state *state = &pmu->units[u];
		const bool alone = !(pmu->global_freeze && unit_is_uncore(pu->unit));

		if (!state->touched || unit_is_cpu(pu->unit) || !unit_can_freeze(pu->unit) ||
		    state->holds || (alone && pmu->domains[pu->domain].holds))
			continue;
		const struct freeze_control control = unit_freeze_control(pu->unit);
		for (size_t i = 0; i < state->step_count; i++)
			keep_step(pmu, &control, &pmu->undo.steps[state->first_step + i], left);
	}
	for (size_t i = 0; i < plan->socket_count; i++) {
		const struct shared_freeze *freeze = &pmu->freezes[i];
		const struct freeze_control control = control_of(freeze);

		if (freeze->touched && !holds_socket(pmu, freeze->socket))
			keep_step(pmu, &control, &pmu->undo.steps[freeze->step], left);
	}
}

static int read_table(struct pmu_state *pmu, const struct shared_freeze *freeze, uint64_t *value,
		      struct error *err)
{
	char name[REG_NAME_SIZE];
	int rc = reg_read(pmu->platform, &freeze->reg, value, err);

	if (rc || !unit_value_no_response(*value))
		return rc;
	return error_set(err, ERROR_FAILED, -ENXIO,
			 "%s: no response (reads as all ones), so it is unknown if the units of "
			 "socket %d die %d are frozen",
			 reg_name(&freeze->reg, name), freeze->socket, freeze->die);
}

/* Records how to restore a register to value, in its freeze bit. Returns 0 or an error. */
static int save_step(struct pmu_state *pmu, struct shared_freeze *freeze, int socket,
		     uint64_t value, struct error *err)
{
	const struct undo_step step = {
		.reg = freeze->reg, .value = value, .socket = socket, .mask = UNIT_CTL_FREEZE};

	freeze->step = pmu->undo.count;
	undo_begin_unit(&pmu->undo);
	const int rc = undo_add(&pmu->undo, &step, err);
	/* another run may have frozen it just now, or have unfrozen it until it ends */
	freeze->saved = rc ? 0 : pmu->undo.steps[freeze->step].value;
	return rc;
}

static int save_table(struct pmu_state *pmu, struct shared_freeze *freeze, struct error *err)
{
	char name[REG_NAME_SIZE];
	uint64_t value;
	int rc = read_table(pmu, freeze, &value, err);

	if (!rc)
		rc = save_step(pmu, freeze, UNDO_THIS_CPU, value, err);
	if (rc)
		return rc;
	/* this run would count nothing after the end of that run */
	if (freeze->saved & ~value & UNIT_CTL_FREEZE)
		return error_set(err, ERROR_IN_USE, -EBUSY,
				 "socket %d die %d: another cxlmon has unfrozen its units, and "
				 "freezes them when it ends: wait until then",
				 freeze->socket, freeze->die);
	if (value & UNIT_CTL_FREEZE)
		log_write(&pmu->platform->log, LEVEL_DETAIL,
			  "socket %d die %d: its units are frozen, as from power-on (%s); they run "
			  "until cxlmon exits",
			  freeze->socket, freeze->die, reg_name(&freeze->reg, name));
	return 0;
}

/* Records how to restore a socket's register; warns if the socket was left frozen. */
static int save_socket(struct pmu_state *pmu, struct shared_freeze *freeze, struct error *err)
{
	char name[REG_NAME_SIZE];
	uint64_t value;
	int rc = reg_read(pmu->platform, &freeze->reg, &value, err);

	if (!rc)
		rc = machine_allow_freeze(pmu->plan->machine, err);
	if (!rc)
		rc = save_step(pmu, freeze, freeze->socket, value, err);
	if (!rc && freeze->saved & UNIT_CTL_FREEZE)
		log_write(&pmu->platform->log, LEVEL_WARNING,
			  "socket %d: uncore counters were left frozen by another program (%s is "
			  "0x%" PRIx64 "); they run until cxlmon exits, which freezes them again",
			  freeze->socket, reg_name(&freeze->reg, name), freeze->saved);
	return rc;
}

/*
 * Records the freeze register of a socket without MSR units, which is written only if the socket
 * was left frozen.
 */
static int save_frozen_socket(struct pmu_state *pmu, struct shared_freeze *freeze,
			      struct error *err)
{
	struct error why;
	uint64_t value;

	if (reg_read(pmu->platform, &freeze->reg, &value, &why)) {
		log_write(&pmu->platform->log, LEVEL_DETAIL,
			  "cannot check whether socket %d was left frozen: %s", freeze->socket,
			  why.text);
		return 0;
	}
	if (!(value & UNIT_CTL_FREEZE))
		return 0;
	reroute_open_cpus(pmu->plan,
			  &(struct unit){.socket = freeze->socket, .cpu = freeze->reg.cpu});
	return save_socket(pmu, freeze, err);
}

/*
 * Skips a socket with a clock: it is checked only if that does not run, in
 * pmu_state_unfreeze_sockets().
 */
int shared_freezes_save(struct pmu_state *pmu, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < pmu->freeze_count; i++) {
		struct shared_freeze *freeze = &pmu->freezes[i];

		freeze->saved = 0; /* forgets the value of a previous run */
		if (freeze->table)
			rc = save_table(pmu, freeze, err);
		else if (i < pmu->plan->socket_count && pmu->plan->uses_msrs)
			rc = save_socket(pmu, freeze, err);
		else if (i < pmu->plan->socket_count && !pmu->plan->sockets[i].clock.bytes)
			rc = save_frozen_socket(pmu, freeze, err);
	}
	return rc;
}

int shared_freezes_write(struct pmu_state *pmu, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < pmu->freeze_count; i++) {
		struct shared_freeze *freeze = &pmu->freezes[i];
		uint64_t value = freeze->saved;

		/* power-on freezes a table again */
		if (freeze->table)
			rc = read_table(pmu, freeze, &value, err);
		if (rc || (!is_ours(pmu, i) && !(value & UNIT_CTL_FREEZE)))
			continue;
		freeze->touched = true;
		/* frozen until the first reading; unfrozen if this run never freezes it */
		value = freeze->table ? 0 : value & ~UNIT_CTL_FREEZE;
		rc = reg_write(pmu->platform, &freeze->reg,
			       is_ours(pmu, i) ? UNIT_CTL_FREEZE : value, err);
	}
	return rc;
}

int shared_freezes_restore(struct pmu_state *pmu, struct undo_left *left, struct error *err)
{
	int first = 0;

	for (size_t i = 0; i < pmu->freeze_count; i++) {
		struct shared_freeze *freeze = &pmu->freezes[i];

		if (!freeze->touched)
			continue;
		const int rc = undo_apply(pmu->platform, &pmu->undo, freeze->step, 1,
					  &pmu->plan->machine->topology, left, first ? NULL : err);
		first = first ? first : rc;
		freeze->touched = rc != 0;
	}
	return first;
}

/* Unfreezes a socket whose uncore clock does not run. Warns if the register is not the reason. */
static int unfreeze_socket(struct pmu_state *pmu, struct shared_freeze *freeze, struct error *err)
{
	struct error why = {0};

	reroute_open_cpus(pmu->plan,
			  &(struct unit){.socket = freeze->socket, .cpu = freeze->reg.cpu});
	int rc = save_socket(pmu, freeze, &why);

	if (rc || !(freeze->saved & UNIT_CTL_FREEZE)) {
		log_write(&pmu->platform->log, LEVEL_WARNING,
			  "socket %d: the uncore clock does not run, so other counters may not "
			  "either%s%s",
			  freeze->socket, rc ? "; cannot check whether it was left frozen: " : "",
			  why.text);
		return 0;
	}
	rc = pmu->save_journal ? pmu->save_journal(pmu->journal_context, &pmu->undo, err) : 0;
	if (rc)
		return rc;
	freeze->touched = true;
	rc = reg_write(pmu->platform, &freeze->reg, freeze->saved & ~UNIT_CTL_FREEZE, &why);
	return rc ? error_set(err, ERROR_IN_USE, rc,
			      "socket %d: uncore counters were left frozen by another program, and "
			      "cannot be unfrozen: %s",
			      freeze->socket, why.text)
		  : 0;
}

/* Sets *runs if the clock has ticked since the counters were started; waits longer each time. */
static int clock_runs(struct platform *p, const struct reg *clock, bool *runs, struct error *err)
{
	uint64_t ticks = 0;
	int signal_number, rc = reg_read(p, clock, &ticks, err);
	sigset_t none;

	sigemptyset(&none);
	for (uint64_t wait = CLOCK_WAIT_NS; !rc && !ticks && wait <= CLOCK_WAIT_MAX_NS;
	     wait *= 10) {
		p->ops->clock->sleep_until(p, p->ops->clock->now(p) + wait, &none, &signal_number);
		rc = reg_read(p, clock, &ticks, err);
	}
	*runs = ticks != 0;
	return rc;
}

int pmu_state_unfreeze_sockets(struct pmu_state *pmu, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < pmu->plan->socket_count; i++) {
		const struct reg *clock = &pmu->plan->sockets[i].clock;
		bool runs = true;

		if (clock->bytes)
			rc = clock_runs(pmu->platform, clock, &runs, err);
		if (!rc && !runs)
			rc = unfreeze_socket(pmu, &pmu->freezes[i], err);
	}
	return rc;
}
