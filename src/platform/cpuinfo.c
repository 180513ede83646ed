/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/cpuinfo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/rootfs.h"

#define LINE_SIZE 4096 /* flags of x86 are longer than most */

/* "key<blanks>: value", without the newline. NULL: another key. */
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

/* The first value of a key; false: there is none. */
static bool find(const char *root, const char *key, char value[PROCESSOR_NAME_SIZE])
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
	unsigned long number;
	const char *name;
} implementers[] = {
	{0x41, "Arm"},	     {0x42, "Broadcom"},  {0x43, "Cavium"},	   {0x46, "Fujitsu"},
	{0x48, "HiSilicon"}, {0x4E, "NVIDIA"},	  {0x50, "Applied Micro"}, {0x51, "Qualcomm"},
	{0x61, "Apple"},     {0x6D, "Microsoft"}, {0xC0, "Ampere"},
};

static const char *implementer_name(unsigned long number)
{
	for (size_t i = 0; i < sizeof(implementers) / sizeof(implementers[0]); i++)
		if (implementers[i].number == number)
			return implementers[i].name;
	return "Arm";
}

bool cpuinfo_is_arm(const char *root)
{
	char implementer[PROCESSOR_NAME_SIZE];

	return find(root, "CPU implementer", implementer);
}

void cpuinfo_name(const char *root, char name[PROCESSOR_NAME_SIZE])
{
	char implementer[PROCESSOR_NAME_SIZE], part[PROCESSOR_NAME_SIZE];

	if (find(root, "model name", name) || find(root, "Model Name", name) ||
	    !find(root, "CPU implementer", implementer) || !find(root, "CPU part", part))
		return;
	snprintf(name, PROCESSOR_NAME_SIZE, "%s processor, part 0x%lx",
		 implementer_name(strtoul(implementer, NULL, 16)), strtoul(part, NULL, 16));
}
