/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_event_open(2) on a simulated machine: a model of the kernel that counts on the simulated
 * units and CPUs by writing their registers, as intel_uncore does. A program that writes the same
 * registers at the same time spoils its counts, as on a real machine.
 *
 * Enabled groups of events get counters in the order in which they were opened, until one does
 * not fit with the groups before it. From then on the kernel multiplexes: at each multiple of 4 ms,
 * as its timer does, the first one that has counters goes to the end, and all are placed anew.
 * Simpler than the kernel: the threads of a core don't contend for its offcore response registers.
 *
 * Source: the kernel's kernel/events/core.c, arch/x86/events/core.c (perf_assign_events) and
 * arch/x86/events/intel/uncore.c.
 */
#ifndef CXLMON_SIM_PERF_H
#define CXLMON_SIM_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/load_sample.h"
#include "platform/perf.h"
#include "platform/platform.h"
#include "sim/sim_machine.h"

/*
 * The PMUs that the kernel of a simulated machine shows: PMUs of units, each of which counts on
 * one unit of each die, or as the driver does; PMUs of CPMUs; and PMUs of the CPUs.
 *
 * Source: the kernel's uncore.c, uncore_discovery.c and uncore_snbep.c, AMD's uncore.c, and their
 * history for the features of each version.
 */

enum sim_pmu_kind { SIM_PMU_UNCORE, SIM_PMU_CXL, SIM_PMU_CORE, SIM_PMU_MSR };

struct sim_pmu {
	char name[PERF_NAME_SIZE];
	uint32_t type; /* type in struct perf_event */
	enum sim_pmu_kind kind;
	const struct sim_unit *unit; /* uncore: the first unit that it counts on */
	struct sim_cpmu *cpmu;	     /* CXL: the CPMU */
	bool known; /* uncore: the driver knows the type and the peculiarities of its units */
};

struct sim_pmus {
	struct sim_pmu *items; /* sorted by name */
	size_t count;
};

/* Lists the PMUs of the kernel version in the spec. 0 or -ENOMEM. items is freed. */
int sim_pmus_make(const struct sim *sim, struct sim_pmus *out);

/*
 * Lists PMUs as perf_ops.pmus: without those that have no CPU online, or none in a virtual
 * machine.
 */
int sim_pmus_list(const struct sim *sim, const struct sim_pmus *pmus, struct perf_pmus *out);

/* Returns the PMU of a type; NULL: there is none of that type, or it is not shown. */
const struct sim_pmu *sim_find_pmu(const struct sim *sim, const struct sim_pmus *pmus,
				   uint32_t type);

/* Returns the unit that an uncore PMU counts from this CPU; NULL: the CPU's die has none. */
struct sim_unit *sim_pmu_unit(const struct sim *sim, const struct sim_pmu *pmu, unsigned cpu);

/*
 * Returns the bits of config that are in a format; the kernel ignores the others of an uncore
 * event.
 */
uint64_t sim_pmu_config_bits(const struct sim *sim, const struct sim_pmu *pmu);

/*
 * Returns bits 63:32 of the control of an event of Vera, which follow from its filters. For the
 * fabric they are config1. For a root complex, bits 47:32 are the 256 MiB parts of its CXL region
 * whose addresses are counted, and bits 63:48 all parts of the region. Returns 0 for other units,
 * or without filters.
 */
uint64_t sim_pmu_filter(const struct sim *sim, const struct sim_unit *unit,
			const struct perf_event *attributes);

/*
 * An event that the kernel of a simulated machine counts, with the values that the kernel writes
 * to registers for it. An event counts the differences of its counter's values. On Intel a unit is
 * frozen while its controls are written, and counters are never set. On AMD, whose units cannot be
 * frozen, each event sets its counter to the value that it read last, at first 0, and leaves its
 * selection in the control.
 *
 * Source: the kernel's uncore.c, uncore_discovery.c and events/core.c, events/intel/core.c,
 * events/amd/core.c and uncore.c.
 */

/* + n: fixed counter n of a CPU; smaller numbers are general counters */
#define SIM_FIXED_COUNTER 32

struct sim_group;

