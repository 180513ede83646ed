/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_event_open(2) on a simulated machine: a model of the kernel that counts on the simulated
 * units and CPUs by writing their registers, as intel_uncore does. A program that writes the same
 * registers at the same time spoils its counts, as on a real machine.
 *
 * Enabled groups of events get counters in the order in which they were opened, until a group does
 * not fit with the groups before it. Then the kernel multiplexes: at each multiple of 4 ms, as with
 * the kernel's timer, the first group that has counters goes to the end, and all groups get
 * counters anew. Unlike in the kernel, the threads of a core do not contend for its offcore
 * response registers.
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
 * The PMUs that the kernel of a simulated machine shows:
 *
 * - Intel's PMUs of the uncore: each counts on the units with one type and id, one in each die
 * - AMD's PMUs of the uncore: one for all L3 caches, one for all data fabrics, and one for each
 *   memory controller
 * - Arm's PMUs of the uncore: one for each unit
 * - PMUs of CPMUs, and PMUs of the CPUs
 *
 * Source: the kernel's uncore.c, uncore_discovery.c and uncore_snbep.c, AMD's uncore.c, and their
 * history for the features of each version.
 */

enum sim_pmu_kind { SIM_PMU_UNCORE, SIM_PMU_CXL, SIM_PMU_CORE, SIM_PMU_MSR };

struct sim_pmu {
	char name[PERF_NAME_SIZE];
	uint32_t type; /* type in struct perf_event */
	enum sim_pmu_kind kind;
	const struct sim_unit *unit; /* SIM_PMU_UNCORE: the first unit that it counts on */
	struct sim_cpmu *cpmu;	     /* SIM_PMU_CXL: the CPMU; otherwise NULL */
	bool known; /* SIM_PMU_UNCORE: the driver knows the type and its peculiarities */
};

struct sim_pmus {
	struct sim_pmu *items; /* sorted by name */
	size_t count;
};

/* Lists the PMUs of the spec's kernel. Returns 0 or -ENOMEM. The caller frees out->items. */
int sim_pmus_make(const struct sim *sim, struct sim_pmus *out);

/*
 * Implements perf_ops.pmus. Leaves out PMUs without an online CPU, and PMUs that a virtual machine
 * does not have. Returns 0 or -ENOMEM.
 */
int sim_pmus_list(const struct sim *sim, const struct sim_pmus *pmus, struct perf_pmus *out);

/* Returns the PMU with a .type; NULL: there is none, or sim_pmus_list() leaves it out. */
const struct sim_pmu *sim_find_pmu(const struct sim *sim, const struct sim_pmus *pmus,
				   uint32_t type);

/* Returns the unit that an uncore PMU counts through this CPU; NULL: the CPU's die has none. */
struct sim_unit *sim_pmu_unit(const struct sim *sim, const struct sim_pmu *pmu, unsigned cpu);

/*
 * Returns the bits of an uncore event's config that belong to a field of the PMU; the kernel
 * ignores the others.
 */
uint64_t sim_pmu_config_bits(const struct sim *sim, const struct sim_pmu *pmu);

/*
 * Returns bits 63:32 of an event's control, with bits 31:0 clear. The event's filters determine
 * them:
 *
 * - Vera's fabric: bits 63:32 are config1
 * - Vera's root complex: bits 63:48 are the number of parts (256 MiB) of its CXL region, bits 47:32
 *   the number of parts that are counted; without a filter, all are
 * - other units: 0
 */
uint64_t sim_pmu_filter(const struct sim *sim, const struct sim_unit *unit,
			const struct perf_event *attributes);

/*
 * An event that the kernel of a simulated machine counts, and the values that the kernel writes to
 * registers for it. Its count is the sum of differences of its counter's values. On Intel a unit is
 * frozen while its controls are written, and its counters are never written. AMD's units cannot be
 * frozen: an event that starts writes its last value, at first 0, to the counter; when it stops,
 * its selection stays in the control.
 *
 * Source: the kernel's uncore.c, uncore_discovery.c and events/core.c, events/intel/core.c,
 * events/amd/core.c and uncore.c.
 */

/* The number of fixed counter 0 of a CPU. General-purpose counters have lower numbers. */
#define SIM_FIXED_COUNTER 32

struct sim_group;

