/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A unit: counters that are programmed together, each with a control that selects its event. It is
 * a block of the uncore, the PMU of a CPU or of a CXL device, or a PMU of the kernel. Callers do
 * not depend on how it is accessed: through MSRs, MMIO, PCI configuration space or the kernel.
 *
 * A run calls unit_open(), unit_save(), unit_program() and, while it counts, unit_freeze_control()
 * and unit_counter() for the registers that it writes and reads. struct undo restores the unit.
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

/* Command for hints: lists running programs that are known to use counters. */
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
	OWNERSHIP_REFUSE, /* fail, and write nothing */
	OWNERSHIP_SHARE,  /* use only free counters (--share) */
	OWNERSHIP_FORCE,  /* take the counters over, and restore them on exit (--force) */
};

struct cpmu;
struct core_pmu;
struct unit_methods;

/* Offsets of the registers of a unit's counters from unit.control, in bytes or in MSR numbers. */
struct unit_registers {
	uint16_t control_offset; /* offset of the first counter control */
	uint16_t counter_offset; /* offset of the first counter */
	uint8_t control_step;	 /* distance of counter controls; 0: unknown layout */
	uint8_t counter_step;	 /* distance of counters */
	uint8_t first;		 /* number of the first counter */
};

/* The addresses a for which (a & mask) == (base & mask). */
struct address_block {
	uint64_t base, mask;
};

/* The kernel's PMUs that count a unit: see uncore/units/perf_unit.h. */
struct perf_source {
	/* NULL: the unit counts by registers, or the kernel has no PMU for it */
	const struct perf_pmu *pmu;
	const struct perf_pmu *timestamp;    /* the PMU of the time stamp counter; only for CPUs */
	const struct core_model *core_model; /* only for CPUs */
	/* id of the thread that a CPU's PMU counts, on any CPU; 0: it counts all threads on .cpu */
	unsigned thread;
	struct address_block block; /* counts only accesses to these addresses; .mask 0: to all */
};

struct unit {
	const struct unit_methods *methods; /* NULL: the unit is never opened */
	const struct pmu_type *pmu_type;    /* NULL: the model's table does not have the type */
	uint16_t type;			    /* enum pmu_type_number */
	uint16_t id;			    /* number within its type, unique in its die */
	int socket;
	unsigned die; /* number of the die in the socket, in order of detection */
	/* the CPU through which its MSRs are accessed, or on which the kernel counts it */
	unsigned cpu;
	bool l3_scoped; /* only CPUs of L3 cache .l3 reach its MSRs; false: all of its socket do */
	int l3;

	enum unit_access access;
	/* its first register: MSR number, physical address, or offset in configuration space */
	uint64_t control;
	struct pci_location pci; /* its PCI function, if it has one */
	struct unit_registers registers;
	uint16_t nth;		  /* index among the records of its type in its discovery table */
	uint8_t counters;	  /* counters are numbered below this; not all need exist */
	uint8_t width;		  /* bits per counter */
	enum ownership ownership; /* set by machine_set_ownership() before unit_open() */
	bool uncounted; /* the kernel counts, but not on this unit: its die has no online CPU */
	bool no_region; /* its socket has no CXL region: it counts no event with .needs_region */
	bool still;	/* its clock was found stopped, while clocks of other units ran */
	bool absent;	/* set by unit_open(): it is a channel without memory, or does not exist */

	bool open;
	uint32_t free_running; /* bit i: counter i is never reset, and perhaps never stopped */
	/* bit i: unit_open() found counter i used by another program; only with OWNERSHIP_SHARE */
	uint32_t busy;
	uint32_t usable;  /* bit i: counter i may be used; valid while open */
	uint32_t claimed; /* bit i: the plan uses counter i; set by the caller of unit_save() */
	/*
	 * Bit i: counter i has a control that can be written without the other counters' controls.
	 * 0: all controls are written together, or the unit is a CPMU without controls.
	 */
	uint32_t controlled;
	struct mmio_window window; /* mapped registers; .length is 0 if none are */

	/* the members below depend on the kind of unit */
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
	 * Mask of the bits that exist: a value with any other bit means no response. 0: unknown;
	 * only a value of all ones means no response.
	 */
	uint64_t bits;
};