struct sim_event {
	struct sim_group *group; /* the event's group; NULL: its leader was closed */
	const struct sim_pmu *pmu;
	unsigned cpu;
	struct sim_unit *unit; /* unit of an uncore PMU */
	/*
	 * The counter's control as the driver writes it, or the config that the driver takes it
	 * from.
	 */
	uint64_t control;
	uint64_t counters; /* bit i: it can be counted on counter i. 0: needs none */
	uint64_t offcore;  /* value that an offcore response register must hold; 0: none */
	int counter;	   /* the counter that counts it */
	uint64_t last;	   /* value of the counter when it was read last */
	uint64_t count;
};

/*
 * Prepares an event of this PMU on this CPU. -EINVAL: the CPU's die has no such unit, or the PMU
 * doesn't take the event.
 */
int sim_event_init(struct sim *sim, const struct sim_pmu *pmu, const struct perf_event *attributes,
		   struct sim_event *event);

/* Returns true if a group of such events is accepted although it does not fit: it never counts. */
bool sim_event_is_unchecked(const struct sim_event *event);

/* Freezes the event's PMU while its controls are written, and unfreezes it. */
void sim_event_freeze_pmu(struct sim *sim, const struct sim_event *event, bool on);

void sim_event_start(struct sim *sim, struct sim_event *event); /* counts on event->counter */
/* stops it, and updates its count */
void sim_event_stop(struct sim *sim, struct sim_event *event);
void sim_event_update(struct sim *sim, struct sim_event *event);

/* Events that count together, or not at all. */
struct sim_group {
	struct sim_event *members[PERF_GROUP_MAX]; /* members, the leader first */
	size_t size;
	struct sim_domain *domain;
	struct sim_group *next; /* next group in the domain */
	bool enabled, running;
	bool dropped;	/* its CPU went offline */
	uint64_t since; /* ns: the time up to which enabled_ns and running_ns count */
	uint64_t enabled_ns, running_ns;
};

/* A set of counters. */
struct sim_domain {
	/* the struct sim_unit, sim_cpmu or, for a CPU, sim_core that has the counters */
	const void *counters;
	struct sim_group *groups; /* groups in the order in which they get counters */
	struct sim_domain *next;
};

struct sim_perf {
	struct sim_pmus pmus;
	struct sim_domain *domains;
	struct sim_event **events; /* events by handle; NULL: free */
	size_t event_count;
	uint64_t polled; /* when all counters were read last */
};

/*
 * Sets sim->now to the present, after all actions of the kernel until then, each at its time.
 * Called before registers are accessed.
 */
void sim_perf_catch_up(struct sim *sim);

/* Begins an access to a register, which takes its time: catches up as sim_perf_catch_up(). */
struct sim *sim_begin_access(struct platform *p);

void sim_perf_free(struct sim *sim); /* called at the end */

/* Takes the group off its counters; they stay free until the next rotation. */
void sim_group_stop(struct sim *sim, struct sim_group *group);

/* Functions of struct platform_ops. */
int sim_perf_pmus(struct platform *p, struct perf_pmus *out, struct error *err);
/*
 * Lists the threads of a process: it has one, which runs all the time on its own CPU: see
 * sim_stalls.h.
 */
int sim_perf_threads(struct platform *p, unsigned pid, unsigned **out, size_t *count,
		     struct error *err);
int sim_perf_open(struct platform *p, const struct perf_event *event);
int sim_perf_enable(struct platform *p, int leader, bool on);
int sim_perf_read(struct platform *p, int leader, struct perf_reading *out);
void sim_perf_close(struct platform *p, int handle);
void sim_perf_explain(struct platform *p, int code, struct error *out);

/* A driver of the kernel for CPMUs: the PMUs that it makes, and its writes to registers. */
struct sim_cxl_driver {
	/* Adds its PMUs; there is room for one of each CPMU. */
	void (*add_pmus)(const struct sim *sim, struct sim_pmus *out);

	/* Sets the events of a PMU that the driver names. 0 or -ENOMEM. */
	int (*name_events)(const struct sim_cpmu *cpmu, struct perf_pmu *out);

	/*
	 * Returns the counters of the CPMU on which the driver lets the event count, one bit each.
	 */
	uint64_t (*counters)(const struct sim_cpmu *cpmu, uint64_t config);

	void (*start)(struct sim *sim, struct sim_cpmu *cpmu, unsigned counter, uint64_t config);
	void (*stop)(struct sim *sim, struct sim_cpmu *cpmu, unsigned counter);
};

/* Opens a sampler, as sampling_ops.open: see sim_sampler.c. */
int sim_sampler_open(struct platform *p, const struct load_sampling *sampling, struct sampler **out,
		     struct error *err);

#endif
