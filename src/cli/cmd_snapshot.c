/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon snapshot: saves the files that simulate this machine elsewhere. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common.h"
#include "sim/snapshot/snapshot.h"
#include "uncore/machine.h"

static int take_text(struct platform *p, char **text, size_t *size, struct error *err)
{
	struct snapshot snapshot = {.leaves = NULL};
	struct machine machine;
	int rc = machine_open(p, &machine, err);

	if (!rc)
		rc = snapshot_take(&machine, &snapshot, err);
	if (!rc)
		rc = snapshot_encode(&snapshot, text, size, err);
	snapshot_free(&snapshot);
	machine_close(&machine);
	return rc;
}

/* Writes the file, and only now empties it, as there is something to write. */
static int write_file(const char *name, const char *text, size_t size, struct error *err)
{
	struct common_output output;
	const int rc = common_open_output(name, CONTENTS_EMPTIED, &output, err);

	if (rc)
		return rc;
	fwrite(text, 1, size, output.out);
	return common_close_output(&output, 0, err);
}

static int save_text(struct options *options, struct platform *p, struct error *err)
{
	const char *name = options->output;
	char *text = NULL;
	size_t size = 0;
	int rc = take_text(p, &text, &size, err);

	if (!rc && !strcmp(name, "-"))
		fwrite(text, 1, size, stdout); /* common_finish() checks for errors */
	else if (!rc)
		rc = write_file(name, text, size, err);
	free(text);
	return rc;
}

static int run_snapshot(struct options *options, struct error *err)
{
	const int rc = common_take_file(options, err);

	if (rc)
		return rc;
	if (!options->output)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "snapshot: no file: expected cxlmon snapshot FILE (- is standard "
				 "output)");
	return common_with_platform(options, save_text, err);
}

static const struct option_row rows[] = {
	{OPTION_FILE, .help = "write to FILE, same as operand FILE"},
	OPTIONS_MACHINE,
	{OPTION_JSON},
	{.name = NULL}};

const struct subcommand cmd_snapshot = {
	.name = "snapshot",
	.purpose = "save what is needed to simulate this machine elsewhere",
	.run = run_snapshot,
	.usage =
		"Usage: cxlmon snapshot [OPTION]... FILE\n"
		"Saves as JSON in FILE (- is standard output) what is needed to simulate this machine\n"
		"elsewhere, with cxlmon --sim=FILE. No register is written. Serial numbers and the host\n"
		"name are left out; docs/dev/snapshot.md describes the contents.\n"
		"\n",
	.options = rows,
	.operand = "FILE",
	.operands = 1,
};
