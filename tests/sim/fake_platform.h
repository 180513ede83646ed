/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A base platform, of which a test overrides operations. It passes all others on to another
 * platform. Without another platform it has only four CPUs on two sockets and a clock.
 */
#ifndef CXLMON_TESTS_SIM_FAKE_PLATFORM_H
#define CXLMON_TESTS_SIM_FAKE_PLATFORM_H

#include "tests/ops_copy.h"

/* The platform; the first member of a test's own struct, in place of a struct platform. */
struct fake_platform {
	struct platform base;
	struct platform *inner; /* the other platform; NULL: none */
	uint64_t now;		/* time of the clock without another platform */

	struct ops_copy ops; /* a test overrides them after fake_platform_init() */
};

/* Takes over inner, which platform_destroy() destroys. */
void fake_platform_init(struct fake_platform *fake, struct platform *inner);

/* Sets the registers of CPUID leaves 0 and 1, without feature flags; all zero for other leaves. */
void fake_cpuid(const char vendor[13], uint32_t signature, uint32_t leaf, uint32_t regs[4]);

#endif