/*
 * Returns true if value, read from control->reg, freezes the counters. Returns false if value means
 * no response.
 */
bool freeze_control_stops(const struct freeze_control *control, uint64_t value);

/*
 * A register that shows if a unit is still programmed. .value: the register's value while it is.
 * .bits: mask of the bits to compare; 0: none.
 */
struct unit_control {
	struct reg reg;
	uint64_t value, bits;
};

/*
 * The functions of one kind of unit: each implements the function unit_...() of the same name,
 * which is described below.
 */
struct unit_methods {
	/* NULL: the name has socket, die, PMU type and id */
	const char *(*name)(const struct unit *unit, char name[UNIT_NAME_SIZE]);
	/*
	 * Opens a unit that is not open. It may map registers by unit_map(): unit_close() and, if
	 * open() fails, unit_open() unmap them.
	 */
	int (*open)(struct platform *p, struct unit *unit, struct error *err);
	void (*close)(struct unit *unit); /* NULL: nothing else to release */
	/* NULL: computed from unit.registers */
	struct reg (*counter_control)(const struct unit *unit, unsigned i);
	/* NULL: computed from unit.registers */
	struct reg (*counter)(const struct unit *unit, unsigned i);
	/* NULL: computed from .width */
	uint64_t (*counter_mask)(const struct unit *unit, unsigned i);
	/* NULL: the kernel counts; unit_find_busy(), _save() and _program() are not called */
	int (*find_busy)(struct platform *p, const struct unit *unit, uint32_t counters,
			 uint32_t *busy, struct error *err);
	int (*save)(struct platform *p, const struct unit *unit, uint32_t counters,
		    struct undo *undo, struct error *err);
	int (*program)(struct platform *p, const struct unit *unit, const uint64_t *controls,
		       struct error *err);
	/* a control can change only while it is disabled, so unit_update_controls() is not used */
	bool never_updates;
	struct freeze_control (*freeze_control)(
		const struct unit *unit);	     /* NULL: no such register */
	bool (*can_freeze)(const struct unit *unit); /* NULL: all units of the kind can freeze */
	/* Returns the value that counter i's register holds for a control. NULL: the control. */
	uint64_t (*control_value)(const struct unit *unit, unsigned i, uint64_t control);
	/* Returns the bits of counter i's control that show if it is intact. NULL: all bits. */
	uint64_t (*deciding_bits)(const struct unit *unit, unsigned i);
	size_t (*list_controls)(const struct unit *unit, const uint64_t *controls,
				struct unit_control out[]); /* NULL: unit_list_counter_controls() */
	bool (*controls_intact)(struct platform *p, const struct unit *unit,
				const uint64_t *controls); /* NULL: compares list_controls() */
	int (*allow)(struct platform *p, const struct unit *unit, struct error *err);
	void (*clear_overflow)(struct platform *p, const struct unit *unit); /* may be NULL */
	/*
	 * Returns the counters that can count the event, free or in use; bit i: counter i. NULL:
	 * event.counters, because units of the kind do not differ.
	 */
	uint32_t (*event_counters)(const struct unit *unit, const struct event *event);
	uint64_t (*event_control)(const struct unit *unit,
				  const struct event *event); /* NULL: event_control() */
	/* NULL: can count each event that needs no offcore response register */
	bool (*can_count)(const struct unit *unit, const struct event *event);
	bool all_ones_is_no_response; /* a value of all ones means that the unit did not respond */
};

/* Returns true for the PMU of a CPU, which other CPUs cannot access. */
static inline bool unit_is_cpu(const struct unit *unit)
{
	return unit->type == PMU_CORE;
}

/*
 * Returns true for a unit of the uncore: a register of its socket or of its discovery table may
 * also freeze it. Returns false for a CPU's PMU and for a CPMU, which only their own freeze
 * registers freeze.
 */
static inline bool unit_is_uncore(const struct unit *unit)
{
	return !unit_is_cpu(unit) && unit->type != PMU_CPMU;
}

/* Returns true if the unit's MSRs can be accessed through that CPU. */
bool unit_reached_by(const struct unit *unit, const struct cpu_location *cpu);

/*
 * Returns true if the unit has its own freeze register. The counters of other units are read while
 * they run.
 */
bool unit_can_freeze(const struct unit *unit);

