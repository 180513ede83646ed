/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A unit: a PMON block of the uncore with its counters and their controls, a core PMU, a CXL
 * device's PMU, AMD's pairs of MSRs, or a PMU of the kernel. Its users do not depend on how it is
 * accessed: through MSRs, MMIO, PCI configuration space or the kernel.
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
/* most elements in the list of unit_list_controls() */
#define UNIT_MAX_CONTROLS (UNIT_MAX_COUNTERS + 4)
#define UNIT_NAME_SIZE	  64

/* Command for hints: lists running programs that are known to use counters. */
#define UNIT_COMMAND_WHO_COUNTS "pgrep -a 'perf|pcm|likwid|cxlmon'"

/*
 * Bits of the unit control register. FRZ is also bit 0 of the freeze registers of sockets and of
 * discovery tables.
 */
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

/* Offsets of the registers of a unit's counters from unit.control, in bytes or in MSR numbers. */
struct unit_registers {
	uint16_t control_offset; /* offset of the first counter control */
	uint16_t counter_offset; /* offset of the first counter */
	uint8_t control_step;	 /* from one counter control to the next; 0: unknown */
	uint8_t counter_step;	 /* from one counter to the next */
	uint8_t first;		 /* number of the counter at these offsets; others follow */
};

/* The addresses a for which (a & mask) == (base & mask). */
struct address_block {
	uint64_t base, mask;
};

/* The PMUs with which the kernel counts a unit: see uncore/units/perf_unit.h. */
struct perf_source {
	/* NULL: the unit counts by registers, or the kernel has no PMU for it */
	const struct perf_pmu *pmu;
	const struct perf_pmu *timestamp;    /* the PMU of the time stamp counter; only for CPUs */
	const struct core_model *core_model; /* only for CPUs */
	/* the only thread that a core PMU counts, on whichever CPU it runs; 0: all on .cpu */
	unsigned thread;
	struct address_block block; /* counts only accesses to these addresses; .mask 0: to all */
};

struct unit {
	const struct unit_methods *methods; /* NULL: the unit is never opened */
	const struct pmu_type *pmu_type;    /* NULL: the model's table does not have the type */
	uint16_t type;			    /* enum pmu_type_number */
	uint16_t id;
	int socket;
	unsigned die; /* within the socket, in order of detection */
	/* CPU through which its MSRs are accessed, or on which the kernel counts it */
	unsigned cpu;
	/* only CPUs of the L3 cache .l3 reach its MSRs; false: all CPUs of its socket do */
	bool l3_scoped;
	int l3;

	enum unit_access access;
	uint64_t control; /* MSR number, physical address, or offset in configuration space */
	struct pci_location pci;
	struct unit_registers registers;
	uint16_t nth; /* index among the records of its type in its discovery table */
	uint8_t counters;
	uint8_t width; /* bits per counter */
	enum ownership ownership;
	bool uncounted; /* the kernel counts, but not on this unit: its die has no online CPU */
	bool no_region; /* its socket has no CXL region: it counts no event with .needs_region */
	bool still;	/* its clock was found stopped, while clocks of other units run */
	/* set by unit_open(): it is a channel without memory, or does not exist */
	bool absent;

	bool open;
	uint32_t free_running; /* bit i: counter i is never reset, and perhaps never stopped */
	uint32_t busy;	       /* bit i: another program uses counter i; SHARE only, while open */
	uint32_t usable;       /* bit i: counter i may be used; while open */
	uint32_t claimed;      /* bit i: the programmed plan uses counter i */
	/*
	 * Bit i: the control of counter i can be written without the others. If no bit is set, no
	 * counter of a CPMU has a control; any other unit has all controls written together.
	 */
	uint32_t controlled;
	struct mmio_window window; /* while open */

	/* the rest depends on the kind of unit */
	bool has_pairs; /* AMD: see uncore/units/amd_unit.h */
	/* AMD's CPUs with PerfMonV2: counters also need a bit in PerfCntrGlobalCtl */
	bool has_global_ctl;
	struct perf_source perf;
	struct cpmu *cpmu;     /* only for a CXL device's PMU; not owned */
	struct core_pmu *core; /* only for Intel's CPUs, while open; owned by the unit */
};

