/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/verify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "uncore/pair_unit.h"

#define MAX_DIFFERENCE 1000 /* one part in so many */

/* of a counter control: all but what enables the interrupt, and the counter */
#define EVENT_BITS (~(PMON_CTL_OVERFLOW_ENABLE | AMD_CTL_ENABLE))

bool verify_differs(const struct verify_row *row)
{
	const uint64_t more = row->perf > row->raw ? row->perf : row->raw;
	const uint64_t less = row->perf > row->raw ? row->raw : row->perf;

	return row->state == VERIFY_COMPARED && more - less > 1 &&
	       more - less > more / MAX_DIFFERENCE;
}

struct verifying {
	struct session *session;
	struct machine *machine; /* of registers */
	struct verify_row *rows; /* by slot */
	uint64_t *raw;		 /* by slot: what its counter held at the beginning */
	uint64_t *perf;		 /* likewise, by the kernel */
	uint64_t *waited_ns;	 /* by unit */
};

static struct unit *find_unit(const struct machine *m, const struct unit *unit)
{
	for (size_t i = 0; i < m->discovery.unit_count; i++) {
		struct unit *found = &m->discovery.units[i];

		if (found->type == unit->type && found->id == unit->id &&
		    found->socket == unit->socket && found->die == unit->die)
			return found;
	}
	return NULL;
}

/* The counter that the kernel has chosen for the event: -ENOENT: none. */
static int find_counter(struct platform *p, const struct unit *unit, const struct event *event,
			unsigned *counter, struct error *err)
{
	for (unsigned i = 0; i < unit->counters; i++) {
		const struct reg control = unit_counter_control(unit, i);
		const uint64_t enable = unit->box ? unit->box->enable : 0;
		uint64_t value, wanted = event_control(event);
		int rc = reg_read(p, &control, &value, err);

		if (rc)
			return rc;
		if (control.bytes == 4)
			wanted = (uint32_t)wanted;
		*counter = i;
		if (!((value ^ wanted) & EVENT_BITS & ~enable))
			return 0;
	}
	return -ENOENT;
}

static int read_counter(struct platform *p, const struct unit *unit, unsigned i, uint64_t *value,
			struct error *err)
{
	const struct reg counter = unit_counter(unit, i);

	return reg_read(p, &counter, value, err);
}

static void fail_row(struct verify_row *row, enum verify_state state)
{
	if (row->state == VERIFY_COMPARED)
		row->state = state;
}

static void begin_slot(struct verifying *v, size_t s)
{
	const struct slot *slot = &v->session->plan.slots[s];
	struct platform *p = v->session->platform;
	struct verify_row *row = &v->rows[s];

	*row = (struct verify_row){.unit = v->session->plan.units[slot->unit].unit,
				   .event = slot->event};
	if (row->unit->cpmu) {
		row->state = VERIFY_CPMU;
		return;
	}
	struct unit *unit = find_unit(v->machine, row->unit);
	if (!unit) {
		row->state = VERIFY_NO_UNIT;
		return;
	}
	int rc = unit_open(p, unit, &row->why);
	if (!rc)
		rc = find_counter(p, unit, row->event, &row->counter, &row->why);
	if (!rc)
		rc = read_counter(p, unit, row->counter, &v->raw[s], &row->why);
	if (rc)
		row->state = rc == -ENOENT ? VERIFY_NOT_FOUND : VERIFY_UNREADABLE;
}

static void end_slot(struct verifying *v, size_t s)
{
	struct platform *p = v->session->platform;
	struct verify_row *row = &v->rows[s];
	uint64_t now;

	if (row->state != VERIFY_COMPARED)
		return;
	const struct unit *unit = find_unit(v->machine, row->unit);
	if (read_counter(p, unit, row->counter, &now, &row->why)) {
		row->state = VERIFY_UNREADABLE;
		return;
	}
	row->raw = (now - v->raw[s]) & unit_counter_mask(unit, row->counter);
	row->perf = v->session->perf.values[s] - v->perf[s];
}

/* The group of a unit that is compared in a round; false: it has fewer. */
static bool group_of(const struct verifying *v, size_t u, size_t round, size_t *group)
{
	const struct plan_unit *pu = &v->session->plan.units[u];

	*group = pu->first_group + round;
	return pu->unit->type != BOX_CORE && round < pu->group_count;
}

