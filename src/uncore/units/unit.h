/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A unit: counters that are programmed together, each with a control that selects its event. It is
 * a block of the uncore, the PMU of a CPU, or the PMU of a CXL device (CPMU). It is accessed
 * through MSRs, MMIO or PCI configuration space, or the kernel counts on it: callers need not know.
 *
 * A run (one measurement) has a plan, which assigns events to counters. If a unit has more events
 * than counters, it is multiplexed: it counts them in several rounds. The run calls
 *   unit_open(), unit_save()
 *   unit_add_ours()         for each round of the plan
 *   unit_program()          to start a round
 *   unit_freeze_control()   for the register that each sample writes
 *   unit_counter()          for the registers that each sample reads
 * and at its end applies the steps that unit_save() has added to a struct undo.
 *
 * In masks of counters, bit i is counter i. controls[i] is the control of counter i, or 0: none.
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
/* the most elements that unit_list_controls() stores */
#define UNIT_MAX_CONTROLS (UNIT_MAX_COUNTERS + 4)
#define UNIT_NAME_SIZE	  64

/* Shell command for hints: lists running programs that may use counters. */
#define UNIT_COMMAND_WHO_COUNTS "pgrep -a 'perf|pcm|likwid|cxlmon'"

/*
 * Bits of the unit control register of a block of Intel's uncore. UNIT_CTL_FREEZE is also the
 * freeze bit in the registers of sockets and of discovery tables.
 */
#define UNIT_CTL_FREEZE		(UINT64_C(1) << 0) /* FRZ: counters are stopped */
#define UNIT_CTL_RESET_CONTROLS (UINT64_C(1) << 8) /* RST_CTRL: counter controls become 0 */
#define UNIT_CTL_RESET_COUNTERS (UINT64_C(1) << 9) /* RST_CTRS: counters become 0 */

/* The way in which a unit is accessed; the first three numbers are those in discovery tables. */
enum unit_access {
	ACCESS_MSR = 0,
	ACCESS_MMIO = 1,
	ACCESS_PCI = 2,
	ACCESS_PERF, /* no register: the kernel counts */
};

/* The policy if another program uses a unit's counters. */
enum ownership {
	OWNERSHIP_REFUSE, /* unit_save() fails */
	OWNERSHIP_SHARE,  /* only free counters are used (--share) */
	OWNERSHIP_FORCE,  /* counters are taken over, and restored on exit (--force) */
};

struct cpmu;
struct core_pmu;
struct unit_methods;

/* Offsets of the registers of a unit's counters from unit.control, in bytes or in MSR numbers. */
struct unit_registers {
	uint16_t control_offset; /* first counter control */
	uint16_t counter_offset; /* first counter */
	uint8_t control_step;	 /* from one counter control to the next; 0: unknown */
	uint8_t counter_step;	 /* from one counter to the next */
	uint8_t first;		 /* number of the first counter; not an offset */
};

/* The addresses a for which (a & mask) == (base & mask). */
struct address_block {
	uint64_t base, mask;
};

/* The kernel's PMUs that count on a unit: see uncore/units/perf_unit.h. */
struct perf_source {
	/* NULL: the unit counts by registers, or the kernel has no PMU for it */
	const struct perf_pmu *pmu;
	/* CPUs: the PMU of the time stamp counter; NULL: the kernel has none */
	const struct perf_pmu *timestamp;
	const struct core_model *core_model; /* CPUs */
	/* CPUs: id of the thread that is counted, wherever it runs; 0: all threads on .cpu */
	unsigned thread;
	struct address_block block; /* only accesses to these addresses count; .mask 0: all do */
};

struct unit {
	const struct unit_methods *methods; /* NULL: the unit is never opened */
	const struct pmu_type *pmu_type;    /* NULL: the model's table does not have the type */
	uint16_t type;			    /* enum pmu_type_number */
	uint16_t id;			    /* number within its type, unique in its die */
	int socket;
	unsigned die;	/* number of the die in the socket, in order of detection */
	unsigned cpu;	/* the CPU that accesses its MSRs, or on which the kernel counts it */
	bool l3_scoped; /* only CPUs with the L3 cache .l3 reach its MSRs; false: all of .socket */
	int l3;