/* The register that freezes and unfreezes all counters of a unit. */
struct freeze_control {
	struct reg reg;
	uint64_t stop, start; /* values that freeze and unfreeze */
	/*
	 * Bits that exist, one per counter: a value with another bit means no response. 0: the
	 * bits are unknown, and only a value of all ones means no response.
	 */
	uint64_t bits;
};

/*
 * Returns true if the register, which holds value, freezes a counter that .start would let run.
 * Returns false if value means no response.
 */
bool freeze_control_stops(const struct freeze_control *control, uint64_t value);

/*
 * A register that shows if a unit is still programmed: its bits in the mask .bits are then as in
 * .value. A register whose .bits are 0 is not compared.
 */
struct unit_control {
	struct reg reg;
	uint64_t value, bits;
};

/* The functions of one kind of unit, which the functions below call. */
struct unit_methods {
	/* NULL: the name has socket, die, PMU type and id */
	const char *(*name)(const struct unit *unit, char name[UNIT_NAME_SIZE]);
	/* maps registers by unit_map(); if it fails, and in unit_close(), they are unmapped */
	int (*open)(struct platform *p, struct unit *unit, struct error *err);
	void (*close)(struct unit *unit); /* NULL: nothing else to release */
	/* NULL: computed from unit.registers */
	struct reg (*counter_control)(const struct unit *unit, unsigned i);
	/* NULL: computed from unit.registers */
	struct reg (*counter)(const struct unit *unit, unsigned i);
	/* NULL: computed from .width */
	uint64_t (*counter_mask)(const struct unit *unit, unsigned i);
	/* NULL: the kernel counts, and unit_find_busy() must not be called */
	int (*find_busy)(struct platform *p, const struct unit *unit, uint32_t counters,
			 uint32_t *busy, struct error *err);
	int (*save)(struct platform *p, const struct unit *unit, uint32_t counters,
		    struct undo *undo, struct error *err);
	int (*program)(struct platform *p, const struct unit *unit, const uint64_t *controls,
		       struct error *err);
	/* a counter must be disabled before its control is changed: unit_update_controls()
	 * cannot be used */
	bool never_updates;
	struct freeze_control (*freeze_control)(
		const struct unit *unit);	     /* NULL: no such register */
	bool (*can_freeze)(const struct unit *unit); /* NULL: all units of the kind can freeze */
	/* the value that a control register holds for this control; NULL: the same */
	uint64_t (*control_value)(const struct unit *unit, unsigned i, uint64_t control);
	/* bits compared to see if a control is intact; NULL: all */
	uint64_t (*deciding_bits)(const struct unit *unit, unsigned i);
	size_t (*list_controls)(const struct unit *unit, const uint64_t *controls,
				struct unit_control out[]); /* NULL: unit_list_counter_controls() */
	bool (*controls_intact)(struct platform *p, const struct unit *unit,
				const uint64_t *controls); /* NULL: by list_controls() */
	int (*allow)(struct platform *p, const struct unit *unit, struct error *err);
	void (*clear_overflow)(struct platform *p, const struct unit *unit); /* may be NULL */
	/*
	 * Returns the counters that can count the event; bit i: counter i. NULL: event.counters,
	 * because the units of the kind do not differ.
	 */
	uint32_t (*event_counters)(const struct unit *unit, const struct event *event);
	/* The control that selects the event on this unit. NULL: event_control(). */
	uint64_t (*event_control)(const struct unit *unit, const struct event *event);
	/* NULL: all events that need no offcore response register */
	bool (*can_count)(const struct unit *unit, const struct event *event);
	bool all_ones_is_no_response; /* a value of all ones means: no response */
};

/* Returns true for the PMU of a CPU, which other CPUs cannot access. */
static inline bool unit_is_cpu(const struct unit *unit)
{
	return unit->type == PMU_CORE;
}

/*
 * Returns true for a unit of the uncore, which a register of its socket or of its discovery table
 * may also freeze. Only its own freeze register freezes a CPU's PMU or a CPMU; the values of this
 * register depend on the counters used.
 */
static inline bool unit_is_uncore(const struct unit *unit)
{
	return !unit_is_cpu(unit) && unit->type != PMU_CPMU;
}

