/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Identifies a processor, by CPUID or, on Arm, by /proc/cpuinfo.
 *
 * CPUID of a logical CPU is read from root/dev/cpu/N/cpuid (16 bytes at offset leaf | subleaf <<
 * 32, the kernel's cpuid driver). If that file does not exist or may not be opened, the instruction
 * CPUID is executed, on whichever CPU runs.
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
 * Reads a leaf below the root directory root (--root). Returns 0, or a negative errno of the file:
 * -ENXIO if the CPU is offline. -EBADFD: the file is too short. -EOPNOTSUPP: the processor has no
 * CPUID.
 */
int cpuid_read(const char *root, unsigned cpu, uint32_t leaf, uint32_t subleaf,
	       uint32_t regs[CPUID_REGS]);

/* Numbers and names that identify a processor (Intel SDM vol. 2A, CPUID leaves 0 and 1). */
struct cpu_identity {
	char vendor[13]; /* "GenuineIntel"; empty: unknown, or no CPUID */
	unsigned family; /* display family */
	unsigned model;	 /* display model */
	unsigned stepping;
	/* Arm's numbers in MIDR_EL1; 0: unknown, or the processor has CPUID */
	unsigned implementer, part;
	bool hypervisor; /* leaf 1 ECX bit 31: a virtual machine */
	/*
	 * Brand string of an unsupported processor, or the kernel's name of one without CPUID;
	 * empty: unknown, or the processor is supported
	 */
	char name[PROCESSOR_NAME_SIZE];
};

/* Decodes leaves 0 and 1 into all members except .implementer, .part and .name. */
void cpuid_decode_identity(const uint32_t leaf0[CPUID_REGS], const uint32_t leaf1[CPUID_REGS],
			   struct cpu_identity *out);

/*
 * Reads the processor brand string (leaves 0x80000002 to 0x80000004), without surrounding blanks,
 * in the form of printable(); empty if there is none, or after an error.
 */
#define CPUID_BRAND_SIZE 49
int cpuid_brand(struct platform *p, unsigned cpu, char brand[CPUID_BRAND_SIZE], struct error *err);

/*
 * Reads the hypervisor's vendor string (leaf 0x40000000, valid if leaf 1 ECX bit 31 is set), such
 * as "KVMKVMKVM"; empty outside of virtual machines, or after an error. Source: the kernel's
 * arch/x86/kernel/cpu/hypervisor.c and its users.
 */
#define CPUID_HYPERVISOR_SIZE 13
int cpuid_hypervisor(struct platform *p, unsigned cpu, char name[CPUID_HYPERVISOR_SIZE],
		     struct error *err);

/* The kernel's description of the processor: root/proc/cpuinfo. */

/* Returns true for a processor of Arm's architecture, which has no CPUID. */
bool cpuinfo_is_arm(const char *root);

/*
 * Reads the implementer and the part number of the first Arm CPU. Returns false if the file does
 * not have both.
 */
bool cpuinfo_part(const char *root, unsigned *implementer, unsigned *part);

/*
 * Reads the processor's name. If the file has none, as on Arm, makes one from the implementer and
 * part number; empty if the file lacks these, too.
 */
void cpuinfo_name(const char *root, char name[PROCESSOR_NAME_SIZE]);

#endif
