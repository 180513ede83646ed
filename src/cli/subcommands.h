/* SPDX-License-Identifier: BSD-3-Clause */
/* The subcommands. Each is a function in cmd_*.c. */
#ifndef CXLMON_SUBCOMMANDS_H
#define CXLMON_SUBCOMMANDS_H

#include "platform/error.h"

struct subcommand {
	const char *name;
	/* argv[0] is the subcommand's name. Returns the exit status. NULL: that of help.h. */
	int (*run)(int argc, char **argv);
	const char *help;
};

/* Ends with a row without a name. */
extern const struct subcommand subcommands[];

const struct subcommand *subcommand_named(const char *name); /* NULL: there is none */

/*
 * Finds the subcommand, which may follow options, and moves its name to argv[1], before them. *out
 * is NULL if there is none: the line is the monitor's. EXIT_USAGE if the first operand is neither a
 * subcommand nor begins like an interval, or if a subcommand follows an interval.
 */
int subcommand_find(int argc, char **argv, const struct subcommand **out, struct error *err);

int cmd_allowlist(int argc, char **argv);
int cmd_compare(int argc, char **argv);
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
int cmd_selftest(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_snapshot(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_version(int argc, char **argv);
int cmd_who(int argc, char **argv);

#endif
