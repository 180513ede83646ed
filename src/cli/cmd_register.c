/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon register msr|pci|mmio read|write: accesses one register. The guard checks writes like
 * those of the monitor, unless --unsafe is given. cxlmon register allowlist: see
 * register_allowlist.c.
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

/* The words of a line: "msr read 0x10". */
enum { SPACE, ACCESS, ADDRESS };

static const char *const space_names[] = {
	[REG_MSR] = "msr", [REG_MMIO] = "mmio", [REG_PCI] = "pci"};
#define SPACES (sizeof(space_names) / sizeof(space_names[0]))

static bool is_word(const struct options *options, size_t i, const char *word)
{
	return options->operand_count > i && !strcmp(options->operands[i], word);
}

/* Finds the space that the line names; SPACES: none. */
static size_t space_of(const struct options *options)
{
	size_t space = 0;

	while (space < SPACES &&
	       !(space_names[space] && is_word(options, SPACE, space_names[space])))
		space++;
	return space;
}

/* Returns how many operands name the register. */
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
	const enum reg_space space = (enum reg_space)space_of(options);
	char **operands = options->operands + ADDRESS;
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

/* Writes a register under the guard, whose rules come from the machine's discovery tables. */
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

/* Reads a register and prints its value, or writes it and notes the old value. */
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
	const bool writes = is_word(options, ACCESS, "write");
	uint64_t value = 0;
	struct reg reg;
	int rc = find_register(options, &reg, err);

	if (!rc && writes)
		rc = parse_number("value", options->operands[ADDRESS + address_words(reg.space)],
				  reg.bytes == 4 ? UINT32_MAX : UINT64_MAX, &value, err);
	if (rc)
		return rc;
	return writes && !options->unsafe ? write_guarded(p, &reg, value, err)
					  : access_unguarded(p, &reg, writes, value, err);
}

/* Refuses options of another kind of register, rather than ignoring them. */
static int check_options(const struct options *options, size_t space, struct error *err)
{
	const char *option = space != REG_MSR && options->cpu	  ? "--cpu"
			     : space == REG_MSR && options->words ? "--bytes"
			     : space == SPACES && options->unsafe ? "--unsafe"
								  : NULL;

	return option ? error_set(err, ERROR_USAGE, -EINVAL, "register %s takes no option %s",
				  options->operands[SPACE], option)
		      : 0;
}

static int run_register(struct options *options, struct error *err)
{
	const bool writes = is_word(options, ACCESS, "write");
	const bool reads = is_word(options, ACCESS, "read");
	const bool lists = is_word(options, SPACE, "allowlist");
	const size_t space = space_of(options);

	if ((lists && options->operand_count == 1) ||
	    (space < SPACES && (reads || writes) &&
	     options->operand_count == ADDRESS + address_words((enum reg_space)space) + writes)) {
		const int rc = check_options(options, space, err);

		return rc ? rc
			  : common_with_platform(options,
						 lists ? register_print_allowlist : access_register,
						 err);
	}
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "register: expected msr, pci or mmio, read or write, and the register; or "
			 "allowlist: see cxlmon register --help");
}

static const char *const widths[] = {"4", "8", NULL};

static const struct option_row rows[] = {
	{.name = "unsafe",
	 OPTION_MEMBER(FLAG, unsafe),
	 .help = "write even if it is not a performance monitoring register"},
	{OPTION_MEMBER(STRING, cpu), .name = "cpu", .argument = "N",
	 .help = "access the MSR of CPU N (default 0)"},
	{OPTION_MEMBER(CHOICE, words), .value = 1, .name = "bytes", .argument = "N",
	 .choices = widths, .what = "--bytes", .help = "access 4 or 8 bytes (pci, mmio)"},
	OPTIONS_MACHINE,
	{OPTION_JSON},
	{.name = NULL},
};

const struct subcommand cmd_register = {
	.name = "register",
	.purpose = "read or write one register; print the MSR allowlist for msr-safe",
	.for_developers = true,
	.run = run_register,
	.usage = "Usage: cxlmon register msr read REGISTER [--cpu=N]\n"
		 "       cxlmon register msr write REGISTER VALUE [--cpu=N] [--unsafe]\n"
		 "       cxlmon register pci read FUNCTION OFFSET [--bytes=8]\n"
		 "       cxlmon register pci write FUNCTION OFFSET VALUE [--bytes=8] [--unsafe]\n"
		 "       cxlmon register mmio read ADDRESS [--bytes=4]\n"
		 "       cxlmon register mmio write ADDRESS VALUE [--bytes=4] [--unsafe]\n"
		 "       cxlmon register allowlist\n"
		 "Reads or writes a model-specific register of a CPU, 4 or 8 bytes of the\n"
		 "configuration space of a PCI function (0000:7f:0c.0), or 4 or 8 bytes at a\n"
		 "physical address. Numbers are decimal, or hexadecimal with 0x.\n"
		 "allowlist prints the MSRs that cxlmon uses on this machine, each with a mask of\n"
		 "the bits that it writes, in the format of the msr-safe module:\n"
		 "  cxlmon register allowlist | sudo tee /dev/cpu/msr_allowlist\n"
		 "\n",
	.options = rows,
	.operands = 5,
	.operand = "msr pci mmio allowlist read write",
};