/* Returns true if the unit's MSRs can be accessed through that CPU. */
bool unit_reached_by(const struct unit *unit, const struct cpu_location *cpu);

/*
 * Returns true if a register freezes the unit's counters. Otherwise they are read while they run.
 */
bool unit_can_freeze(const struct unit *unit);

/*
 * Writes "socket 0 cxlcm 4", "socket 0 die 1 cxlcm 4" or "mem0 cpmu 1"; the last number is unit.id.
 * An unknown type gives "socket 0 type 12 unit 4". Returns name.
 */
const char *unit_name(const struct unit *unit, char name[UNIT_NAME_SIZE]);

/*
 * Opens a unit, unless it is open: maps the registers of an MMIO unit, checks that the unit
 * responds, and allows writes to it in the write guard.
 *
 * -ENOTSUP: its counter layout is unknown. -ENXIO: no response (reads as all ones), or the unit
 * does not exist (pmu_type.count_msr). .absent is set if this is not a fault:
 * pmu_type.may_be_absent, or the unit does not exist. -EBUSY: with OWNERSHIP_SHARE, too few
 * counters are free; or the kernel's driver counts on the CPMU.
 *
 * With OWNERSHIP_SHARE, a PMON block needs all counters free, because they are reset together. A
 * CPMU and an AMD unit need one. A CPU of Intel opens with those that are left. Without SHARE,
 * unit_save() checks the counters.
 */
int unit_open(struct platform *p, struct unit *unit, struct error *err);

void unit_close(struct platform *p, struct unit *unit);

/*
 * Maps the registers of an MMIO unit, to be read and, with write, written. Does nothing for other
 * units, or if the registers are mapped already.
 */
int unit_map(struct platform *p, struct unit *unit, bool write, struct error *err);
void unit_unmap(struct platform *p, struct unit *unit);

/*
 * Registers of an open unit. i is a counter's number: below unit->counters or, for a CPU, as in
 * core_unit.h.
 */
struct reg unit_control(const struct unit *unit);
struct reg unit_counter_control(const struct unit *unit, unsigned i);
struct reg unit_counter(const struct unit *unit, unsigned i);

/* Returns the usable counters that can count the event; bit i: counter i. The unit must be open. */
uint32_t unit_event_counters(const struct unit *unit, const struct event *event);

/*
 * Returns true if the unit could count the event with all counters free. In a kind with
 * .event_counters, it must have such a counter. In other kinds, it must have the offcore response
 * register, or the fields of the kernel's PMU, that the event needs.
 */
bool unit_can_count(const struct unit *unit, const struct event *event);
/* Returns the value of the counter control that selects the event, which the unit can count. */
uint64_t unit_event_control(const struct unit *unit, const struct event *event);

/* Returns a mask of all bits of counter i. */
uint64_t unit_counter_mask(const struct unit *unit, unsigned i);
/* Returns the unit's freeze register; the unit must be open and programmed. */
struct freeze_control unit_freeze_control(const struct unit *unit);

/* Returns true if an MMIO register belongs to the unit. */
bool unit_contains(const struct unit *unit, const struct reg *reg);

/*
 * Returns true if a value, or one of its 32-bit halves, is all ones: the unit did not respond. Real
 * units occasionally do not, and respond at the next attempt.
 */
bool unit_value_no_response(uint64_t value);
/*
 * Returns true if a value read from this unit means no response. Always false for kinds without
 * .all_ones_is_no_response, whose counts may be all ones: CPUs, AMD's units, PMUs of the kernel.
 */
bool unit_no_response(const struct unit *unit, uint64_t value);

/* Allows writes to the unit's registers in the write guard; unit_open() does the same. */
int unit_allow(struct platform *p, const struct unit *unit, struct error *err);

/*
 * Returns true, and names the counter in *err, if one of counters (bit i: counter i) is programmed.
 * Returns false if none is, or if this cannot be read. If the unit's counters are reset together,
 * all of them are checked. A CPU's unit must be open; other units may be closed.
 */
bool unit_find_use(struct platform *p, const struct unit *unit, uint32_t counters,
		   struct error *err);

