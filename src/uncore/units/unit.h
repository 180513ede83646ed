/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A unit: a PMON block of the uncore with its counters and their controls, a core PMU, a CXL
 * device's PMU, AMD's pairs of MSRs, or a PMU of the kernel. Its users do not depend on whether it
 * is accessed through MSRs, MMIO or PCI configuration space.
 *
 * Source of the addresses and sequences: the kernel's uncore_discovery.c and Intel PCM.
 */
#ifndef CXLMON_UNCORE_UNITS_UNIT_H
#define CXLMON_UNCORE_UNITS_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/cpus.h"
#include "platform/pci.h"
#include "platform/perf.h"
#include "platform/platform.h"
#include "platform/reg.h"
#include "platform/undo.h"
#include "uncore/model/model.h"

#define UNIT_MAX_COUNTERS 32
#define UNIT_MAX_CONTROLS (UNIT_MAX_COUNTERS + 4) /* a unit's struct unit_control */
#define UNIT_NAME_SIZE	  64

/* Hint that lists running programs which are known to use counters. */
#define UNIT_COMMAND_WHO_COUNTS "pgrep -a 'perf|pcm|likwid|cxlmon'"

/* Unit control register; FRZ is bit 0 of the freeze register of a socket and of a table, too */
#define UNIT_CTL_FREEZE		(UINT64_C(1) << 0) /* FRZ: counters are stopped */
#define UNIT_CTL_RESET_CONTROLS (UINT64_C(1) << 8) /* RST_CTRL: counter controls become 0 */
#define UNIT_CTL_RESET_COUNTERS (UINT64_C(1) << 9) /* RST_CTRS: counters become 0 */

/* Access types, with the numbers of the discovery table. */
enum unit_access {
	ACCESS_MSR = 0,
	ACCESS_MMIO = 1,
	ACCESS_PCI = 2,
	ACCESS_PERF, /* no register: the kernel counts */
};

/* The policy if another program uses a unit's counters. */
enum ownership {
	OWNERSHIP_REFUSE, /* fail, and write nothing */
	OWNERSHIP_SHARE,  /* use only free counters (--share) */
	OWNERSHIP_FORCE,  /* take over, and restore on exit (--force) */
};

struct cpmu;
struct core_pmu;
struct unit_methods;

/* The registers of a unit's counters, as offsets from unit.control. */
struct unit_registers {
	uint16_t control_offset; /* to the first counter control */
	uint16_t counter_offset; /* to the first counter */
	uint8_t control_step;	 /* from one counter control to the next; 0: not known */
	uint8_t counter_step;
	uint8_t first; /* number of the first counter */
};

/* Addresses of which (address & mask) == (base & mask). */
struct address_block {
	uint64_t base, mask;
};

/* The PMUs with which the kernel counts a unit: see uncore/units/perf_unit.h. */
struct perf_source {
	const struct perf_pmu *pmu;	     /* NULL: registers are accessed, or there is none */
	const struct perf_pmu *timestamp;    /* has a CPU's time stamp counter */
	const struct core_model *core_model; /* a CPU's */
	/* of a CPU's unit that stands for all CPUs: the thread that is counted; 0: does not apply
	 */
	unsigned thread;
	struct address_block block; /* what goes there alone is counted; .mask 0: everything */
};

struct unit {
	const struct unit_methods *methods; /* NULL: it is never opened */
	const struct pmu_type *pmu_type;    /* NULL: a type that is not in the model's table */
	uint16_t type;			    /* enum pmu_type_number */
	uint16_t id;
	int socket;
	unsigned die;	/* within the socket, in order of detection */
	unsigned cpu;	/* through which its MSRs are accessed, or on which the kernel counts it */
	bool l3_scoped; /* CPUs of this L3 cache alone reach its MSRs; false: all of its socket */
	int l3;

	enum unit_access access;
	uint64_t control; /* MSR number, physical address, or offset in configuration space */
	struct pci_location pci;
	struct unit_registers registers;
	uint16_t nth; /* among the records of its type in its discovery table, from 0 */
	uint8_t counters;
	uint8_t width; /* bits a counter */
	enum ownership ownership;
	bool uncounted; /* the kernel, which is to count, has no PMU for it on any CPU */
	bool no_region; /* its socket has no CXL region: no event with .needs_region */
	bool still;	/* its clock was found to stand still, while those of others run */
	bool absent;	/* at unit_open(): a channel without memory, or one that does not exist */