/*
 * Writes the unit's name for messages: "socket 0 cxlcm 4", "socket 0 die 1 cxlcm 4" or "mem0 cpmu
 * 1". The last number is unit.id. An unknown type gives "socket 0 type 12 unit 4". Returns name.
 */
const char *unit_name(const struct unit *unit, char name[UNIT_NAME_SIZE]);

/*
 * Opens a unit: maps the registers of an MMIO unit, checks that the unit responds, and allows
 * writes to it in the write guard (platform/guard.h), which refuses all other writes. Does nothing
 * if the unit is open. After an error it is closed.
 *
 * -ENOTSUP: the layout of its counters is unknown. -ENXIO: it does not respond (reads as all ones)
 * or does not exist; .absent is set if it does not exist, or if units of its type may be absent.
 * -ENODEV: .uncounted is set, or the CPU has no PMU. -EBUSY: with OWNERSHIP_SHARE, too few counters
 * are free; or the kernel's driver counts on the CPMU. A failed read or mapping, and lack of
 * memory, are other errors.
 *
 * With OWNERSHIP_SHARE, counters in use are found here: a block of Intel's uncore needs all of its
 * counters free, because they are reset together; a CPMU and an AMD unit need one free counter,
 * Intel's CPUs none. With other policies, unit_save() finds them.
 */
int unit_open(struct platform *p, struct unit *unit, struct error *err);

/* Unmaps the unit's registers and closes it. Writes no register. Also for a closed unit. */
void unit_close(struct platform *p, struct unit *unit);

/*
 * Maps the registers of an MMIO unit for reads and, if write is true, for writes. Does nothing if
 * they are mapped, or for other units. Returns 0 or the error of the mapping.
 */
int unit_map(struct platform *p, struct unit *unit, bool write, struct error *err);
void unit_unmap(struct platform *p, struct unit *unit);

/*
 * Return the unit's first register, and the control and the value of counter i. If the kernel
 * counts, unit_counter() returns a register whose .bytes is 0. i is below unit->counters; for a
 * CPU, counters are numbered as in uncore/model/event.h. An MMIO register can be accessed only
 * while the unit is open.
 */
struct reg unit_control(const struct unit *unit);
struct reg unit_counter_control(const struct unit *unit, unsigned i);
struct reg unit_counter(const struct unit *unit, unsigned i);

/* Returns the usable counters that can count the event; bit i: counter i. The unit must be open. */
uint32_t unit_event_counters(const struct unit *unit, const struct event *event);

/*
 * Returns true if the unit could count the event with all counters free. A CPMU must have a counter
 * for it. Other units must have the offcore response register, or the fields of the kernel's PMU,
 * that the event needs.
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
 * Returns true if a value read from this unit means no response. Always false for kinds without
 * .all_ones_is_no_response, whose counts may be all ones: CPUs, AMD's units, PMUs of the kernel.
 */
bool unit_no_response(const struct unit *unit, uint64_t value);

/*
 * Allows writes to the unit's registers in the write guard, as unit_open() does. The unit may be
 * closed. -ENODEV: a CPU without a PMU.
 */
int unit_allow(struct platform *p, const struct unit *unit, struct error *err);

/*
 * Returns true if one of counters (bit i: counter i) is programmed; *err then names it. Returns
 * false if none is, if a register cannot be read, and if the kernel counts. If the unit's counters
 * are reset together, checks all of them. A CPU's unit must be open; other units may be closed.
 */
bool unit_find_use(struct platform *p, const struct unit *unit, uint32_t counters,
		   struct error *err);

/*
 * Sets *busy to the enabled counters among counters; bit i: counter i. If the unit's counters are
 * reset together, all are checked, and *busy is 1 if any is enabled. The registers must be mapped,
 * and a CPU's unit open. Returns 0 or the error of a read. If *busy is not 0, *err names the first
 * busy counter.
 */
int unit_find_busy(struct platform *p, const struct unit *unit, uint32_t counters, uint32_t *busy,
		   struct error *err);

/* Returns true if counter i is in the mask counters, and has its own control. */
static inline bool unit_has_control(const struct unit *unit, uint32_t counters, unsigned i)
{
	return (counters & unit->controlled) >> i & 1;
}