	enum unit_access access;
	/* its first register: MSR number, physical address, or offset in configuration space */
	uint64_t control;
	struct pci_location pci; /* its PCI function, if it has one */
	struct unit_registers registers;
	uint16_t nth;		  /* index among the records of its type in its discovery table */
	uint8_t counters;	  /* higher than all numbers of its counters */
	uint8_t width;		  /* bits per counter, except of a CPU: unit_counter_mask() */
	enum ownership ownership; /* set by machine_set_ownership() before unit_open() */
	bool uncounted;		  /* the kernel does not count on it */
	bool no_region; /* its socket has no CXL region: it counts no event with .needs_region */
	bool still;	/* its clock was found stopped, while clocks of other units ran */
	bool absent;	/* set by unit_open(): it does not exist, or is a channel without memory */

	bool open;
	/* masks of counters */
	uint32_t free_running; /* never set to 0; some also never stop */
	uint32_t busy;	  /* another program used them at unit_open(); only with OWNERSHIP_SHARE */
	uint32_t usable;  /* may be used; valid while open */
	uint32_t claimed; /* the plan uses them; set by the caller of unit_save() */
	/* controls are written one by one; 0: controls are reset together, or do not exist */
	uint32_t controlled;
	struct mmio_window window; /* mapped registers; .length 0: none */

	/* the members below depend on the kind of unit */
	bool has_pairs; /* AMD: see uncore/units/amd_unit.h */
	/* AMD's CPUs with PerfMonV2: a bit of PerfCntrGlobalCtl also enables each counter */
	bool has_global_ctl;
	struct perf_source perf;
	struct cpmu *cpmu;     /* a CPMU's; not owned; NULL: another kind */
	struct core_pmu *core; /* Intel's CPUs, while open and counted by registers; owned */
};

/* The register that freezes and unfreezes all counters of a unit. */
struct freeze_control {
	struct reg reg;
	uint64_t stop, start; /* values that freeze and unfreeze */
	/*
	 * Mask of the bits that exist: a value with any other bit means no response. 0: only
	 * unit_value_no_response() tells
	 */
	uint64_t bits;
};

/*
 * Returns true if value, read from control->reg, freezes the counters; false if it does not, or
 * means no response.
 */
bool freeze_control_stops(const struct freeze_control *control, uint64_t value);

/* A register that shows if a unit is still programmed. */
struct unit_control {
	struct reg reg;
	uint64_t value; /* the register's value while the unit is programmed */
	uint64_t bits;	/* mask of the bits to compare; 0: the register shows nothing */
};

/*
 * The functions of one kind of unit. Each implements the function unit_...() of the same name,
 * described below.
 */
