/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon msr|pci|mmio read|write: accesses one register. The guard checks writes like those of the
 * monitor, unless --unsafe is given.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/common.h"
#include "platform/guard.h"
#include "platform/reg.h"
#include "uncore/machine.h"

static enum reg_space space_of(const struct options *options)
{
	const struct subcommand *subcommand = options->subcommand;

	return subcommand == &cmd_msr ? REG_MSR : subcommand == &cmd_pci ? REG_PCI : REG_MMIO;
}

/* How many operands name the register. */
static size_t address_words(enum reg_space space)
{
	return space == REG_PCI ? 2 : 1;
}

static int parse_number(const char *what, const char *text, uint64_t most, uint64_t *out,
			struct error *err)
{
	if (!text_number(text, out) || *out > most)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "%s '%s': expected a number up to 0x%" PRIx64, what,
				 quoted(text).text, most);
	return 0;
}

static int parse_function(const char *text, struct pci_location *out, struct error *err)
{
	unsigned domain = 0, bus, device, function, used = 0;

	if (sscanf(text, "%8x:%2x:%2x.%1x%n", &domain, &bus, &device, &function, (int *)&used) <
		    4 &&
	    (domain = 0, sscanf(text, "%2x:%2x.%1x%n", &bus, &device, &function, (int *)&used) < 3))
		used = 0;
	if (!used || text[used] || device > 31 || function > 7)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "FUNCTION '%s': expected such as 0000:7f:0c.0", quoted(text).text);
	*out = (struct pci_location){.domain = domain,
				     .bus = (uint8_t)bus,
				     .device = (uint8_t)device,
				     .function = (uint8_t)function};
	return 0;
}

static int find_register(const struct options *options, struct reg *out, struct error *err)
{
	static const uint64_t most[] = {
		[REG_MSR] = UINT32_MAX, [REG_MMIO] = UINT64_MAX - 7, [REG_PCI] = 4092};
	const enum reg_space space = space_of(options);
	char **operands = options->operands + 1;
	char name[REG_NAME_SIZE];
	uint64_t cpu = 0;
	int rc = 0;

	*out = (struct reg){.space = space, .bytes = space == REG_PCI ? 4 : 8};
	if (options->words)
		out->bytes = (uint8_t)(4 * options->words);
	if (space == REG_PCI)
		rc = parse_function(operands[0], &out->pci, err);
	if (!rc && options->cpu)
		rc = parse_number("--cpu", options->cpu, 65535, &cpu, err);
	if (!rc)
		rc = parse_number("address", operands[address_words(space) - 1], most[space],
				  &out->address, err);
	out->cpu = (unsigned)cpu;
	const unsigned step = space == REG_PCI ? 4U : out->bytes;
	if (!rc && space != REG_MSR && out->address % step)
		rc = error_set(err, ERROR_USAGE, -EINVAL, "%s: expected a multiple of %u",
			       reg_name(out, name), step);
	return rc;
}

/* The guard's rules are made from the machine's discovery tables. */
static int write_guarded(struct platform *p, struct reg *reg, uint64_t value, struct error *err)
{
	struct machine machine;
	int rc = machine_open(p, &machine, err);

	if (!rc)
		rc = machine_allow_all(&machine, err);
	if (!rc && guard_find(&p->guard, reg))
		rc = machine_map_register(&machine, reg, err);
	if (!rc)
		rc = reg_write(p, reg, value, err);
	if (rc == -EACCES)
		strncat(err->text, "; --unsafe overrides this",
			sizeof(err->text) - strlen(err->text) - 1);
	machine_close(&machine);
	return rc;
}

/* What it holds: printed, or where that is written over, said. */
static int access_unguarded(struct platform *p, struct reg *reg, bool writes, uint64_t value,
			    struct error *err)
{
	struct mmio_window window = {0};
	char name[REG_NAME_SIZE];
	uint64_t before;
	int rc = 0;

