/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which groups of events have counters, as the kernel decides it. Enabled groups get them in the
 * order in which they were opened, until one doesn't fit beside those before it. From then on the
 * kernel multiplexes: the first one that has counters goes to the end, and all are placed anew.
 * Simpler than the kernel: the threads of a core don't contend for its offcore response registers.
 *
 * Source: the kernel's kernel/events/core.c, arch/x86/events/core.c (perf_assign_events) and
 * arch/x86/events/intel/uncore.c.
 */
#ifndef CXLMON_SIM_SCHEDULE_H
#define CXLMON_SIM_SCHEDULE_H

#include "sim/sim_event.h"

struct sim_domain;

/* Events that count together, or not at all. */
struct sim_group {
	struct sim_event *members[PERF_GROUP_MAX]; /* the leader first */
	size_t size;
	struct sim_domain *domain;
	struct sim_group *next; /* in the domain */
	bool enabled, running;
	bool dropped;	/* its CPU went offline */
	uint64_t since; /* both times are those up to it, ns */
	uint64_t enabled_ns, running_ns;
};

/* A set of counters: a unit, a CPMU, or the core PMU of a CPU. */
struct sim_domain {
	struct sim_group *groups; /* in the order in which they get counters */
	bool multiplexed;	  /* some enabled group has none */
};

struct sim_schedule {
	struct sim *sim;
	struct sim_domain *domains; /* of each unit, then of each CPU, then of each CPMU */
	size_t multiplexed;	    /* how many of them are */
};

/* 0 or -ENOMEM. */
int sim_schedule_init(struct sim_schedule *schedule, struct sim *sim);
void sim_schedule_free(struct sim_schedule *schedule);

/* The domain of the event's unit or CPU. */
struct sim_domain *sim_schedule_domain(const struct sim_schedule *schedule,
				       const struct sim_event *event);

/* Whether the group's events fit on counters that no other group has. */
bool sim_group_fits(const struct sim_group *group);

/* Times and counts up to now. */
void sim_group_update(struct sim *sim, struct sim_group *group);

/* Puts a group that is not enabled behind the others, and takes it away. */
void sim_group_append(struct sim_group *group);
void sim_group_remove(struct sim_group *group);

/* Gives counters to the enabled groups of a domain. */
void sim_schedule_groups(struct sim_schedule *schedule, struct sim_domain *domain);

/* Takes the group off its counters; they stay free until the next rotation. */
void sim_schedule_stop(struct sim_schedule *schedule, struct sim_group *group);

/* Whether some enabled group of the domain has no counters. */
void sim_schedule_set_multiplexed(struct sim_schedule *schedule, struct sim_domain *domain,
				  bool multiplexed);

/* Rotates all domains that are multiplexed. */
void sim_schedule_rotate(struct sim_schedule *schedule);

#endif