	bool open;
	uint32_t free_running; /* bit i: counter i is free-running: never stopped nor reset */
	uint32_t busy;	       /* bit i: another program uses counter i, with SHARE; while open */
	uint32_t usable;       /* bit i: counter i may be used; while open */
	uint32_t claimed;      /* bit i: the plan that is programmed uses counter i */
	/* bit i: counter i has a control of its own. 0: of a CPMU none has; of other units all
	 * have, and are programmed together */
	uint32_t controlled;
	struct mmio_window window; /* while open */

	/* besides, by its kind: */
	bool has_pairs;	     /* of AMD: see uncore/units/amd_unit.h */
	bool has_global_ctl; /* its CPUs' counters need a bit in PerfCntrGlobalCtl, too */
	struct perf_source perf;
	struct cpmu *cpmu;     /* a CXL device's; not owned */
	struct core_pmu *core; /* that of Intel's CPUs, while open; owned by the unit */
};

/* The register that freezes and unfreezes all counters of a unit, with the value for each. */
struct freeze_control {
	struct reg reg;
	uint64_t stop, start;
	/* the bits that exist, one a counter: a value with others is no response; 0: not known,
	 * all ones is no response */
	uint64_t bits;
};

/*
 * Whether value, read from the register, stops a counter that .start lets run. False if value
 * shows that the register did not respond.
 */
bool freeze_control_stops(const struct freeze_control *control, uint64_t value);

/*
 * A register that shows whether a unit is still programmed: it then holds these bits of value. No
 * bits: it is not used.
 */
struct unit_control {
	struct reg reg;
	uint64_t value, bits;
};

/* The functions below for one kind of unit. */
struct unit_methods {
	/* NULL: socket, die, PMU type and id */
	const char *(*name)(const struct unit *unit, char name[UNIT_NAME_SIZE]);
	/* what it maps by unit_map() is unmapped where it fails, and when the unit is closed */
	int (*open)(struct platform *p, struct unit *unit, struct error *err);
	void (*close)(struct unit *unit); /* NULL: nothing else to release */
	struct reg (*counter_control)(const struct unit *unit, unsigned i); /* NULL: by steps */
	struct reg (*counter)(const struct unit *unit, unsigned i);	    /* NULL: by steps */
	uint64_t (*counter_mask)(const struct unit *unit, unsigned i);	    /* NULL: of .width */
	int (*find_busy)(struct platform *p, const struct unit *unit, uint32_t counters,
			 uint32_t *busy, struct error *err); /* NULL: the kernel counts, and no
							       unit_find_busy() */
	int (*save)(struct platform *p, const struct unit *unit, uint32_t counters,
		    struct undo *undo, struct error *err);
	int (*program)(struct platform *p, const struct unit *unit, const uint64_t *controls,
		       struct error *err);
	/* a counter must be disabled before its control is changed: no unit_update_controls() */
	bool never_updates;
	struct freeze_control (*freeze_control)(
		const struct unit *unit);	     /* NULL: no such register */
	bool (*can_freeze)(const struct unit *unit); /* NULL: all units of the kind can */
	/* what a control holds while the counter counts with this control; NULL: the same */
	uint64_t (*control_value)(const struct unit *unit, unsigned i, uint64_t control);
	uint64_t (*deciding_bits)(const struct unit *unit, unsigned i); /* NULL: all bits decide */
	size_t (*list_controls)(const struct unit *unit, const uint64_t *controls,
				struct unit_control out[]); /* NULL: unit_list_counter_controls() */
	bool (*controls_intact)(struct platform *p, const struct unit *unit,
				const uint64_t *controls); /* NULL: by list_controls() */
	int (*allow)(struct platform *p, const struct unit *unit, struct error *err);
	void (*clear_overflow)(struct platform *p, const struct unit *unit); /* may be NULL */
	/*
	 * Of a kind whose units differ: bit i, counter i can count the event; and what its control
	 * then holds. NULL: event.counters and event_control(), as for all units of the type.
	 */
	uint32_t (*event_counters)(const struct unit *unit, const struct event *event);
	uint64_t (*event_control)(const struct unit *unit, const struct event *event);
	/* NULL: events that need no offcore response register */
	bool (*can_count)(const struct unit *unit, const struct event *event);
	bool all_ones_is_no_response; /* a value of all ones means: no response */
};