	if (reg->space == REG_MMIO)
		rc = p->ops->registers->mmio_map(p, reg->address, reg->bytes, writes, &window, err);
	if (rc)
		return rc;
	reg->window = reg->space == REG_MMIO ? &window : NULL;
	rc = reg_read(p, reg, &before, err);
	if (!rc && writes) {
		log_write(&p->log, LEVEL_WARNING,
			  "--unsafe: writing 0x%" PRIx64 " to %s, which holds 0x%" PRIx64
			  "; this is not restored",
			  value, reg_name(reg, name), before);
		guard_disable(&p->guard);
		rc = reg_write(p, reg, value, err);
	} else if (!rc) {
		printf("0x%0*" PRIx64 "\n", 2 * reg->bytes, before);
	}
	if (reg->space == REG_MMIO)
		p->ops->registers->mmio_unmap(p, &window);
	return rc;
}

static int access_register(struct options *options, struct platform *p, struct error *err)
{
	const bool writes = !strcmp(options->operands[0], "write");
	uint64_t value = 0;
	struct reg reg;
	int rc = find_register(options, &reg, err);

	if (!rc && writes)
		rc = parse_number("value", options->operands[1 + address_words(reg.space)],
				  reg.bytes == 4 ? UINT32_MAX : UINT64_MAX, &value, err);
	if (rc)
		return rc;
	return writes && !options->unsafe ? write_guarded(p, &reg, value, err)
					  : access_unguarded(p, &reg, writes, value, err);
}

static int run_register(struct options *options, struct error *err)
{
	const bool writes = options->operand_count && !strcmp(options->operands[0], "write");
	const bool reads = options->operand_count && !strcmp(options->operands[0], "read");
	const size_t expected = 1 + address_words(space_of(options)) + writes;

	if ((reads || writes) && options->operand_count == expected)
		return common_with_platform(options, access_register, err);
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "%s: expected read or write, and the register to %s: see cxlmon %s --help",
			 options->subcommand->name, writes ? "write" : "read",
			 options->subcommand->name);
}

static const char *const widths[] = {"4", "8", NULL};

#define OPTION_UNSAFE                                                                              \
	{                                                                                          \
		.name = "unsafe", OPTION_MEMBER(FLAG, unsafe),                                     \
		.help = "write even if it is not a performance monitoring register"                \
	}
#define NUMBERS "Numbers are decimal, or hexadecimal with 0x.\n\n"

static const struct option_row msr_rows[] = {
	OPTION_UNSAFE,
	{OPTION_MEMBER(STRING, cpu), .name = "cpu", .argument = "N",
	 .help = "CPU whose register it is (default 0)"},
	OPTIONS_MACHINE,
	{OPTION_JSON},
	{.name = NULL},
};
static const struct option_row wide_rows[] = {
	OPTION_UNSAFE,
	{OPTION_MEMBER(CHOICE, words), .value = 1, .name = "bytes", .argument = "N",
	 .choices = widths, .what = "--bytes", .help = "width of the access: 4 or 8"},
	OPTIONS_MACHINE,
	{OPTION_JSON},
	{.name = NULL},
};

const struct subcommand cmd_msr = {
	.name = "msr",
	.purpose = "read or write a model-specific register",
	.for_developers = true,
	.run = run_register,
	.usage = "Usage: cxlmon msr read REGISTER [--cpu=N]\n"
		 "       cxlmon msr write REGISTER VALUE [--cpu=N] [--unsafe]\n"
		 "Reads or writes a model-specific register of a CPU.\n" NUMBERS,
	.options = msr_rows,
	.operands = 3,
	.operand = "read write",
};

const struct subcommand cmd_pci = {
	.name = "pci",
	.purpose = "read or write a register in PCI configuration space",
	.for_developers = true,
	.run = run_register,
	.usage =
		"Usage: cxlmon pci read FUNCTION OFFSET [--bytes=8]\n"
		"       cxlmon pci write FUNCTION OFFSET VALUE [--bytes=8] [--unsafe]\n"
		"Reads or writes 4 or 8 bytes of configuration space; FUNCTION as 0000:7f:0c.0.\n" NUMBERS,
	.options = wide_rows,
	.operands = 4,
	.operand = "read write",
};

const struct subcommand cmd_mmio = {
	.name = "mmio",
	.purpose = "read or write a memory-mapped register",
	.for_developers = true,
	.run = run_register,
	.usage = "Usage: cxlmon mmio read ADDRESS [--bytes=4]\n"
		 "       cxlmon mmio write ADDRESS VALUE [--bytes=4] [--unsafe]\n"
		 "Reads or writes 4 or 8 bytes at a physical address.\n" NUMBERS,
	.options = wide_rows,
	.operands = 3,
	.operand = "read write",
};