struct unit_methods {
	/* NULL: the name has socket, die, PMU type and id */
	const char *(*name)(const struct unit *unit, char name[UNIT_NAME_SIZE]);
	/* for a closed unit; unit_open(), after an error, and unit_close() unmap its registers */
	int (*open)(struct platform *p, struct unit *unit, struct error *err);
	void (*close)(struct unit *unit); /* NULL: open() has only mapped registers */
	/* NULL: computed from unit.registers */
	struct reg (*counter_control)(const struct unit *unit, unsigned i);
	/* NULL: computed from unit.registers */
	struct reg (*counter)(const struct unit *unit, unsigned i);
	/* NULL: computed from .width */
	uint64_t (*counter_mask)(const struct unit *unit, unsigned i);
	/* find_busy, save, program and allow are NULL if the kernel counts */
	int (*find_busy)(struct platform *p, const struct unit *unit, uint32_t counters,
			 uint32_t *busy, struct error *err);
	int (*save)(struct platform *p, const struct unit *unit, uint32_t counters,
		    struct undo *undo, struct error *err);
	int (*program)(struct platform *p, const struct unit *unit, const uint64_t *controls,
		       struct error *err);
	/* a control may change only while it is disabled: unit_can_update() is false */
	bool never_updates;
	struct freeze_control (*freeze_control)(
		const struct unit *unit);	     /* NULL: no unit of the kind can freeze */
	bool (*can_freeze)(const struct unit *unit); /* NULL: all with .freeze_control can */
	/* Returns the value that counter i's register holds for a control. NULL: the control. */
	uint64_t (*control_value)(const struct unit *unit, unsigned i, uint64_t control);
	/* Returns the bits of counter i's control that show if it is intact. NULL: all bits. */
	uint64_t (*deciding_bits)(const struct unit *unit, unsigned i);
	size_t (*list_controls)(const struct unit *unit, const uint64_t *controls,
				struct unit_control out[]); /* NULL: unit_list_counter_controls() */
	bool (*controls_intact)(struct platform *p, const struct unit *unit,
				const uint64_t *controls); /* NULL: compares list_controls() */
	int (*allow)(struct platform *p, const struct unit *unit, struct error *err);
	void (*clear_overflow)(struct platform *p, const struct unit *unit); /* NULL: not needed */
	/* Returns a mask of the counters for the event, usable or not. NULL: event.counters. */
	uint32_t (*event_counters)(const struct unit *unit, const struct event *event);
	uint64_t (*event_control)(const struct unit *unit,
				  const struct event *event); /* NULL: event_control() */
	/* not called if .event_counters exists; NULL: all events without .offcore_rsp */
	bool (*can_count)(const struct unit *unit, const struct event *event);
	bool all_ones_is_no_response; /* a value of all ones means that the unit did not respond */
};

/* Returns true for the PMU of a CPU. */
static inline bool unit_is_cpu(const struct unit *unit)
{
	return unit->type == PMU_CORE;
}

/*
 * Returns true for a unit of the uncore, which a register of its socket or of its discovery table
 * may also freeze. Returns false for a CPU's PMU and for a CPMU.
 */
static inline bool unit_is_uncore(const struct unit *unit)
{
	return !unit_is_cpu(unit) && unit->type != PMU_CPMU;
}

/* Returns true if the unit's MSRs can be accessed through that CPU. */
bool unit_reached_by(const struct unit *unit, const struct cpu_location *cpu);

/* Returns true if the unit has its own freeze register. */
bool unit_can_freeze(const struct unit *unit);

/*
 * Writes the unit's name for messages, and returns name. It ends with unit.id: "socket 0 cxlcm 4",
 * "socket 0 die 1 cxlcm 4", "mem0 cpmu 1", or for an unknown type "socket 0 type 12 unit 4".
 */
const char *unit_name(const struct unit *unit, char name[UNIT_NAME_SIZE]);

/*
 * Opens a unit: maps the registers of an MMIO unit, checks that the unit responds, and allows
 * writes to it in the write guard (platform/guard.h), which refuses all other writes. Does nothing
 * if the unit is open. After an error it is closed.
 *
 * With OWNERSHIP_SHARE, finds the counters that other programs use. A block of Intel's uncore needs
 * all of its counters free, because they are reset together. A CPMU and an AMD unit need one free
 * counter, Intel's CPUs none.
 *
 * Errors, besides those of a read or a mapping, and -ENOMEM:
 *   -ENOTSUP  the layout of its counters is unknown; or the kernel counts on a CPMU, whose
 *             registers cannot be read
 *   -ENXIO    it does not exist (sets .absent); or it does not respond, as its registers read as
 *             all ones (sets .absent if pmu_type.may_be_absent)
 *   -ENODEV   the CPU has no PMU, or the kernel shows none; or the kernel should count, but the
 *             unit has .uncounted or .still
 *   -EBUSY    OWNERSHIP_SHARE: too few counters are free; or the kernel's driver uses the CPMU
 */