/* Whether it is the PMU of a CPU, which other CPUs can't access. */
static inline bool unit_is_cpu(const struct unit *unit)
{
	return unit->type == PMU_CORE;
}

/*
 * Whether it is of the uncore, which a register of its socket or of its discovery table may freeze,
 * too. The others freeze by a register of their own, whose value depends on the counters used.
 */
static inline bool unit_is_uncore(const struct unit *unit)
{
	return !unit_is_cpu(unit) && unit->type != PMU_CPMU;
}

/* Whether its MSRs can be accessed through that CPU. */
bool unit_reached_by(const struct unit *unit, const struct cpu_location *cpu);

/* Whether a register freezes its counters. Otherwise they are read while they run. */
bool unit_can_freeze(const struct unit *unit);

/*
 * Writes "socket 0 cxlcm 4", "socket 0 die 1 cxlcm 4" or "mem0 cpmu 1"; the last number is
 * unit.id. Of a type that no table has: "socket 0 type 12 unit 4". Returns name.
 */
const char *unit_name(const struct unit *unit, char name[UNIT_NAME_SIZE]);

/*
 * Maps the registers of an MMIO unit, checks that the unit responds, and allows writes to it in the
 * write guard. -ENOTSUP: its counter layout is not known. -ENXIO: no response (reads as all ones),
 * or it does not exist (pmu_type.count_msr); .absent is set where that is no fault, since
 * pmu_type.may_be_absent, or as it does not exist.
 * -EBUSY: with OWNERSHIP_SHARE, an uncore unit's counters are in use; else unit_save() checks that.
 */
int unit_open(struct platform *p, struct unit *unit, struct error *err);

void unit_close(struct platform *p, struct unit *unit);

/* Maps the registers of an MMIO unit; does nothing for others, nor where they are mapped. */
int unit_map(struct platform *p, struct unit *unit, bool write, struct error *err);
void unit_unmap(struct platform *p, struct unit *unit);

/*
 * Its registers; the unit must be open. i is a counter's number: below unit->counters, or of a CPU
 * as in core_unit.h.
 */
struct reg unit_control(const struct unit *unit);
struct reg unit_counter_control(const struct unit *unit, unsigned i);
struct reg unit_counter(const struct unit *unit, unsigned i);

/* Bit i: counter i can count the event, and may be used. The unit must be open. */
uint32_t unit_event_counters(const struct unit *unit, const struct event *event);

/*
 * Whether the unit can count the event, were all counters free: it has the offcore response
 * register or the fields of the kernel's PMU that the event needs; and of a unit that says what its
 * counters can count, such a counter.
 */
bool unit_can_count(const struct unit *unit, const struct event *event);
/* The value of the counter control that selects the event, which the unit can count. */
uint64_t unit_event_control(const struct unit *unit, const struct event *event);

uint64_t unit_counter_mask(const struct unit *unit, unsigned i); /* all bits of its width */
struct freeze_control unit_freeze_control(
	const struct unit *unit); /* the unit must be open and programmed */

/* Whether an MMIO register is one of the unit's. */
bool unit_contains(const struct unit *unit, const struct reg *reg);

/*
 * Whether a value, or one of its 32-bit halves, is all ones: the unit did not respond. Real units
 * do this occasionally.
 */
bool unit_value_no_response(uint64_t value);
/*
 * The same for a value read from this unit; false for kinds of which all ones may be a count
 * (without .all_ones_is_no_response): CPUs, AMD's units, PMUs of the kernel.
 */
bool unit_no_response(const struct unit *unit, uint64_t value);

/* Allows writes to the unit's registers in the write guard; unit_open() does the same. */
int unit_allow(struct platform *p, const struct unit *unit, struct error *err);

