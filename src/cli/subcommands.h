/* SPDX-License-Identifier: BSD-3-Clause */
/* What cxlmon does besides monitoring. Each subcommand is a function in cmd_*.c. */
#ifndef CXLMON_SUBCOMMANDS_H
#define CXLMON_SUBCOMMANDS_H

#include <stdio.h>

#include "platform/error.h"

struct subcommand {
	const char *name;
	/* argv[0] is the subcommand's name. Returns the exit status. */
	int (*run)(int argc, char **argv);
	const char *help;
};

/*
 * The subcommand of a command line, whose name may follow options; *out is NULL where it is the
 * monitor's. The name is moved to argv[1], before those options. EXIT_USAGE where the first operand
 * is neither a subcommand nor, by its first character, an interval.
 */
int subcommand_find(int argc, char **argv, const struct subcommand **out, struct error *err);

/* What cxlmon --help prints: all options of the monitor, and all subcommands. */
void subcommands_help(FILE *out);

int cmd_allowlist(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_mmio(int argc, char **argv);
int cmd_msr(int argc, char **argv);
int cmd_pci(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_restore(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_snapshot(int argc, char **argv);

#endif
