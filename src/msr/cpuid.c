/* SPDX-License-Identifier: BSD-3-Clause */
#include "msr/cpuid.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rootfs.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "base/text.h"
#include "platform/cpus.h"

/*
 * Executes the instruction, except on Arm: there a program for x86 is emulated, and the instruction
 * describes a processor that does not exist.
 */
static int execute_cpuid(const char *root, uint32_t leaf, uint32_t subleaf,
			 uint32_t regs[CPUID_REGS])
{
	if (cpuinfo_is_arm(root))
		return -EOPNOTSUPP;
#ifdef __x86_64__
	__cpuid_count(leaf, subleaf, regs[CPUID_EAX], regs[CPUID_EBX], regs[CPUID_ECX],
		      regs[CPUID_EDX]);
	return 0;
#else
	(void)leaf;
	(void)subleaf;
	(void)regs;
	return -EOPNOTSUPP;
#endif
}

int cpuid_read(const char *root, unsigned cpu, uint32_t leaf, uint32_t subleaf,
	       uint32_t regs[CPUID_REGS])
{
	const size_t bytes = CPUID_REGS * sizeof(regs[0]);
	const int fd = rootfs_open(O_RDONLY, root, "dev/cpu/%u/cpuid", cpu);

	/* the instruction needs no privileges, but cannot be executed on an offline CPU */
	if (fd == -ENOENT || fd == -EACCES)
		return execute_cpuid(root, leaf, subleaf, regs);
	if (fd < 0)
		return fd;
	const ssize_t got = pread(fd, regs, bytes, (off_t)((uint64_t)subleaf << 32 | leaf));
	const int rc = got < 0 ? -errno : got == (ssize_t)bytes ? 0 : -EBADFD;
	close(fd);
	return rc;
}

void cpuid_decode_identity(const uint32_t leaf0[CPUID_REGS], const uint32_t leaf1[CPUID_REGS],
			   struct cpu_identity *out)
{
	const uint32_t signature = leaf1[CPUID_EAX];
	const unsigned family = signature >> 8 & 0xf;

	memcpy(out->vendor, &leaf0[CPUID_EBX], 4);
	memcpy(out->vendor + 4, &leaf0[CPUID_EDX], 4);
	memcpy(out->vendor + 8, &leaf0[CPUID_ECX], 4);
	out->vendor[12] = '\0';

	/* the extended fields count only for families named in the manual */
	out->family = family == 0xf ? family + (signature >> 20 & 0xff) : family;
	out->model = signature >> 4 & 0xf;
	if (family == 0x6 || family == 0xf)
		out->model |= (signature >> 16 & 0xf) << 4;
	out->stepping = signature & 0xf;
	out->hypervisor = leaf1[CPUID_ECX] >> 31;
}

#define LEAF_HYPERVISOR	 0x40000000
#define LEAF_EXTENDED	 0x80000000 /* EAX: the highest extended leaf */
#define LEAF_BRAND_FIRST 0x80000002
#define LEAF_BRAND_LAST	 0x80000004

int cpuid_brand(struct platform *p, unsigned cpu, char brand[CPUID_BRAND_SIZE], struct error *err)
{
	uint32_t regs[CPUID_REGS];
	char text[CPUID_BRAND_SIZE] = "";
	int rc = p->ops->cpus->cpuid(p, cpu, LEAF_EXTENDED, 0, regs, err);

	brand[0] = '\0';
	if (rc || regs[CPUID_EAX] < LEAF_BRAND_LAST)
		return rc;
	for (uint32_t leaf = LEAF_BRAND_FIRST; leaf <= LEAF_BRAND_LAST; leaf++) {
		rc = p->ops->cpus->cpuid(p, cpu, leaf, 0, regs, err);
		if (rc)
			return rc;
		memcpy(text + (leaf - LEAF_BRAND_FIRST) * sizeof(regs), regs, sizeof(regs));
	}

	size_t length = strlen(text);
	while (length && text[length - 1] == ' ')
		text[--length] = '\0';
	printable(text + strspn(text, " "), brand, CPUID_BRAND_SIZE);
	return 0;
}