/*
 * Sets bit i of *busy if counter i is one of counters, and enabled. If the unit's counters are
 * reset together, all are checked, and bit 0 is set if any is enabled. The unit must be open.
 * Returns 0 even if some are busy (*err names the first), or the error of a read.
 */
int unit_find_busy(struct platform *p, const struct unit *unit, uint32_t counters, uint32_t *busy,
		   struct error *err);

/* Returns true if counter i is in the mask counters, and has its own control. */
static inline bool unit_has_control(const struct unit *unit, uint32_t counters, unsigned i)
{
	return (counters & unit->controlled) >> i & 1;
}

/*
 * Sets *err to ERROR_IN_USE, for find_busy() and save() of a kind. The message has the counter's
 * number, the kind of register ("control") that holds value, and programs that use such counters.
 * Returns -EBUSY.
 */
int unit_in_use(const struct unit *unit, unsigned number, const char *what, uint64_t value,
		const char *programs, struct error *err);
/* Returns a step that restores a register of the unit, through any CPU that reaches it. */
struct undo_step unit_undo_step(const struct unit *unit, struct reg reg, uint64_t value,
				enum undo_condition condition);

/*
 * Reads the registers that unit_program() will change if only counters (bit i: counter i) are used,
 * and adds to *undo the steps that restore them. If another program uses a counter, *err names it:
 * returns 1 if OWNERSHIP_FORCE takes it over, else -EBUSY (ERROR_IN_USE). -ENXIO: no response.
 */
int unit_save(struct platform *p, const struct unit *unit, uint32_t counters, struct undo *undo,
	      struct error *err);

/*
 * Adds to *undo the values that this run gives to the controls of the unit just saved; controls[i]
 * is counter i's. A control is restored only if it holds one of these values.
 */
int unit_add_ours(const struct unit *unit, const uint64_t *controls, struct undo *undo,
		  struct error *err);

/*
 * Stops the counters, writes controls[i] to counter control i (0: unused), and sets counters to 0
 * if they can be written. A unit that can freeze stays frozen; any other counts from now on.
 */
int unit_program(struct platform *p, const struct unit *unit, const uint64_t *controls,
		 struct error *err);

/* Returns true if unit_update_controls() can be used on the unit. */
bool unit_can_update(const struct unit *unit);

/*
 * Writes the counter controls of a unit that differ between from and to; counters keep their
 * values. The unit must be frozen and programmed with from.
 */
int unit_update_controls(struct platform *p, const struct unit *unit, const uint64_t *from,
			 const uint64_t *to, struct error *err);

/* Lets a frozen unit count; does nothing for a unit without a freeze register. */
int unit_unfreeze(struct platform *p, const struct unit *unit, struct error *err);

/*
 * Lists the registers to which unit_program() has written controls. All controls of a plan give the
 * same registers; a register that these controls do not use has .bits 0. Returns the number of
 * registers; 0 if the kernel counts.
 */
size_t unit_list_controls(const struct unit *unit, const uint64_t *controls,
			  struct unit_control out[UNIT_MAX_CONTROLS]);
/* Lists only the controls of counters; used by list_controls() of a kind. */
size_t unit_list_counter_controls(const struct unit *unit, const uint64_t *controls,
				  struct unit_control out[UNIT_MAX_CONTROLS]);

/*
 * Returns false if a control does not hold its value. A failed read, or no response, counts as
 * intact, except on a CPMU on which the kernel counts.
 */
bool unit_controls_intact(struct platform *p, const struct unit *unit, const uint64_t *controls);

/*
 * Returns true if the unit's own freeze register now freezes it. Returns false for a CPU, for a
 * unit without such a register, and if the register cannot be read.
 */
bool unit_is_frozen(struct platform *p, const struct unit *unit);

/*
 * Returns true if the unit may be programmed again after another program has reset or used it: each
 * control is disabled (or 0, if it has no enable bit) or ours. A failed read counts as in use.
 * Always false for a CPU's PMU, whose counters the kernel shares out, and if the kernel counts.
 */
bool unit_controls_free(struct platform *p, const struct unit *unit, const uint64_t *controls);

/* Clears the overflow status, if the unit has it; to be called after a counter has wrapped. */
void unit_clear_overflow(struct platform *p, const struct unit *unit);

#endif
