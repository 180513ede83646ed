/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine whose PCI functions, configuration space, memory, MSRs and CPUID come from the input.
 * It aborts if a caller breaks the rules of platform.h, or accesses a forbidden register. It keeps
 * the initial value of every register that is written.
 *
 * The input is, in this order: the model, faults of the machine, the number of the failing access
 * to a unit, CPUID leaf 0xA, the PCI functions, and the content of memory and MSRs, which is
 * repeated.
 */
#ifndef CXLMON_FUZZ_PLATFORM_H
#define CXLMON_FUZZ_PLATFORM_H

#include "fuzz.h"
#include "tests/sim/fake_platform.h"

#define FUZZ_FUNCTIONS 4
#define FUZZ_DWORDS    1024 /* dwords that may be written; a unit has fewer */

struct fuzz_function {
	struct pci_function info;
	uint32_t config[1024];
};

/* Four bytes of a register that were written. */
struct fuzz_dword {
	enum reg_space space;
	uint32_t who;	      /* CPU, or bus, device and function */
	uint64_t address;     /* for an MSR, four times its number */
	uint32_t before, now; /* initial and present value */
};

struct fuzz_platform {
	union {
		struct platform base;
		struct fake_platform fake;
	};
	uint32_t signature; /* CPUID.1 EAX */
	uint32_t leaf_a[4];
	uint8_t faults;	  /* FAULT_* in platform.c */
	uint8_t fails_in; /* accesses of a unit until one fails; 0: none fails */
	struct fuzz_function functions[FUZZ_FUNCTIONS];
	size_t function_count;
	const uint8_t *memory;
	size_t memory_bytes;

	size_t windows, mapped; /* live mappings, and their bytes */
	uint64_t least, most;	/* range of addresses that may be accessed; 0, 0: any */
	uint32_t also_read;	/* MSR outside the range that may be read; 0: none */
	struct fuzz_dword dwords[FUZZ_DWORDS];
	size_t dword_count;
};

void fuzz_platform_init(struct fuzz_platform *p, struct input *in);

/* Limits registers to addresses from least up to most; 0, 0 removes the limit. */
void fuzz_platform_confine(struct fuzz_platform *p, uint64_t least, uint64_t most);

/* Makes a function whose configuration space comes from the input. */
void fuzz_function_init(struct fuzz_function *f, struct input *in);

#endif