int unit_open(struct platform *p, struct unit *unit, struct error *err);

/* Unmaps the unit's registers and closes it. Writes no register. The unit may be closed. */
void unit_close(struct platform *p, struct unit *unit);

/*
 * Maps the registers of an MMIO unit for reads and, if write is true, for writes. Does nothing if
 * they are mapped, or for other units. Returns 0 or the error of the mapping.
 */
int unit_map(struct platform *p, struct unit *unit, bool write, struct error *err);
void unit_unmap(struct platform *p, struct unit *unit);

/*
 * Return the unit's first register, and the control and the value of counter i, below
 * unit->counters. A CPU's counters are numbered as in uncore/model/event.h. If the kernel counts,
 * unit_counter() returns a register whose .bytes is 0. An MMIO register can be accessed only while
 * the unit is open.
 */
struct reg unit_control(const struct unit *unit);
struct reg unit_counter_control(const struct unit *unit, unsigned i);
struct reg unit_counter(const struct unit *unit, unsigned i);

/* Returns a mask of the usable counters that can count the event. The unit must be open. */
uint32_t unit_event_counters(const struct unit *unit, const struct event *event);

/*
 * Returns true if the unit could count the event with all counters free: a CPMU has a counter for
 * it; a CPU has an offcore response register for it, if it needs one; or the kernel's PMU has its
 * fields. For other units, the caller checks that the event has their type.
 */
bool unit_can_count(const struct unit *unit, const struct event *event);
/* Returns the counter control that selects the event, for which unit_can_count() must be true. */
uint64_t unit_event_control(const struct unit *unit, const struct event *event);

/* Returns a mask of all bits of counter i. A CPU's unit must be open. */
uint64_t unit_counter_mask(const struct unit *unit, unsigned i);
/*
 * Returns the unit's freeze register and its values. unit_can_freeze() must be true, and the unit
 * programmed.
 */
struct freeze_control unit_freeze_control(const struct unit *unit);

/* Returns true if an MMIO register belongs to the unit. */
bool unit_contains(const struct unit *unit, const struct reg *reg);

/*
 * Returns true if a value, or one of its 32-bit halves, is all ones: the unit did not respond. Real
 * units occasionally fail to respond, and respond at the next read.
 */
bool unit_value_no_response(uint64_t value);
/*
 * Returns true if a value read from this unit means no response. Always false for CPUs, AMD's units
 * and PMUs of the kernel, whose counts may be all ones.
 */
bool unit_no_response(const struct unit *unit, uint64_t value);

/*
 * Allows writes to the unit's registers in the write guard, as unit_open() does; to none if the
 * kernel counts. The unit may be closed. -ENODEV: a CPU without a PMU.
 */
int unit_allow(struct platform *p, const struct unit *unit, struct error *err);

/*
 * Returns true if a program has programmed one of the counters (a mask); *err then names it.
 * Returns false if none is programmed, if a register cannot be read, and if the kernel counts. If
 * the unit's counters are reset together, checks all. A CPU's unit must be open; others may be
 * closed.
 */
bool unit_find_use(struct platform *p, const struct unit *unit, uint32_t counters,
		   struct error *err);

/*
 * Sets *busy to a mask of those counters (a mask) that are enabled. If the unit's counters are
 * reset together, checks all, and sets *busy to 1 if any is programmed. If *busy is not 0, *err
 * names the first. The registers must be mapped, and a CPU's unit open. Returns 0 or the error of a
 * read.
 */
int unit_find_busy(struct platform *p, const struct unit *unit, uint32_t counters, uint32_t *busy,
		   struct error *err);

/* Returns true if counter i is in the mask counters, and has its own control. */
static inline bool unit_has_control(const struct unit *unit, uint32_t counters, unsigned i)
{
	return (counters & unit->controlled) >> i & 1;
}