static int read_perf(struct verifying *v, size_t u, size_t g)
{
	const struct group *group = &v->session->plan.groups[g];
	uint64_t running_ns = 0, waited_ns = 0;
	int rc = perf_events_read(&v->session->perf, g, &running_ns, &waited_ns);

	v->waited_ns[u] += waited_ns;
	for (size_t s = group->first_slot; rc && s < group->first_slot + group->slot_count; s++) {
		fail_row(&v->rows[s], VERIFY_UNREADABLE);
		error_set(&v->rows[s].why, EXIT_FAILED, rc, "the kernel: %s", strerror(-rc));
	}
	return rc;
}

/* The register is read right before the kernel's count, at the end as at the beginning. */
static void begin_round(struct verifying *v, size_t round)
{
	size_t g;

	for (size_t u = 0; u < v->session->plan.unit_count; u++) {
		if (!group_of(v, u, round, &g))
			continue;
		const struct group *group = &v->session->plan.groups[g];
		const size_t end = group->first_slot + group->slot_count;

		perf_events_enable(&v->session->perf, g, true);
		for (size_t s = group->first_slot; s < end; s++)
			begin_slot(v, s);
		read_perf(v, u, g);
		v->waited_ns[u] = 0;
		memcpy(&v->perf[group->first_slot], &v->session->perf.values[group->first_slot],
		       group->slot_count * sizeof(*v->perf));
	}
}

static void end_round(struct verifying *v, size_t round)
{
	size_t g;

	for (size_t u = 0; u < v->session->plan.unit_count; u++) {
		if (!group_of(v, u, round, &g))
			continue;
		const struct group *group = &v->session->plan.groups[g];
		const size_t end = group->first_slot + group->slot_count;

		const int rc = read_perf(v, u, g);
		for (size_t s = group->first_slot; s < end; s++) {
			if (!rc)
				end_slot(v, s);
			if (v->waited_ns[u])
				fail_row(&v->rows[s], VERIFY_MULTIPLEXED);
		}
		perf_events_enable(&v->session->perf, g, false);
	}
}

static size_t rounds_of(const struct plan *plan)
{
	size_t rounds = 0;

	for (size_t u = 0; u < plan->unit_count; u++)
		if (plan->units[u].group_count > rounds)
			rounds = plan->units[u].group_count;
	return rounds;
}

static int run(struct verifying *v, uint64_t ns, const sigset_t *wake, struct error *err)
{
	struct platform *p = v->session->platform;
	const size_t rounds = rounds_of(&v->session->plan);
	int signal_number, rc = 0;

	for (size_t round = 0; !rc && round < rounds; round++) {
		begin_round(v, round);
		rc = p->ops->sleep_until(p, p->ops->now(p) + ns, wake, &signal_number);
		end_round(v, round);
	}
	return rc ? error_set(err, EXIT_FAILED, rc, "interrupted by a signal") : 0;
}

/* Leaves out what belongs to CPUs. */
static size_t keep_uncore(const struct plan *plan, struct verify_row *rows)
{
	size_t count = 0;

	for (size_t s = 0; s < plan->slot_count; s++)
		if (plan->units[plan->slots[s].unit].unit->type != BOX_CORE)
			rows[count++] = rows[s];
	return count;
}

int verify_run(struct session *session, struct machine *machine, uint64_t ns, const sigset_t *wake,
	       struct verify_row **out, size_t *count, struct error *err)
{
	const struct plan *plan = &session->plan;
	struct verifying v = {
		.session = session,
		.machine = machine,
		.rows = calloc(plan->slot_count + 1, sizeof(*v.rows)),
		.raw = calloc(plan->slot_count + 1, sizeof(*v.raw)),
		.perf = calloc(plan->slot_count + 1, sizeof(*v.perf)),
		.waited_ns = calloc(plan->unit_count + 1, sizeof(*v.waited_ns)),
	};
	int rc = v.rows && v.raw && v.perf && v.waited_ns ? run(&v, ns, wake, err)
							  : error_no_memory(err);

	free(v.raw);
	free(v.perf);
	free(v.waited_ns);
	if (rc) {
		free(v.rows);
		v.rows = NULL;
	}
	*out = v.rows;
	*count = rc ? 0 : keep_uncore(plan, v.rows);
	return rc;
}
