/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The write guard: the registers that may be written. Every register write (platform/reg.h) is
 * checked against its rules; a write that no rule allows never reaches the hardware.
 *
 * Only core_pmu_detect(), unit_open(), machine_allow_*() and mbm_allow() add rules, by
 * guard_allow(): other registers cannot be written.
 */
#ifndef CXLMON_PLATFORM_GUARD_H
#define CXLMON_PLATFORM_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/pci.h"
#include "platform/reg_address.h"

struct error;

/* A range of registers of one space, and of one PCI function. */
struct guard_rule {
	enum reg_space space;
	struct pci_location pci; /* PCI */
	/* first and last number (MSR, enum mbm_event), or address of the first and the last byte */
	uint64_t first, last;
	/* bits that monitoring changes, for allowlists; 0: the registers are only read */
	uint64_t mask;
	/* bits that may only be restored, never newly set: interrupt enables, status */
	uint64_t denied;
	const char *what; /* name as in the manuals; not owned */
};

struct guard {
	struct guard_rule *rules; /* sorted, without duplicates; freed by guard_free() */
	size_t count;
	bool allow_all; /* set by guard_disable() */
};

/* Adds a copy of a rule, unless its range already has one. 0 or -ENOMEM. */
int guard_allow(struct guard *guard, const struct guard_rule *rule);

/*
 * Adds a rule for count consecutive registers, from *first on. rule has its mask, denied bits and
 * name. 0 or -ENOMEM.
 */
int guard_allow_registers(struct guard *guard, const struct reg *first, unsigned count,
			  struct guard_rule rule, struct error *err);

/* Allows every write from now on: for --unsafe, and tests. */
void guard_disable(struct guard *guard);

/* Returns the rule that covers all bytes of a register, valid until a rule is added; NULL: none. */
const struct guard_rule *guard_find(const struct guard *guard, const struct reg *reg);

/* Frees all rules: then no register may be written. */
void guard_free(struct guard *guard);

#endif
