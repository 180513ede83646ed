/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon snapshot: what it takes to simulate this machine elsewhere. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/subcommands.h"
#include "cli/target.h"
#include "output/output_file.h"
#include "snapshot/snapshot.h"
#include "uncore/machine.h"

static void help(const void *context)
{
	(void)context;
	fputs("Usage: cxlmon snapshot [OPTION]... FILE\n"
	      "Writes what it takes to simulate this machine elsewhere, as JSON, to FILE (- is standard\n"
	      "output): cxlmon --sim=FILE. No register is written. Neither serial numbers nor the name\n"
	      "of this host are in it; docs/snapshot.md says what is.\n"
	      "\n"
	      "      --sim=SPEC         of a simulated processor: spr, emr, gnr, srf or a snapshot\n"
	      "      --root=DIR         find dev, sys and proc under DIR instead of /\n"
	      "  -h, --help             show this help\n",
	      stdout);
}

static int take(struct platform *p, char **text, size_t *size, struct error *err)
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

/* A file is opened as --output's is, and emptied when there is something to write. */
static int write_file(const char *name, const char *text, size_t size, struct error *err)
{
	struct sudo_user caller;
	int rc = sudo_user_find(&caller, err);

	if (rc)
		return rc;
	const int fd = output_open(name, &caller, err);
	if (fd < 0)
		return fd;
	/* a pipe can't be emptied, and needn't be */
	if (ftruncate(fd, 0) && errno != EINVAL)
		rc = -errno;
	for (ssize_t done; !rc && size; text += done, size -= (size_t)done) {
		done = write(fd, text, size);
		if (done < 0)
			rc = -errno;
		if (rc)
			break;
	}
	if (close(fd) && !rc)
		rc = -errno;
	return rc ? error_set(err, EXIT_FAILED, rc, "%s: can't be written: %s", name, strerror(-rc))
		  : 0;
}

static int snapshot(const struct target *target, struct platform *p, void *context,
		    struct error *err)
{
	const char *name = target->operands[0];
	char *text = NULL;
	size_t size = 0;
	int rc = take(p, &text, &size, err);

	(void)context;
	if (!rc && !strcmp(name, "-"))
		fwrite(text, 1, size, stdout); /* target_finish() looks whether it could */
	else if (!rc)
		rc = write_file(name, text, size, err);
	free(text);
	return rc;
}

static int check(const struct target *target, void *context, struct error *err)
{
	(void)context;
	if (target->operand_count)
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "snapshot: no file: expected cxlmon snapshot FILE, or - for standard "
			 "output");
}

int cmd_snapshot(int argc, char **argv)
{
	static const struct target_command command = {
		.help = help, .most_operands = 1, .check = check, .run = snapshot};

	return target_run(argc, argv, &command);
}
