/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A platform for a test to begin with, which overrides operations: everything is passed on to
 * another platform, or, without one, there is nothing but four CPUs on two sockets and a clock.
 */
#ifndef CXLMON_TESTS_SIM_FAKE_PLATFORM_H
#define CXLMON_TESTS_SIM_FAKE_PLATFORM_H

#include "tests/ops_copy.h"

/* Has the place of the struct platform with which a test's own begins. */
struct fake_platform {
	struct platform base;
	struct platform *inner; /* NULL: none */
	uint64_t now;		/* of the clock without one */

	struct ops_copy ops; /* a test overrides them after fake_platform_init() */
};

/* Takes over inner, which platform_destroy() destroys. */
void fake_platform_init(struct fake_platform *fake, struct platform *inner);

/* Registers of CPUID leaves 0 and 1, without feature flags; all zero for others. */
void fake_cpuid(const char vendor[13], uint32_t signature, uint32_t leaf, uint32_t regs[4]);

#endif
