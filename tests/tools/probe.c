/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One access to the machine through the Linux platform, and the error message if it fails: lets
 * tests use the platform on machines without a unit to monitor.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux/linux.h"
#include "linux/rights/rights.h"
#include "msr/cpuid.h"
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/guard.h"
#include "platform/pci.h"
#include "platform/reg.h"

#define MAX_NUMBERS 3

struct probe {
	const char *name;
	int least, most; /* the least and the most numbers that it takes */
	const uint64_t limits[MAX_NUMBERS];
	int (*run)(struct platform *p, const uint64_t *numbers, int count, struct error *err);
};

static int probe_msr(struct platform *p, const uint64_t *numbers, int count, struct error *err)
{
	const struct reg reg = {
		.space = REG_MSR,
		.bytes = 8,
		.cpu = (unsigned)numbers[0],
		.address = numbers[1],
	};
	uint64_t value;

	guard_disable(&p->guard);
	if (count == 3)
		return reg_write(p, &reg, numbers[2], err);
	int rc = reg_read(p, &reg, &value, err);
	if (!rc)
		printf("0x%" PRIx64 "\n", value);
	return rc;
}

/* Accesses a register as a monitor does: an open device can be used without any right. */
static int probe_later(struct platform *p, const uint64_t *numbers, int count, struct error *err)
{
	const struct guard_rule rule = {
		.space = REG_MSR, .first = numbers[1], .last = numbers[1], .mask = UINT64_MAX};
	const struct rights_use use = {.role = RIGHTS_MONITOR, .platform = p};

	p->ops->registers->msr_open(p, (unsigned)numbers[0]);
	int rc = guard_allow(&p->guard, &rule);
	if (!rc)
		rc = rights_drop_rawio(err);
	if (!rc)
		rc = rights_drop(&use, &p->log, err);
	if (!rc)
		rc = rights_filter(&use, &p->log, err);
	return rc ? rc : probe_msr(p, numbers, count, err);
}

static int probe_mmio(struct platform *p, const uint64_t *numbers, int count, struct error *err)
{
	struct mmio_window window;
	uint64_t value;

	(void)count;
	int rc = p->ops->registers->mmio_map(p, numbers[0], sizeof(value), false, &window, err);
	if (rc)
		return rc;
	const struct reg reg = {
		.space = REG_MMIO,
		.bytes = sizeof(value),
		.window = &window,
		.address = numbers[0],
	};
	rc = reg_read(p, &reg, &value, err);
	if (!rc)
		printf("0x%" PRIx64 "\n", value);
	p->ops->registers->mmio_unmap(p, &window);
	return rc;
}

static int probe_cpuid(struct platform *p, const uint64_t *numbers, int count, struct error *err)
{
	const uint32_t subleaf = count == 3 ? (uint32_t)numbers[2] : 0;
	uint32_t regs[CPUID_REGS];
	int rc = p->ops->cpus->cpuid(p, (unsigned)numbers[0], (uint32_t)numbers[1], subleaf, regs,
				     err);

	if (!rc)
		printf("0x%08" PRIx32 " 0x%08" PRIx32 " 0x%08" PRIx32 " 0x%08" PRIx32 "\n",
		       regs[CPUID_EAX], regs[CPUID_EBX], regs[CPUID_ECX], regs[CPUID_EDX]);
	return rc;
}

/* A line a device: its name, the functions that lead to it, the two nodes, bytes. */
static int probe_cxl(struct platform *p, const uint64_t *numbers, int count, struct error *err)
{
	struct cxl_device *devices;
	char at[PCI_TEXT_SIZE];
	size_t n;
	int rc = p->ops->cxl->devices(p, &devices, &n, err);

	(void)numbers;
	(void)count;
	for (size_t i = 0; !rc && i < n; i++) {
		printf("%s ", devices[i].name);
		for (size_t k = 0; k < devices[i].depth; k++)
			printf("%s%s", k ? "/" : "", pci_location_text(devices[i].path[k], at));
		printf(" %d %d %" PRIu64 "\n", devices[i].near_node, devices[i].node,
		       devices[i].bytes);
	}
	if (!rc)
		free(devices);
	return rc;
}

static const struct probe probes[] = {
	{"msr", 2, 3, {UINT_MAX, UINT32_MAX, UINT64_MAX}, probe_msr},
	{"msr-later", 2, 3, {UINT_MAX, UINT32_MAX, UINT64_MAX}, probe_later},
	{"mmio", 1, 1, {UINT64_MAX}, probe_mmio},
	{"cpuid", 2, 3, {UINT_MAX, UINT32_MAX, UINT32_MAX}, probe_cpuid},
	{"cxl", 0, 0, {0}, probe_cxl},
};

static const struct probe *find(const char *name)
{
	for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]); i++)
		if (!strcmp(probes[i].name, name))
			return &probes[i];
	return NULL;
}

/* Decimal, or hexadecimal after 0x. */
static int parse(const char *text, uint64_t limit, uint64_t *out)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return -EINVAL;
	errno = 0;
	*out = strtoull(text, &end, 0);
	return errno || *end || *out > limit ? -EINVAL : 0;
}

static int usage(void)
{
	fprintf(stderr, "Usage: cxlmon-probe [--root=DIR] msr CPU REG [VALUE]\n"
			"       cxlmon-probe [--root=DIR] msr-later CPU REG [VALUE]\n"
			"       cxlmon-probe [--root=DIR] mmio ADDRESS\n"
			"       cxlmon-probe [--root=DIR] cpuid CPU LEAF [SUBLEAF]\n"
			"       cxlmon-probe [--root=DIR] cxl\n");
	return ERROR_USAGE;
}

int main(int argc, char **argv)
{
	static const char root_option[] = "--root=";
	const struct log silent = {0};
	const char *root = "/";
	uint64_t numbers[MAX_NUMBERS];
	struct platform *platform = NULL;
	struct error err = {0};
	int at = 1;

	if (at < argc && !strncmp(argv[at], root_option, sizeof(root_option) - 1))
		root = argv[at++] + sizeof(root_option) - 1;
	const struct probe *probe = at < argc ? find(argv[at++]) : NULL;
	const int count = argc - at;
	if (!probe || count < probe->least || count > probe->most)
		return usage();
	for (int i = 0; i < count; i++)
		if (parse(argv[at + i], probe->limits[i], &numbers[i]))
			return usage();

	int rc = platform_linux(root, &silent, &platform, &err);
	if (!rc)
		rc = probe->run(platform, numbers, count, &err);
	if (rc)
		fprintf(stderr, "cxlmon-probe: %s\n", err.text);
	platform_destroy(platform);
	return rc ? (int)err.kind : ERROR_NONE;
}