/*
 * Sets *err to ERROR_IN_USE for a counter, by its number, and returns -EBUSY. For methods of units.
 * what: a noun for the register that holds value ("control"). programs: examples of programs that
 * use such counters.
 */
int unit_in_use(const struct unit *unit, unsigned number, const char *what, uint64_t value,
		const char *programs, struct error *err);
/* Returns an undo step that restores value in a register, through any CPU that reaches the unit. */
struct undo_step unit_undo_step(const struct unit *unit, struct reg reg, uint64_t value,
				enum undo_condition condition);

/*
 * Reads the registers of an open unit that unit_program() will change, and adds to *undo the steps
 * that restore them. counters: a mask equal to unit->claimed. Writes no register. Returns
 *   0       if no other program uses these counters
 *   1       if one is used, and OWNERSHIP_FORCE takes it over; *err names it
 *   -EBUSY  if one is used (ERROR_IN_USE)
 *   -ENXIO  if the unit does not respond; or another error of a read
 * If the unit's counters are reset together, checks all.
 */
int unit_save(struct platform *p, const struct unit *unit, uint32_t counters, struct undo *undo,
	      struct error *err);

/*
 * Adds to *undo the values that a round will write to the controls of the unit just saved. If a
 * control later holds another value, another program has taken it, and it is not restored. Returns
 * 0 or -ENOMEM.
 */
int unit_add_ours(const struct unit *unit, const uint64_t *controls, struct undo *undo,
		  struct error *err);

/*
 * Stops the claimed counters of a saved unit, writes their controls, and sets the counters to 0
 * except those in .free_running. A unit that can freeze stays frozen; any other counts from now on.
 * Returns 0, the error of a read or write, or -ENODEV (ERROR_NO_UNIT) if an AMD unit's control
 * reads as 0 after the write.
 */
int unit_program(struct platform *p, const struct unit *unit, const uint64_t *controls,
		 struct error *err);

/* Returns true if unit_update_controls() can be used on the unit. */
bool unit_can_update(const struct unit *unit);

/*
 * Changes the unit's controls from those of one round to those of another; counters keep their
 * values. The unit must be frozen, and unit_can_update() true. Returns 0 or the error of the first
 * write that failed, after which no control is written.
 */
int unit_update_controls(struct platform *p, const struct unit *unit, const uint64_t *from,
			 const uint64_t *to, struct error *err);

/* Lets a frozen unit count, if it can freeze. Returns 0 or the error of the write. */
int unit_unfreeze(struct platform *p, const struct unit *unit, struct error *err);

/*
 * Lists the registers that show if the unit is programmed with controls, and returns their number;
 * 0 if the kernel counts. The registers and their order are the same for all rounds of a plan; a
 * register that a round does not use has .bits 0.
 */
size_t unit_list_controls(const struct unit *unit, const uint64_t *controls,
			  struct unit_control out[UNIT_MAX_CONTROLS]);
/* Lists only the controls of counters; for methods of units. */
size_t unit_list_counter_controls(const struct unit *unit, const uint64_t *controls,
				  struct unit_control out[UNIT_MAX_CONTROLS]);

/*
 * Returns false if a register of unit_list_controls() holds another value; true if all hold theirs,
 * do not respond, or cannot be read. For a CPMU on which the kernel counts: see cpmu_perf_unit().
 */
bool unit_controls_intact(struct platform *p, const struct unit *unit, const uint64_t *controls);

/*
 * Returns true if the unit may be programmed again after another program has reset or used it: each
 * control is disabled, or holds its value in controls. A control without an enable bit is disabled
 * if it is 0. Returns false if a control cannot be read, for a CPU, and if the kernel counts.
 */
bool unit_controls_free(struct platform *p, const struct unit *unit, const uint64_t *controls);

/* Clears overflow bits after a counter of Intel's CPUs wrapped; does nothing for other units. */
void unit_clear_overflow(struct platform *p, const struct unit *unit);

#endif
