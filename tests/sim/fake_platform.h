/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A platform for tests to override some of its operations. It has operations of the clock, CPUs,
 * registers, PCI functions and the list of CXL devices, and passes them on to an inner platform.
 * Without an inner platform it has only four CPUs on two sockets, and a clock.
 */
#ifndef CXLMON_TESTS_SIM_FAKE_PLATFORM_H
#define CXLMON_TESTS_SIM_FAKE_PLATFORM_H

#include "tests/ops_copy.h"

/* The platform: the first member of a test's own struct. */
struct fake_platform {
	struct platform base;
	struct platform *inner; /* NULL: none */
	uint64_t now;		/* time of the clock without an inner platform, ns */

	struct ops_copy ops; /* operations; a test overrides them after fake_platform_init() */
};

/* Initializes *fake. platform_destroy() also destroys inner, which may be NULL. */
void fake_platform_init(struct fake_platform *fake, struct platform *inner);

/*
 * Sets the registers of a CPUID leaf: the vendor in leaf 0, the signature in EAX of leaf 1, and 0
 * elsewhere.
 */
void fake_cpuid(const char vendor[13], uint32_t signature, uint32_t leaf, uint32_t regs[4]);

#endif
