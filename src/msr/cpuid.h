/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Identifies a processor, by CPUID or, on Arm, by /proc/cpuinfo. root is the directory of dev and
 * proc (--root), usually "/".
 */
#ifndef CXLMON_MSR_CPUID_H
#define CXLMON_MSR_CPUID_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/cpus.h"
#include "platform/platform.h"

/* Indices of the four registers, in the order of the kernel's cpuid driver. */
enum { CPUID_EAX, CPUID_EBX, CPUID_ECX, CPUID_EDX, CPUID_REGS };

/*
 * Reads a leaf of a logical CPU from root/dev/cpu/N/cpuid, a file of the kernel's cpuid driver. If
 * the file does not exist or may not be opened, executes the instruction CPUID on the CPU that the
 * thread runs on. Returns 0, or:
 * - -ENXIO: the CPU is offline
 * - -EBADFD: the file is too short
 * - -EOPNOTSUPP: the processor has no CPUID
 * - another negative errno of the file
 */
int cpuid_read(const char *root, unsigned cpu, uint32_t leaf, uint32_t subleaf,
	       uint32_t regs[CPUID_REGS]);

/* Numbers and names that identify a processor (Intel SDM vol. 2A, CPUID leaves 0 and 1). */
struct cpu_identity {
	char vendor[13]; /* "GenuineIntel"; empty: unknown, or no CPUID */
	unsigned family; /* display family */
	unsigned model;	 /* display model */
	unsigned stepping;
	/* numbers of an Arm processor, as in MIDR_EL1; 0: unknown, or the processor has CPUID */
	unsigned implementer, part;
	bool hypervisor; /* leaf 1 ECX bit 31: a virtual machine */
	/* name of an unsupported processor, or of one without CPUID; empty: supported or unknown */
	char name[PROCESSOR_NAME_SIZE];
};

/* Decodes leaves 0 and 1 into all members except .implementer, .part and .name. */
void cpuid_decode_identity(const uint32_t leaf0[CPUID_REGS], const uint32_t leaf1[CPUID_REGS],
			   struct cpu_identity *out);

/* Bytes of strings from CPUID, with the NUL. */
#define CPUID_BRAND_SIZE      49
#define CPUID_HYPERVISOR_SIZE 13

/*
 * Reads the processor brand string (leaves 0x80000002 to 0x80000004), in the form of printable()
 * (base/text.h), without blanks at both ends. If the processor has none, returns 0 and writes "".
 * After an error of reading, returns a negative errno and writes "".
 */
int cpuid_brand(struct platform *p, unsigned cpu, char brand[CPUID_BRAND_SIZE], struct error *err);

/*
 * Reads the hypervisor's vendor string, such as "KVMKVMKVM" (leaf 0x40000000, valid if leaf 1 ECX
 * bit 31 is set). Outside of virtual machines, returns 0 and writes "". After an error of reading,
 * returns a negative errno and writes "". Source: the kernel's arch/x86/kernel/cpu/hypervisor.c and
 * its users.
 */
int cpuid_hypervisor(struct platform *p, unsigned cpu, char name[CPUID_HYPERVISOR_SIZE],
		     struct error *err);

/* Functions that read root/proc/cpuinfo. */

/* Returns true if the processor has Arm's architecture, and so no CPUID. */
bool cpuinfo_is_arm(const char *root);

/*
 * Reads the implementer and the part number of the first Arm CPU. If the file lacks one of them,
 * returns false and leaves both unchanged.
 */
bool cpuinfo_part(const char *root, unsigned *implementer, unsigned *part);

/*
 * Reads the processor's name. If the file has no name, as on Arm, makes one from the implementer
 * and the part number. If the file lacks these, writes "".
 */
void cpuinfo_name(const char *root, char name[PROCESSOR_NAME_SIZE]);

#endif
