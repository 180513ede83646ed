/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stops, reads and starts units, and lets groups take turns. How each register is reached was
 * decided before: between a stop and a start there are the reads and nothing else.
 */
#include <errno.h>
#include <string.h>

#include "poller/poller_parts.h"

/* What a unit holds after a turn that failed is not what it has counted. */
static void fail_unit(struct poller *poller, size_t u, int code)
{
	const struct span span = poller->spans[u];

	for (size_t s = span.first; s < span.end; s++)
		poller->failures[s] = code;
	poller->failed[u] = true;
}

static void forget_failures(struct poller *poller, const struct domain *domain)
{
	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		if (poller->failed[u])
			fail_unit(poller, u, 0);
		poller->failed[u] = false;
	}
}

static bool find_failures(struct poller *poller, const struct domain *domain)
{
	bool any = false;

	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		const struct span span = poller->spans[u];

		for (size_t s = span.first; s < span.end; s++)
			poller->failed[u] |= poller->failures[s] != 0;
		if (poller->unturned[u])
			fail_unit(poller, u, poller->unturned[u]);
		any |= poller->failed[u];
	}
	return any;
}

/* Counters that run while they are read have each a time of their own. */
static size_t read_running(struct poller *poller, struct span span, uint64_t since)
{
	struct platform *p = poller->platform;
	size_t failed = 0;

	for (size_t s = span.first; s < span.end; s++) {
		failed += reg_read_all(p, &poller->reads[s], 1, &poller->raw[s],
				       &poller->failures[s]);
		poller->later[s] = p->ops->now(p) - since;
	}
	return failed;
}

/* A counter that can't be read doesn't end the walk. */
static void read_units(struct poller *poller, size_t d)
{
	const struct domain *domain = &poller->plan->domains[d];
	struct walk *walk = &poller->walks[d];
	size_t failed = walk->failed;

	if (failed)
		forget_failures(poller, domain);
	for (size_t i = walk->first; i < walk->first + walk->count; i++) {
		const struct span span = poller->stretches[i];

		failed += domain->freezes
				  ? reg_read_all(poller->platform, &poller->reads[span.first],
						 span.end - span.first, &poller->raw[span.first],
						 &poller->failures[span.first])
				  : read_running(poller, span, poller->stops[d].stopped);
	}
	walk->failed = failed && find_failures(poller, domain);
}

/* Spread units turn with samples, others within; what has one group never does. */
static bool may_turn(const struct poller *poller, size_t u, enum occasion occasion)
{
	const struct plan_unit *pu = &poller->plan->units[u];

	return occasion != AT_START && pu->group_count > 1 &&
	       (!pu->spread || (occasion == AT_SAMPLE && poller->look_due));
}

/* A turn would write over what another program has put there, and hide that it did. */
static void look_before(struct poller *poller, const struct domain *domain, enum occasion occasion)
{
	const struct plan *plan = poller->plan;

	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		const struct plan_unit *pu = &plan->units[u];
		const struct group *group = &plan->groups[pu->first_group + pu->active];

		poller->taken[u] =
			!poller->unturned[u] && may_turn(poller, u, occasion) &&
			!unit_controls_intact(poller->platform, pu->unit, group->controls);
	}
}

/* Nor does a unit turn that doesn't answer, as it would not hear of it. */
static bool turns(const struct poller *poller, size_t u, enum occasion occasion)
{
	return may_turn(poller, u, occasion) && !poller->taken[u] &&
	       (poller->unturned[u] || poller_read_whole(poller, u));
}

/* Lets the next groups count. */
static int turn_units(struct poller *poller, size_t d, enum occasion occasion, struct error *err)
{
	struct platform *p = poller->platform;
	struct domain *domain = &poller->plan->domains[d];
	int rc = 0;

	for (size_t u = domain->first_unit; rc >= 0 && u < domain->first_unit + domain->unit_count;
	     u++) {
		if (!turns(poller, u, occasion))
			continue;
		rc = plan_turn(poller->plan, &poller->plan->units[u], domain, err);
		poller->unturned[u] = rc < 0 ? rc : 0;
		poller->walks[d].failed |= rc < 0;
		if (rc >= 0)
			poller->turned[u] = rc ? TURNED_AS_IS : TURNED_TO_ZERO;
		poller->stops[d].resumed = p->ops->now(p);
	}
	return rc < 0 ? rc : 0;
}

/* Stops a domain, reads its units, starts it. */
static int walk_domain(struct poller *poller, size_t d, enum occasion occasion, struct error *err)
{
	struct platform *p = poller->platform;
	const struct domain *domain = &poller->plan->domains[d];
	const struct walk *walk = &poller->walks[d];
	struct stops *stops = &poller->stops[d];
	const bool turning = (walk->within && occasion != AT_START) ||
			     (walk->between && occasion == AT_SAMPLE && poller->look_due);
	int rc = 0;

	if (turning)
		look_before(poller, domain, occasion);
	if (domain->freezes)
		rc = reg_write_prepared(p, &walk->gate, domain->stop, err);
	stops->stopped = p->ops->now(p);
	stops->resumed = stops->stopped;
	if (rc)
		return rc;
	read_units(poller, d);
	if (turning)
		rc = turn_units(poller, d, occasion, err);
	if (domain->freezes && !rc) {
		rc = reg_write_prepared(p, &walk->gate, domain->start, err);
		stops->resumed = p->ops->now(p);
	}
	return rc;
}