/*
 * Whether one of counters (bit i: counter i) is programmed: *err then names it. False where that
 * can't be read. The unit must be open if it is a CPU; of a unit whose counters are reset together,
 * all are looked at.
 */
bool unit_find_use(struct platform *p, const struct unit *unit, uint32_t counters,
		   struct error *err);

/*
 * The same of an open unit: bit i of *busy is set if counter i is one of counters, and enabled;
 * where counters are reset together, bit 0 means that some counter is. 0, also where
 * some are busy: then *err names the first one. Or the error of a read.
 */
int unit_find_busy(struct platform *p, const struct unit *unit, uint32_t counters, uint32_t *busy,
		   struct error *err);

/* Whether a mask of counters has counter i, and that has a control of its own. */
static inline bool unit_has_control(const struct unit *unit, uint32_t counters, unsigned i)
{
	return (counters & unit->controlled) >> i & 1;
}

/*
 * For find_busy() and save() of a kind: -EBUSY, ERROR_IN_USE, with the counter's number, its
 * register that holds the value, and programs that use such counters.
 */
int unit_in_use(const struct unit *unit, unsigned number, const char *what, uint64_t value,
		const char *programs, struct error *err);
/* A step that restores a register of the unit, through any CPU that reaches it. */
struct undo_step unit_undo_step(const struct unit *unit, struct reg reg, uint64_t value,
				enum undo_condition condition);

/*
 * Reads the registers that unit_program() will change if only counters (bit i: counter i) are used,
 * and adds the steps that restore them. If another program uses a counter, *err names it and the
 * result is -EBUSY (ERROR_IN_USE), or 1 if it may be taken over. -ENXIO: no response.
 */
int unit_save(struct platform *p, const struct unit *unit, uint32_t counters, struct undo *undo,
	      struct error *err);

/*
 * Adds to the unit just saved what its controls will hold: controls[i] is that of counter i. They
 * are restored only where they hold one of these values.
 */
int unit_add_ours(const struct unit *unit, const uint64_t *controls, struct undo *undo,
		  struct error *err);

/*
 * Stops the counters, writes controls[i] to counter control i (0: unused), and sets counters to 0
 * where they can be written. A unit that can freeze stays frozen; any other counts from here on.
 */
int unit_program(struct platform *p, const struct unit *unit, const uint64_t *controls,
		 struct error *err);

/* Whether unit_update_controls() can be used on the unit. */
bool unit_can_update(const struct unit *unit);

/*
 * Writes the counter controls of a unit that differ between from and to; counters keep their
 * values. The unit must be frozen and programmed with from.
 */
int unit_update_controls(struct platform *p, const struct unit *unit, const uint64_t *from,
			 const uint64_t *to, struct error *err);

/* Does nothing where there is no register for it. */
int unit_unfreeze(struct platform *p, const struct unit *unit, struct error *err);

/*
 * Lists the registers that unit_program() has written controls to. They are the same for all
 * controls of a plan, and some have no bits with some. Returns how many; none if the kernel counts.
 */
size_t unit_list_controls(const struct unit *unit, const uint64_t *controls,
			  struct unit_control out[UNIT_MAX_CONTROLS]);
/* Lists only the controls of counters: for list_controls() of a kind. */
size_t unit_list_counter_controls(const struct unit *unit, const uint64_t *controls,
				  struct unit_control out[UNIT_MAX_CONTROLS]);

/* Returns false if a control does not hold its value; failed reads, and no response, are intact. */
bool unit_controls_intact(struct platform *p, const struct unit *unit, const uint64_t *controls);

/* Whether a unit, not of a CPU, is frozen by its own control; false if that can't be read. */
bool unit_is_frozen(struct platform *p, const struct unit *unit);

/*
 * Whether the unit may be programmed again after another program has reset or used it: each control
 * is disabled (0, where it has no enable bit) or ours. Failed reads count as in use. Never true of
 * a CPU's PMU, which the kernel shares out.
 */
bool unit_controls_free(struct platform *p, const struct unit *unit, const uint64_t *controls);

/* To be called after a counter has wrapped: clears overflow status, if the unit has it. */
void unit_clear_overflow(struct platform *p, const struct unit *unit);

#endif