int cpuid_hypervisor(struct platform *p, unsigned cpu, char name[CPUID_HYPERVISOR_SIZE],
		     struct error *err)
{
	uint32_t regs[CPUID_REGS];
	int rc = p->ops->cpus->cpuid(p, cpu, 1, 0, regs, err);

	name[0] = '\0';
	if (rc || !(regs[CPUID_ECX] >> 31))
		return rc;
	rc = p->ops->cpus->cpuid(p, cpu, LEAF_HYPERVISOR, 0, regs, err);
	if (rc)
		return rc;
	memcpy(name, &regs[CPUID_EBX], CPUID_HYPERVISOR_SIZE - 1);
	name[CPUID_HYPERVISOR_SIZE - 1] = '\0';
	return 0;
}

#define LINE_SIZE 4096 /* x86's lists of flags are longer than most */

/* Returns the value of "key<blanks>: value", without the newline. NULL: another key. */
static const char *value_of(char *line, const char *key)
{
	const size_t length = strlen(key);
	char *at = line + length;

	if (strncmp(line, key, length))
		return NULL;
	at += strspn(at, " \t");
	if (*at != ':')
		return NULL;
	at++;
	at += strspn(at, " \t");
	at[strcspn(at, "\n")] = '\0';
	return at;
}

/* Reads the first value of a key. Returns false if there is none. */
static bool find_cpuinfo(const char *root, const char *key, char value[PROCESSOR_NAME_SIZE])
{
	char line[LINE_SIZE];
	const char *found = NULL;
	FILE *in = rootfs_stream(root, "proc/cpuinfo");

	value[0] = '\0';
	if (!in)
		return false;
	while (!found && fgets(line, sizeof(line), in))
		found = value_of(line, key);
	if (found)
		snprintf(value, PROCESSOR_NAME_SIZE, "%s", found);
	fclose(in);
	return found;
}

/* Source: the kernel's arch/arm64/include/asm/cputype.h */
static const struct {
	unsigned number;
	const char *name;
} implementers[] = {
	{0x41, "Arm"},	     {0x42, "Broadcom"},  {0x43, "Cavium"},	   {0x46, "Fujitsu"},
	{0x48, "HiSilicon"}, {0x4E, "NVIDIA"},	  {0x50, "Applied Micro"}, {0x51, "Qualcomm"},
	{0x61, "Apple"},     {0x6D, "Microsoft"}, {0xC0, "Ampere"},
};

static const char *implementer_name(unsigned number)
{
	for (size_t i = 0; i < sizeof(implementers) / sizeof(implementers[0]); i++)
		if (implementers[i].number == number)
			return implementers[i].name;
	return "Arm";
}

bool cpuinfo_is_arm(const char *root)
{
	char implementer[PROCESSOR_NAME_SIZE];

	return find_cpuinfo(root, "CPU implementer", implementer);
}

bool cpuinfo_part(const char *root, unsigned *implementer, unsigned *part)
{
	char by[PROCESSOR_NAME_SIZE], number[PROCESSOR_NAME_SIZE];

	if (!find_cpuinfo(root, "CPU implementer", by) || !find_cpuinfo(root, "CPU part", number))
		return false;
	*implementer = (unsigned)strtoul(by, NULL, 16);
	*part = (unsigned)strtoul(number, NULL, 16);
	return true;
}

void cpuinfo_name(const char *root, char name[PROCESSOR_NAME_SIZE])
{
	unsigned implementer, part;

	if (!find_cpuinfo(root, "model name", name) && !find_cpuinfo(root, "Model Name", name) &&
	    cpuinfo_part(root, &implementer, &part))
		snprintf(name, PROCESSOR_NAME_SIZE, "%s processor, part 0x%x",
			 implementer_name(implementer), part);
}