/*
 * Sets *err to ERROR_IN_USE, for the methods find_busy() and save(). number: the counter. what: a
 * noun for the register that holds value ("control"). programs: examples of programs that use such
 * counters. Returns -EBUSY.
 */
int unit_in_use(const struct unit *unit, unsigned number, const char *what, uint64_t value,
		const char *programs, struct error *err);
/* Returns a step that restores a register of the unit, through any CPU that reaches it. */
struct undo_step unit_undo_step(const struct unit *unit, struct reg reg, uint64_t value,
				enum undo_condition condition);

/*
 * Reads the registers of an open unit that unit_program() will change if it uses only counters (bit
 * i: counter i; the same as unit->claimed), and adds to *undo the steps that restore them. Writes
 * nothing. Returns 0; 1 if OWNERSHIP_FORCE takes over a counter in use; -EBUSY (ERROR_IN_USE) if
 * another program uses a counter; -ENXIO if the unit does not respond; or the error of a read. *err
 * names the counter in use also if it is taken over.
 */
int unit_save(struct platform *p, const struct unit *unit, uint32_t counters, struct undo *undo,
	      struct error *err);

/*
 * Adds to *undo the values that this run will write to the controls of the unit just saved;
 * controls[i] is counter i's. A control is restored only if it holds one of these values. Call it
 * for each round of the plan. Returns 0 or -ENOMEM.
 */
int unit_add_ours(const struct unit *unit, const uint64_t *controls, struct undo *undo,
		  struct error *err);

/*
 * Stops the claimed counters of a saved unit, selects the event controls[i] (0: none) on each
 * counter i, and sets the counters to 0 if they can be written. A unit that can freeze stays
 * frozen; any other counts from now on. Returns 0, the error of a read or write, or -ENODEV
 * (ERROR_NO_UNIT) if an AMD unit's control reads as 0 after the write.
 */
int unit_program(struct platform *p, const struct unit *unit, const uint64_t *controls,
		 struct error *err);

/* Returns true if unit_update_controls() can be used on the unit. */
bool unit_can_update(const struct unit *unit);

/*
 * Writes the counter controls of a unit that differ between from and to; counters keep their
 * values. unit_can_update() must be true, and the unit frozen and programmed with from. Returns 0
 * or the error of the first write that failed; later controls are then not written.
 */
int unit_update_controls(struct platform *p, const struct unit *unit, const uint64_t *from,
			 const uint64_t *to, struct error *err);

/*
 * Lets a frozen unit count. Returns 0 or the error of the write. Without a freeze register, does
 * nothing and returns 0.
 */
int unit_unfreeze(struct platform *p, const struct unit *unit, struct error *err);

/*
 * Lists the registers that show if the unit is programmed with controls. Each round of a plan gives
 * the same registers in the same order; .bits is 0 in those that a round does not use. Returns
 * their number; 0 if the kernel counts.
 */
size_t unit_list_controls(const struct unit *unit, const uint64_t *controls,
			  struct unit_control out[UNIT_MAX_CONTROLS]);
/* Lists only the controls of counters; for the method list_controls(). */
size_t unit_list_counter_controls(const struct unit *unit, const uint64_t *controls,
				  struct unit_control out[UNIT_MAX_CONTROLS]);

/*
 * Returns false if a register of unit_list_controls() does not hold its value; a register that
 * cannot be read, or does not respond, counts as intact. If the kernel counts on a CPMU, returns
 * true only if the CPMU's registers show the events: see cpmu_perf_unit().
 */
bool unit_controls_intact(struct platform *p, const struct unit *unit, const uint64_t *controls);

/*
 * Returns true if the unit's own freeze register now freezes it. Returns false for a CPU, for a
 * unit without such a register, and if the register cannot be read.
 */
bool unit_is_frozen(struct platform *p, const struct unit *unit);

/*
 * Returns true if the unit may be programmed again after another program has reset or used it: each
 * counter's control is disabled (0, if it has no enable bit), or holds its value in controls.
 * Returns false if a control cannot be read, for a CPU's PMU, whose counters the kernel assigns,
 * and if the kernel counts.
 */
bool unit_controls_free(struct platform *p, const struct unit *unit, const uint64_t *controls);

/* Clears overflow bits after a counter of Intel's CPUs wrapped; does nothing for other units. */
void unit_clear_overflow(struct platform *p, const struct unit *unit);

#endif
