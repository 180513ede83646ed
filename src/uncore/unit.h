/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One uncore unit: a block of counters with their controls. From here on nobody cares whether it is
 * reached through MSRs, memory or PCI configuration space.
 *
 * Source of the addresses and sequences: the kernel's uncore_discovery.c and Intel PCM.
 */
#ifndef CXLMON_UNIT_H
#define CXLMON_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/platform.h"
#include "platform/reg.h"
#include "platform/undo.h"
#include "uncore/model.h"

#define UNIT_MAX_COUNTERS 32

/* Shows who may be counting, by the names of the programs that are known to. */
#define UNIT_COMMAND_WHO_COUNTS "pgrep -a 'perf|pcm|likwid|cxlmon'"

/* Unit control register */
#define UNIT_CTL_FREEZE		(UINT64_C(1) << 0) /* FRZ: counters stand still */
#define UNIT_CTL_RESET_CONTROLS (UINT64_C(1) << 8) /* RST_CTRL: counter controls become 0 */
#define UNIT_CTL_RESET_COUNTERS (UINT64_C(1) << 9) /* RST_CTRS: counters become 0 */

/* As the discovery table numbers them. */
enum unit_access {
	ACCESS_MSR = 0,
	ACCESS_MMIO = 1,
	ACCESS_PCI = 2,
};

/* What to do where somebody else uses a unit's counters. */
enum ownership {
	OWNERSHIP_REFUSE, /* nothing is written */
	OWNERSHIP_SHARE,  /* only what is free is used */
	OWNERSHIP_FORCE,  /* it is taken, and put back at the end */
};

struct unit_methods;

struct unit {
	const struct unit_methods *methods; /* NULL: those of an uncore unit */
	const struct box *box;		    /* NULL: a type that the model's table doesn't have */
	uint16_t type;			    /* enum box_type */
	uint16_t id;
	int socket;
	unsigned die; /* within the socket, in order of detection */
	unsigned cpu; /* through which its MSRs are reached */

	enum unit_access access;
	uint64_t control; /* MSR number, physical address, or offset in configuration space */
	struct pci_location pci;
	uint8_t control_offset; /* of the first counter control */
	uint8_t counter_offset; /* of the first counter */
	uint8_t counters;
	uint8_t width;	      /* bits a counter */
	uint8_t control_step; /* from one counter control to the next; 0: not known */
	enum ownership ownership;

	uint32_t free_running;	   /* bit i: counter i always runs, and is never set to 0 */
	uint32_t busy;		   /* bit i: somebody else uses counter i; where open */
	uint32_t usable;	   /* bit i: counter i may be used; where open */
	struct mmio_window window; /* while open */
	struct core_pmu *core;	   /* while open, of a logical CPU; owned by the unit */
	bool open;
};

/* The register that stops all counters of a unit, and starts them. */
struct freeze_control {
	struct reg reg;
	uint64_t stop, start;
};

/* What differs between units that aren't reached in the same way; see the functions below. */
struct unit_methods {
	int (*open)(struct platform *p, struct unit *unit, struct error *err);
	void (*close)(struct platform *p, struct unit *unit);
	struct reg (*counter)(const struct unit *unit, unsigned i);
	uint64_t (*counter_mask)(const struct unit *unit, unsigned i);
	int (*save)(struct platform *p, const struct unit *unit, uint32_t counters,
		    struct undo *undo, struct error *err);
	int (*program)(struct platform *p, const struct unit *unit, const uint64_t *controls,
		       struct error *err);
	struct freeze_control (*freeze_control)(const struct unit *unit);
	bool (*controls_intact)(struct platform *p, const struct unit *unit,
				const uint64_t *controls);
	int (*allow)(struct platform *p, const struct unit *unit, struct error *err);
	void (*clear_overflow)(struct platform *p,
			       const struct unit *unit); /* NULL: nothing to do */
	bool all_ones_is_no_response; /* all ones are no value, but the answer of nobody */
};

#define UNIT_NAME_SIZE 64

/* "socket 0 cxlcm 4" (the number is the box id), "socket 0 die 1 cxlcm 4". Returns name. */
const char *unit_name(const struct unit *unit, char name[UNIT_NAME_SIZE]);

/*
 * Maps an MMIO unit, asks whether it answers, and tells the guard. -ENOTSUP where the layout of its
 * controls is not known; -ENXIO where it reads as all ones; -EBUSY where it is to be shared, and
 * somebody uses it.
 */
int unit_open(struct platform *p, struct unit *unit, struct error *err);
void unit_close(struct platform *p, struct unit *unit);

/* Its registers; the unit must be open, and i below unit->counters. */
struct reg unit_control(const struct unit *unit);
struct reg unit_counter_control(const struct unit *unit, unsigned i);
struct reg unit_counter(const struct unit *unit, unsigned i);
uint64_t unit_counter_mask(const struct unit *unit, unsigned i); /* of its width */
struct freeze_control unit_freeze_control(
	const struct unit *unit); /* of an open and programmed unit */

/* Whether a register in memory is one of the unit's. */
bool unit_contains(const struct unit *unit, const struct reg *reg);

/* Real units now and then answer with all ones (whole, or one half): then nothing was read. */
bool unit_value_no_response(uint64_t value);
/* The same, for a value that was read from this unit. */
bool unit_no_response(const struct unit *unit, uint64_t value);

/* Tells the guard that the unit's registers may be written; opening it does the same. */
int unit_allow(struct platform *p, const struct unit *unit, struct error *err);

/*
 * Reads everything that unit_program() will change while only counters (bit i: counter i) are used,
 * and adds the steps that put it back. Where somebody else uses a counter: -EBUSY (EXIT_IN_USE), or
 * 1 where it may be taken; *err says which in both cases. -ENXIO where the unit answers with all
 * ones.
 */
int unit_save(struct platform *p, const struct unit *unit, uint32_t counters, struct undo *undo,
	      struct error *err);

/*
 * Freezes the unit, resets its controls, writes controls[i] to counter control i, and sets the
 * counters to 0. The unit stays frozen.
 */
int unit_program(struct platform *p, const struct unit *unit, const uint64_t *controls,
		 struct error *err);

/*
 * Writes those counter controls of an uncore unit that differ, and lets counters hold what they
 * do. It must stand still, and its controls be those of from.
 */
int unit_update_controls(struct platform *p, const struct unit *unit, const uint64_t *from,
			 const uint64_t *to, struct error *err);

int unit_unfreeze(struct platform *p, const struct unit *unit, struct error *err);

/* Whether the unit's controls are still what unit_program() wrote, as far as that can be read. */
bool unit_controls_intact(struct platform *p, const struct unit *unit, const uint64_t *controls);

/* A counter has passed its width: where that leaves a mark, it is taken away. */
void unit_clear_overflow(struct platform *p, const struct unit *unit);

#endif
