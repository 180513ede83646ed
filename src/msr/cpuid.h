/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CPUID of one logical CPU: through root/dev/cpu/N/cpuid (16 bytes at offset leaf | subleaf << 32,
 * the kernel's cpuid driver), or the CPUID instruction if that file does not exist or cannot be
 * opened without rights.
 */
#ifndef CXLMON_MSR_CPUID_H
#define CXLMON_MSR_CPUID_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/cpus.h"
#include "platform/platform.h"

/* The four registers, in the order of the driver. */
enum { CPUID_EAX, CPUID_EBX, CPUID_ECX, CPUID_EDX, CPUID_REGS };

/*
 * 0, or a negative errno of the file: -ENXIO where the CPU is offline. -EOPNOTSUPP: the processor
 * has no CPUID.
 */
int cpuid_read(const char *root, unsigned cpu, uint32_t leaf, uint32_t subleaf,
	       uint32_t regs[CPUID_REGS]);

/* Vendor, family, model and stepping (Intel SDM vol. 2A, CPUID leaves 0 and 1). */
struct cpu_identity {
	char vendor[13]; /* "GenuineIntel"; empty: not known, or no CPUID */
	unsigned family; /* display family */
	unsigned model;	 /* display model */
	unsigned stepping;
	unsigned implementer, part; /* of Arm: as in MIDR_EL1; 0: not known, or CPUID has it all */
	bool hypervisor;	    /* leaf 1 ECX bit 31: a virtual machine */
	char name[PROCESSOR_NAME_SIZE]; /* of one that cxlmon does not know: its brand string, or as
					 * the kernel calls it; empty: not known */
};

void cpuid_decode_identity(const uint32_t leaf0[CPUID_REGS], const uint32_t leaf1[CPUID_REGS],
			   struct cpu_identity *out);

/*
 * The processor brand string (leaves 0x80000002 to 0x80000004), without surrounding blanks, and
 * printable (base/text.h); empty if there is none.
 */
#define CPUID_BRAND_SIZE 49
int cpuid_brand(struct platform *p, unsigned cpu, char brand[CPUID_BRAND_SIZE], struct error *err);

/*
 * The hypervisor's vendor string (leaf 0x40000000, valid if leaf 1 ECX bit 31 is set), such as
 * "KVMKVMKVM"; empty if there is none.
 * Source: the kernel's arch/x86/kernel/cpu/hypervisor.c and its users.
 */
#define CPUID_HYPERVISOR_SIZE 13
int cpuid_hypervisor(struct platform *p, unsigned cpu, char name[CPUID_HYPERVISOR_SIZE],
		     struct error *err);

/* The processor by the kernel, in /proc/cpuinfo below a root directory (--root). */

/* Whether it is one of Arm's architecture, which has no CPUID. */
bool cpuinfo_is_arm(const char *root);

/* Who implements a CPU of Arm, and the number of its part. False: the file does not say. */
bool cpuinfo_part(const char *root, unsigned *implementer, unsigned *part);

/*
 * Its name, or on Arm, where the file has none, who implements it and the number of the part; empty
 * where the file does not say.
 */
void cpuinfo_name(const char *root, char name[PROCESSOR_NAME_SIZE]);

#endif