struct sim_event {
	struct sim_group *group; /* the event's group; NULL: its leader was closed */
	const struct sim_pmu *pmu;
	unsigned cpu;
	struct sim_unit *unit; /* the unit that counts it; NULL: not an uncore PMU's */
	uint64_t control;      /* control that the driver writes; for a CPMU, the event's config */
	uint64_t counters;     /* bit i: it can be counted on counter i; 0: needs none */
	uint64_t offcore;      /* value that an offcore response register must hold; 0: none */
	int counter;	       /* the counter that counts it, while its group is running */
	uint64_t last;	       /* value of the counter when it was read last */
	uint64_t count;	       /* events counted so far */
};

/*
 * Initializes an event of this PMU on attributes->cpu. Returns 0, or -EINVAL: the CPU's die has no
 * such unit, or the PMU does not accept the event.
 */
int sim_event_init(struct sim *sim, const struct sim_pmu *pmu, const struct perf_event *attributes,
		   struct sim_event *event);

/*
 * Returns true if the driver of the event's PMU accepts groups that do not fit on the PMU's
 * counters. Such groups never count.
 */
bool sim_event_is_unchecked(const struct sim_event *event);

/* Freezes (on) or unfreezes the event's PMU, around writes of its controls. */
void sim_event_freeze_pmu(struct sim *sim, const struct sim_event *event, bool on);

/* Starts an event on event->counter. */
void sim_event_start(struct sim *sim, struct sim_event *event);
/* Stops an event, and updates its count. */
void sim_event_stop(struct sim *sim, struct sim_event *event);
/* Adds to .count the events since the counter was read last. */
void sim_event_update(struct sim *sim, struct sim_event *event);

/* A group of events that count at the same time, or not at all. */
struct sim_group {
	struct sim_event *members[PERF_GROUP_MAX]; /* members, the leader first */
	size_t size;
	struct sim_domain *domain;
	struct sim_group *next; /* next group in the domain */
	bool enabled, running;	/* running: it has counters */
	bool dropped;		/* its CPU went offline */
	uint64_t since; /* ns: the time up to which .enabled_ns and .running_ns are updated */
	uint64_t enabled_ns, running_ns;
};

/* A set of counters, and the groups that use them. */
struct sim_domain {
	/* the struct sim_unit, sim_cpmu or, for a CPU, sim_core that has the counters */
	const void *counters;
	struct sim_group *groups; /* groups in the order in which they get counters */
	struct sim_domain *next;
};

/* The state of the model of the kernel. */
struct sim_perf {
	struct sim_pmus pmus;
	struct sim_domain *domains;
	struct sim_event **events; /* events by handle; NULL: the handle is free */
	size_t event_count;	   /* size of .events */
	uint64_t polled;	   /* ns: the time when all counters were read last */
};

/*
 * Does all that the kernel does until the present, each action at its time, and sets sim->now to
 * the present. To be called before registers are accessed.
 */
void sim_perf_catch_up(struct sim *sim);

/*
 * Begins an access to a register: advances the virtual clock by sim->access_time, and calls
 * sim_perf_catch_up(). Returns the machine.
 */
struct sim *sim_begin_access(struct platform *p);

void sim_perf_free(struct sim *sim); /* frees sim->perf; it may be NULL */

/* Stops a group; its counters stay free until the next rotation. */
void sim_group_stop(struct sim *sim, struct sim_group *group);

/* Functions of struct perf_ops. */
int sim_perf_pmus(struct platform *p, struct perf_pmus *out, struct error *err);
/*
 * Lists the threads of a process. Each process has one, which runs all the time on its own CPU: see
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
	/* Adds a PMU for each CPMU that the driver takes; there is room for all CPMUs. */
	void (*add_pmus)(const struct sim *sim, struct sim_pmus *out);

	/* Sets the events that a PMU names. Returns 0 or -ENOMEM. */
	int (*name_events)(const struct sim_cpmu *cpmu, struct perf_pmu *out);

	/*
	 * Returns the counters on which the driver counts an event, given by its config; bit i:
	 * counter i. 0: it refuses the event.
	 */
	uint64_t (*counters)(const struct sim_cpmu *cpmu, uint64_t config);

	/* Start an event on a counter, and stop the counter. */
	void (*start)(struct sim *sim, struct sim_cpmu *cpmu, unsigned counter, uint64_t config);
	void (*stop)(struct sim *sim, struct sim_cpmu *cpmu, unsigned counter);
};

/* Implements sampling_ops.open: see sim_sampler.c. */
int sim_sampler_open(struct platform *p, const struct load_sampling *sampling, struct sampler **out,
		     struct error *err);

#endif
