/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The registers that may be written. The one door to registers (platform/reg.h) asks here before
 * each write, and what no rule allows never reaches a device.
 *
 * Whoever is about to use a counter adds the rules for it: the PMU of a CPU when it is looked at, a
 * unit when it is opened. What nobody opened can't be written.
 */
#ifndef CXLMON_GUARD_H
#define CXLMON_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/pci_location.h"

enum reg_space {
	REG_MSR,
	REG_MMIO,
	REG_PCI,
};

/* A stretch of registers that are alike. */
struct guard_rule {
	enum reg_space space;
	struct pci_location pci; /* PCI */
	uint64_t first, last;	 /* MSR numbers, or the first and the last byte; inclusive */
	uint64_t mask;		 /* bits that counting changes; 0: it is only read */
	uint64_t denied; /* bits of it that may only be set where they were: they ask for interrupts
			  */
	const char *what; /* as the manuals call it */
};

struct guard {
	struct guard_rule *rules; /* ascending, none twice; freed by guard_free() */
	size_t count, capacity;
	bool allow_all; /* lets every write pass: for an expert who has said so */
};

struct reg;

/* Adds a rule, unless there is one for that stretch. -ENOMEM */
int guard_allow(struct guard *guard, const struct guard_rule *rule);

/* The rule for the whole of a register; NULL: there is none. */
const struct guard_rule *guard_find(const struct guard *guard, const struct reg *reg);

void guard_free(struct guard *guard);

#endif