static bool is_offline(int rc)
{
	return rc == -ENXIO || rc == -ENOENT;
}

/* Whether the CPU through which the domain's MSRs are reached has gone. */
static bool lost_its_cpu(const struct poller *poller, const struct domain *domain, int rc)
{
	if (rc)
		return domain->freeze.space == REG_MSR && is_offline(rc);
	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		const size_t first = poller->spans[u].first;

		if (poller->failed[u] && poller->reads[first].reg->space == REG_MSR &&
		    is_offline(poller->failures[first]))
			return true;
	}
	return false;
}

/*
 * A CPU that goes offline takes its own counters along, and nobody else's: those of its socket can
 * be read through another.
 */
static int judge_failure(struct poller *poller, struct share *share, size_t d, int rc)
{
	const struct domain *domain = &poller->plan->domains[d];

	if (!poller->plan->units[domain->first_unit].unit->core) {
		share->lost = !share->rerouted && lost_its_cpu(poller, domain, rc);
		share->rc = rc;
		return rc;
	}
	if (rc)
		fail_unit(poller, domain->first_unit, rc);
	poller->walks[d].failed = true;
	return 0;
}

/* The same as walk_domain() for most domains at most times, where there is nothing to decide. */
static int walk_simply(struct poller *poller, size_t d, struct error *err)
{
	struct platform *p = poller->platform;
	const struct domain *domain = &poller->plan->domains[d];
	struct walk *walk = &poller->walks[d];
	const struct span span = poller->stretches[walk->first];
	struct stops *stops = &poller->stops[d];
	int rc = reg_write_prepared(p, &walk->gate, domain->stop, err);

	stops->stopped = stops->resumed = p->ops->now(p);
	if (rc)
		return rc;
	if (reg_read_all(p, &poller->reads[span.first], span.end - span.first,
			 &poller->raw[span.first], &poller->failures[span.first]))
		walk->failed = find_failures(poller, domain);
	rc = reg_write_prepared(p, &walk->gate, domain->start, err);
	stops->resumed = p->ops->now(p);
	return rc;
}

static bool is_simple(const struct share *share, const struct walk *walk)
{
	return walk->simple && !walk->failed && (!walk->between || !share->turns);
}

/* Reads a domain. False where that is not the end of it. */
static bool read_domain(struct poller *poller, struct share *share, size_t d)
{
	const struct walk *walk = &poller->walks[d];
	struct stops *stops = &poller->stops[d];
	const uint64_t since = stops->resumed;
	int rc = is_simple(share, walk) ? walk_simply(poller, d, &share->err)
					: walk_domain(poller, d, share->occasion, &share->err);

	if (rc || walk->failed) {
		rc = judge_failure(poller, share, d, rc);
		if (share->lost)
			stops->resumed = since; /* that reading was none */
		if (share->lost || rc)
			return false;
		share->failed = true;
	}
	if (stops->resumed - stops->stopped > share->longest)
		share->longest = stops->resumed - stops->stopped;
	poller->ns[d] = stops->stopped - since;
	return true;
}

void poller_walk_share(struct poller *poller, struct share *share)
{
	while (share->walked < share->end && read_domain(poller, share, share->walked))
		share->walked++;
}

static void begin_share(struct share *share, enum occasion occasion, bool turns)
{
	share->occasion = occasion;
	share->turns = turns;
	share->walked = share->first;
	share->longest = 0;
	share->failed = false;
	share->lost = false;
	share->rerouted = false;
	share->rc = 0;
}

/* Goes on where a CPU was lost. How its socket is reached changes for all, and so only here. */
static void finish_share(struct poller *poller, struct share *share)
{
	const struct domain *domain = &poller->plan->domains[share->walked];

	if (!share->lost)
		return;
	share->lost = false;
	share->rerouted = true;
	share->rc = 0;
	if (!plan_reroute(poller->plan, poller->plan->units[domain->first_unit].unit->socket, NULL))
		poller_prepare(poller);
	poller_walk_share(poller, share);
}

int poller_walk(struct poller *poller, enum occasion occasion, struct sample *out,
		struct error *err)
{
	const size_t shares = poller->share_count;
	uint64_t longest = 0;

	for (size_t i = 0; i < shares; i++)
		begin_share(&poller->shares[i], occasion,
			    occasion == AT_SAMPLE && poller->look_due);
	const size_t own = readers_go(poller->readers, shares);
	for (size_t i = 0; i < own; i++)
		poller_walk_share(poller, &poller->shares[i]);
	readers_wait(poller->readers);
	poller->any_failed = false;
	for (size_t i = 0; i < shares; i++) {
		struct share *share = &poller->shares[i];

		finish_share(poller, share);
		if (share->rc) {
			*err = share->err;
			return share->rc;
		}
		longest = share->longest > longest ? share->longest : longest;
		poller->any_failed |= share->failed;
	}
	out->frozen_ns += longest;
	return 0;
}
