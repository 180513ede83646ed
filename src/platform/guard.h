/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The write guard: rules that say which registers may be written. Every write of a register
 * (platform/reg.h) is checked, and reaches the hardware only if a rule allows it.
 *
 * Rules are added only by functions with "allow" in their name, such as mbm_allow(), and by:
 *
 * - core_pmu_detect() (msr/core_pmu.h)
 * - unit_open() (uncore/units/unit.h)
 * - table_control_open() (uncore/discovery/discovery.h)
 */
#ifndef CXLMON_PLATFORM_GUARD_H
#define CXLMON_PLATFORM_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/pci.h"
#include "platform/reg_address.h"

struct error;

/* A range of registers of one space. A rule for MSRs or L3 caches applies to all CPUs or caches. */
struct guard_rule {
	enum reg_space space;
	struct pci_location pci; /* REG_PCI: the function */
	/* REG_MSR, REG_MBM: first and last number; others: addresses of the first and last byte */
	uint64_t first, last;
	/* bits that monitoring changes: only printed in allowlists. 0: no write is allowed */
	uint64_t mask;
	/* bits that only reg_restore() may set: interrupt enables, status, reserved bits */
	uint64_t denied;
	const char *what; /* name as in the manuals; not owned */
};

struct guard {
	struct guard_rule *rules; /* sorted, without duplicates; freed by guard_free() */
	size_t count;
	bool allow_all; /* every write is allowed: guard_disable() */
};

/* Adds a copy of a rule, unless a rule for the same range exists. 0 or -ENOMEM. */
int guard_allow(struct guard *guard, const struct guard_rule *rule);

/*
 * Adds a rule for count consecutive registers, of which *first is the first. rule has .mask,
 * .denied and .what; the other members are ignored. 0 or -ENOMEM.
 */
int guard_allow_registers(struct guard *guard, const struct reg *first, unsigned count,
			  struct guard_rule rule, struct error *err);

/* Allows every write from now on: for --unsafe, and tests. */
void guard_disable(struct guard *guard);

/* Returns the rule that covers a whole register; NULL: none. Valid until a rule is added. */
const struct guard_rule *guard_find(const struct guard *guard, const struct reg *reg);

/* Frees all rules, and undoes guard_disable(): then no register may be written. */
void guard_free(struct guard *guard);

#endif
